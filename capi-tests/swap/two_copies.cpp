// Two copies of the library in one process: an object that one made, used through the other, is an error and never the
// other's tables.
//
//   two_copies LIBRARY
#include <PWPSim/Simulator.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>

namespace {

#define STR "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

// The calls of one copy. `this` comes first.
struct Copy {
    void (*construct)(void *, std::string const &);
    float (*simulate)(void const *, std::string const &, float, float, bool);

    explicit Copy(std::string const &path)
    {
        void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            throw std::runtime_error(dlerror());
        }
        construct = reinterpret_cast<decltype(construct)>(dlsym(library, "_ZN6PWPSim9SimulatorC1ERK" STR));
        simulate = reinterpret_cast<decltype(simulate)>(dlsym(library, "_ZN6PWPSim9Simulator8simulateERK" STR "ffb"));
    }
};

// An object that a copy constructed.
class Object {
public:
    Object(Copy const &copy, std::string const &source)
    {
        copy.construct(memory, source);
    }
    ~Object()
    {
        reinterpret_cast<PWPSim::Simulator *>(memory)->~Simulator();
    }
    void *get()
    {
        return memory;
    }

private:
    alignas(PWPSim::Simulator) unsigned char memory[sizeof(PWPSim::Simulator)];
};

void require(bool ok, char const *what)
{
    if (!ok) {
        throw std::runtime_error(what);
    }
}

bool refused(Copy const &copy, Object &object)
{
    try {
        copy.simulate(object.get(), "Exp", 0.5f, 0.0f, true);
        return false;
    } catch (std::runtime_error const &error) {
        return std::string(error.what()).find("another copy") != std::string::npos;
    }
}

void run(std::string const &library)
{
    char directory[] = "/tmp/pwp_sim_copies_XXXXXX";
    require(mkdtemp(directory) != nullptr, "mkdtemp");
    std::string const second = std::string(directory) + "/libpwp_sim.so";
    std::ofstream(second, std::ios::binary) << std::ifstream(library, std::ios::binary).rdbuf();
    Copy const a(library), b(second);
    require(a.simulate != b.simulate, "two copies are loaded");
    // Each copy's first object: the same number, were the numbers each copy's own.
    Object of_a(a, "builtin:"), of_b(b, "builtin:trainium#sigmoid_and_others");
    require(a.simulate(of_a.get(), "Exp", 0.5f, 0.0f, true) == 1.6487027f, "an object of the first copy's");
    require(b.simulate(of_b.get(), "Sigmoid", 0.0f, 0.0f, true) == 0.5f, "an object of the second copy's");
    require(refused(a, of_b), "the first copy refuses the second's object");
    require(refused(b, of_a), "the second copy refuses the first's object");
    require(b.simulate(of_a.get(), "Square", 3.0f, 0.0f, false) == 9.0f, "a closed form needs no tables");
    std::remove(second.c_str());
    std::remove(directory);
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        require(argc == 2, "usage: two_copies LIBRARY");
        run(argv[1]);
        return 0;
    } catch (std::exception const &error) {
        std::printf("FAILED: %s\n", error.what());
        return 1;
    }
}
