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

void Comparison::check(char const *what, char const *name, Triple const &triple, bool use_pwp,
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
                          "%s %s %s: x %08x, addend %08x, multiplier %08x, alpha %08x: ours %08x, reference %08x", name,
                          use_pwp ? "table" : "exact", what, to_bits(inputs[i]), to_bits(triple.addend),
                          to_bits(triple.multiplier), to_bits(triple.alpha), got, want);
            fail(text);
        }
    }
}

void Comparison::buffers(pwp_sim_function function, std::vector<float> const &inputs, Triple const &triple,
                         bool use_pwp, bool by_id)
{
    Library const &library = ours.library;
    char const *const name = library.function_name(function);
    std::vector<float> expected(inputs.size()), found(inputs.size());
    reference.simulate(name, expected.data(), inputs.data(), triple.addend, triple.multiplier, triple.alpha,
                       static_cast<int>(inputs.size()), use_pwp);

    pwp_sim_status status = library.simulate(ours.handle, name, found.data(), inputs.data(), triple.addend,
                                             triple.multiplier, triple.alpha, inputs.size(), use_pwp);
    if (status != PWP_SIM_OK) {
        fail(std::string(name) + " buffer: " + library.last_error());
    }
    check("buffer", name, triple, use_pwp, inputs, expected, found);

    if (by_id) {
        pwp_sim_affine const affine = {triple.multiplier, triple.addend, triple.alpha};
        found.assign(inputs.size(), 0.0f);
        status = library.apply(ours.handle, function, &affine, found.data(), inputs.data(), inputs.size(), use_pwp);
        if (status != PWP_SIM_OK) {
            fail(std::string(name) + " apply: " + library.last_error());
        }
        check("apply", name, triple, use_pwp, inputs, expected, found);
    }
}

void Comparison::scalars(pwp_sim_function function, std::vector<float> const &inputs, float alpha, bool use_pwp)
{
    Library const &library = ours.library;
    char const *const name = library.function_name(function);
    std::string const reference_name = name;
    std::vector<float> expected(inputs.size()), found(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); i++) {
        expected[i] = reference.simulate(reference_name, inputs[i], alpha, use_pwp);
        if (library.simulate_scalar(ours.handle, name, inputs[i], alpha, use_pwp, &found[i]) != PWP_SIM_OK) {
            fail(std::string(name) + " scalar: " + library.last_error());
        }
    }
    check("scalar", name, {-0.0f, 1.0f, alpha}, use_pwp, inputs, expected, found);
}

void Comparison::refusal(pwp_sim_function function)
{
    char const *const name = ours.library.function_name(function);
    float y = 0.0f;
    pwp_sim_status const status = ours.library.simulate_scalar(ours.handle, name, 1.0f, 0.0f, true, &y);
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
