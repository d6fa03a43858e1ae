//! The true functions in double precision, for the exhaustive report: 2^32 inputs are too many for MPFR.
//!
//! Each is written so that nothing cancels but at a zero of the function, like its namesake in [`crate::truth`]. The
//! report compares them with MPFR on its samples and says how far apart they are.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

use crate::truth::Curve;
use Curve as C;

/// The function at `x`; NaN where it has no value, the limit at the infinities.
pub fn value(curve: Curve, x: f32) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x.is_infinite() {
        return curve.high(x).to_f64();
    }
    let d = f64::from(x);
    match curve {
        C::Identity | C::Copy => d,
        C::Square => d * d,
        C::Relu => d.max(0.0),
        C::LeakyRelu => if_positive(x, d, d * 0.01),
        C::Prelu { alpha } => if_positive(x, d, d * f64::from(alpha)),
        C::Sigmoid => sigmoid(d),
        C::Tanh => d.tanh(),
        C::Exp => d.exp(),
        C::Softplus => (-d.abs()).exp().ln_1p() + d.max(0.0),
        C::Sqrt => d.sqrt(),
        C::Rsqrt => 1.0 / d.sqrt(),
        C::Ln => d.ln(),
        C::Erf => libm::erf(d),
        C::Sin => d.sin(),
        C::Arctan => d.atan(),
        C::Sign => f64::from(i8::from(x > 0.0) - i8::from(x < 0.0)),
        C::Gelu => d * normal_cdf(d),
        C::Mish => d * tanh_softplus(d),
        C::GeluApprxTanh => d * sigmoid(2.0 * (2.0 / PI).sqrt() * (0.044715 * (d * d * d) + d)),
        C::GeluApprxSigmoid => d * sigmoid(1.702 * d),
        C::DerivativeGeluApprxSigmoid => sigmoid_product_derivative(1.702 * d),
        C::DerivativeGelu => {
            let density = 0.5 * FRAC_1_SQRT_2 * FRAC_2_SQRT_PI * (-0.5 * (d * d)).exp();
            normal_cdf(d) + d * density
        }
        C::DerivativeErf => FRAC_2_SQRT_PI * (-(d * d)).exp(),
        C::Abs => d.abs(),
        C::Reciprocal => 1.0 / d,
        C::AbsReciprocalSqrt => 1.0 / d.abs().sqrt(),
        C::Silu => d * sigmoid(d),
        C::DerivativeSilu => sigmoid_product_derivative(d),
        C::MemsetZero => 0.0,
        C::IsFinite | C::DerivativeIdentity => 1.0,
        C::DerivativeRelu => if_positive(x, 1.0, 0.0),
        C::DerivativeLeakyRelu => if_positive(x, 1.0, 0.01),
        C::DerivativeSigmoid => sigmoid(d) * sigmoid(-d),
        C::DerivativeTanh => {
            let e = (-2.0 * d.abs()).exp();
            4.0 * e / ((e + 1.0) * (e + 1.0))
        }
    }
}

fn if_positive(x: f32, yes: f64, no: f64) -> f64 {
    if x > 0.0 { yes } else { no }
}

fn sigmoid(d: f64) -> f64 {
    1.0 / ((-d).exp() + 1.0)
}

fn normal_cdf(d: f64) -> f64 {
    0.5 * libm::erfc(-d * FRAC_1_SQRT_2)
}

fn tanh_softplus(d: f64) -> f64 {
    let e = (-d.abs()).exp();
    if d < 0.0 { e * (e + 2.0) / (e * (e + 2.0) + 2.0) } else { (2.0 * e + 1.0) / (2.0 * e + 1.0 + 2.0 * e * e) }
}

fn sigmoid_product_derivative(u: f64) -> f64 {
    sigmoid(u) * (1.0 + u * sigmoid(-u))
}
