// The exact closed forms: published values, values that follow by hand, the argument order, the errors.
#include "check.h"

#include <PWPSim/Simulator.h>

#include <cmath>
#include <vector>

using PWPSim::Simulator;

namespace {

void check_exact(Simulator &sim, char const *name, std::uint32_t x, float alpha, std::uint32_t expected)
{
    float const y = sim.simulate(name, from_bits(x), alpha, false);
    char text[64];
    std::snprintf(text, sizeof text, "exact %s(%08x)", name, x);
    check_bits(y, expected, text);
}

void check_exact_nan(Simulator &sim, char const *name, std::uint32_t x, float alpha)
{
    char text[64];
    std::snprintf(text, sizeof text, "exact %s(%08x)", name, x);
    check_nan(sim.simulate(name, from_bits(x), alpha, false), text);
}

void known_values(Simulator &sim)
{
    check_exact(sim, "Derivative_silu", 0x43b10000, 0.0f, 0x3f800000);
    check_exact_nan(sim, "Derivative_silu", 0x43b20000, 0.0f);
    check_exact(sim, "Derivative_silu", 0xc47a0000, 0.0f, 0x80000000);
    check_exact(sim, "Derivative_Gelu_apprx_sigmoid", 0x43480000, 0.0f, 0x3f800000);
    check_exact_nan(sim, "Derivative_Gelu_apprx_sigmoid", 0x43520000, 0.0f);
    check_exact(sim, "Prelu", 0xc0400000, 2.0f, 0xc0c00000);
    check_exact(sim, "Prelu", 0xc0400000, -0.5f, 0x3fc00000);
    check_exact_nan(sim, "Prelu", 0xff800000, 0.0f);
    check_exact(sim, "Derivative_silu", 0x43960000, 0.0f, 0x3f800000);  // 300
    check_exact_nan(sim, "Silu", 0xff800000, 0.0f);
    for (float const alpha : {0.0f, 2.0f, -0.5f}) {
        check_exact(sim, "Lrelu", 0xc2c80000, alpha, 0xbf800000);  // -100 gives -1
        check_exact(sim, "Lrelu", 0x40400000, alpha, 0x40400000);
    }
}

// One value or two of every function, correct by hand.
void hand_values(Simulator &sim)
{
    std::uint32_t const zero = 0x00000000, minus_zero = 0x80000000, half = 0x3f000000, one = 0x3f800000;
    std::uint32_t const two = 0x40000000, four = 0x40800000, minus_four = 0xc0800000, nan = 0x7fc00000;

    check_exact(sim, "Identity", minus_four, 0.0f, minus_four);
    check_exact(sim, "Square", minus_four, 0.0f, 0x41800000);
    check_exact(sim, "Relu", minus_four, 0.0f, zero);
    check_exact(sim, "Relu", minus_zero, 0.0f, zero);
    check_exact(sim, "Relu", nan, 0.0f, zero);
    check_exact(sim, "Relu", four, 0.0f, four);
    check_exact_nan(sim, "Lrelu", nan, 0.0f);
    check_exact(sim, "Prelu", four, 2.0f, four);
    check_exact(sim, "Sigmoid", zero, 0.0f, half);
    check_exact(sim, "Tanh", minus_zero, 0.0f, minus_zero);
    check_exact(sim, "Exp", zero, 0.0f, one);
    check_exact(sim, "Exp", one, 0.0f, 0x402df854);       // e
    check_exact(sim, "Softplus", zero, 0.0f, 0x3f317218);  // ln 2
    check_exact(sim, "Sqrt", four, 0.0f, two);
    check_exact(sim, "Sqrt", minus_zero, 0.0f, minus_zero);
    check_exact(sim, "Rsqrt", four, 0.0f, half);
    check_exact(sim, "Ln", one, 0.0f, zero);
    check_exact(sim, "Erf", minus_zero, 0.0f, minus_zero);
    check_exact(sim, "Sin", minus_zero, 0.0f, minus_zero);
    check_exact(sim, "Arctan", one, 0.0f, 0x3f490fdb);  // pi / 4
    check_exact(sim, "Sign", minus_four, 0.0f, 0xbf800000);
    check_exact(sim, "Sign", minus_zero, 0.0f, zero);
    check_exact(sim, "Sign", nan, 0.0f, zero);
    check_exact(sim, "Gelu", zero, 0.0f, zero);
    check_exact(sim, "Mish", zero, 0.0f, zero);
    check_exact(sim, "Gelu_apprx_tanh", zero, 0.0f, zero);
    check_exact(sim, "Gelu_apprx_sigmoid", zero, 0.0f, zero);
    check_exact(sim, "Derivative_Gelu_apprx_sigmoid", zero, 0.0f, half);
    check_exact(sim, "Derivative_Gelu", zero, 0.0f, half);
    check_exact(sim, "Derivative_Erf", zero, 0.0f, to_bits(static_cast<float>(1.1283792)));
    check_exact(sim, "Copy", minus_zero, 0.0f, minus_zero);
    check_exact(sim, "Abs", minus_zero, 0.0f, zero);
    check_exact(sim, "Abs", 0xffc00001, 0.0f, 0x7fc00001);
    check_exact(sim, "Reciprocal", four, 0.0f, 0x3e800000);
    check_exact(sim, "Reciprocal", minus_zero, 0.0f, 0xff800000);
    check_exact(sim, "Abs_reciprocal_sqrt", minus_four, 0.0f, half);
    check_exact(sim, "Silu", zero, 0.0f, zero);
    check_exact(sim, "Derivative_silu", zero, 0.0f, half);
    check_exact(sim, "Ln_prime", two, 0.0f, half);
    check_exact(sim, "MemsetZero", nan, 0.0f, zero);
}

// out = second * in + first, the product rounded before the sum.
void buffer_form(Simulator &sim)
{
    std::vector<float> const in = {3.0f, -1.0f, 0.5f};
    std::vector<float> out(3, 99.0f);
    sim.simulate("Identity", out.data(), in.data(), 1.0f, 2.0f, 0.0f, 3, false);
    check(out == std::vector<float>({7.0f, -1.0f, 2.0f}), "the first float is added, the second multiplies");

    // x*x - 1 with x = 1 + 2^-12: fused it would be 2^-11 + 2^-24, with the product rounded first it is 2^-11.
    float const x = from_bits(0x3f800800);
    sim.simulate("Identity", out.data(), &x, -1.0f, x, 0.0f, 1, false);
    check_bits(out[0], 0x3a000000, "the product is rounded before the sum");

    std::vector<float> overlap = {1.0f, 10.0f, 20.0f, 30.0f};
    sim.simulate("Identity", overlap.data() + 1, overlap.data(), 1.0f, 1.0f, 0.0f, 3, false);
    check(overlap == std::vector<float>({1.0f, 2.0f, 3.0f, 4.0f}), "overlap is the in-order loop");

    sim.simulate("Identity", nullptr, nullptr, 0.0f, 1.0f, 0.0f, 0, false);
    sim.simulate("Identity", nullptr, nullptr, 0.0f, 1.0f, 0.0f, -1, false);
    check(true, "a count of zero or less is a no-op");
}

void unsupported_names(Simulator &sim)
{
    for (std::string const name : {"", "gelu", "Gelu ", "Is_finite", "Unknown"}) {
        check_throws([&] { sim.simulate(name, 1.0f, 0.0f, false); },
                     "Unsupported activation function Simulator::simulation: " + name, true);
    }
}

}  // namespace

void exact_tests()
{
    Simulator sim("");
    check(!sim.use_pwp_table(), "an empty path has no tables");
    known_values(sim);
    hand_values(sim);
    buffer_form(sim);
    unsupported_names(sim);

    Simulator absent("/nonexistent/pwp/profiles");
    check(!absent.use_pwp_table(), "a path that cannot be opened has no tables");
    check_bits(absent.simulate("Exp", 0.0f, 0.0f, true), 0x3f800000, "without tables use_pwp takes the exact form");
}
