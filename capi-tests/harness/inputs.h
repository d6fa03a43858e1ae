// The inputs that the two libraries are compared on.
#ifndef HARNESS_INPUTS_H
#define HARNESS_INPUTS_H

#include <PWPSim/Simulator.h>

#include <cstdint>
#include <cstring>
#include <vector>

inline float from_bits(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint32_t to_bits(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Adds all 65,536 floats whose low 16 bits are zero: every sign and exponent, infinities and NaNs among them.
void add_grid(std::vector<float> &inputs);

// Adds the IEEE specials: zeros, infinities, quiet and signalling NaNs, and the ends of the denormals and normals.
void add_specials(std::vector<float> &inputs);

// Adds `count` random bit patterns; the same seed gives the same ones.
void add_random(std::vector<float> &inputs, std::size_t count, std::uint32_t seed);

// Adds every section edge, octave edge and clamp threshold of a table with both its neighbours, in both signs.
void add_edges(std::vector<float> &inputs, PWPSim::AFTable const &table);

#endif  // HARNESS_INPUTS_H
