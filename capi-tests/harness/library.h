// The library under test, opened by its path: dlopen with RTLD_LOCAL, because the reference in the same process has
// the same C++ symbols, and in its shared form the same SONAME.
#ifndef HARNESS_LIBRARY_H
#define HARNESS_LIBRARY_H

#include <pwp_sim.h>

#include <memory>
#include <string>
#include <vector>

class Library {
public:
    // Throws std::runtime_error where the library or one of the calls is missing.
    explicit Library(std::string const &path);

    decltype(&pwp_sim_create) create;
    decltype(&pwp_sim_create_on_tier) create_on_tier;
    decltype(&pwp_sim_destroy) destroy;
    decltype(&pwp_sim_simulate) simulate;
    decltype(&pwp_sim_simulate_scalar) simulate_scalar;
    decltype(&pwp_sim_apply) apply;
    decltype(&pwp_sim_function_name) function_name;
    decltype(&pwp_sim_tier) tier;
    decltype(&pwp_sim_last_error) last_error;

    // Every function of the enum.
    std::vector<pwp_sim_function> functions() const;
};

// A simulator of the library under test.
class Ours {
public:
    // `source` is what pwp_sim_create takes. Throws std::runtime_error with the library's message.
    Ours(Library const &library, std::string const &source);
    // Takes what a call created; null, with the library's message as the exception's, where it failed.
    Ours(Library const &library, pwp_sim *created);
    ~Ours();
    Ours(Ours const &) = delete;
    Ours &operator=(Ours const &) = delete;

    std::string tier() const;

    Library const &library;
    pwp_sim *handle;
};

// The tiers of the table path that the library may have.
constexpr char const *TIERS[] = {"scalar", "neon", "avx2", "avx512"};

// A simulator that takes this tier; null, with a line on stdout, where the CPU lacks it.
std::unique_ptr<Ours> of_tier(Library const &library, std::string const &source, char const *tier);

#endif  // HARNESS_LIBRARY_H
