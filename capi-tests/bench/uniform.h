// The inputs of what is timed and counted.
#ifndef BENCH_UNIFORM_H
#define BENCH_UNIFORM_H

#include <cstddef>
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

#endif  // BENCH_UNIFORM_H
