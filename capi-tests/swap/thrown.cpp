// Errors of the C++ calls, caught: every call that can throw, the type and the text of what comes, and the objects of the
// frames in between destroyed. throw_test.sh builds this in many ways, as a program and as a plugin.
#include <PWPSim/Simulator.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

int destroyed = 0;

struct Guard {
    ~Guard()
    {
        destroyed++;
    }
};

template <typename Call>
__attribute__((noinline)) void framed(Call const &call)
{
    Guard const guard;
    call();
}

template <typename Call>
int caught(char const *what, char const *text, Call const &call)
{
    int const before = destroyed;
    try {
        framed(call);
        std::printf("FAILED: %s: nothing was thrown\n", what);
        return 1;
    } catch (std::runtime_error const &error) {
        if (std::strstr(error.what(), text) == nullptr || destroyed != before + 1) {
            std::printf("FAILED: %s: %s, %d destroyed\n", what, error.what(), destroyed - before);
            return 1;
        }
        return 0;
    }
}

}  // namespace

// The number of failures. `malformed` is a directory with a profile that does not parse.
extern "C" int run_thrown(char const *malformed)
{
    PWPSim::Simulator simulator("");
    float x = 1.0f, y = 0.0f;
    int failures = 0;
    for (int round = 0; round < 3; round++) {
        failures += caught("an unknown name, buffer", "Simulator::simulation: nope", [&] {
            simulator.simulate("nope", &y, &x, 0.0f, 1.0f, 0.0f, 1, true);
        });
        failures += caught("an unknown name, scalar", "Simulator::simulation: nope", [&] {
            simulator.simulate("nope", x, 0.0f, true);
        });
        failures += caught("a profile that does not parse", "Failed to parse pwp file", [&] {
            PWPSim::Simulator other{std::string(malformed)};
        });
        failures += caught("an uncovered input", "Unhandled section in simulation", [&] {
            PWPSim::AFTable table{};
            table.pos_high.sat_point = 300;
            table.pos_low.sat_point = -1;
            simulator.evaluate_generic(table, 1.0f, 0.0f);
        });
    }
    return failures;
}

#ifndef PLUGIN
int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: thrown DIRECTORY\n");
        return 2;
    }
    return run_thrown(argv[1]) == 0 ? 0 : 1;
}
#endif
