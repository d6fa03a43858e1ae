// Which library answers: printed by the clients on stderr, checked by swap_test.sh.
#ifndef PWP_SIM_SWAP_ANSWERING_H
#define PWP_SIM_SWAP_ANSWERING_H

#include <cstdio>

#include <dlfcn.h>

// Prints "answered by <file>": the file that holds the constructor's code.
inline void say_which_library_answers()
{
    // By name: the address of a function, taken in an executable, may be the executable's own jump to it.
    char const *const constructor = "_ZN6PWPSim9SimulatorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
    Dl_info info;
    void *const address = dlsym(RTLD_DEFAULT, constructor);
    std::fprintf(stderr, "answered by %s\n",
                 address != nullptr && dladdr(address, &info) != 0 ? info.dli_fname : "none");
}

#endif  // PWP_SIM_SWAP_ANSWERING_H
