// Writes the profile directories that the swap test and the visitor use:
//
//     write_profiles DIR
//
//   DIR/p                       every function with a table: exp the published one, the others small, made of random
//                               coefficients, covering every input, with every combination of the fold's flags
//   DIR/a_directory_with_a_long_name   the same names, other coefficients, fewer functions
//   DIR/holes                   exp without clamps that cover: some inputs are unhandled
//   DIR/bad                     exp is not a profile
//   DIR/standin                 exp_40p and exp_4p, no exp_400p
//   DIR/a_#_b                   exp alone, in a directory with this name
//   DIR/empty                   no file
#include "exp_profile.h"
#include "inputs.h"
#include "profile_json.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

using namespace PWPSim;

namespace {

char const *const PROFILES[] = {
    "identity_1p", "square_1p", "relu_1p", "leaky_relu_1p", "sigmoid_40p", "tanh_4p", "exp_400p", "softplus_40p",
    "sqrt_65536p", "reciprocal_sqrt_40000p", "ln_40p", "erf_4p", "sin_4p", "arctan_4p", "sign_1p", "gelu_4p", "mish_4p",
    "gelu_apprx_tanh_40p", "gelu_apprx_sigmoid_40p", "derivative_gelu_apprx_sigmoid_4096p", "derivative_gelu_40p",
    "derivative_erf_400p", "copy_1p", "abs_1p", "reciprocal_400p", "abs_reciprocal_sqrt_40000p", "silu_32p",
    "derivative_silu_32p", "memset_zero_1p"};

// Random coefficients; which ones depends on the seed alone.
class Coefficients {
public:
    explicit Coefficients(std::uint64_t seed) : values(random_inputs(4096, seed)) {}

    // Every second random input is in [-16, 16).
    float next() { return values[(at += 2) % values.size() + 1]; }

    exponent_sect section()
    {
        float const x = next(), d0 = next(), d1 = next(), d2 = next();
        return {x, d0, d1, d2, next()};
    }

private:
    std::vector<float> values;
    std::size_t at = 0;
};

// Octaves -4 to 3 with 1, 2, 4 or 8 sections each, clamps for the rest.
AFTable small_profile(unsigned index, std::uint64_t seed)
{
    Coefficients coefficients(seed + index);
    AFTable profile{};
    profile.symmetry_en = (index & 1) != 0;
    profile.symmetry_invert_sign_opt = (index & 2) != 0;
    profile.symmetry_opt_use_neg_region = (index & 4) != 0;
    profile.symmetry_point = coefficients.next();
    profile.zero_result = coefficients.next();
    profile.nan_result = coefficients.next();
    profile.pinf_result = coefficients.next();
    profile.ninf_result = coefficients.next();
    for (auto *side : {&profile.pos_region, &profile.neg_region}) {
        for (int exponent = -4; exponent <= 3; exponent++) {
            pwp_nonsat_region region{};
            region.exponent = exponent;
            region.extract_size = (exponent + 4) % 4;
            region.num_sections = 1 << region.extract_size;
            for (int i = 0; i < region.num_sections; i++) {
                region.sections.push_back(coefficients.section());
            }
            side->push_back(region);
        }
    }
    profile.pos_low = {123, 0, coefficients.section()};
    profile.neg_low = {123, 0x1000, coefficients.section()};
    profile.pos_high = {130, 0x7fffff, coefficients.section()};
    profile.neg_high = {131, 0, coefficients.section()};
    return profile;
}

void write(std::filesystem::path const &file, std::string const &text)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file);
    stream << text;
    stream.close();
    if (!stream) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

void write(std::filesystem::path const &directory, char const *name, AFTable const &profile)
{
    Spelling spelling;
    spelling.signed_ints = name[0] % 2 == 0;
    spelling.nested_sections = name[0] % 3 == 0;
    write(directory / (std::string(name) + ".json"), profile_json(profile, spelling));
}

}  // namespace

int main(int argc, char **argv)
try {
    if (argc != 2) {
        std::cerr << "usage: write_profiles DIR\n";
        return 2;
    }
    std::filesystem::path const root = argv[1];
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root / "empty");
    unsigned index = 0;
    for (char const *name : PROFILES) {
        bool const is_exp = std::string(name) == "exp_400p";
        write(root / "p", name, is_exp ? exp_profile() : small_profile(index, 1));
        if (index % 2 == 0) {
            write(root / "a_directory_with_a_long_name", name, small_profile(index + 3, 2));
        }
        index++;
    }
    AFTable holes = small_profile(0, 3);
    holes.pos_low.sat_point = holes.neg_low.sat_point = -1;
    holes.pos_high.sat_point = holes.neg_high.sat_point = 300;
    write(root / "holes", "exp_400p", holes);
    write(root / "bad" / "exp_400p.json", "{\"symmetry_en\": true");
    write(root / "standin", "exp_4p", small_profile(0, 4));
    write(root / "standin", "exp_40p", small_profile(0, 5));
    write(root / "a_#_b", "exp_400p", small_profile(0, 6));
    return 0;
} catch (std::exception const &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
