// Writes a profile in the schema of docs/behaviour.md section 3.
#ifndef PWPSIM_TEST_PROFILE_JSON_H
#define PWPSIM_TEST_PROFILE_JSON_H

#include <PWPSim/Simulator.h>

#include <string>

// The freedoms that the schema leaves to the writer.
struct Spelling {
    bool signed_ints = false;      // float boxes' `int` as a signed integer
    bool nested_sections = false;  // a saturation point's section under `section`, rather than inline
    bool numeric_flags = false;    // 0 and 1, rather than false and true
};

// Here, unlike in a loaded table, the region vectors are the list of octaves that the file gives, in file order, and
// a region's `sections` are those that it lists, which may be fewer than its num_sections.
std::string profile_json(PWPSim::AFTable const &profile, Spelling const &spelling);

#endif  // PWPSIM_TEST_PROFILE_JSON_H
