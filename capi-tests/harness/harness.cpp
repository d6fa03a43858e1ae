// The harness: every function's results from the library under test, on every tier of this CPU, and from the reference,
// compared bit for bit.
//
//   harness LIBRARY exact                   the closed forms, no tables
//   harness LIBRARY table SOURCE DIRECTORY  the tables; SOURCE is what our library opens, DIRECTORY the reference
//
// The inputs are one of each 65536 neighbours, the special ones, the edges of all sections, and random ones: 2^20, or as many
// as HARNESS_INPUTS in the environment says.
//
// Exit status 0 where every result agrees.
#include "compare.h"
#include "inputs.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

std::size_t random_count()
{
    char const *const inputs = std::getenv("HARNESS_INPUTS");
    return inputs != nullptr && *inputs != '\0' ? std::stoul(inputs) : std::size_t{1} << 20;
}

std::vector<float> common_inputs(std::uint32_t seed)
{
    std::vector<float> inputs;
    add_grid(inputs);
    add_specials(inputs);
    add_random(inputs, random_count(), seed);
    return inputs;
}

// One function on one path, in every form.
void compare_forms(Comparison &comparison, pwp_sim_function function, std::vector<float> const &inputs, bool use_pwp)
{
    for (std::size_t i = 0; i < TRIPLES.size(); i++) {
        comparison.buffers(function, inputs, TRIPLES[i], use_pwp, i == 1);
    }
    comparison.scalars(function, inputs, AS_IT_IS.alpha, use_pwp);
}

void exact_path(Library const &library, Comparison &comparison)
{
    std::vector<float> const inputs = common_inputs(1);
    std::vector<float> grid;
    add_grid(grid);
    for (pwp_sim_function const function : library.functions()) {
        compare_forms(comparison, function, inputs, false);
        // Asked for tables, a simulator without any takes the closed form.
        comparison.buffers(function, grid, AS_IT_IS, true, true);
        comparison.scalars(function, grid, 2.0f, true);
    }
}

void table_path(Library const &library, Comparison &comparison, PWPSim::Simulator &reference)
{
    std::size_t tables = 0;
    for (pwp_sim_function const function : library.functions()) {
        std::vector<float> inputs = common_inputs(2u + static_cast<std::uint32_t>(function));
        auto const table = reference.tables.find(library.function_name(function));
        if (table == reference.tables.end()) {
            if (function == PWP_SIM_FUNCTION_PRELU) {
                compare_forms(comparison, function, inputs, true);  // the closed form, always
            } else {
                comparison.refusal(function);
            }
            continue;
        }
        tables++;
        std::vector<float> edges;
        add_edges(edges, table->second);
        // The closed form is there beside the table.
        comparison.buffers(function, edges, AS_IT_IS, false, false);
        inputs.insert(inputs.end(), edges.begin(), edges.end());
        compare_forms(comparison, function, inputs, true);
    }
    std::printf("%zu tables\n", tables);
    if (tables == 0) {
        throw std::runtime_error("the directory holds no table");
    }
}

int run(std::vector<std::string> const &arguments)
{
    bool const exact = arguments.size() == 2 && arguments[1] == "exact";
    if (!exact && !(arguments.size() == 4 && arguments[1] == "table")) {
        std::fprintf(stderr, "usage: harness LIBRARY exact | harness LIBRARY table SOURCE DIRECTORY\n");
        return 2;
    }
    Library const library(arguments[0]);
    std::vector<std::unique_ptr<Ours>> tiers;
    for (char const *tier : TIERS) {
        tiers.push_back(of_tier(library, exact ? "" : arguments[2], tier));
    }
    std::vector<Ours const *> ours;
    for (std::unique_ptr<Ours> const &one : tiers) {
        if (one != nullptr && (ours.empty() || !exact)) {  // no tier takes part in a closed form
            ours.push_back(one.get());
        }
    }
    PWPSim::Simulator reference(exact ? "" : arguments[3]);
    Comparison comparison(ours, reference);
    if (exact) {
        exact_path(library, comparison);
    } else {
        table_path(library, comparison, reference);
    }
    std::printf("%llu results compared, %llu mismatches\n", static_cast<unsigned long long>(comparison.compared),
                static_cast<unsigned long long>(comparison.mismatches));
    return comparison.mismatches == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        return run({argv + 1, argv + argc});
    } catch (std::exception const &error) {
        std::fprintf(stderr, "harness: %s\n", error.what());
        return 1;
    }
}
