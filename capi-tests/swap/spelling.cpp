// One spelling of simulate(), compiled as it would be if the original's header had it. Defined by the build:
//
//     SPELLING   the number of this spelling
//     NAME       std::string const & or std::string
//     INPUT      float const * or float *
//     COUNT      int or unsigned
//     CONST      const or nothing
//
// The classes of the different spellings share one name and one layout, so that their symbols are the library's.
#include <string>
#include <unordered_map>

namespace PWPSim {

struct AFTable {
    alignas(8) char bytes[184];
};

class Simulator {
public:
    Simulator(std::string const &path);
    void simulate(NAME name, float *out, INPUT in, float addend, float multiplier, float alpha, COUNT count,
                  bool use_pwp) CONST;
    float simulate(NAME name, float x, float alpha, bool use_pwp) CONST;
    bool use_pwp_table() CONST;

    bool can_use_pwp_table;
    std::string pwp_path;
    std::unordered_map<std::string, AFTable> tables;
};

}  // namespace PWPSim

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// Counts what this spelling gets wrong.
int JOIN(check_spelling_, SPELLING)()
{
    PWPSim::Simulator CONST simulator{std::string()};
    std::string const name = "Prelu and more than sixteen bytes";
    float in[3] = {1.0f, -2.0f, 0.5f};
    float out[3] = {9.0f, 9.0f, 9.0f};
    // out = prelu(2 * in + 1): 3, -3 * 0.25, and the third left alone.
    simulator.simulate(name.substr(0, 5), out, in, 1.0f, 2.0f, 0.25f, 2, false);
    int wrong = 0;
    wrong += out[0] != 3.0f;
    wrong += out[1] != -0.75f;
    wrong += out[2] != 9.0f;
    wrong += simulator.simulate(name.substr(0, 5), -4.0f, 0.5f, true) != -2.0f;
    wrong += simulator.use_pwp_table();
    try {
        simulator.simulate(name, 0.0f, 0.0f, false);
        wrong++;
    } catch (std::exception const &) {
    }
    return wrong;
}
