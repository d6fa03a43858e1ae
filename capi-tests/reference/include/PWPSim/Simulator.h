// The public header of the reference library: the class and the table structures in the original library's layout.
// Behaviour: docs/behaviour.md section 7 (layouts and symbols), sections 1 and 5 (what a call does).
//
// Linux, libstdc++, the new string ABI. Clients hold a Simulator inside their own objects, and copy and destroy it
// with code compiled into them. The class therefore declares no destructor, copy or move of its own.
#ifndef PWPSIM_SIMULATOR_H
#define PWPSIM_SIMULATOR_H

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace PWPSim {

// Non-zero: constructing a Simulator logs to stderr which files were probed and loaded. Zero is silent.
extern int DEBUG;

// One section of a table: the centre of expansion and the four coefficients of the cubic in (input - x).
struct exponent_sect {
    float x;
    float d0;
    float d1;
    float d2;
    float d3;
};

// A clamp. The threshold is the float with biased exponent `sat_point` and mantissa field `mantissa_point`.
struct pwp_sat_region {
    int sat_point;
    int mantissa_point;
    exponent_sect section;
};

// One octave: the top `extract_size` bits of the mantissa (0..=23) choose the section.
struct pwp_nonsat_region {
    int exponent;  // unbiased
    int num_sections;
    int extract_size;
    std::vector<exponent_sect> sections;  // num_sections entries
};

// The table of one function. Once loaded, both region vectors hold 256 slots, by biased exponent; an octave that the
// profile does not give has num_sections 0.
struct AFTable {
    bool symmetry_en;
    bool symmetry_invert_sign_opt;
    bool symmetry_opt_use_neg_region;
    float symmetry_point;
    float zero_result;
    float nan_result;  // loaded, never returned
    float pinf_result;
    float ninf_result;
    std::vector<pwp_nonsat_region> pos_region;
    std::vector<pwp_nonsat_region> neg_region;
    pwp_sat_region pos_high;
    pwp_sat_region pos_low;
    pwp_sat_region neg_high;
    pwp_sat_region neg_low;
};

class Simulator {
public:
    // Loads every profile that the directory holds. An empty path, or one that cannot be opened, leaves
    // can_use_pwp_table false, and every call takes the exact closed form. A profile that does not parse aborts.
    Simulator(std::string const &path);

    // Writes f(...) of each of `count` inputs, in order. A count of zero or less writes nothing.
    //
    // THE TRAP: the declared names below are the original's, and they are misleading. The FIRST float, declared
    // `scale`, is ADDED; the SECOND, declared `bias`, MULTIPLIES:
    //
    //     out[i] = f(bias * in[i] + scale; alpha)
    //
    // with the product rounded to float before the sum. To get f(3 * x + 1), pass 1.0f, then 3.0f.
    //
    // Throws std::runtime_error for a name that is not supported, and for a function that has no table when the
    // call would take one. An input that falls in no section of the table aborts.
    void simulate(std::string const &func, float *out, float const *in, float scale, float bias, float alpha,
                  int count, bool use_pwp);

    // One value, without scaling. Throws and aborts as above.
    float simulate(std::string const &func, float x, float alpha, bool use_pwp);

    // The piecewise polynomial of `table` at `x`. `alpha` is not used.
    float evaluate_generic(AFTable &table, float x, float alpha);

    // Whether calls with use_pwp take the tables.
    bool use_pwp_table();

    bool can_use_pwp_table;
    std::string pwp_path;
    std::unordered_map<std::string, AFTable> tables;  // by the name that simulate() takes

private:
    std::function<float(float, float)> bind_closed_form(std::string const &func);
    std::function<float(float, float)> bind_function(std::string const &func, bool use_pwp);

    // The exact closed forms. All take (x, alpha), so that any of them can be bound; only prelu uses alpha.
    float identity(float x, float alpha);
    float square(float x, float alpha);
    float relu(float x, float alpha);
    float lrelu(float x, float alpha);
    float prelu(float x, float alpha);
    float sigmoid(float x, float alpha);
    float tanh(float x, float alpha);
    float exp(float x, float alpha);
    float softplus(float x, float alpha);
    float sqrt(float x, float alpha);
    float rsqrt(float x, float alpha);
    float ln(float x, float alpha);
    float erf(float x, float alpha);
    float sin(float x, float alpha);
    float arctan(float x, float alpha);
    float sign(float x, float alpha);
    float gelu(float x, float alpha);
    float mish(float x, float alpha);
    float gelu_apprx_tanh(float x, float alpha);
    float gelu_apprx_sigmoid(float x, float alpha);
    float derivative_gelu_apprx_sigmoid(float x, float alpha);
    float derivative_gelu(float x, float alpha);
    float derivative_erf(float x, float alpha);
    float copy(float x, float alpha);
    float abs(float x, float alpha);
    float reciprocal(float x, float alpha);
    float abs_reciprocal_sqrt(float x, float alpha);
    float silu(float x, float alpha);
    float derivative_silu(float x, float alpha);
    float ln_prime(float x, float alpha);
    float memset_zero(float x, float alpha);
};

// The layouts, which are the contract with clients that are already compiled.

static_assert(sizeof(exponent_sect) == 20, "exponent_sect");
static_assert(offsetof(exponent_sect, x) == 0, "exponent_sect::x");
static_assert(offsetof(exponent_sect, d0) == 4, "exponent_sect::d0");
static_assert(offsetof(exponent_sect, d1) == 8, "exponent_sect::d1");
static_assert(offsetof(exponent_sect, d2) == 12, "exponent_sect::d2");
static_assert(offsetof(exponent_sect, d3) == 16, "exponent_sect::d3");

static_assert(sizeof(pwp_sat_region) == 28, "pwp_sat_region");
static_assert(offsetof(pwp_sat_region, sat_point) == 0, "pwp_sat_region::sat_point");
static_assert(offsetof(pwp_sat_region, mantissa_point) == 4, "pwp_sat_region::mantissa_point");
static_assert(offsetof(pwp_sat_region, section) == 8, "pwp_sat_region::section");

static_assert(sizeof(pwp_nonsat_region) == 40, "pwp_nonsat_region");
static_assert(offsetof(pwp_nonsat_region, exponent) == 0, "pwp_nonsat_region::exponent");
static_assert(offsetof(pwp_nonsat_region, num_sections) == 4, "pwp_nonsat_region::num_sections");
static_assert(offsetof(pwp_nonsat_region, extract_size) == 8, "pwp_nonsat_region::extract_size");
static_assert(offsetof(pwp_nonsat_region, sections) == 16, "pwp_nonsat_region::sections");

static_assert(sizeof(AFTable) == 184, "AFTable");
static_assert(offsetof(AFTable, symmetry_en) == 0, "AFTable::symmetry_en");
static_assert(offsetof(AFTable, symmetry_invert_sign_opt) == 1, "AFTable::symmetry_invert_sign_opt");
static_assert(offsetof(AFTable, symmetry_opt_use_neg_region) == 2, "AFTable::symmetry_opt_use_neg_region");
static_assert(offsetof(AFTable, symmetry_point) == 4, "AFTable::symmetry_point");
static_assert(offsetof(AFTable, zero_result) == 8, "AFTable::zero_result");
static_assert(offsetof(AFTable, nan_result) == 12, "AFTable::nan_result");
static_assert(offsetof(AFTable, pinf_result) == 16, "AFTable::pinf_result");
static_assert(offsetof(AFTable, ninf_result) == 20, "AFTable::ninf_result");
static_assert(offsetof(AFTable, pos_region) == 24, "AFTable::pos_region");
static_assert(offsetof(AFTable, neg_region) == 48, "AFTable::neg_region");
static_assert(offsetof(AFTable, pos_high) == 72, "AFTable::pos_high");
static_assert(offsetof(AFTable, pos_low) == 100, "AFTable::pos_low");
static_assert(offsetof(AFTable, neg_high) == 128, "AFTable::neg_high");
static_assert(offsetof(AFTable, neg_low) == 156, "AFTable::neg_low");

static_assert(sizeof(Simulator) == 96, "Simulator");
static_assert(offsetof(Simulator, can_use_pwp_table) == 0, "Simulator::can_use_pwp_table");
static_assert(offsetof(Simulator, pwp_path) == 8, "Simulator::pwp_path");
static_assert(offsetof(Simulator, tables) == 40, "Simulator::tables");

}  // namespace PWPSim

#endif  // PWPSIM_SIMULATOR_H
