// The loader: which file is taken, what of it is read, what aborts.
#include "check.h"
#include "profile_json.h"

#include <PWPSim/Simulator.h>

using namespace PWPSim;

namespace {

// A table that gives `value` everywhere but for the specials.
AFTable constant_profile(float value)
{
    AFTable profile{};
    profile.zero_result = value;
    profile.pos_high = {0, 0, {0.0f, value, 0.0f, 0.0f, 0.0f}};
    profile.neg_high = profile.pos_high;
    return profile;
}

std::string constant_json(float value)
{
    return profile_json(constant_profile(value), Spelling{});
}

void replace(std::string &text, std::string const &from, std::string const &to)
{
    std::size_t const at = text.find(from);
    check(at != std::string::npos, "the profile text has " + from);
    text.replace(at, from.size(), to);
}

float exp_of(std::string const &directory)
{
    Simulator sim(directory);
    return sim.simulate("Exp", 3.0f, 0.0f, true);
}

void which_file()
{
    ScratchDirectory directory;
    check_throws([&] { exp_of(directory.path()); }, "Exp", false);

    directory.write("exp_4p_0mp.json", constant_json(1.0f));
    directory.write("exp_p.json", constant_json(1.0f));
    directory.write("exp_x4p.json", constant_json(1.0f));
    directory.write("exp_04p.json", constant_json(1.0f));
    directory.write("exp_4294967296p.json", constant_json(1.0f));
    directory.write("derivative_exp_400p.json", constant_json(1.0f));
    check_throws([&] { exp_of(directory.path()); }, "Exp", false);

    directory.write("exp_4p.json", constant_json(4.0f));
    check(exp_of(directory.path()) == 4.0f, "another budget stands in");
    directory.write("exp_40p.json", constant_json(40.0f));
    directory.write("exp_9p.json", constant_json(9.0f));
    check(exp_of(directory.path()) == 40.0f, "the largest budget, as a number");
    directory.write("exp_5000p.json", constant_json(5000.0f));
    directory.write("exp_400p.json", constant_json(400.0f));
    check(exp_of(directory.path()) == 400.0f, "the named file comes first");
    check(exp_of(directory.path() + "/") == 400.0f, "with a trailing slash too");
}

void functions_without_table()
{
    ScratchDirectory directory;
    directory.write("parametric_relu_1p.json", constant_json(1.0f));
    directory.write("memset_zero_1p.json", constant_json(7.0f));
    Simulator sim(directory.path());
    check(sim.simulate("Prelu", -3.0f, 2.0f, true) == -6.0f, "Prelu is always exact");
    check(sim.simulate("MemsetZero", 3.0f, 0.0f, true) == 7.0f, "MemsetZero has a table");
    check_throws([&] { sim.simulate("Ln_prime", 2.0f, 0.0f, true); }, "Ln_prime", false);
    check_throws([&] { sim.simulate("Tanh", 2.0f, 0.0f, true); }, "Tanh", false);
    check_throws([&] { sim.simulate("tanh", 2.0f, 0.0f, true); },
                 "Unsupported activation function Simulator::simulation: tanh", true);
    sim.can_use_pwp_table = false;
    check(sim.simulate("Ln_prime", 2.0f, 0.0f, true) == 0.5f, "a caller can switch the tables off");
}

AFTable load_exp(std::string const &text)
{
    ScratchDirectory directory;
    directory.write("exp_400p.json", text);
    Simulator sim(directory.path());
    return sim.tables.at("Exp");
}

void what_is_read()
{
    AFTable profile = constant_profile(2.0f);
    exponent_sect const three = {0.0f, 3.0f, 0.0f, 0.0f, 0.0f};
    exponent_sect const four = {0.0f, 4.0f, 0.0f, 0.0f, 0.0f};
    profile.pos_region = {{5, 4, 2, {three, three}}, {-127, 1, 0, {three}}, {128, 1, 0, {three}}, {5, 2, 1, {four}}};
    AFTable const table = load_exp(profile_json(profile, Spelling{}));
    check(table.pos_region.at(132).num_sections == 2 && table.pos_region[132].sections.size() == 2
              && table.pos_region[132].sections[0].d0 == 4.0f && table.pos_region[132].sections[1].d0 == 0.0f,
          "of two regions with one exponent the last counts");
    check(table.pos_region[0].sections.size() == 1 && table.pos_region[255].sections.size() == 1,
          "exponents -127 and 128");
    check(table.neg_region.size() == 256 && table.neg_region[132].num_sections == 0, "an empty side");

    std::string text = constant_json(2.0f);
    replace(text, "\"pos_exponents\": [],", "");
    check(load_exp(text).pos_region.size() == 256, "absent exponents");
    check(load_exp("\xef\xbb\xbf" + text).zero_result == 2.0f, "a byte order mark is skipped");
    replace(text, "\"int\": 1073741824,", "\"int\": 0, \"int\": -1082130432,");
    check(load_exp(text).zero_result == -1.0f, "of two equal keys the last counts");

    struct {
        char const *integer;
        std::uint32_t bits;
    } const integers[] = {
        {"4294967289", 0xfffffff9}, {"4294967290", 0xfffffffa}, {"4294967295", 0xffffffff},
        {"4290772992", 0xffc00000}, {"4286578688", 0xff800000}, {"3212836864", 0xbf800000},
        {"-1082130432", 0xbf800000}, {"-1", 0xffffffff},        {"-2147483648", 0x80000000},
    };
    for (auto const &integer : integers) {
        std::string boxed = constant_json(2.0f);
        replace(boxed, "\"int\": 1073741824,", std::string("\"int\": ") + integer.integer + ",");
        check_bits(load_exp(boxed).zero_result, integer.bits, std::string("int ") + integer.integer);
    }
}

void what_aborts()
{
    std::string const good = constant_json(2.0f);
    auto const refused = [](std::string const &text, std::string const &what) {
        check_aborts([&] { load_exp(text); }, "Failed to parse pwp file", what);
    };
    refused("", "an empty file");
    refused("[]", "not an object");
    refused(good.substr(0, good.size() / 2), "a truncated file");
    for (char const *integer : {"4294967296", "-2147483649", "3212836864.0", "\"1\"", "null"}) {
        std::string boxed = good;
        replace(boxed, "\"int\": 1073741824,", std::string("\"int\": ") + integer + ",");
        refused(boxed, std::string("int ") + integer);
    }
    std::string text = good;
    replace(text, "nan_result", "nan_rezult");
    refused(text, "a missing key");
    text = good;
    replace(text, "\"symmetry_en\": false", "\"symmetry_en\": 2");
    refused(text, "a flag of 2");

    AFTable profile = constant_profile(2.0f);
    profile.pos_region = {{129, 1, 0, {}}};
    refused(profile_json(profile, Spelling{}), "exponent 129");
    profile.pos_region = {{0, 1, 24, {}}};
    refused(profile_json(profile, Spelling{}), "extract_size 24");
    profile.pos_region = {{0, 0, 0, {exponent_sect{}}}};
    refused(profile_json(profile, Spelling{}), "more sections than num_sections");
}

void debug_log()
{
    ScratchDirectory directory;
    directory.write("exp_40p.json", constant_json(2.0f));
    auto const construct_loudly = [&] {
        DEBUG = 1;
        Simulator const sim(directory.path());
        abort();  // check_aborts() looks at what went to standard error before
    };
    check_aborts(construct_loudly, "probed " + directory.path() + "/exp_400p.json: absent", "DEBUG: probed");
    check_aborts(construct_loudly, "loaded " + directory.path() + "/exp_40p.json", "DEBUG: loaded");
    check(DEBUG == 0, "DEBUG is 0 by default");
}

}  // namespace

void loader_tests()
{
    which_file();
    functions_without_table();
    what_is_read();
    what_aborts();
    debug_log();
}
