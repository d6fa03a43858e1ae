//! The definition of the closed forms (`docs/behaviour.md`, section 2), one element at a time.
//!
//! libm calls are the double functions of the system's libm; the double result is rounded once to float. Where a form
//! overflows it overflows: the original does too.

// The literals are the original's, cut off where it cuts them off; the constants of `std` would give other bits.
#![allow(clippy::approx_constant, clippy::excessive_precision)]

use crate::affine::Affine;
use crate::float::libm;
use crate::function::Function;

/// 1.702, the slope of the sigmoid approximation of GELU (Hendrycks and Gimpel, 2016).
const GELU_SIGMOID_SLOPE: f64 = 1.702;

/// A rounded value that the compiler must take as it is. It then computes nothing with it where the form does not, which
/// would raise an exception in a host that traps on them, and it does not change its sign before the rounding: `-(x * x)`
/// and `(-x) * x` are the same only where rounding is to nearest, and a caller may have chosen another direction.
#[inline(always)]
fn rounded(value: f32) -> f32 {
    std::hint::black_box(value)
}

fn lrelu(x: f32) -> f32 {
    if x <= 0.0 { (f64::from(rounded(x)) * 0.01) as f32 } else { x }
}

fn sigmoid(x: f32) -> f32 {
    (1.0 / (libm::exp(-f64::from(x)) + 1.0)) as f32
}

fn exp(x: f32) -> f32 {
    libm::exp(f64::from(x)) as f32
}

/// Compiled once, so that of two NaN with different signs the same one comes through wherever this is called from.
#[inline(never)]
fn softplus(x: f32) -> f32 {
    let d = f64::from(x);
    (libm::log1p(libm::exp(-d.abs())) + if x <= 0.0 { 0.0 } else { d }) as f32
}

fn erf(x: f32) -> f32 {
    libm::erf(f64::from(x)) as f32
}

fn gelu(x: f32) -> f32 {
    let d = f64::from(x);
    let z = d / 1.414213562373095;
    (0.5 * d * (libm::erf(z) + 1.0)) as f32
}

fn gelu_apprx_tanh(x: f32) -> f32 {
    let d = f64::from(x);
    (0.5 * d * (libm::tanh((0.044715 * (d * d * d) + d) * 0.7978845608028654) + 1.0)) as f32
}

/// As [`softplus`], compiled once.
#[inline(never)]
fn mish(x: f32) -> f32 {
    (f64::from(x) * libm::tanh(f64::from(softplus(x)))) as f32
}

/// As [`softplus`], compiled once.
#[inline(never)]
fn gelu_apprx_sigmoid(x: f32) -> f32 {
    x * sigmoid(rounded((GELU_SIGMOID_SLOPE * f64::from(x)) as f32))
}

/// `(u + e^u + 1) e^u / (e^u + 1)^2`: the derivative of `u * sigmoid(u)`.
fn sigmoid_product_derivative(u: f64) -> f32 {
    let e = libm::exp(u);
    let s = e + 1.0;
    ((u + e + 1.0) * e / (s * s)) as f32
}

/// As [`softplus`], compiled once.
#[inline(never)]
fn derivative_gelu(x: f32) -> f32 {
    let d = f64::from(x);
    let e = erf((d * 0.7071067811865476) as f32);
    let g = exp(-(x * x) / 2.0);
    (0.5 * (f64::from(e) + 1.0) + d * 0.3989423 * f64::from(g)) as f32
}

fn derivative_erf(x: f32) -> f32 {
    (f64::from(exp(-rounded(x * x))) * 1.1283792) as f32
}

fn reciprocal(x: f32) -> f32 {
    (1.0 / f64::from(x)) as f32
}

/// Something to do with a closed form, compiled for each form on its own.
trait Take {
    type Output;
    fn form(self, form: impl Fn(f32) -> f32) -> Self::Output;
}

