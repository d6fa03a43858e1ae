// 16 threads on one object, and threads that build, copy and drop simulators of their own meanwhile.
#include "inputs.h"
#include "parts.h"

#include <atomic>
#include <stdexcept>
#include <thread>

using PWPSim::Simulator;

namespace {

constexpr unsigned THREADS = 16;

std::uint64_t work(Simulator &simulator, unsigned thread)
{
    std::vector<float> in = random_inputs(3000, thread);
    std::vector<float> all;
    for (unsigned round = 0; round < function_names().size(); round++) {
        char const *const name = function_names()[(round + thread) % function_names().size()];
        std::vector<float> out(in.size());
        bool const use_pwp = (round + thread) % 3 != 0;
        try {
            simulator.simulate(name, out.data(), in.data(), 0.5f, 0.25f, 0.125f, static_cast<int>(in.size()), use_pwp);
        } catch (std::runtime_error const &) {
            out.assign(1, -1.0f);
        }
        all.insert(all.end(), out.begin(), out.end());
    }
    return hash(all);
}

std::uint64_t build(unsigned thread)
{
    std::vector<float> all;
    Simulator kept("");
    for (unsigned round = 0; round < 3; round++) {
        Simulator simulator((round + thread) % 2 == 0 ? "standin" : "a_directory_with_a_long_name");
        kept = simulator;
        all.push_back(kept.simulate("Exp", 0.75f, 0.0f, (round + thread) % 2 == 0));
    }
    return hash(all);
}

}  // namespace

void part_threads()
{
    Simulator simulator("p");
    std::vector<std::uint64_t> sums(THREADS);
    std::vector<std::uint64_t> built(THREADS);
    std::atomic<unsigned> ready{0};
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < THREADS; thread++) {
        threads.emplace_back([&, thread] {
            ready++;
            while (ready < THREADS) {
                std::this_thread::yield();
            }
            sums[thread] = work(simulator, thread);
            built[thread] = build(thread);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (unsigned thread = 0; thread < THREADS; thread++) {
        bool const alone = work(simulator, thread) == sums[thread];
        say("thread %u %016llx %016llx %s", thread, static_cast<unsigned long long>(sums[thread]),
            static_cast<unsigned long long>(built[thread]), alone ? "as alone" : "NOT as alone");
    }
}
