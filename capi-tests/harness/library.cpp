// Opens the library under test.
#include "library.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace {

template <typename Call>
void load(void *library, char const *name, Call &call)
{
    call = reinterpret_cast<Call>(dlsym(library, name));
    if (call == nullptr) {
        throw std::runtime_error(dlerror());
    }
}

}  // namespace

Library::Library(std::string const &path)
{
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw std::runtime_error(dlerror());
    }
    load(library, "pwp_sim_create", create);
    load(library, "pwp_sim_create_on_tier", create_on_tier);
    load(library, "pwp_sim_destroy", destroy);
    load(library, "pwp_sim_simulate", simulate);
    load(library, "pwp_sim_simulate_scalar", simulate_scalar);
    load(library, "pwp_sim_apply", apply);
    load(library, "pwp_sim_function_name", function_name);
    load(library, "pwp_sim_tier", tier);
    load(library, "pwp_sim_last_error", last_error);
}

std::vector<pwp_sim_function> Library::functions() const
{
    std::vector<pwp_sim_function> functions;
    for (int id = 0; id < 64; id++) {
        pwp_sim_function const function = static_cast<pwp_sim_function>(id);
        if (function_name(function) != nullptr) {
            functions.push_back(function);
        }
    }
    return functions;
}

Ours::Ours(Library const &the_library, std::string const &source) : library(the_library), handle(nullptr)
{
    if (library.create(source.c_str(), &handle) != PWP_SIM_OK) {
        throw std::runtime_error(library.last_error());
    }
}

Ours::Ours(Library const &the_library, pwp_sim *created) : library(the_library), handle(created)
{
    if (handle == nullptr) {
        throw std::runtime_error(library.last_error());
    }
}

Ours::~Ours()
{
    library.destroy(handle);
}

std::string Ours::tier() const
{
    return library.tier(handle);
}

std::unique_ptr<Ours> of_tier(Library const &library, std::string const &source, char const *tier)
{
    pwp_sim *handle = nullptr;
    if (library.create_on_tier(source.c_str(), tier, &handle) == PWP_SIM_INVALID_ARGUMENT) {
        std::printf("%s: skipped, this CPU lacks it\n", tier);
        return nullptr;
    }
    return std::make_unique<Ours>(library, handle);
}
