// Floating-point exceptions in the host, element by element beside the reference:
//
// - a host that traps on exceptions gets no SIGFPE where the reference raises none, on either path, in blocks of one
//   element and of many, on every tier;
// - of the sticky flags that a call leaves, overflow and division by zero are no less than the reference's; what else may
//   be missing or too much is printed (docs/reliability.md).
//
//   exceptions LIBRARY exact | exceptions LIBRARY table SOURCE DIRECTORY
#include "compare.h"
#include "inputs.h"
#include "library.h"

#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <ucontext.h>
#include <vector>
#include <xmmintrin.h>

namespace {

constexpr unsigned MASKS = 0x1f80, FLAGS = 0x3f;
constexpr unsigned DENORMAL = 0x02, DIVISION = 0x04, OVERFLOW = 0x08, INEXACT = 0x20;

// What trapped: the flags of MXCSR at the first SIGFPE of a call; 0 for none.
volatile std::sig_atomic_t trapped;

// Notes the trap, masks everything in the interrupted code, and lets it run the operation again.
void on_sigfpe(int, siginfo_t *, void *context)
{
    auto *const state = static_cast<ucontext_t *>(context);
    trapped = static_cast<std::sig_atomic_t>(trapped | static_cast<int>(state->uc_mcontext.fpregs->mxcsr & FLAGS));
    state->uc_mcontext.fpregs->mxcsr |= MASKS;
}

struct Seen {
    unsigned flags;  // what the call left in MXCSR
    bool trap;       // whether it trapped
};

// Makes a call with `unmasked` exceptions trapping.
template <typename Call>
Seen run(unsigned unmasked, Call call)
{
    trapped = 0;
    unsigned const saved = _mm_getcsr();
    _mm_setcsr(MASKS & ~(unmasked << 7));
    call();
    unsigned const flags = _mm_getcsr() & FLAGS;
    _mm_setcsr(saved);
    return {flags, trapped != 0};
}

struct Counts {
    unsigned long compared = 0, traps = 0, traps_of_ours = 0, missing = 0, extra = 0, lost = 0;
    unsigned missing_flags = 0, extra_flags = 0;
};

// Compares one element, alone and as a block of `repeat` equal elements.
void one_input(Counts &counts, Ours &ours, PWPSim::Simulator &reference, char const *name, bool use_pwp, float x,
               std::size_t repeat)
{
    std::vector<float> const in(repeat, x);
    std::vector<float> out(repeat);
    std::string const reference_name = name;
    for (unsigned unmasked : {0x00u, 0x01u | 0x04u | 0x08u, 0x3fu & ~DENORMAL & ~INEXACT, 0x3fu & ~DENORMAL}) {
        Seen const expected = run(unmasked, [&] {
            reference.simulate(reference_name, out.data(), in.data(), 0.0f, 1.0f, 0.0f, static_cast<int>(repeat), use_pwp);
        });
        Seen const found = run(unmasked, [&] {
            ours.library.simulate(ours.handle, name, out.data(), in.data(), 0.0f, 1.0f, 0.0f, repeat, use_pwp);
        });
        counts.compared++;
        counts.traps += expected.trap;
        if (found.trap && !expected.trap && counts.traps_of_ours++ == 0) {
            std::printf("TRAP %s %s x %08x, %zu elements, unmasked %02x: flags %02x, the reference's %02x\n", name,
                        use_pwp ? "table" : "exact", to_bits(x), repeat, unmasked, found.flags, expected.flags);
        }
        if (unmasked != 0) {
            continue;
        }
        unsigned const missing = expected.flags & ~found.flags & ~DENORMAL, extra = found.flags & ~expected.flags & ~DENORMAL;
        counts.missing_flags |= missing;
        counts.extra_flags |= extra;
        counts.extra += extra != 0;
        counts.missing += missing != 0;
        if ((missing & (OVERFLOW | DIVISION)) != 0 && counts.lost++ == 0) {
            std::printf("LOST %s %s x %08x, %zu elements: flags %02x, the reference's %02x\n", name,
                        use_pwp ? "table" : "exact", to_bits(x), repeat, found.flags, expected.flags);
        }
    }
}

std::vector<float> inputs()
{
    std::vector<float> inputs;
    for (std::uint32_t top = 0; top < 0x100u; top++) {
        inputs.push_back(from_bits(top << 24));
        inputs.push_back(from_bits(top << 24 | 0x00812345u));
    }
    for (int step = -400; step <= 400; step++) {
        inputs.push_back(static_cast<float>(step) / 4.0f + 0.03f);
    }
    add_specials(inputs);
    add_random(inputs, 256, 7);
    return inputs;
}

}  // namespace

int main(int argc, char **argv)
try {
    bool const table = argc == 5 && std::string(argv[2]) == "table";
    if (!table && (argc != 3 || std::string(argv[2]) != "exact")) {
        std::fputs("usage: exceptions LIBRARY exact | table SOURCE DIRECTORY\n", stderr);
        return 2;
    }
    struct sigaction action = {};
    action.sa_sigaction = on_sigfpe;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGFPE, &action, nullptr);
    Library const library(argv[1]);
    PWPSim::Simulator reference(table ? argv[4] : "");
    std::vector<float> const in = inputs();
    unsigned long failures = 0, traps = 0;
    for (char const *tier : TIERS) {
        auto const ours = of_tier(library, table ? argv[3] : "", tier);
        if (ours == nullptr || (!table && tier != TIERS[0])) {
            continue;
        }
        for (std::size_t repeat : {std::size_t(1), std::size_t(19)}) {
            Counts counts;
            for (pwp_sim_function function : library.functions()) {
                float ignored;
                char const *const name = library.function_name(function);
                if (library.simulate(ours->handle, name, &ignored, &in[0], 0, 1, 0, 1, table) != PWP_SIM_OK) {
                    continue;  // no table here
                }
                for (float x : in) {
                    one_input(counts, *ours, reference, name, table, x, repeat);
                }
            }
            std::printf("%s %s, %zu elements: %lu calls, %lu trap in the reference, %lu in ours alone; flags missing at %lu "
                        "inputs (%02x), extra at %lu (%02x)\n",
                        tier, table ? "table" : "exact", repeat, counts.compared, counts.traps, counts.traps_of_ours,
                        counts.missing, counts.missing_flags, counts.extra, counts.extra_flags);
            failures += counts.traps_of_ours + counts.lost;
            traps += counts.traps;
        }
    }
    if (traps == 0) {
        std::puts("FAILED: nothing trapped, so nothing was tested");
        return 1;
    }
    return failures == 0 ? 0 : 1;
} catch (std::exception const &error) {
    std::fprintf(stderr, "exceptions: %s\n", error.what());
    return 1;
}
