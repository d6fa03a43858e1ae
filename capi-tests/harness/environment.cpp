// The caller's floating-point environment: in every rounding mode, with and without flush-to-zero and
// denormals-are-zero, the library's bits are those of the reference's scalar steps in that environment, and its calls
// leave the control bits as they were.
//
//   environment LIBRARY exact | environment LIBRARY table DIRECTORY
#include "compare.h"
#include "inputs.h"

#include <xmmintrin.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

constexpr unsigned EXCEPTION_FLAGS = 0x3f;  // the low bits of MXCSR; all others control
constexpr unsigned ROUNDING = 0x6000, FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040;

unsigned short x87_control()
{
    unsigned short word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

std::vector<float> inputs()
{
    std::vector<float> inputs;
    for (std::uint32_t top = 0; top < 0x4000u; top++) {
        inputs.push_back(from_bits(top << 18));
    }
    add_specials(inputs);
    add_random(inputs, 1u << 13, 3);
    std::size_t const count = inputs.size();
    for (std::size_t i = 0; i < count; i += 8) {
        inputs.push_back(from_bits(to_bits(inputs[i]) & 0x807fffffu));  // denormals
    }
    return inputs;
}

// Compares under one value of MXCSR, which is set here and restored whatever happens. Nothing but the two libraries'
// calls runs under it.
class Under {
public:
    explicit Under(unsigned control) : saved(_mm_getcsr()), wanted(control)
    {
        _mm_setcsr(control);
    }
    ~Under()
    {
        _mm_setcsr(saved);
    }
    bool kept() const
    {
        return ((_mm_getcsr() ^ wanted) & ~EXCEPTION_FLAGS) == 0;
    }

private:
    unsigned saved, wanted;
};

struct Result {
    std::uint64_t compared = 0;
    std::uint64_t mismatches = 0;
};

void compare(Result &result, std::string const &what, std::vector<float> const &in, std::vector<float> const &expected,
             std::vector<float> const &found)
{
    std::uint64_t mismatches = 0;
    for (std::size_t i = 0; i < in.size(); i++) {
        std::uint32_t const want = to_bits(expected[i]), got = to_bits(found[i]);
        bool const nans = (want & 0x7fffffffu) > 0x7f800000u && (got & 0x7fffffffu) > 0x7f800000u;
        result.compared++;
        if (want != got && !nans && mismatches++ == 0) {
            std::printf("MISMATCH %s: x %08x: ours %08x, reference %08x\n", what.c_str(), to_bits(in[i]), got, want);
        }
    }
    if (mismatches > 1) {
        std::printf("... and %llu more\n", static_cast<unsigned long long>(mismatches - 1));
    }
    result.mismatches += mismatches;
}

void one_function(Result &result, Ours &ours, PWPSim::Simulator &reference, char const *name, bool use_pwp,
                  unsigned control, std::vector<float> const &in)
{
    std::vector<float> expected(in.size()), buffer(in.size()), ones(in.size());
    std::vector<float> scalar_expected(in.size()), scalar(in.size());
    std::string const reference_name = name;
    Triple const triples[] = {AS_IT_IS, {0x1p-130f, 0x1p-3f, 0.3f}};
    for (Triple const &triple : triples) {
        // The scalar form has no scaling, so one triple is enough for it.
        std::size_t const scalars = triple.multiplier == 1.0f ? in.size() : 0;
        bool kept = true;
        {
            Under const environment(control);
            unsigned short const x87 = x87_control();
            reference.simulate(reference_name, expected.data(), in.data(), triple.addend, triple.multiplier,
                               triple.alpha, static_cast<int>(in.size()), use_pwp);
            ours.library.simulate(ours.handle, name, buffer.data(), in.data(), triple.addend, triple.multiplier,
                                  triple.alpha, in.size(), use_pwp);
            kept = environment.kept() && x87 == x87_control();
            for (std::size_t i = 0; i < in.size(); i++) {
                ours.library.simulate(ours.handle, name, &ones[i], &in[i], triple.addend, triple.multiplier,
                                      triple.alpha, 1, use_pwp);
            }
            for (std::size_t i = 0; i < scalars; i++) {
                scalar_expected[i] = reference.simulate(reference_name, in[i], triple.alpha, use_pwp);
                ours.library.simulate_scalar(ours.handle, name, in[i], triple.alpha, use_pwp, &scalar[i]);
            }
            kept = kept && environment.kept();
        }
        char text[128];
        std::snprintf(text, sizeof text, "%s %s, MXCSR %04x, multiplier %g", name, use_pwp ? "table" : "exact", control,
                      static_cast<double>(triple.multiplier));
        if (!kept) {
            result.mismatches++;
            std::printf("CONTROL BITS CHANGED %s\n", text);
        }
        compare(result, text + std::string(" buffer"), in, expected, buffer);
        compare(result, text + std::string(" one element"), in, expected, ones);
        compare(result, text + std::string(" scalar"), in, scalar_expected, scalar);
    }
}

int run(std::vector<std::string> const &arguments)
{
    bool const exact = arguments.size() == 2 && arguments[1] == "exact";
    if (!exact && !(arguments.size() == 3 && arguments[1] == "table")) {
        std::fprintf(stderr, "usage: environment LIBRARY exact | environment LIBRARY table DIRECTORY\n");
        return 2;
    }
    Library const library(arguments[0]);
    std::string const source = exact ? "" : arguments[2];
    Ours ours(library, source);
    PWPSim::Simulator reference(source);
    std::vector<float> const in = inputs();
    Result result;
    unsigned const base = _mm_getcsr() & ~(ROUNDING | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | EXCEPTION_FLAGS);
    for (unsigned rounding = 0; rounding <= ROUNDING; rounding += 0x2000) {
        for (unsigned const flushing : {0u, FLUSH_TO_ZERO, DENORMALS_ARE_ZERO, FLUSH_TO_ZERO | DENORMALS_ARE_ZERO}) {
            for (pwp_sim_function const function : library.functions()) {
                char const *const name = library.function_name(function);
                if (exact || reference.tables.count(name) != 0) {
                    one_function(result, ours, reference, name, !exact, base | rounding | flushing, in);
                }
            }
        }
    }
    std::printf("%llu results compared, %llu mismatches\n", static_cast<unsigned long long>(result.compared),
                static_cast<unsigned long long>(result.mismatches));
    return result.mismatches == 0 && result.compared != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        return run({argv + 1, argv + argc});
    } catch (std::exception const &error) {
        std::fprintf(stderr, "environment: %s\n", error.what());
        return 1;
    }
}
