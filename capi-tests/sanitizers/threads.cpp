// Many threads in the library, for the sanitizers and valgrind to watch: 64 on one simulator, 64 on simulators of their
// own, and threads that create and destroy while others compute. By the C calls and by the C++ class.
//
//   threads DIRECTORY ROUNDS
//
// DIRECTORY holds the exp table. Exit status 0 where every result has the bits that one thread alone gets.
#include <pwp_sim.h>
#include <pwp_sim.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int THREADS = 64;
constexpr std::size_t COUNT = 700;

std::atomic<bool> failed{false};
std::string directory;
int rounds;

void require(bool ok, char const *what)
{
    if (!ok && !failed.exchange(true)) {
        std::printf("FAILED: %s\n", what);
    }
}

struct Buffers {
    std::vector<float> in = std::vector<float>(COUNT), table = in, exact = in;

    Buffers()
    {
        for (std::size_t i = 0; i < COUNT; i++) {
            in[i] = (static_cast<float>(i) - 350.0f) / 9.0f;
        }
    }
};

bool same(std::vector<float> const &a, std::vector<float> const &b)
{
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void compute(pwp_sim const *sim, Buffers const &expected)
{
    std::vector<float> out(COUNT);
    require(pwp_sim_simulate(sim, "Exp", out.data(), expected.in.data(), 0, 1, 0, COUNT, true) == PWP_SIM_OK, "table");
    require(same(out, expected.table), "the bits by table");
    require(pwp_sim_simulate(sim, "Exp", out.data(), expected.in.data(), 0, 1, 0, COUNT, false) == PWP_SIM_OK, "exact");
    require(same(out, expected.exact), "the bits of the closed form");
    out = expected.in; // in place
    require(pwp_sim_apply_parallel(sim, PWP_SIM_FUNCTION_EXP, nullptr, out.data(), out.data(), COUNT, true, 2) == PWP_SIM_OK,
            "in parallel");
    require(same(out, expected.table), "the bits in parallel");
    require(pwp_sim_simulate(sim, "exp", out.data(), expected.in.data(), 0, 1, 0, COUNT, true) != PWP_SIM_OK, "no name");
    require(std::strstr(pwp_sim_last_error(), "Simulator::simulation: exp") != nullptr, "this thread's own message");
}

pwp_sim *create(char const *source)
{
    pwp_sim *sim = nullptr;
    require(pwp_sim_create(source, &sim) == PWP_SIM_OK, "create");
    return sim;
}

void on_all_threads(std::function<void(int)> const &work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; i++) {
        threads.emplace_back(work, i);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fputs("usage: threads DIRECTORY ROUNDS\n", stderr);
        return 2;
    }
    directory = argv[1];
    rounds = std::atoi(argv[2]);
    Buffers expected;
    pwp_sim *const shared = create(directory.c_str());
    pwp_sim_simulate(shared, "Exp", expected.table.data(), expected.in.data(), 0, 1, 0, COUNT, true);
    pwp_sim_simulate(shared, "Exp", expected.exact.data(), expected.in.data(), 0, 1, 0, COUNT, false);

    on_all_threads([&](int) {
        for (int i = 0; i < rounds; i++) {
            compute(shared, expected);
        }
    });
    on_all_threads([&](int) {
        pwp_sim *const own = create(directory.c_str());
        for (int i = 0; i < rounds; i++) {
            compute(own, expected);
        }
        pwp_sim_destroy(own);
    });
    on_all_threads([&](int number) {
        for (int i = 0; i < rounds; i++) {
            if (number % 3 == 0) {
                compute(shared, expected);
            } else if (number % 3 == 1) {
                pwp_sim *const own = create(number % 2 == 0 ? "builtin:" : directory.c_str());
                pwp_sim_destroy(own);
            } else {
                PWPSim::Simulator simulator(directory);
                PWPSim::Simulator copy(simulator);
                std::vector<float> out(COUNT);
                copy.simulate("Exp", out.data(), expected.in.data(), 0.0f, 1.0f, 0.0f, static_cast<int>(COUNT), true);
                require(same(out, expected.table), "the bits of the C++ class");
            }
        }
    });
    pwp_sim_destroy(shared);
    return failed ? 1 : 0;
}
