// Constructs and destroys simulators of one directory on the stack, and prints
//
//     <nanoseconds a construction> <growth of resident memory in kB after the first thousand>
//
//     construct DIR COUNT
#include <PWPSim/Simulator.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

namespace {

long resident_kb()
{
    std::ifstream statm("/proc/self/statm");
    long size = 0;
    long resident = 0;
    statm >> size >> resident;
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: construct DIR COUNT\n");
        return 2;
    }
    long const count = std::atol(argv[2]);
    if (!PWPSim::Simulator(argv[1]).use_pwp_table()) {
        std::fprintf(stderr, "%s has no tables\n", argv[1]);
        return 1;
    }
    long before = resident_kb();
    auto const start = std::chrono::steady_clock::now();
    for (long i = 0; i < count; i++) {
        if (i == 1000) {
            before = resident_kb();
        }
        PWPSim::Simulator simulator(argv[1]);
    }
    auto const time = std::chrono::steady_clock::now() - start;
    std::printf("%.0f %ld\n", std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(count),
                resident_kb() - before);
    return 0;
}
