// Calls and nothing else, for a tool that counts instructions.
//
//   calls LIBRARY FUNCTION ELEMENTS TIMES
//
// TIMES calls of FUNCTION by the embedded tables with ELEMENTS inputs, uniform in [-10, 10]. The tier is PWP_SIM_TIER's.
#include "library.h"
#include "uniform.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int run(std::vector<std::string> const &arguments)
{
    if (arguments.size() != 4) {
        std::fprintf(stderr, "usage: calls LIBRARY FUNCTION ELEMENTS TIMES\n");
        return 2;
    }
    Library const library(arguments[0]);
    Ours const ours(library, "builtin:");
    std::vector<float> const inputs = uniform(std::stoul(arguments[2]));
    std::vector<float> out(inputs.size());
    for (unsigned long time = std::stoul(arguments[3]); time > 0; time--) {
        if (library.simulate(ours.handle, arguments[1].c_str(), out.data(), inputs.data(), 0.5f, 0.75f, 0.0f,
                             inputs.size(), true) != PWP_SIM_OK) {
            throw std::runtime_error(library.last_error());
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        return run({argv + 1, argv + argc});
    } catch (std::exception const &error) {
        std::fprintf(stderr, "calls: %s\n", error.what());
        return 1;
    }
}
