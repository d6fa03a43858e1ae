// The library by dlopen and dlsym, and PWPSim::DEBUG.
#include "outcome.h"
#include "parts.h"
#include "text.h"

#include <cstdlib>
#include <new>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

using PWPSim::Simulator;

namespace {

template <class Function>
Function *look_up(void *library, char const *name)
{
    void *const address = dlsym(library, name);
    if (address == nullptr) {
        say("missing %s", name);
        std::exit(1);
    }
    return reinterpret_cast<Function *>(address);
}

// A member function takes its object as a first argument.
void by_symbol()
{
    void *const library = dlopen("libpwp_sim.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        say("dlopen failed");
        return;
    }
    auto *const construct = look_up<void(void *, std::string const &)>(
        library, "_ZN6PWPSim9SimulatorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
    auto *const buffer = look_up<void(Simulator *, std::string const &, float *, float const *, float, float, float, int,
                                      bool)>(
        library, "_ZN6PWPSim9Simulator8simulateERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfPKffffib");
    auto *const scalar = look_up<float(Simulator *, std::string const &, float, float, bool)>(
        library, "_ZN6PWPSim9Simulator8simulateERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEffb");
    auto *const use_pwp_table = look_up<bool(Simulator *)>(library, "_ZN6PWPSim9Simulator13use_pwp_tableEv");

    alignas(Simulator) unsigned char memory[sizeof(Simulator)];
    construct(memory, "p");
    Simulator *const simulator = std::launder(reinterpret_cast<Simulator *>(memory));
    float const in[2] = {0.5f, -0.5f};
    float out[2];
    buffer(simulator, "Exp", out, in, 1.0f, 2.0f, 0.0f, 2, true);
    say("by symbol %s %s %s %d", text(out[0]).c_str(), text(out[1]).c_str(),
        text(scalar(simulator, "Tanh", 0.25f, 0.0f, false)).c_str(), use_pwp_table(simulator));
    say("by symbol throws: %s", thrown([&] { scalar(simulator, "none", 0.0f, 0.0f, true); }).c_str());
    // The executable may hold the variable; whoever asks for it by name must get that one.
    say("one DEBUG for all: %s", dlsym(RTLD_DEFAULT, "_ZN6PWPSim5DEBUGE") == &PWPSim::DEBUG ? "yes" : "no");
    dlclose(library);
    say("after dlclose %s", text(scalar(simulator, "Exp", 0.25f, 0.0f, true)).c_str());
    simulator->~Simulator();
}

// What a construction writes to stderr.
std::string log_of(char const *path)
{
    std::fflush(stderr);
    int const kept = dup(STDERR_FILENO);
    std::FILE *const file = std::tmpfile();
    dup2(fileno(file), STDERR_FILENO);
    {
        Simulator simulator(path);
    }
    std::fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    std::string log;
    char block[4096];
    std::rewind(file);
    for (std::size_t count; (count = std::fread(block, 1, sizeof block, file)) > 0;) {
        log.append(block, count);
    }
    std::fclose(file);
    return log;
}

void debug()
{
    say("DEBUG is %d", PWPSim::DEBUG);
    say("silent: %zu %zu bytes", log_of("standin").size(), log_of("absent").size());
    PWPSim::DEBUG = 1;
    std::string const opened = log_of("standin");
    std::string const absent = log_of("absent");
    PWPSim::DEBUG = 0;
    auto const says = [](std::string const &log, char const *words) {
        return log.find(words) != std::string::npos ? "yes" : "no";
    };
    say("the log names the path %s, what was probed %s, what is absent %s", says(opened, "standin"),
        says(opened, "exp_400p.json"), says(opened, "absent"));
    say("the log of a path that is not there %s", says(absent, "not opened"));
    say("silent again: %zu bytes", log_of("standin").size());
}

}  // namespace

void part_loading()
{
    by_symbol();
    debug();
}
