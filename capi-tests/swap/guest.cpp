// What the C++ interface owes the process that it is a guest in, as capi-tests/c/guest.c has it for the C calls: forks at
// any moment, bytes that are no bool.
//
//   guest_cxx LIBRARY TEST
//
// Exit status 0 where what the test's name says holds.
#include <PWPSim/Simulator.h>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

#define STR "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

void require(bool ok, char const *what)
{
    if (!ok) {
        throw std::runtime_error(what);
    }
}

// The functions, with a byte where the class has a bool. `this` comes first.
struct Library {
    void (*construct)(void *, std::string const &);
    float (*scalar)(void const *, std::string const &, float, float, unsigned char);
    void (*buffer)(void const *, std::string const &, float *, float const *, float, float, float, int, unsigned char);

    explicit Library(char const *path) : library(dlopen(path, RTLD_NOW | RTLD_LOCAL))
    {
        require(library != nullptr, "dlopen");
        load(construct, "_ZN6PWPSim9SimulatorC1ERK" STR);
        load(scalar, "_ZN6PWPSim9Simulator8simulateERK" STR "ffb");
        load(buffer, "_ZN6PWPSim9Simulator8simulateERK" STR "PfPKffffib");
    }

private:
    void *library;

    template <typename Call>
    void load(Call &call, char const *symbol)
    {
        call = reinterpret_cast<Call>(dlsym(library, symbol));
        require(call != nullptr, symbol);
    }
};

class Object {
public:
    Object(Library const &library, std::string const &source)
    {
        library.construct(memory, source);
    }
    ~Object()
    {
        reinterpret_cast<PWPSim::Simulator *>(memory)->~Simulator();
    }
    Object(Object const &) = delete;
    Object &operator=(Object const &) = delete;
    void const *get() const
    {
        return memory;
    }

private:
    alignas(PWPSim::Simulator) unsigned char memory[sizeof(PWPSim::Simulator)];
};

// exp(0.5) by table and by closed form.
float const by_table = 1.6487027f, exact = 1.6487212f;

void every_byte_but_zero_is_true(Library const &library)
{
    Object const object(library, "builtin:");
    for (unsigned char const byte : {0, 1, 2, 3, 4, 127, 128, 254, 255}) {
        float const due = byte != 0 ? by_table : exact;
        require(library.scalar(object.get(), "Exp", 0.5f, 0.0f, byte) == due, "one element");
        for (int count = 1; count < 40; count++) {
            float x[40], y[40];
            for (float &each : x) {
                each = 0.5f;
            }
            library.buffer(object.get(), "Exp", y, x, 0.0f, 1.0f, 0.0f, count, byte);
            for (int i = 0; i < count; i++) {
                require(y[i] == due, "a buffer");
            }
        }
    }
}

void construct_and_compute(Library const &library)
{
    for (char const *source : {"builtin:", "builtin:trainium#exp_and_others"}) {
        Object const object(library, source);
        require(library.scalar(object.get(), "Exp", 0.5f, 0.0f, 1) == by_table, source);
    }
}

// Forks, and requires that what the child does ends well and in time: a child that hangs is ended.
template <typename Body>
void in_a_child(Body const &body)
{
    pid_t const child = fork();
    if (child == 0) {
        alarm(60);
        try {
            body();
            _exit(0);
        } catch (std::exception const &error) {
            std::printf("FAILED in a child: %s\n", error.what());
            std::fflush(stdout);
            _exit(1);
        }
    }
    int status = 0;
    require(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a child");
}

// In a process of its own each time: there is but one first construction. The fork comes later and later in it.
void a_child_forked_during_the_first_construction_can_construct(Library const &library)
{
    for (unsigned round = 0; round < 60; round++) {
        in_a_child([&] {
            std::thread first([&] { construct_and_compute(library); });
            usleep(round * 100);
            try {
                in_a_child([&] { construct_and_compute(library); });
            } catch (...) {
                first.join();
                throw;
            }
            first.join();
        });
    }
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        require(argc == 3, "usage: guest_cxx LIBRARY TEST");
        Library const library(argv[1]);
        if (std::strcmp(argv[2], "every_byte_but_zero_is_true") == 0) {
            every_byte_but_zero_is_true(library);
        } else if (std::strcmp(argv[2], "a_child_forked_during_the_first_construction_can_construct") == 0) {
            a_child_forked_during_the_first_construction_can_construct(library);
        } else {
            require(false, "usage: guest_cxx LIBRARY TEST");
        }
        return 0;
    } catch (std::exception const &error) {
        std::printf("FAILED: %s\n", error.what());
        return 1;
    }
}
