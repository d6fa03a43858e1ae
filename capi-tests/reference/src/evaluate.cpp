// The evaluation of a table: fold, look-up of the section, cubic, unfold.
// Behaviour: docs/behaviour.md section 4, step by step.
#include <PWPSim/Simulator.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

// The assertion below is the library's behaviour, not a debugging aid: it stays in every build.
#undef NDEBUG
#include <cassert>

namespace PWPSim {

namespace {

std::uint32_t bits_of(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Step 4. Null where the input is unhandled.
exponent_sect const *find_section(AFTable const &table, float sel)
{
    std::uint32_t const bits = bits_of(sel);
    bool const negative = (bits >> 31) != 0;
    int const expo = static_cast<int>((bits >> 23) & 255u);
    int const mant = static_cast<int>(bits & 0x7fffffu);

    pwp_sat_region const &high = negative ? table.neg_high : table.pos_high;
    pwp_sat_region const &low = negative ? table.neg_low : table.pos_low;
    std::vector<pwp_nonsat_region> const &regions = negative ? table.neg_region : table.pos_region;

    if (high.sat_point < expo || (high.sat_point == expo && high.mantissa_point <= mant)) {
        return &high.section;
    }
    if (low.sat_point > expo || (low.sat_point == expo && low.mantissa_point >= mant)) {
        return &low.section;
    }
    // A loaded table has all 256 slots and sections.size() == num_sections; a caller's own table may be short.
    if (static_cast<std::size_t>(expo) >= regions.size()) {
        return nullptr;
    }
    pwp_nonsat_region const &region = regions[static_cast<std::size_t>(expo)];
    if (region.extract_size < 0 || region.extract_size > 23) {
        return nullptr;
    }
    int const index = mant >> (23 - region.extract_size);
    if (index >= region.num_sections || static_cast<std::size_t>(index) >= region.sections.size()) {
        return nullptr;
    }
    return &region.sections[static_cast<std::size_t>(index)];
}

// Step 6, which results are unfolded. PWP_SIM_FOLD, read once a process, is "reflected" (the default: those of inputs
// that the fold reflected) or "negative" (those of negative inputs). Any other value is ignored, and stderr says so.
bool negative_inputs_are_unfolded()
{
    static bool const negative = [] {
        char const *const variable = std::getenv("PWP_SIM_FOLD");
        std::string const value = variable == nullptr ? "reflected" : variable;
        if (value != "reflected" && value != "negative") {
            std::cerr << "PWPSim: PWP_SIM_FOLD is neither reflected nor negative: ignored\n";
        }
        return value == "negative";
    }();
    return negative;
}

// Step 5. The linear part is in float, the square and cubic terms are added in double.
float cubic(exponent_sect const &section, float sel)
{
    float const t = sel - section.x;
    float const product = t * section.d1;
    float const p = product + section.d0;
    double const td = static_cast<double>(t);
    double const square = td * td;
    double const square_term = square * static_cast<double>(section.d2);
    double r = static_cast<double>(p) + square_term;
    double const cube = std::pow(td, 3.0);
    double const cubic_term = cube * static_cast<double>(section.d3);
    r = cubic_term + r;
    return static_cast<float>(r);
}

}  // namespace

float Simulator::evaluate_generic(AFTable &table, float x, float)
{
    float const v = x;

    // Step 1: the specials. A NaN takes the common way.
    if (v == 0.0f) {
        return table.zero_result;
    }
    if (std::isinf(v)) {
        return v > 0.0f ? table.pinf_result : table.ninf_result;
    }

    // Step 2: the fold.
    float sel = v;
    if (table.symmetry_en) {
        sel = std::fabs(v);
        if (table.symmetry_opt_use_neg_region) {
            sel = -sel;
        }
    }

    // Steps 3 to 5.
    exponent_sect const *section = find_section(table, sel);
    assert(section != nullptr && "Unhandled section in simulation");
    float y = cubic(*section, sel);

    // Step 6: the unfold. A NaN is not equal to anything, so it counts as reflected; it does by the other reading too.
    bool const unfolded = negative_inputs_are_unfolded() ? v < 0.0f || std::isnan(v) : v != sel;
    if (table.symmetry_en && unfolded) {
        if (table.symmetry_invert_sign_opt) {
            y = -y;
        }
        y = y + table.symmetry_point;
    }
    return y;
}

}  // namespace PWPSim
