// Every function on both paths, by both overloads; and the buffer form's overlaps, counts and order of the floats.
#include "inputs.h"
#include "parts.h"

#include <stdexcept>

using PWPSim::Simulator;

namespace {

struct Floats {
    float addend;  // first in register order
    float multiplier;
    float alpha;
};

std::vector<float> scalar(Simulator &simulator, char const *name, std::vector<float> const &in, float alpha, bool use_pwp)
{
    std::vector<float> out;
    for (float x : in) {
        out.push_back(simulator.simulate(name, x, alpha, use_pwp));
    }
    return out;
}

std::vector<float> buffer(Simulator &simulator, char const *name, std::vector<float> const &in, Floats const &floats,
                          bool use_pwp)
{
    std::vector<float> out(in.size(), -1.0f);
    simulator.simulate(name, out.data(), in.data(), floats.addend, floats.multiplier, floats.alpha,
                       static_cast<int>(in.size()), use_pwp);
    return out;
}

void one_function(Simulator &simulator, char const *name, bool use_pwp)
{
    std::vector<float> const specials = special_inputs();
    std::vector<float> const many = random_inputs(5000, 7);
    char const *const path = use_pwp ? "table" : "exact";
    try {
        say("%s %s specials %s", name, path, text(scalar(simulator, name, specials, 0.25f, use_pwp)).c_str());
        say("%s %s some %s", name, path, text(scalar(simulator, name, random_inputs(60, 3), -1.5f, use_pwp)).c_str());
        for (Floats floats : {Floats{0.0f, 1.0f, 0.25f}, Floats{-3.0f, 0.5f, 2.0f}, Floats{0.1f, -7.0f, -0.5f},
                              Floats{1e30f, 1e-30f, 0.0f}}) {
            say("%s %s buffer %s", name, path, text(buffer(simulator, name, specials, floats, use_pwp)).c_str());
            say("%s %s many %016llx", name, path,
                static_cast<unsigned long long>(hash(buffer(simulator, name, many, floats, use_pwp))));
        }
        say("%s %s many by one %016llx", name, path,
            static_cast<unsigned long long>(hash(scalar(simulator, name, many, 0.25f, use_pwp))));
    } catch (std::runtime_error const &) {
        say("%s %s no table", name, path);
    }
}

}  // namespace

void part_functions()
{
    Simulator simulator("p");
    for (char const *name : function_names()) {
        one_function(simulator, name, false);
        one_function(simulator, name, true);
    }
}

void part_buffers()
{
    Simulator simulator("p");
    std::vector<float> const in = random_inputs(3000, 11);
    // Out ahead of in, on it, and behind it: what the loop in order of the elements gives.
    for (int distance : {-700, -1, 0, 1, 2, 63, 700}) {
        for (bool use_pwp : {false, true}) {
            std::vector<float> memory(in.size() + 2000, 0.5f);
            std::copy(in.begin(), in.end(), memory.begin() + 1000);
            simulator.simulate("Tanh", memory.data() + 1000 + distance, memory.data() + 1000, 0.25f, 0.75f, 0.0f, 3000,
                               use_pwp);
            say("overlap by %d %016llx", distance, static_cast<unsigned long long>(hash(memory)));
        }
    }
    std::vector<float> out(4, 9.0f);
    for (int count : {0, -1, -2147483647 - 1, 1, 2}) {
        simulator.simulate("Exp", out.data(), in.data(), 0.0f, 1.0f, 0.0f, count, true);
        say("count %d %s", count, text(out).c_str());
    }
    simulator.simulate("Exp", nullptr, nullptr, 0.0f, 1.0f, 0.0f, 0, false);
    float const two = 2.0f;
    simulator.simulate("Identity", out.data(), &two, 100.0f, 3.0f, 0.0f, 1, false);
    say("the first float is added, the second multiplies: %s", text(out[0]).c_str());
    // The name is read, not kept; 16 bytes and more are beyond the string's own buffer.
    std::string name = "Derivative_Gelu_apprx_sigmoid";
    float const y = simulator.simulate(name, 0.5f, 0.0f, true);
    name = "Exp";
    say("by name %s %s", text(y).c_str(), text(simulator.simulate(name, 0.5f, 0.0f, true)).c_str());
}
