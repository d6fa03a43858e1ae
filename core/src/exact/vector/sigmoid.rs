//! The logistic function, its products, and their derivatives. For a libm whose exp is within 4 ULP.

use super::Form;
use super::exp::exp;
use super::guard::{TWICE_NORMAL, between, clamped, nan, not_finite, rounded, tiny_or_not_finite};
use crate::lanes::Lanes;

/// `1 / (e^-x + 1)` rounded to float, and the lanes left. e^-x within 2^-44.5, the quotient within 2^-41.9.
#[inline(always)]
fn logistic<L: Lanes>(lanes: L, x: L::F32) -> (L::F32, L::M32) {
    let one = lanes.splat_f64(1.0);
    let e = exp(lanes, lanes.neg(lanes.widen(clamped(lanes, x, -105.0, 105.0))));
    let (y, left) = rounded::<L, 41>(lanes, lanes.quotient(one, e + one));
    (y, left | nan(lanes, x) | between(lanes, x, -87.0, -104.0)) // subnormal
}

/// `(float)(1.0 / (exp(-d) + 1.0))`.
#[derive(Clone, Copy)]
pub(super) struct Sigmoid;

impl Form for Sigmoid {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        logistic(lanes, x)
    }
}

/// `x * Sigmoid((float)(1.702 * d))`, the product in float.
#[derive(Clone, Copy)]
pub(super) struct GeluApprxSigmoid;

impl Form for GeluApprxSigmoid {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (y, left) = logistic(lanes, lanes.narrow(lanes.widen(x) * lanes.splat_f64(1.702)));
        (x * y, left)
    }
}

/// `(float)(d / (exp(-d) + 1.0))`. From 110 on it is the input, up to -110 it is -0.
#[derive(Clone, Copy)]
pub(super) struct Silu;

impl Form for Silu {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -110.0, 110.0));
        let e = exp(lanes, lanes.neg(d));
        let (y, left) = rounded::<L, 41>(lanes, lanes.quotient(d, e + lanes.splat_f64(1.0)));
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(110.0), x), x, y);
        let subnormal = between(lanes, x, -90.0, -110.0);
        (y, left | tiny_or_not_finite(lanes, x, TWICE_NORMAL) | subnormal)
    }
}

/// `(u + e^u + 1) e^u / (e^u + 1)^2` rounded to float, and the lanes left. Away from the zero of the sum near -1.2785 it is
/// within 2^-40.4 where the sum is 2^-6 or more: e^u within 2^-44.5 and at most 0.3 near the zero, relative to the sum 2^-40.9
/// with the definition's roundings; the quotient within 2^-41.9.
#[inline(always)]
fn product_derivative<L: Lanes>(lanes: L, u: L::F64) -> (L::F32, L::M32) {
    let one = lanes.splat_f64(1.0);
    let e = exp(lanes, u);
    let s = e + one;
    rounded::<L, 40>(lanes, lanes.quotient((u + e + one) * e, s * s))
}

/// With `e = exp(d), s = e + 1.0`: `(float)((d + e + 1.0) * e / (s * s))`.
#[derive(Clone, Copy)]
pub(super) struct DerivativeSilu {
    /// What the form gives where it overflows.
    pub(super) overflow: f32,
}

impl Form for DerivativeSilu {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        // From 60 on it is 1, from -110 down -0.
        let d = lanes.widen(clamped(lanes, x, -110.0, 60.0));
        let (y, left) = product_derivative(lanes, d);
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(355.0), x), lanes.splat_f32(self.overflow), y);
        let overflows = between(lanes, x, 354.5, 355.0);
        let subnormal = between(lanes, x, -90.0, -110.0);
        let zero = between(lanes, x, -1.266, -1.291);
        (y, left | not_finite(lanes, x) | overflows | subnormal | zero)
    }
}

/// The same with `1.702 * d` for d.
#[derive(Clone, Copy)]
pub(super) struct DerivativeGeluApprxSigmoid {
    /// What the form gives where it overflows.
    pub(super) overflow: f32,
}

impl Form for DerivativeGeluApprxSigmoid {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -64.7, 36.0));
        let (y, left) = product_derivative(lanes, d * lanes.splat_f64(1.702));
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(208.6), x), lanes.splat_f32(self.overflow), y);
        let overflows = between(lanes, x, 208.25, 208.6);
        let subnormal = between(lanes, x, -52.9, -64.7);
        let zero = between(lanes, x, -0.7435, -0.759);
        (y, left | not_finite(lanes, x) | overflows | subnormal | zero)
    }
}
