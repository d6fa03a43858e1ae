// The comparison: one function's results from the library under test and from the reference, bit for bit. A NaN
// equals any NaN.
#ifndef HARNESS_COMPARE_H
#define HARNESS_COMPARE_H

#include "library.h"

#include <PWPSim/Simulator.h>

#include <cstdint>
#include <string>
#include <vector>

// What goes in front of a function: f(multiplier * x + addend; alpha).
struct Triple {
    float addend;
    float multiplier;
    float alpha;
};

// The inputs as they are: x * 1 + -0.0 is x, for zeros too.
constexpr Triple AS_IT_IS = {-0.0f, 1.0f, -0.5f};

// The triples of a full comparison.
extern std::vector<Triple> const TRIPLES;

class Comparison {
public:
    // Every one of `ours`, of which there is at least one, is compared.
    Comparison(std::vector<Ours const *> const &ours, PWPSim::Simulator &reference) : ours(ours), reference(reference)
    {
    }

    // The buffer form, by name, and where `by_id` the enum call as well.
    void buffers(pwp_sim_function function, std::vector<float> const &inputs, Triple const &triple, bool use_pwp,
                 bool by_id);

    // The scalar form, and the calls with one element.
    void scalars(pwp_sim_function function, std::vector<float> const &inputs, float alpha, bool use_pwp);

    // Both refuse: a function without a table, asked for by table.
    void refusal(pwp_sim_function function);

    std::uint64_t compared = 0;
    std::uint64_t mismatches = 0;

private:
    void check(char const *what, Ours const &found_by, char const *name, Triple const &triple, bool use_pwp, std::vector<float> const &inputs,
               std::vector<float> const &expected, std::vector<float> const &found);
    void fail(std::string const &text);

    std::vector<Ours const *> ours;
    PWPSim::Simulator &reference;
};

#endif  // HARNESS_COMPARE_H
