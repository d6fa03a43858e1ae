// Reads a profile file into a table. Behaviour: docs/behaviour.md section 3.
#ifndef PWPSIM_LOADER_H
#define PWPSIM_LOADER_H

#include <PWPSim/Simulator.h>

#include <string>

namespace PWPSim {

// Aborts with "Failed to parse pwp file" where the file is not a profile.
AFTable load_table(std::string const &file);

}  // namespace PWPSim

#endif  // PWPSIM_LOADER_H
