// The benchmark: ratios of the reference's time to ours, in one process, the two timed in turn. Results are compared
// before anything is timed.
//
//   bench LIBRARY SOURCE DIRECTORY [all|exact] [OUT]
//
// SOURCE is what pwp_sim_create takes, DIRECTORY the same tables as JSON profiles. `all` times every function, and not
// only the ones of the summary, `exact` the closed forms alone. With OUT the rows go to OUT.json too, and the ratios of
// the closed forms to OUT.svg.
#include "inputs.h"
#include "library.h"
#include "report.h"
#include "timing.h"
#include "uniform.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int ROUNDS = 15;
constexpr double LEAST = 0.01;

void must(Library const &library, pwp_sim_status status)
{
    if (status != PWP_SIM_OK) {
        throw std::runtime_error(library.last_error());
    }
}

void compare(std::vector<float> const &ours, std::vector<float> const &reference, std::string const &what)
{
    for (std::size_t i = 0; i < ours.size(); i++) {
        if (to_bits(ours[i]) != to_bits(reference[i]) && !(std::isnan(ours[i]) && std::isnan(reference[i]))) {
            throw std::runtime_error(what + ": the results differ, so there is nothing to time");
        }
    }
}

class Bench {
public:
    Bench(Library const &library, std::string const &source, std::string const &directory)
        : library(library), source(source), reference(directory)
    {
    }

    // One function, path, tier and buffer size. The closed forms are timed over any bit patterns too.
    void buffers(pwp_sim *ours, char const *tier, pwp_sim_function function, std::size_t count, bool use_pwp,
                 bool any = false)
    {
        std::string const name = library.function_name(function);
        std::vector<float> const inputs = any ? patterns(count) : uniform(count);
        std::vector<float> out(count), expected(count);
        auto const run_ours = [&] {
            must(library, library.simulate(ours, name.c_str(), out.data(), inputs.data(), 0.5f, 0.75f, 0.0f, count,
                                           use_pwp));
        };
        auto const run_reference = [&] {
            reference.simulate(name, expected.data(), inputs.data(), 0.5f, 0.75f, 0.0f, static_cast<int>(count),
                               use_pwp);
        };
        run_ours();
        run_reference();
        compare(out, expected, name);
        bool const large = count > (1 << 20);
        Timing const timing = time_in_turn(run_ours, run_reference, large ? 3 : ROUNDS, large ? 0 : LEAST);
        double const copy = time_alone(
            [&] { std::memcpy(out.data(), inputs.data(), count * sizeof(float)); }, 5, large ? 0 : LEAST / 5);
        double const each = 1e9 / static_cast<double>(count);
        rows.push_back({name, use_pwp ? "table" : "exact", tier, any ? "patterns" : "uniform", count,
                        timing.ours * each, timing.reference * each, timing.ratio, copy * each});
        Row const &row = rows.back();
        std::printf("%-30s %-6s %-7s %-8s %9zu %9.2f %9.2f %8.1f %7.0f %%\n", name.c_str(), row.path.c_str(), tier,
                    row.inputs.c_str(), count, row.ours, row.reference, row.ratio, 100 * row.memcpy / row.ours);
        std::fflush(stdout);
    }

    // One element a call, by name and by id. The inputs are those of a buffer, so that branches on them cost what they
    // cost a caller, and what is timed is a loop of calls over it.
    void calls(pwp_sim *ours, char const *tier)
    {
        std::string const name = "Exp";
        std::vector<float> const inputs = uniform(4096);
        std::size_t const count = inputs.size();
        std::vector<float> out(count), expected(count);
        auto const by_name = [&] {
            for (std::size_t i = 0; i < count; i++) {
                library.simulate(ours, name.c_str(), &out[i], &inputs[i], 0.5f, 0.75f, 0.0f, 1, true);
            }
        };
        pwp_sim_affine const affine = {0.75f, 0.5f, 0.0f};
        auto const by_id = [&] {
            for (std::size_t i = 0; i < count; i++) {
                library.apply(ours, PWP_SIM_FUNCTION_EXP, &affine, &out[i], &inputs[i], 1, true);
            }
        };
        auto const theirs = [&] {
            for (std::size_t i = 0; i < count; i++) {
                reference.simulate(name, &expected[i], &inputs[i], 0.5f, 0.75f, 0.0f, 1, true);
            }
        };
        theirs();
        for (int form = 0; form < 2; form++) {
            std::function<void()> const calls = form == 0 ? std::function<void()>(by_name) : by_id;
            calls();
            compare(out, expected, name);
            Timing const timing = time_in_turn(calls, theirs, ROUNDS, LEAST);
            double const each = 1e9 / static_cast<double>(count);
            std::printf("%-38s %-7s %9s %9.2f %9.2f %8.1f\n",
                        form == 0 ? "one element by name" : "one element by pwp_sim_apply", tier, "",
                        timing.ours * each, timing.reference * each, timing.ratio);
        }
    }

