// pwp_sim.hpp: the C++ interface of libpwp_sim.so. C++11 and later; g++ or clang++ with libstdc++ on 64-bit Linux.
//
// The class and its symbols are those of the original library, so a program that was compiled against the original
// runs on this one unchanged. New programs include this header; for C, and for an interface that reports errors as
// values, see pwp_sim.h. docs/behaviour.md says what is computed, docs/abi.md lists the symbols.
#ifndef PWP_SIM_HPP
#define PWP_SIM_HPP

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#if !defined(__GLIBCXX__) || !_GLIBCXX_USE_CXX11_ABI
#error "pwp_sim.hpp needs libstdc++ with the new string ABI (_GLIBCXX_USE_CXX11_ABI=1)"
#endif

namespace PWPSim {

// Not zero: a construction of a Simulator says on stderr which files it looked for and which it loaded. Zero: silent.
extern int DEBUG;

// One section of a table: the cubic d0 + d1*t + d2*t^2 + d3*t^3 with t = input - x.
struct exponent_sect {
    float x;
    float d0;
    float d1;
    float d2;
    float d3;
};

// A saturation point: the float with biased exponent `sat_point` and mantissa `mantissa_point`, and the section that
// serves the inputs beyond it.
struct pwp_sat_region {
    int sat_point;
    int mantissa_point;
    exponent_sect section;
};

// One octave: the top `extract_size` bits (0 to 23) of the mantissa choose the section.
struct pwp_nonsat_region {
    int exponent;      // unbiased, -127 to 128
    int num_sections;  // an input that chooses a section at or past this is unhandled
    int extract_size;
    std::vector<exponent_sect> sections;  // num_sections of them
};

// The table of one function, for evaluate_generic().
struct AFTable {
    bool symmetry_en;                  // fold the input to one sign
    bool symmetry_invert_sign_opt;     // negate the result of a reflected input
    bool symmetry_opt_use_neg_region;  // fold to the negative side, not the positive one
    float symmetry_point;              // added to the result of a reflected input
    float zero_result;
    float nan_result;  // never returned: a NaN goes through the sections, and comes out NaN
    float pinf_result;
    float ninf_result;
    std::vector<pwp_nonsat_region> pos_region;  // 256, by biased exponent; an absent octave has num_sections 0
    std::vector<pwp_nonsat_region> neg_region;
    pwp_sat_region pos_high;
    pwp_sat_region pos_low;
    pwp_sat_region neg_high;
    pwp_sat_region neg_low;
};

// Computes named functions by the hardware's tables or by their exact closed forms.
//
// A Simulator may be copied, moved and destroyed freely, and costs no more than its path: the tables are shared by all
// simulators of an unchanged directory, which is read once. Calls on one simulator from any number of threads need no
// lock.
class Simulator {
public:
    // A simulator with the tables of a profile directory; or of "builtin:", the tables that come with the library; or,
    // for an empty path and for one that cannot be opened, with none: then every call takes the exact form.
    //
    // Throws std::runtime_error with "Failed to parse pwp file" in its text, the file and the place in it, for a
    // profile that is not valid.
    Simulator(std::string const &profile_dir);

    // Writes out[i] = f(multiplier * in[i] + addend) for `count` floats; the product is rounded to float before the
    // sum. A `count` of zero or less is a no-op. The buffers may overlap in any way and need no alignment.
    //
    // THE TRAP. The FIRST float is ADDED and the SECOND MULTIPLIES. The original declares these two parameters as
    // `scale, bias` and does the opposite of those names; here they have the names of what they do. To compute
    // exp(0.5f * x - 3.0f):
    //
    //     simulator.simulate("Exp", out, in, /* addend */ -3.0f, /* multiplier */ 0.5f, 0.0f, count, true);
    //
    // `name` is exact and case-sensitive. `alpha` is the slope of "Prelu"; nothing else reads it. `use_pwp` asks for
    // the table, which is used when the simulator can use tables ("Prelu" has none and never does).
    //
    // Throws std::runtime_error: "Unsupported activation function Simulator::simulation: <name>" for an unknown name;
    // "no table for function ..." where a table is due and there is none; "Unhandled section in simulation of ..."
    // where no section covers some inputs: all others are written, and those become NaN.
    void simulate(std::string const &name, float *out, float const *in, float addend, float multiplier, float alpha,
                  int count, bool use_pwp);
    void simulate(std::string const &name, float *out, float const *in, float addend, float multiplier, float alpha,
                  int count, bool use_pwp) const;

    // f(x), without scaling. Throws as above.
    float simulate(std::string const &name, float x, float alpha, bool use_pwp);
    float simulate(std::string const &name, float x, float alpha, bool use_pwp) const;

    // The value of a table of your own at `x`. `alpha` is not used. Throws std::runtime_error with "Unhandled section
    // in simulation" where no section covers `x`.
    float evaluate_generic(AFTable &table, float x, float alpha);

    // Whether calls with `use_pwp` use tables.
    bool use_pwp_table();
    bool use_pwp_table() const;

    // What use_pwp_table() says. Set it to false to have every call take the exact form.
    bool can_use_pwp_table;
    // The constructor's argument.
    std::string pwp_path;
    // Empty: the directory's tables are not here. A table that you put in under a function's name is used instead of
    // the directory's. Leave its max_load_factor alone: it tells the library which directory the simulator is of.
    std::unordered_map<std::string, AFTable> tables;
};

// The layouts that the library was built for.
static_assert(sizeof(exponent_sect) == 20 && sizeof(pwp_sat_region) == 28 && sizeof(pwp_nonsat_region) == 40,
              "the layout of a section or a region");
static_assert(offsetof(pwp_sat_region, section) == 8 && offsetof(pwp_nonsat_region, sections) == 16,
              "the layout of a region");
static_assert(sizeof(AFTable) == 184 && offsetof(AFTable, symmetry_point) == 4 && offsetof(AFTable, pos_region) == 24
                  && offsetof(AFTable, neg_region) == 48 && offsetof(AFTable, pos_high) == 72
                  && offsetof(AFTable, pos_low) == 100 && offsetof(AFTable, neg_high) == 128
                  && offsetof(AFTable, neg_low) == 156,
              "the layout of AFTable");
static_assert(sizeof(Simulator) == 96 && offsetof(Simulator, pwp_path) == 8 && offsetof(Simulator, tables) == 40,
              "the layout of Simulator");

}  // namespace PWPSim

#endif  // PWP_SIM_HPP
