// The exp table (exp_400p), built from its published description.
#ifndef PWPSIM_TEST_EXP_PROFILE_H
#define PWPSIM_TEST_EXP_PROFILE_H

#include <PWPSim/Simulator.h>

// As profile_json() takes it: the octaves -19..6 in order, only the stored sections listed.
PWPSim::AFTable exp_profile();

#endif  // PWPSIM_TEST_EXP_PROFILE_H
