// The exp table (exp_400p), built from the published figures: 26 octaves a side, exponents -19 to +6; the section's
// centre is the middle of its interval of bit patterns, rounded down; the coefficients are exp's Taylor coefficients
// there, each rounded to float from long double; the top octaves are cut short by the high clamps.
#include "exp_profile.h"

#include "check.h"

using namespace PWPSim;

namespace {

constexpr int FIRST_EXPONENT = -19;
constexpr int LAST_EXPONENT = 6;
constexpr int POS_HIGH_MANTISSA = 3240472;  // with exponent 133: 88.7228...
constexpr int NEG_HIGH_MANTISSA = 4362891;  // with exponent 133: 97.2864...

exponent_sect taylor_section(float x)
{
    long double const e = expl(static_cast<long double>(x));
    exponent_sect section{};
    section.x = x;
    section.d0 = static_cast<float>(e);
    section.d1 = static_cast<float>(e);
    section.d2 = static_cast<float>(e / 2.0L);
    section.d3 = static_cast<float>(e / 6.0L);
    return section;
}

// One section up to exponent -2, then 2 (exponent -1), 4 (exponent 0), ... 256 (exponent 6).
int extract_size_of(int exponent)
{
    return exponent <= -2 ? 0 : exponent + 2;
}

pwp_nonsat_region octave(int exponent, std::uint32_t sign_bit, int high_mantissa)
{
    pwp_nonsat_region region{};
    region.exponent = exponent;
    region.extract_size = extract_size_of(exponent);
    region.num_sections = 1 << region.extract_size;

    int const shift = 23 - region.extract_size;
    int const stored = exponent == LAST_EXPONENT ? (high_mantissa >> shift) + 1 : region.num_sections;
    std::uint32_t const octave_bits = sign_bit | (static_cast<std::uint32_t>(exponent + 127) << 23);
    for (int index = 0; index < stored; index++) {
        std::uint64_t const first = octave_bits + (static_cast<std::uint32_t>(index) << shift);
        std::uint64_t const last = first + (1u << shift) - 1;
        region.sections.push_back(taylor_section(from_bits(static_cast<std::uint32_t>((first + last) / 2))));
    }
    return region;
}

}  // namespace

AFTable exp_profile()
{
    AFTable profile{};
    profile.zero_result = from_bits(0x3f800000);  // 1
    profile.nan_result = from_bits(0x7fc00000);   // NaN
    profile.pinf_result = from_bits(0x7f800000);  // +inf
    profile.ninf_result = from_bits(0x00000000);  // +0
    for (int exponent = FIRST_EXPONENT; exponent <= LAST_EXPONENT; exponent++) {
        profile.pos_region.push_back(octave(exponent, 0x00000000, POS_HIGH_MANTISSA));
        profile.neg_region.push_back(octave(exponent, 0x80000000, NEG_HIGH_MANTISSA));
    }
    exponent_sect const near_zero = {0.0f, from_bits(0x3f800000), from_bits(0x3f800000), from_bits(0x3f000000),
                                     from_bits(0x3e2aaaab)};
    exponent_sect const infinity = {0.0f, from_bits(0x7f800000), 0.0f, 0.0f, 0.0f};
    profile.pos_low = {108, 0, near_zero};
    profile.neg_low = {108, 0, near_zero};
    profile.pos_high = {133, POS_HIGH_MANTISSA, infinity};
    profile.neg_high = {133, NEG_HIGH_MANTISSA, {}};
    return profile;
}
