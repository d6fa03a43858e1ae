// What a call of the library came to, as the parts of the client print it.
#ifndef PWP_SIM_SWAP_OUTCOME_H
#define PWP_SIM_SWAP_OUTCOME_H

#include <PWPSim/Simulator.h>

#include <functional>
#include <string>

// Runs `call` in a child process: "refused" where it died of an assertion whose text, or threw a std::runtime_error
// whose text, contains `words`. The original asserts where ours throws.
std::string refusal(std::function<void()> const &call, std::string const &words);

// The text of the exception that `call` throws, "nothing" where it throws none.
std::string thrown(std::function<void()> const &call);

// Whether `call` throws std::runtime_error, of whatever text.
std::string throws_runtime_error(std::function<void()> const &call);

// A short fingerprint of a simulator: which tables it uses, if any.
std::string fingerprint(PWPSim::Simulator &simulator);

#endif  // PWP_SIM_SWAP_OUTCOME_H
