// Exceptions from the library, caught by the client, with the client's frames in between.
#include "outcome.h"
#include "parts.h"
#include "text.h"

#include <exception>
#include <stdexcept>

using PWPSim::Simulator;

namespace {

struct Guard {
    char const *name;
    ~Guard() { say("  unwound %s", name); }
};

void inner(Simulator &simulator, std::string const &name)
{
    Guard const guard{"inner"};
    std::string const local(100, 'x');
    simulator.simulate(name, 1.0f, 0.0f, false);
}

void outer(Simulator &simulator, std::string const &name)
{
    Guard const guard{"outer"};
    try {
        inner(simulator, name);
    } catch (int) {
        say("  caught as an int");
    }
}

void unsupported(Simulator &simulator)
{
    float value = 0.0f;
    for (std::string const &name : {std::string("exp"), std::string(""), std::string("Is_finite"), std::string("Unknown"),
                                    std::string("Exp "), std::string("a name that is longer than sixteen bytes"),
                                    std::string("\xff\xfe name"), std::string("Exp\0", 4), std::string("na\0me", 5),
                                    std::string(3000, 'n')}) {
        say("scalar: %s", thrown([&] { simulator.simulate(name, 1.0f, 0.0f, true); }).c_str());
        for (int count : {1, 0, -1}) {
            say("buffer: %s", thrown([&] {
                simulator.simulate(name, &value, &value, 0.0f, 1.0f, 0.0f, count, false);
            }).c_str());
        }
    }
    say("nothing was written: %s", text(value).c_str());
}

void kinds_of_catch(Simulator &simulator)
{
    try {
        outer(simulator, "none such");
    } catch (std::runtime_error const &error) {
        say("  caught: %s", error.what());
    }
    try {
        outer(simulator, "none such");
    } catch (std::exception const &error) {
        say("  as std::exception: %s", error.what());
    }
    try {
        outer(simulator, "none such");
    } catch (...) {
        say("  as anything");
    }
    std::exception_ptr kept;
    try {
        outer(simulator, "kept");
    } catch (...) {
        kept = std::current_exception();
    }
    try {
        std::rethrow_exception(kept);
    } catch (std::runtime_error const &error) {
        std::runtime_error const copy = error;
        kept = nullptr;
        say("  thrown again: %s", copy.what());
    }
    try {
        try {
            outer(simulator, "nested");
        } catch (std::runtime_error const &) {
            outer(simulator, "while another is handled");
        }
    } catch (std::runtime_error const &error) {
        say("  nested: %s", error.what());
    }
}

}  // namespace

void part_errors()
{
    Simulator tables("p");
    Simulator exact("");
    unsupported(tables);
    unsupported(exact);
    kinds_of_catch(tables);
    for (char const *name : {"Ln_prime", "Prelu"}) {
        float value = 1.0f;
        say("no table for %s: throws %s %s", name,
            throws_runtime_error([&] { tables.simulate(name, 1.0f, 0.0f, true); }).c_str(),
            throws_runtime_error([&] { tables.simulate(name, &value, &value, 0.0f, 1.0f, 0.0f, 1, true); }).c_str());
    }
    Simulator holes("holes");
    for (float x : {0.5f, 1e30f, -1e-30f}) {
        say("%g in a table with holes: %s", static_cast<double>(x), refusal([&] {
            holes.simulate("Exp", x, 0.0f, true);
        }, "Unhandled section in simulation").c_str());
        say("%g in a buffer: %s", static_cast<double>(x), refusal([&] {
            float in[3] = {1.0f, x, 2.0f};
            holes.simulate("Exp", in, in, 0.0f, 1.0f, 0.0f, 3, true);
        }, "Unhandled section in simulation").c_str());
    }
}
