// Finds the profile file of a function in a profile directory.
// Behaviour: docs/behaviour.md section 2 (the file names) and section 3 (the fallback to another budget).
#include "lookup.h"

#include <PWPSim/Simulator.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace PWPSim {

ProfileName const PROFILE_NAMES[29] = {
    {"Identity", "identity", 1},
    {"Square", "square", 1},
    {"Relu", "relu", 1},
    {"Lrelu", "leaky_relu", 1},
    {"Sigmoid", "sigmoid", 40},
    {"Tanh", "tanh", 4},
    {"Exp", "exp", 400},
    {"Softplus", "softplus", 40},
    {"Sqrt", "sqrt", 65536},
    {"Rsqrt", "reciprocal_sqrt", 40000},
    {"Ln", "ln", 40},
    {"Erf", "erf", 4},
    {"Sin", "sin", 4},
    {"Arctan", "arctan", 4},
    {"Sign", "sign", 1},
    {"Gelu", "gelu", 4},
    {"Mish", "mish", 4},
    {"Gelu_apprx_tanh", "gelu_apprx_tanh", 40},
    {"Gelu_apprx_sigmoid", "gelu_apprx_sigmoid", 40},
    {"Derivative_Gelu_apprx_sigmoid", "derivative_gelu_apprx_sigmoid", 4096},
    {"Derivative_Gelu", "derivative_gelu", 40},
    {"Derivative_Erf", "derivative_erf", 400},
    {"Copy", "copy", 1},
    {"Abs", "abs", 1},
    {"Reciprocal", "reciprocal", 400},
    {"Abs_reciprocal_sqrt", "abs_reciprocal_sqrt", 40000},
    {"Silu", "silu", 32},
    {"Derivative_silu", "derivative_silu", 32},
    {"MemsetZero", "memset_zero", 1},
};

namespace {

// The N of `<function>_<N>p.json`, or -1 where the file name is not of that form.
long long budget_of(std::string const &file_name, std::string const &function)
{
    std::string const prefix = function + "_";
    std::string const suffix = "p.json";
    if (file_name.size() <= prefix.size() + suffix.size()
        || file_name.compare(0, prefix.size(), prefix) != 0
        || file_name.compare(file_name.size() - suffix.size(), suffix.size(), suffix) != 0) {
        return -1;
    }
    std::string const digits =
        file_name.substr(prefix.size(), file_name.size() - prefix.size() - suffix.size());
    // Plain decimal digits of a 32-bit number: no sign, no leading zero.
    if (digits.find_first_not_of("0123456789") != std::string::npos || digits.size() > 10
        || (digits.size() > 1 && digits[0] == '0')) {
        return -1;
    }
    long long const budget = std::strtoll(digits.c_str(), nullptr, 10);
    return budget <= 0xffffffffLL ? budget : -1;
}

// The file of the largest budget, empty where there is none.
std::string largest_budget(std::string const &directory, std::string const &function)
{
    std::string best_file;
    long long best_budget = -1;
    std::error_code error;
    for (auto const &entry : std::filesystem::directory_iterator(directory, error)) {
        std::string const file_name = entry.path().filename().string();
        long long const budget = budget_of(file_name, function);
        if (budget > best_budget) {
            best_budget = budget;
            best_file = file_name;
        }
    }
    return best_file;
}

}  // namespace

std::string find_profile(std::string const &directory, ProfileName const &profile)
{
    std::string const prefix = directory.back() == '/' ? directory : directory + "/";
    std::string const function = profile.function;

    std::string const file = prefix + function + "_" + std::to_string(profile.budget) + "p.json";
    std::error_code error;
    bool const found = std::filesystem::exists(file, error);
    if (DEBUG != 0) {
        std::cerr << "PWPSim: probed " << file << (found ? "" : ": absent") << '\n';
    }
    if (found) {
        return file;
    }
    std::string const other = largest_budget(directory, function);
    return other.empty() ? std::string() : prefix + other;
}

}  // namespace PWPSim
