// The parts of the swap test's client. Each prints what the library gave, on stdout; none prints anything that a
// correct library may choose: addresses, times, the texts that are not the contract.
#ifndef PWP_SIM_SWAP_PARTS_H
#define PWP_SIM_SWAP_PARTS_H

#include <PWPSim/Simulator.h>

void part_functions();  // every function, both paths, both overloads
void part_buffers();    // overlap, counts, the order of the two floats
void part_objects();    // construction, copies, assignment, containers, the flag
void part_directories();  // what the paths give, changes behind a simulator's back
void part_errors();     // exceptions and unwinding
void part_evaluator();  // evaluate_generic on tables of the client's own
void part_threads();    // 16 threads on one object
void part_loading();    // dlopen, dlsym, PWPSim::DEBUG

#endif  // PWP_SIM_SWAP_PARTS_H
