// How the client prints what a library gave: floats by their bits, a NaN as "nan" (its sign and payload are nobody's
// contract), long buffers as a hash.
#ifndef PWP_SIM_SWAP_TEXT_H
#define PWP_SIM_SWAP_TEXT_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

inline std::uint32_t to_bits(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float from_bits(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::string text(float value)
{
    if (std::isnan(value)) {
        return "nan";
    }
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08x", to_bits(value));
    return digits;
}

inline std::string text(std::vector<float> const &values)
{
    std::string line;
    for (float value : values) {
        line += (line.empty() ? "" : " ") + text(value);
    }
    return line;
}

// FNV-1a over the bits, all NaNs alike.
inline std::uint64_t hash(std::vector<float> const &values)
{
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (float value : values) {
        sum = (sum ^ (std::isnan(value) ? 0x7fc00000u : to_bits(value))) * 0x100000001b3u;
    }
    return sum;
}

// A line of the output.
template <class... Arguments>
void say(char const *format, Arguments... arguments)
{
    std::printf(format, arguments...);
    std::printf("\n");
}

inline void say(char const *line)
{
    std::printf("%s\n", line);
}

#endif  // PWP_SIM_SWAP_TEXT_H
