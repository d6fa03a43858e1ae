// Which profile file belongs to a function. Behaviour: docs/behaviour.md sections 2 and 3.
#ifndef PWPSIM_LOOKUP_H
#define PWPSIM_LOOKUP_H

#include <string>

namespace PWPSim {

struct ProfileName {
    char const *name;      // what simulate() takes
    char const *function;  // the profile function
    int budget;            // the file is <function>_<budget>p.json
};

// The 29 functions that can have a table: all but Prelu and Ln_prime.
extern ProfileName const PROFILE_NAMES[29];

// The path of the function's profile in `directory` (with or without a trailing slash), empty where there is none:
// <function>_<budget>p.json, or in its absence the <function>_<N>p.json with the largest N.
std::string find_profile(std::string const &directory, ProfileName const &profile);

}  // namespace PWPSim

#endif  // PWPSIM_LOOKUP_H
