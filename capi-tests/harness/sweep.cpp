// The sweep: all 2^32 inputs of one function on one path, against the reference, on every core.
//
//   sweep LIBRARY FUNCTION exact | sweep LIBRARY FUNCTION table SOURCE DIRECTORY
//
// Exit status 0 where every result agrees.
#include "compare.h"
#include "inputs.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr std::uint64_t INPUTS = 1ull << 32;
constexpr std::uint64_t CHUNK = 1ull << 20;

struct Sweep {
    Ours &ours;
    PWPSim::Simulator &reference;
    pwp_sim_function function;
    bool use_pwp;
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> mismatches{0};
    std::mutex mutex;
    std::string failure;
};

void sweep_chunks(Sweep &sweep)
{
    std::vector<float> inputs(CHUNK);
    try {
        Comparison comparison({&sweep.ours}, sweep.reference);
        for (std::uint64_t first; (first = sweep.next.fetch_add(CHUNK)) < INPUTS;) {
            for (std::uint64_t i = 0; i < CHUNK; i++) {
                inputs[i] = from_bits(static_cast<std::uint32_t>(first + i));
            }
            std::uint64_t const before = comparison.mismatches;
            comparison.buffers(sweep.function, inputs, AS_IT_IS, sweep.use_pwp, false);
            sweep.mismatches += comparison.mismatches - before;
            sweep.done += CHUNK;
        }
    } catch (std::exception const &error) {
        std::lock_guard<std::mutex> const lock(sweep.mutex);
        sweep.failure = error.what();
        sweep.next = INPUTS;
    }
}

// One line, rewritten on a terminal and else written every tenth of the way.
void show_progress(Sweep const &sweep, std::string const &title, double seconds, bool terminal)
{
    std::uint64_t const done = sweep.done;
    std::fprintf(stderr, "%s%s: %5.1f%%, %.0f s, %llu mismatches%s", terminal ? "\r" : "", title.c_str(),
                 100.0 * static_cast<double>(done) / static_cast<double>(INPUTS), seconds,
                 static_cast<unsigned long long>(sweep.mismatches), terminal ? "" : "\n");
}

int run(std::vector<std::string> const &arguments, bool terminal)
{
    bool const exact = arguments.size() == 3 && arguments[2] == "exact";
    if (!exact && !(arguments.size() == 5 && arguments[2] == "table")) {
        std::fprintf(stderr, "usage: sweep LIBRARY FUNCTION exact | sweep LIBRARY FUNCTION table SOURCE DIRECTORY\n");
        return 2;
    }
    Library const library(arguments[0]);
    std::vector<pwp_sim_function> const functions = library.functions();
    auto const function = std::find_if(functions.begin(), functions.end(), [&](pwp_sim_function candidate) {
        return arguments[1] == library.function_name(candidate);
    });
    if (function == functions.end()) {
        throw std::runtime_error("no function is called " + arguments[1]);
    }
    Ours ours(library, exact ? "" : arguments[3]);
    PWPSim::Simulator reference(exact ? "" : arguments[4]);
    Sweep sweep{ours, reference, *function, !exact, {0}, {0}, {0}, {}, {}};

    std::string const title = arguments[1] + " " + arguments[2];
    auto const start = std::chrono::steady_clock::now();
    auto const seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); i++) {
        threads.emplace_back([&] { sweep_chunks(sweep); });
    }
    std::uint64_t shown = 0;
    while (sweep.done < INPUTS && sweep.next < INPUTS + CHUNK * threads.size() && sweep.failure.empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        if (terminal || sweep.done >= shown + INPUTS / 10) {
            shown = sweep.done;
            show_progress(sweep, title, seconds(), terminal);
        }
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    if (!sweep.failure.empty()) {
        throw std::runtime_error(sweep.failure);
    }
    if (terminal) {
        show_progress(sweep, title, seconds(), terminal);
        std::fprintf(stderr, "\n");
    }
    std::printf("%s: %llu inputs, %llu mismatches, %.0f s\n", title.c_str(), static_cast<unsigned long long>(sweep.done),
                static_cast<unsigned long long>(sweep.mismatches), seconds());
    return sweep.mismatches == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        return run({argv + 1, argv + argc}, isatty(STDERR_FILENO) != 0);
    } catch (std::exception const &error) {
        std::fprintf(stderr, "sweep: %s\n", error.what());
        return 1;
    }
}
