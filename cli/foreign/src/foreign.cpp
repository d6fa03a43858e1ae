// Calls a libpwp_sim.so that is named at run time. docs/abi.md has the symbols; the caller says which of them to take.
#include "foreign.h"

#include <dlfcn.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

// The original's calls. The first float is added, the second multiplies. The count is an `int`, or an `unsigned` in some
// spellings: a register that is filled to 64 bits serves both.
using Construct = void (*)(void *, std::string const &);
using Simulate = void (*)(void *, std::string const &, float *, float const *, float, float, float, long, bool);

// The C API's. docs/behaviour.md, section 6.
using CCreate = int (*)(char const *, void **);
using CSimulate = int (*)(void const *, char const *, float *, float const *, float, float, float, size_t, bool);
using CLastError = char const *(*)();

constexpr int C_OK = 0;
constexpr int C_UNHANDLED_SECTION = 6;

// Room for a Simulator: 96 bytes are published.
struct alignas(64) Object {
    unsigned char bytes[4096];
};

void say(char *message, size_t capacity, char const *text)
{
    if (capacity != 0) {
        std::snprintf(message, capacity, "%s", text == nullptr ? "no reason is given" : text);
    }
}

void *symbol(void *handle, char const *name)
{
    void *const address = dlsym(handle, name);
    if (address == nullptr) {
        throw std::runtime_error(std::string("it has no symbol ") + name);
    }
    return address;
}

template <typename Call>
void find(void *handle, char const *name, Call &call)
{
    call = reinterpret_cast<Call>(symbol(handle, name));
}

}  // namespace

struct pwp_foreign {
    Simulate simulate = nullptr;
    CSimulate c_simulate = nullptr;
    CLastError c_last_error = nullptr;
    void *c_simulator = nullptr;
    Object object = {};
};

pwp_foreign *pwp_foreign_open(char const *path, char const *constructor, char const *simulate, char const *profiles,
                              char *message, size_t capacity)
{
    try {
        void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            throw std::runtime_error(dlerror());
        }
        auto library = std::make_unique<pwp_foreign>();
        if (constructor != nullptr) {
            Construct construct;
            find(handle, constructor, construct);
            find(handle, simulate, library->simulate);
            construct(&library->object, std::string(profiles));
            return library.release();
        }
        CCreate create;
        find(handle, "pwp_sim_create", create);
        find(handle, "pwp_sim_simulate", library->c_simulate);
        find(handle, "pwp_sim_last_error", library->c_last_error);
        if (create(profiles, &library->c_simulator) != C_OK) {
            throw std::runtime_error(library->c_last_error());
        }
        return library.release();
    } catch (std::exception const &error) {
        say(message, capacity, error.what());
    } catch (...) {
        say(message, capacity, "it throws something that is no std::exception");
    }
    return nullptr;
}

int pwp_foreign_simulate(pwp_foreign *library, char const *name, float *out, float const *in, float addend,
                         float multiplier, float alpha, size_t count, bool use_pwp, char *message, size_t capacity)
{
    try {
        if (library->simulate != nullptr) {
            library->simulate(&library->object, std::string(name), out, in, addend, multiplier, alpha,
                              static_cast<long>(count), use_pwp);
            return PWP_FOREIGN_OK;
        }
        int const status =
            library->c_simulate(library->c_simulator, name, out, in, addend, multiplier, alpha, count, use_pwp);
        if (status == C_OK) {
            return PWP_FOREIGN_OK;
        }
        say(message, capacity, library->c_last_error());
        return status == C_UNHANDLED_SECTION ? PWP_FOREIGN_UNHANDLED : PWP_FOREIGN_REFUSED;
    } catch (std::exception const &error) {
        say(message, capacity, error.what());
    } catch (...) {
        say(message, capacity, "it throws something that is no std::exception");
    }
    return PWP_FOREIGN_REFUSED;
}

void pwp_foreign_end_with_parent()
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}
