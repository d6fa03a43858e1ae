// The tables: the published exp values, the eight folds and the clamps by hand, unhandled inputs.
#include "check.h"
#include "exp_profile.h"
#include "profile_json.h"

#include <PWPSim/Simulator.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

using namespace PWPSim;

namespace {

int listed_sections(std::vector<pwp_nonsat_region> const &regions)
{
    std::size_t count = 0;
    for (pwp_nonsat_region const &region : regions) {
        count += region.sections.size();
    }
    return static_cast<int>(count);
}

// Every stored section of exp has its x; the filled ones are all zero.
int nonzero_sections(std::vector<pwp_nonsat_region> const &regions)
{
    int count = 0;
    for (pwp_nonsat_region const &region : regions) {
        for (exponent_sect const &section : region.sections) {
            count += section.x != 0.0f ? 1 : 0;
        }
    }
    return count;
}

void exp_table()
{
    AFTable const profile = exp_profile();
    check(listed_sections(profile.neg_region) == 406, "exp: 406 negative sections");
    check(listed_sections(profile.pos_region) == 371, "exp: 371 positive sections");

    ScratchDirectory directory;
    directory.write("exp_400p.json", profile_json(profile, Spelling{}));
    Simulator sim(directory.path());
    check(sim.use_pwp_table(), "a directory has tables");

    struct {
        std::uint32_t x, y;
    } const values[] = {
        {0x3f000000, 0x3fd308b1},  // 0.5
        {0xbf000000, 0x3f1b453a},  // -0.5
        {0x3f800000, 0x402df7d4},  // 1
        {0x41200000, 0x46ac1470},  // 10
        {0xc2c20000, 0x00000216},  // -97, a denormal
        {0x00000000, 0x3f800000}, {0x80000000, 0x3f800000},  // the specials
        {0x7f800000, 0x7f800000}, {0xff800000, 0x00000000},
        {0x42b17218, 0x7f800000},  // the high clamp: exponent 133, mantissa 3240472
        {0xc2c2928b, 0x00000000},  // the negative one: mantissa 4362891
        {0x36000000, 0x3f800010},  // the first octave, exponent 108, mantissa 0: still the low clamp, 1 + 2^-19
    };
    for (auto const &value : values) {
        float const y = sim.simulate("Exp", from_bits(value.x), 0.0f, true);
        char text[64];
        std::snprintf(text, sizeof text, "table Exp(%08x)", value.x);
        check_bits(y, value.y, text);
    }
    float const largest = sim.simulate("Exp", from_bits(0x42b17217), 0.0f, true);
    check(std::isfinite(largest) && largest > 3.0e38f, "table Exp just below the high clamp");
    check_nan(sim.simulate("Exp", from_bits(0x7fc00000), 0.0f, true), "table Exp(NaN)");
    check_bits(sim.simulate("Exp", 1.0f, 0.0f, false), 0x402df854, "without use_pwp the exact form");

    AFTable const &table = sim.tables.at("Exp");
    check(table.pos_region.size() == 256 && table.neg_region.size() == 256, "256 slots a sign");
    check(nonzero_sections(table.neg_region) == 406, "exp: 406 negative sections loaded");
    check(nonzero_sections(table.pos_region) == 371, "exp: 371 positive sections loaded");
    check(table.neg_region[133].num_sections == 256 && table.neg_region[133].sections.size() == 256,
          "exp: the cut-short octave has its 256 sections");
    exponent_sect const &first = table.neg_region[108].sections.at(0);
    check_bits(first.x, 0xb63fffff, "exp: first negative section, x");
    check_bits(first.d0, 0x3f7fffd0, "exp: first negative section, d0");
    check_bits(first.d1, 0x3f7fffd0, "exp: first negative section, d1");
    check_bits(first.d2, 0x3effffd0, "exp: first negative section, d2");
    check_bits(first.d3, 0x3e2aaa8b, "exp: first negative section, d3");
    exponent_sect const &half = table.pos_region[126].sections.at(0);
    check_bits(half.x, 0x3f1fffff, "exp: the section of 0.5, x");
    check_bits(half.d0, 0x3fef22ae, "exp: the section of 0.5, d0");
}

// One octave a side, 1 <= |v| < 2, in two sections of which the second is all zero; clamps on both ends.
AFTable fold_profile(bool symmetry_en, bool invert, bool use_neg)
{
    AFTable profile{};
    profile.symmetry_en = symmetry_en;
    profile.symmetry_invert_sign_opt = invert;
    profile.symmetry_opt_use_neg_region = use_neg;
    profile.symmetry_point = 1.0f;
    profile.zero_result = 11.0f;
    profile.nan_result = 12.0f;
    profile.pinf_result = 13.0f;
    profile.ninf_result = 14.0f;
    // Two sections, of which only the first is given.
    profile.pos_region = {{0, 2, 1, {{1.25f, 2.0f, 3.0f, 0.5f, 0.25f}}}};
    profile.neg_region = {{0, 2, 1, {{-1.25f, 5.0f, 1.0f, 0.0f, 0.0f}}}};
    // High: from 2 + 2^-22 on. Low: up to 0.75, and up to -0.75, mantissas included.
    profile.pos_high = {128, 1, {0.0f, 100.0f, 0.0f, 0.0f, 0.0f}};
    profile.neg_high = {128, 1, {0.0f, 200.0f, 0.0f, 0.0f, 0.0f}};
    profile.pos_low = {126, 0x400000, {0.0f, 300.0f, 0.0f, 0.0f, 0.0f}};
    profile.neg_low = {126, 0x400000, {0.0f, 400.0f, 0.0f, 0.0f, 0.0f}};
    return profile;
}

// v = 1: t = -0.25, p = -0.25 * 3 + 2 = 1.25, r = 1.25 + 0.0625 * 0.5 = 1.28125, and -0.015625 * 0.25 more: 1.27734375.
// v = -1 in the negative table: t = 0.25, y = 0.25 + 5 = 5.25. The fold to the negative side reflects the positive inputs;
// by the other reading of PWP_SIM_FOLD the negative ones are unfolded there too.
void folds()
{
    char const *const reading = std::getenv("PWP_SIM_FOLD");
    bool const negative = reading != nullptr && std::string(reading) == "negative";
    struct {
        bool symmetry_en, invert, use_neg;
        float plus_one, minus_one, plus_clamp, minus_clamp;  // the clamps at +-0.75
    } const cases[] = {
        {false, false, false, 1.27734375f, 5.25f, 300.0f, 400.0f},
        {false, true, false, 1.27734375f, 5.25f, 300.0f, 400.0f},
        {false, false, true, 1.27734375f, 5.25f, 300.0f, 400.0f},
        {false, true, true, 1.27734375f, 5.25f, 300.0f, 400.0f},
        {true, false, false, 1.27734375f, 2.27734375f, 300.0f, 301.0f},
        {true, true, false, 1.27734375f, -0.27734375f, 300.0f, -299.0f},
        {true, false, true, 6.25f, 5.25f, 401.0f, 400.0f},
        {true, true, true, -4.25f, 5.25f, -399.0f, 400.0f},
    };
    for (auto fold : cases) {
        if (negative && fold.symmetry_en && fold.use_neg) {
            std::swap(fold.plus_one, fold.minus_one);
            std::swap(fold.plus_clamp, fold.minus_clamp);
        }
        ScratchDirectory directory;
        Spelling spelling;
        spelling.signed_ints = fold.invert;
        spelling.nested_sections = fold.use_neg;
        spelling.numeric_flags = fold.symmetry_en;
        directory.write("tanh_4p.json",
                        profile_json(fold_profile(fold.symmetry_en, fold.invert, fold.use_neg), spelling));
        Simulator sim(directory.path() + "/");
        std::string const name = "fold " + std::to_string(fold.symmetry_en) + std::to_string(fold.invert)
                                 + std::to_string(fold.use_neg);
        auto const tanh = [&sim](float v) { return sim.simulate("Tanh", v, 0.0f, true); };

        check_bits(tanh(1.0f), to_bits(fold.plus_one), name + " at 1");
        check_bits(tanh(-1.0f), to_bits(fold.minus_one), name + " at -1");
        check_bits(tanh(0.75f), to_bits(fold.plus_clamp), name + " at 0.75");
        check_bits(tanh(-0.75f), to_bits(fold.minus_clamp), name + " at -0.75");
        check_bits(tanh(0.0f), to_bits(11.0f), name + " at 0");
        check_bits(tanh(-0.0f), to_bits(11.0f), name + " at -0");
        check_bits(tanh(std::numeric_limits<float>::infinity()), to_bits(13.0f), name + " at +inf");
        check_bits(tanh(-std::numeric_limits<float>::infinity()), to_bits(14.0f), name + " at -inf");
        check_nan(tanh(from_bits(0x7fc00000)), name + " at NaN");
        check_nan(tanh(from_bits(0xffc00000)), name + " at -NaN");
        float const untouched = fold.symmetry_en && fold.use_neg && !negative ? -1.75f : 1.75f;
        check_bits(tanh(untouched), 0x00000000, name + " at 1.75, in the section that the file does not give");
    }
}

void clamp_edges()
{
    ScratchDirectory directory;
    directory.write("tanh_4p.json", profile_json(fold_profile(false, false, false), Spelling{}));
    Simulator sim(directory.path());
    auto const tanh = [&sim](std::uint32_t bits) { return sim.simulate("Tanh", from_bits(bits), 0.0f, true); };
    check_bits(tanh(0x40000001), to_bits(100.0f), "exactly at the high clamp");
    check_bits(tanh(0xc0000001), to_bits(200.0f), "exactly at the negative high clamp");
    check_bits(tanh(0x3f400000), to_bits(300.0f), "exactly at the low clamp");
    check_bits(tanh(0x00000001), to_bits(300.0f), "a denormal is below the low clamp");

    std::string const words = "Unhandled section in simulation";
    check_aborts([&] { tanh(0x40000000); }, words, "an absent octave");
    check_aborts([&] { tanh(0x3f400001); }, words, "just past the low clamp");

    AFTable table = sim.tables.at("Tanh");
    check_bits(sim.evaluate_generic(table, 1.0f, 0.0f), to_bits(1.27734375f), "evaluate_generic");
    table.pos_region[127].num_sections = 1;
    check_aborts([&] { sim.evaluate_generic(table, 1.5f, 0.0f); }, words, "at the number of sections");
    table.pos_region.resize(100);
    check_aborts([&] { sim.evaluate_generic(table, 1.0f, 0.0f); }, words, "a short caller's table");
}

// The cube is rounded once to double, by pow; t*t is in double; the linear part is in float.
void precision()
{
    AFTable table{};
    table.pos_high = {255, 0, {}};
    table.pos_low = {0, 0, {}};
    table.pos_region.resize(256);
    table.pos_region[127] = {0, 1, 0, {{0.0f, -1.0f, from_bits(0x3f800800), 0.0f, 0.0f}}};
    Simulator sim("");
    float const v = from_bits(0x3f800800);  // 1 + 2^-12, so v * d1 rounds to 1 + 2^-11
    check_bits(sim.evaluate_generic(table, v, 0.0f), 0x3a000000, "t * d1 is rounded to float");

    // t*t = 1 + 2^-11 + 2^-24 in double, the p of -1 takes the one away.
    table.pos_region[127].sections[0] = {0.0f, -1.0f, 0.0f, 1.0f, 0.0f};
    check_bits(sim.evaluate_generic(table, v, 0.0f), 0x3a000400, "t * t is in double");

    // t^3 = 1 + 3 * 2^-12 + 3 * 2^-24 + 2^-36.
    table.pos_region[127].sections[0] = {0.0f, -1.0f, 0.0f, 0.0f, 1.0f};
    float const cube = static_cast<float>(3.0 * 0x1p-12 + 3.0 * 0x1p-24 + 0x1p-36);
    check_bits(sim.evaluate_generic(table, v, 0.0f), to_bits(cube), "t^3 is in double");
}

}  // namespace

void table_tests()
{
    exp_table();
    folds();
    clamp_edges();
    precision();
}
