// The inputs of what is timed and counted.
#ifndef BENCH_UNIFORM_H
#define BENCH_UNIFORM_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

// Uniform in [-10, 10], the same at every call.
inline std::vector<float> uniform(std::size_t count)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<float> distribution(-10.0f, 10.0f);
    std::vector<float> inputs(count);
    for (float &input : inputs) {
        input = distribution(random);
    }
    return inputs;
}

// Any bit patterns, the same at every call.
inline std::vector<float> patterns(std::size_t count)
{
    std::mt19937 random(2);
    std::vector<float> inputs(count);
    for (float &input : inputs) {
        std::uint32_t const bits = static_cast<std::uint32_t>(random());
        std::memcpy(&input, &bits, sizeof bits);
    }
    return inputs;
}

#endif  // BENCH_UNIFORM_H
