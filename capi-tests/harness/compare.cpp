// The comparison of one function's results.
#include "compare.h"

#include "inputs.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

std::vector<Triple> const TRIPLES = {
    AS_IT_IS,
    {0.5f, 2.0f, 0.25f},
    {-3.25f, -0.3333333f, 2.0f},
    {1e-40f, 1e-20f, std::numeric_limits<float>::infinity()},
    {0.0f, 0.0f, std::numeric_limits<float>::quiet_NaN()},
};

// A mismatch is printed as often as this; all are counted.
constexpr std::uint64_t SHOWN = 10;

void Comparison::fail(std::string const &text)
{
    if (++mismatches <= SHOWN) {
        std::printf("MISMATCH %s\n", text.c_str());
    }
}

void Comparison::check(char const *what, Ours const &found_by, char const *name, Triple const &triple, bool use_pwp,
                       std::vector<float> const &inputs, std::vector<float> const &expected,
                       std::vector<float> const &found)
{
    compared += inputs.size();
    for (std::size_t i = 0; i < inputs.size(); i++) {
        std::uint32_t const want = to_bits(expected[i]), got = to_bits(found[i]);
        if (want != got && !(std::isnan(expected[i]) && std::isnan(found[i]))) {
            if (mismatches >= SHOWN) {
                mismatches++;
                continue;
            }
            char text[256];
            std::snprintf(text, sizeof text,
                          "%s %s %s (%s): x %08x, addend %08x, multiplier %08x, alpha %08x: ours %08x, reference %08x",
                          name, use_pwp ? "table" : "exact", what, found_by.tier().c_str(), to_bits(inputs[i]),
                          to_bits(triple.addend), to_bits(triple.multiplier), to_bits(triple.alpha), got, want);
            fail(text);
        }
    }
}

void Comparison::buffers(pwp_sim_function function, std::vector<float> const &inputs, Triple const &triple,
                         bool use_pwp, bool by_id)
{
    char const *const name = ours.front()->library.function_name(function);
    std::vector<float> expected(inputs.size()), found(inputs.size());
    reference.simulate(name, expected.data(), inputs.data(), triple.addend, triple.multiplier, triple.alpha,
                       static_cast<int>(inputs.size()), use_pwp);
    for (Ours const *one : ours) {
        Library const &library = one->library;
        pwp_sim_status status = library.simulate(one->handle, name, found.data(), inputs.data(), triple.addend,
                                                 triple.multiplier, triple.alpha, inputs.size(), use_pwp);
        if (status != PWP_SIM_OK) {
            fail(std::string(name) + " buffer: " + library.last_error());
        }
        check("buffer", *one, name, triple, use_pwp, inputs, expected, found);
        if (!by_id) {
            continue;
        }
        pwp_sim_affine const affine = {triple.multiplier, triple.addend, triple.alpha};
        found.assign(inputs.size(), 0.0f);
        status = library.apply(one->handle, function, &affine, found.data(), inputs.data(), inputs.size(), use_pwp);
        if (status != PWP_SIM_OK) {
            fail(std::string(name) + " apply: " + library.last_error());
        }
        check("apply", *one, name, triple, use_pwp, inputs, expected, found);
    }
}

void Comparison::scalars(pwp_sim_function function, std::vector<float> const &inputs, float alpha, bool use_pwp)
{
    // Calls with one element do not depend on the tier.
    Ours const &one = *ours.front();
    Library const &library = one.library;
    char const *const name = library.function_name(function);
    std::string const reference_name = name;
    Triple const triple = {AS_IT_IS.addend, AS_IT_IS.multiplier, alpha};
    pwp_sim_affine const affine = {triple.multiplier, triple.addend, triple.alpha};
    std::vector<float> expected(inputs.size()), scalar(inputs.size()), by_name(inputs.size()), by_id(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); i++) {
        float const x = inputs[i];
        expected[i] = reference.simulate(reference_name, x, alpha, use_pwp);
        if (library.simulate_scalar(one.handle, name, x, alpha, use_pwp, &scalar[i]) != PWP_SIM_OK ||
            library.simulate(one.handle, name, &by_name[i], &x, triple.addend, triple.multiplier, alpha, 1, use_pwp) !=
                PWP_SIM_OK ||
            library.apply(one.handle, function, &affine, &by_id[i], &x, 1, use_pwp) != PWP_SIM_OK) {
            fail(std::string(name) + " one element: " + library.last_error());
        }
    }
    check("scalar", one, name, triple, use_pwp, inputs, expected, scalar);
    check("one element by name", one, name, triple, use_pwp, inputs, expected, by_name);
    check("one element by id", one, name, triple, use_pwp, inputs, expected, by_id);
}

void Comparison::refusal(pwp_sim_function function)
{
    Ours const &one = *ours.front();
    char const *const name = one.library.function_name(function);
    float y = 0.0f;
    pwp_sim_status const status = one.library.simulate_scalar(one.handle, name, 1.0f, 0.0f, true, &y);
    if (status != PWP_SIM_NO_PROFILE) {
        fail(std::string(name) + ": no table, and the status is " + std::to_string(status));
    }
    try {
        reference.simulate(name, 1.0f, 0.0f, true);
        fail(std::string(name) + ": no table, and the reference answers");
    } catch (std::runtime_error const &) {
        compared++;
    }
}
