// A C++ program of our own: includes pwp_sim.hpp and links this library alone. C++11.
//
//     native_client DIR         (DIR as write_profiles made it)
#include <pwp_sim.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

using PWPSim::Simulator;

namespace {

int failures = 0;

void check(bool ok, char const *what)
{
    if (!ok) {
        std::printf("FAILED: %s\n", what);
        failures++;
    }
}

// Whether the call throws std::runtime_error with `words` in its text.
template <class Call>
bool throws(Call call, char const *words)
{
    try {
        call();
    } catch (std::runtime_error const &error) {
        return std::string(error.what()).find(words) != std::string::npos;
    }
    return false;
}

void calls(std::string const &directory)
{
    Simulator simulator(directory + "/p");
    Simulator const &constant = simulator;
    check(simulator.use_pwp_table() && constant.use_pwp_table(), "a directory of profiles gives tables");
    check(constant.pwp_path == directory + "/p" && constant.tables.empty(), "the path is kept, the map empty");

    float const in[3] = {0.0f, 0.5f, -1.0f};
    float out[3] = {9.0f, 9.0f, 9.0f};
    simulator.simulate("Identity", out, in, 100.0f, 4.0f, 0.0f, 3, false);
    check(out[0] == 100.0f && out[1] == 102.0f && out[2] == 96.0f, "the first float is added, the second multiplies");
    float again[3];
    constant.simulate("Identity", again, in, 100.0f, 4.0f, 0.0f, 3, false);
    check(again[0] == out[0] && again[1] == out[1] && again[2] == out[2], "a const simulator gives the same");
    check(constant.simulate("Exp", 0.0f, 0.0f, true) == 1.0f, "exp(0) by the table");
    check(std::fabs(constant.simulate("Exp", 1.5f, 0.0f, true) - std::exp(1.5f)) < 1e-4f, "exp(1.5) by the table");
    check(constant.simulate("Exp", 1.5f, 0.0f, false) == static_cast<float>(std::exp(1.5)), "exp(1.5), exact");
    check(simulator.simulate("Tanh", 0.75f, 0.0f, true) == constant.simulate("Tanh", 0.75f, 0.0f, true), "scalar twice");
    check(simulator.simulate("Tanh", 0.75f, 0.0f, true) != simulator.simulate("Tanh", 0.75f, 0.0f, false),
          "the test's table of tanh is not tanh");
}

void errors(std::string const &directory)
{
    Simulator const simulator(directory + "/p");
    check(throws([&] { simulator.simulate("exp", 0.0f, 0.0f, true); },
                 "Unsupported activation function Simulator::simulation: exp"), "an unknown name");
    check(throws([&] { simulator.simulate("Ln_prime", 0.0f, 0.0f, true); }, "no table for function Ln_prime"),
          "no table");
    check(throws([&] { Simulator bad(directory + "/bad"); }, "Failed to parse pwp file"), "a bad profile");
    check(throws([&] { Simulator bad(directory + "/bad"); }, "bad/exp_400p.json"), "its name in the text");
    check(throws([&] { simulator.simulate("Relu", nullptr, nullptr, 0.0f, 1.0f, 0.0f, 1, false); }, "null"),
          "null buffers");

    // Every other element is written.
    Simulator const holes(directory + "/holes");
    float const in[4] = {1.0f, 1e30f, 2.0f, -1e30f};
    float out[4] = {9.0f, 9.0f, 9.0f, 9.0f};
    check(throws([&] { holes.simulate("Exp", out, in, 0.0f, 1.0f, 0.0f, 4, true); },
                 "Unhandled section in simulation of Exp: 2 input(s), the first at index 1"), "unhandled inputs");
    check(out[0] == holes.simulate("Exp", 1.0f, 0.0f, true) && std::isnan(out[1])
              && out[2] == holes.simulate("Exp", 2.0f, 0.0f, true) && std::isnan(out[3]), "the others are written");
}

void objects(std::string const &directory)
{
    Simulator exact("");
    check(!exact.use_pwp_table() && exact.simulate("Relu", -1.0f, 0.0f, true) == 0.0f, "an empty path is exact");
    Simulator builtin("builtin:");
    check(builtin.use_pwp_table() && builtin.simulate("Exp", 0.0f, 0.0f, true) == 1.0f, "the embedded tables");
    check(!Simulator("builtin:none such").use_pwp_table() && !Simulator("absent#exp").use_pwp_table(),
          "what does not exist is exact");
    Simulator a(directory + "/p");
    Simulator b(directory + "/a_directory_with_a_long_name");
    float const of_a = a.simulate("Exp", 0.75f, 0.0f, true);
    float const of_b = b.simulate("Exp", 0.75f, 0.0f, true);
    std::vector<Simulator> many(3, a);
    many[1] = b;
    std::swap(a, b);
    for (int i = 0; i < 20; i++) {
        many.push_back(many[static_cast<std::size_t>(i)]);
    }
    check(of_a != of_b && a.simulate("Exp", 0.75f, 0.0f, true) == of_b && b.simulate("Exp", 0.75f, 0.0f, true) == of_a
              && many[1].simulate("Exp", 0.75f, 0.0f, true) == of_b
              && many[21].simulate("Exp", 0.75f, 0.0f, true) == of_a, "copies keep their tables");

    PWPSim::AFTable table = PWPSim::AFTable();
    table.pos_high.section.d0 = 3.0f;
    check(exact.evaluate_generic(table, 2.0f, 0.0f) == 3.0f, "a table of the caller's own");
    table.pos_high.sat_point = 300;
    table.pos_low.sat_point = -1;
    check(throws([&] { exact.evaluate_generic(table, 2.0f, 0.0f); }, "Unhandled section in simulation"), "with a hole");
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::printf("usage: native_client DIR\n");
        return 2;
    }
    calls(argv[1]);
    errors(argv[1]);
    objects(argv[1]);
    return failures == 0 ? 0 : 1;
}
