// The inputs that the two libraries are compared on.
#include "inputs.h"

#include <algorithm>
#include <random>

namespace {

constexpr std::uint32_t SIGN = 0x80000000u;

// A magnitude and its neighbours, in both signs.
void add_neighbourhood(std::vector<float> &inputs, std::uint32_t magnitude)
{
    for (std::uint32_t const bits : {magnitude - 1, magnitude, magnitude + 1}) {
        inputs.push_back(from_bits(bits & ~SIGN));
        inputs.push_back(from_bits(bits | SIGN));
    }
}

void add_threshold(std::vector<float> &inputs, PWPSim::pwp_sat_region const &point)
{
    // A threshold may lie outside the floats; its nearest ends are inputs anyway.
    std::uint32_t const exponent = static_cast<std::uint32_t>(std::clamp(point.sat_point, 0, 255));
    std::uint32_t const mantissa = static_cast<std::uint32_t>(std::clamp(point.mantissa_point, 0, 0x7fffff));
    add_neighbourhood(inputs, exponent << 23 | mantissa);
}

void add_side(std::vector<float> &inputs, std::vector<PWPSim::pwp_nonsat_region> const &regions)
{
    for (std::size_t slot = 0; slot < regions.size(); slot++) {
        PWPSim::pwp_nonsat_region const &region = regions[slot];
        std::uint32_t const octave = static_cast<std::uint32_t>(slot) << 23;
        add_neighbourhood(inputs, octave);
        // One edge past the last section is the first input that is not covered, or the next octave's start.
        std::uint32_t const reach = 1u << region.extract_size;
        std::uint32_t const edges = std::min(reach, static_cast<std::uint32_t>(region.num_sections) + 1);
        for (std::uint32_t index = 1; index < edges; index++) {
            add_neighbourhood(inputs, octave | index << (23 - region.extract_size));
        }
    }
}

}  // namespace

void add_grid(std::vector<float> &inputs)
{
    for (std::uint32_t top = 0; top < 0x10000u; top++) {
        inputs.push_back(from_bits(top << 16));
    }
}

void add_specials(std::vector<float> &inputs)
{
    for (std::uint32_t const magnitude : {0x00000000u, 0x00000001u, 0x00000002u, 0x007fffffu, 0x00800000u, 0x00800001u,
                                          0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u,
                                          0x7fbfffffu, 0x7fc00000u, 0x7fc00001u, 0x7fffffffu}) {
        inputs.push_back(from_bits(magnitude));
        inputs.push_back(from_bits(magnitude | SIGN));
    }
}

void add_random(std::vector<float> &inputs, std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < count; i++) {
        inputs.push_back(from_bits(static_cast<std::uint32_t>(random())));
    }
}

void add_edges(std::vector<float> &inputs, PWPSim::AFTable const &table)
{
    for (PWPSim::pwp_sat_region const *point : {&table.pos_high, &table.pos_low, &table.neg_high, &table.neg_low}) {
        add_threshold(inputs, *point);
    }
    add_side(inputs, table.pos_region);
    add_side(inputs, table.neg_region);
}
