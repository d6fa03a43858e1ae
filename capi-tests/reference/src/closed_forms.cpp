// The exact closed forms of the 31 functions, every operation in the order and precision written there.
// Behaviour: docs/behaviour.md section 2.
//
// `d` is the double of x. The libm functions are the double ones; a double result is rounded once to float.
#include <PWPSim/Simulator.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace PWPSim {

float Simulator::identity(float x, float)
{
    return x;
}

float Simulator::square(float x, float)
{
    return x * x;
}

// NaN and -0 give +0.
float Simulator::relu(float x, float)
{
    return x > 0.0f ? x : +0.0f;
}

// The slope is fixed: alpha is not used.
float Simulator::lrelu(float x, float)
{
    double const d = static_cast<double>(x);
    return x <= 0.0f ? static_cast<float>(d * 0.01) : x;
}

float Simulator::prelu(float x, float alpha)
{
    return x <= 0.0f ? x * alpha : x;
}

float Simulator::sigmoid(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(1.0 / (std::exp(-d) + 1.0));
}

float Simulator::tanh(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(std::tanh(d));
}

float Simulator::exp(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(std::exp(d));
}

float Simulator::softplus(float x, float)
{
    double const d = static_cast<double>(x);
    double const positive_part = x <= 0.0f ? 0.0 : d;
    return static_cast<float>(std::log1p(std::exp(-std::fabs(d))) + positive_part);
}

float Simulator::sqrt(float x, float)
{
    return ::sqrtf(x);
}

float Simulator::rsqrt(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(1.0 / std::sqrt(d));
}

float Simulator::ln(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(std::log(d));
}

float Simulator::erf(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(std::erf(d));
}

float Simulator::sin(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(std::sin(d));
}

float Simulator::arctan(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(std::atan(d));
}

// NaN gives 0.
float Simulator::sign(float x, float)
{
    int const positive = x > 0.0f ? 1 : 0;
    int const negative = x < 0.0f ? 1 : 0;
    return static_cast<float>(positive - negative);
}

float Simulator::gelu(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(0.5 * d * (std::erf(d / 1.414213562373095) + 1.0));
}

float Simulator::mish(float x, float alpha)
{
    double const d = static_cast<double>(x);
    float const softplus_of_x = softplus(x, alpha);
    return static_cast<float>(d * std::tanh(static_cast<double>(softplus_of_x)));
}

float Simulator::gelu_apprx_tanh(float x, float)
{
    double const d = static_cast<double>(x);
    double const cube = d * d * d;
    double const argument = (0.044715 * cube + d) * 0.7978845608028654;
    return static_cast<float>(0.5 * d * (std::tanh(argument) + 1.0));
}

float Simulator::gelu_apprx_sigmoid(float x, float alpha)
{
    double const d = static_cast<double>(x);
    float const argument = static_cast<float>(1.702 * d);
    return x * sigmoid(argument, alpha);
}

float Simulator::derivative_gelu_apprx_sigmoid(float x, float)
{
    double const d = static_cast<double>(x);
    double const u = 1.702 * d;
    double const e = std::exp(u);
    double const s = e + 1.0;
    return static_cast<float>((u + e + 1.0) * e / (s * s));
}

float Simulator::derivative_gelu(float x, float alpha)
{
    double const d = static_cast<double>(x);
    float const erf_argument = static_cast<float>(d * 0.7071067811865476);
    float const erf_value = erf(erf_argument, alpha);
    float const x_squared = x * x;
    float const exp_argument = -x_squared / 2.0f;
    float const exp_value = exp(exp_argument, alpha);
    return static_cast<float>(0.5 * (static_cast<double>(erf_value) + 1.0)
                              + d * 0.3989423 * static_cast<double>(exp_value));
}

float Simulator::derivative_erf(float x, float alpha)
{
    float const x_squared = x * x;
    float const exp_value = exp(-x_squared, alpha);
    return static_cast<float>(static_cast<double>(exp_value) * 1.1283792);
}

float Simulator::copy(float x, float)
{
    return x;
}

float Simulator::abs(float x, float)
{
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    bits &= 0x7fffffffu;
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}

float Simulator::reciprocal(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(1.0 / d);
}

float Simulator::abs_reciprocal_sqrt(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(1.0 / std::sqrt(std::fabs(d)));
}

float Simulator::silu(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(d / (std::exp(-d) + 1.0));
}

float Simulator::derivative_silu(float x, float)
{
    double const d = static_cast<double>(x);
    double const e = std::exp(d);
    double const s = e + 1.0;
    return static_cast<float>((d + e + 1.0) * e / (s * s));
}

float Simulator::ln_prime(float x, float)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(1.0 / d);
}

float Simulator::memset_zero(float, float)
{
    return +0.0f;
}

}  // namespace PWPSim
