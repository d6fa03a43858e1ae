// The inputs of the workload, the same on every run and machine.
#ifndef PWP_SIM_SWAP_INPUTS_H
#define PWP_SIM_SWAP_INPUTS_H

#include "text.h"

#include <cstdint>
#include <vector>

// The functions, the names that only look like one left out.
inline std::vector<char const *> const &function_names()
{
    static std::vector<char const *> const names = {
        "Identity", "Square", "Relu", "Lrelu", "Prelu", "Sigmoid", "Tanh", "Exp", "Softplus", "Sqrt", "Rsqrt", "Ln",
        "Erf", "Sin", "Arctan", "Sign", "Gelu", "Mish", "Gelu_apprx_tanh", "Gelu_apprx_sigmoid",
        "Derivative_Gelu_apprx_sigmoid", "Derivative_Gelu", "Derivative_Erf", "Copy", "Abs", "Reciprocal",
        "Abs_reciprocal_sqrt", "Silu", "Derivative_silu", "Ln_prime", "MemsetZero"};
    return names;
}

// Zeros, infinities, NaNs, the edges of the denormals and of the exponents that the tables of the test have.
inline std::vector<float> special_inputs()
{
    std::vector<float> inputs;
    for (std::uint32_t bits : {0x00000000u, 0x00000001u, 0x007fffffu, 0x00800000u, 0x36000000u, 0x35ffffffu, 0x3effffffu,
                               0x3f000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fc00000u, 0x40000000u, 0x40490fdbu,
                               0x42b17217u, 0x42b17218u, 0x42b17219u, 0x43000000u, 0x4b000000u, 0x7f7fffffu, 0x7f800000u,
                               0x7f800001u, 0x7fc00000u, 0x7fffffffu}) {
        inputs.push_back(from_bits(bits));
        inputs.push_back(from_bits(bits | 0x80000000u));
    }
    return inputs;
}

// Every second one a random bit pattern, the others in [-16, 16).
inline std::vector<float> random_inputs(std::size_t count, std::uint64_t seed)
{
    std::vector<float> inputs;
    std::uint64_t state = seed * 2654435761u + 1;
    for (std::size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::uint32_t const bits = static_cast<std::uint32_t>(state >> 32);
        inputs.push_back(i % 2 == 0 ? from_bits(bits) : static_cast<float>(static_cast<std::int32_t>(bits) >> 8) / 524288.0f);
    }
    return inputs;
}

#endif  // PWP_SIM_SWAP_INPUTS_H