/// Hands the closed form of `function` to `take`. Only Prelu's reads `alpha`.
#[inline]
fn with_form<T: Take>(function: Function, alpha: f32, take: T) -> T::Output {
    match function {
        Function::Sigmoid => take.form(sigmoid),
        Function::Tanh => take.form(|x: f32| libm::tanh(f64::from(x)) as f32),
        Function::Exp => take.form(exp),
        Function::Softplus => take.form(softplus),
        Function::Ln => take.form(|x: f32| libm::log(f64::from(x)) as f32),
        Function::Erf => take.form(erf),
        Function::Sin => take.form(|x: f32| libm::sin(f64::from(x)) as f32),
        Function::Arctan => take.form(|x: f32| libm::atan(f64::from(x)) as f32),
        Function::Gelu => take.form(gelu),
        Function::Mish => take.form(mish),
        Function::GeluApprxTanh => take.form(gelu_apprx_tanh),
        Function::GeluApprxSigmoid => take.form(gelu_apprx_sigmoid),
        Function::DerivativeGeluApprxSigmoid => {
            take.form(|x: f32| sigmoid_product_derivative(GELU_SIGMOID_SLOPE * f64::from(x)))
        }
        Function::DerivativeGelu => take.form(derivative_gelu),
        Function::DerivativeErf => take.form(derivative_erf),
        Function::Silu => take.form(|x: f32| (f64::from(x) / (libm::exp(-f64::from(x)) + 1.0)) as f32),
        Function::DerivativeSilu => take.form(|x: f32| sigmoid_product_derivative(f64::from(x))),
        _ => with_straight_form(function, alpha, take),
    }
}

/// [`with_form`] for the functions whose form calls nothing.
#[inline(always)]
fn with_straight_form<T: Take>(function: Function, alpha: f32, take: T) -> T::Output {
    match function {
        Function::Identity | Function::Copy => take.form(|x: f32| x),
        Function::Square => take.form(|x: f32| x * x),
        Function::Relu => take.form(|x: f32| if x > 0.0 { x } else { 0.0 }),
        Function::Lrelu => take.form(lrelu),
        Function::Prelu => take.form(|x: f32| if x <= 0.0 { rounded(x) * alpha } else { x }),
        Function::Sqrt => take.form(|x: f32| x.sqrt()),
        Function::Rsqrt => take.form(|x: f32| (1.0 / f64::from(x).sqrt()) as f32),
        Function::Sign => take.form(|x: f32| (i8::from(x > 0.0) - i8::from(x < 0.0)) as f32),
        Function::Abs => take.form(|x: f32| f32::from_bits(x.to_bits() & 0x7fff_ffff)),
        Function::Reciprocal | Function::LnPrime => take.form(reciprocal),
        Function::AbsReciprocalSqrt => take.form(|x: f32| (1.0 / f64::from(x).abs().sqrt()) as f32),
        Function::MemsetZero => take.form(|_: f32| 0.0),
        _ => unreachable!("{} calls libm", function.name()),
    }
}

struct At(f32);

impl Take for At {
    type Output = f32;
    #[inline]
    fn form(self, form: impl Fn(f32) -> f32) -> f32 {
        form(self.0)
    }
}

struct Over<'a>(Affine, &'a mut [f32]);

impl Take for Over<'_> {
    type Output = ();
    #[inline(always)]
    fn form(self, form: impl Fn(f32) -> f32) {
        let Over(affine, data) = self;
        for v in data {
            *v = form(affine.scaled(*v));
        }
    }
}

/// The closed form of `function` at `x`. Only Prelu reads `alpha`.
pub fn evaluate(function: Function, x: f32, alpha: f32) -> f32 {
    with_form(function, alpha, At(x))
}

/// Replaces every `v` of `data` by the closed form at the scaled `v`.
pub fn evaluate_block(function: Function, affine: &Affine, data: &mut [f32]) {
    with_form(function, affine.alpha, Over(*affine, data));
}

/// [`evaluate_block`] for the functions whose form calls nothing: compiled with what instructions the caller has.
#[inline(always)]
pub(super) fn evaluate_straight_block(function: Function, affine: &Affine, data: &mut [f32]) {
    with_straight_form(function, affine.alpha, Over(*affine, data));
}