    // Reading a directory: for the first time, and again unchanged.
    void loading(std::string const &directory)
    {
        auto const load = [&] {
            pwp_sim *handle = nullptr;
            must(library, library.create(directory.c_str(), &handle));
            library.destroy(handle);
        };
        // A file's new times make the directory a changed one, which is read; a change that is too fresh
        // would be read again the next time too.
        auto const touch = [&] {
            if (utimensat(AT_FDCWD, (directory + "/exp_400p.json").c_str(), nullptr, 0) != 0) {
                throw std::runtime_error(directory + ": no exp_400p.json to touch");
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        };
        auto const theirs = [&] { PWPSim::Simulator simulator(directory); };
        Timing const first = time_prepared(touch, load, theirs, 5);
        std::printf("%-56s %9.2f %9.2f %8.1f  (ms, ms)\n", "load a directory",
                    first.ours * 1e3, first.reference * 1e3, first.ratio);
        Timing const again = time_in_turn(load, theirs, 5, 0);
        std::printf("%-56s %9.3f %9.2f %8.0f  (ms, ms)\n", "load it again, unchanged", again.ours * 1e3,
                    again.reference * 1e3, again.ratio);
    }

    Library const &library;
    std::string source;
    PWPSim::Simulator reference;
    std::vector<Row> rows;
};

int run(std::vector<std::string> const &arguments)
{
    if (arguments.size() < 3) {
        std::fprintf(stderr, "usage: bench LIBRARY SOURCE DIRECTORY [all|exact] [OUT]\n");
        return 2;
    }
    std::string const which = arguments.size() > 3 ? arguments[3] : "";
    bool const exact_only = which == "exact", all = which == "all" || exact_only;
    Library const library(arguments[0]);
    Bench bench(library, arguments[1], arguments[2]);
    std::printf("%s\n%-30s %-6s %-7s %-8s %9s %9s %9s %8s %9s\n", cpu_name().c_str(), "function", "path", "tier",
                "inputs", "elements", "ours, ns", "ref., ns", "ratio", "of memcpy");
    for (char const *tier : TIERS) {
        std::unique_ptr<Ours> const forms = of_tier(library, "", tier);
        for (pwp_sim_function function : library.functions()) {
            if (forms != nullptr && (all || function == PWP_SIM_FUNCTION_EXP || function == PWP_SIM_FUNCTION_RELU)) {
                bench.buffers(forms->handle, tier, function, 65536, false);
                bench.buffers(forms->handle, tier, function, 65536, false, true);
            }
        }
    }
    if (arguments.size() > 4) {
        write_bars(arguments[4] + ".svg", bench.rows);
    }
    if (exact_only) {
        if (arguments.size() > 4) {
            write_json(arguments[4] + ".json", bench.rows);
        }
        return 0;
    }
    for (char const *tier : TIERS) {
        std::unique_ptr<Ours> const simulator = of_tier(library, arguments[1], tier);
        if (simulator == nullptr) {
            continue;
        }
        pwp_sim *const ours = simulator->handle;
        for (std::size_t count : {1u, 16u, 256u, 4096u, 65536u, 16777216u}) {
            bench.buffers(ours, tier, PWP_SIM_FUNCTION_EXP, count, true);
        }
        for (pwp_sim_function function : library.functions()) {
            bool const with_table = function != PWP_SIM_FUNCTION_PRELU && function != PWP_SIM_FUNCTION_LN_PRIME;
            bool const summary = function == PWP_SIM_FUNCTION_TANH || function == PWP_SIM_FUNCTION_SQRT;
            if (with_table && (all || summary)) {
                bench.buffers(ours, tier, function, 65536, true);
            }
        }
        bench.calls(ours, tier);
    }
    if (arguments.size() > 4) {
        write_json(arguments[4] + ".json", bench.rows);
    }
    bench.loading(arguments[2]);

    std::size_t const count = 16777216;
    std::vector<float> const inputs = uniform(count);
    std::vector<float> out(count);
    double const copy = time_alone([&] { std::memcpy(out.data(), inputs.data(), count * sizeof(float)); }, 5, 0.1);
    Ours table(library, bench.source);
    double const ours = time_alone(
        [&] { library.apply(table.handle, PWP_SIM_FUNCTION_EXP, nullptr, out.data(), inputs.data(), count, true); }, 5,
        0.1);
    std::printf("16 Mi elements of Exp by table: %.2f ns each, memcpy %.2f ns each: %.0f %% of its speed\n",
                ours * 1e9 / static_cast<double>(count), copy * 1e9 / static_cast<double>(count), 100 * copy / ours);
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        return run({argv + 1, argv + argc});
    } catch (std::exception const &error) {
        std::fprintf(stderr, "bench: %s\n", error.what());
        return 1;
    }
}
