//! Softplus, and Mish, which takes its tanh. For a libm whose exp, log1p and tanh are within 4 ULP.

use super::exp::{exp, polynomial};
use super::guard::{NORMAL, between, clamped, nan, rounded, rounded_in_place, tiny_or_not_finite};
use super::{AT_ONCE, Form};
use crate::lanes::Lanes;

/// 2 atanh(s)/s in s^2, s up to 1/3: within 2^-43.7 (`scripts/bounds`).
const LOG_1P: [f64; 8] = [
    1.9999999999998694,
    0.6666666668159107,
    0.3999999720729312,
    0.28571627128049104,
    0.22215319874148232,
    0.18311110596346813,
    0.14063733813556456,
    0.20086321773578364,
];

/// e^-|d|, d clamped.
#[inline(always)]
fn decay<L: Lanes>(lanes: L, d: L::F64) -> L::F64 {
    let sign = lanes.splat_i64(i64::MIN);
    exp(lanes, lanes.from_bits_64(lanes.bits_64(d) | sign))
}

/// `log1p(e) + max(d, 0)` within 2^-41.2, e within 2^-44.5: log1p(e) is 2 atanh s for s = e/(2 + e), from 0 to 1/3.
#[inline(always)]
fn softplus<L: Lanes>(lanes: L, d: L::F64, e: L::F64) -> L::F64 {
    let s = lanes.quotient(e, e + lanes.splat_f64(2.0));
    lanes.mul_add(s, polynomial(lanes, s * s, &LOG_1P), lanes.max_f64(lanes.splat_f64(0.0), d))
}

/// `(float)(log1p(exp(-fabs(d))) + (x <= 0 ? 0.0 : d))`. From 105 on it is the input.
#[derive(Clone, Copy)]
pub(super) struct Softplus;

impl Form for Softplus {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -105.0, 105.0));
        let (y, left) = rounded::<L, 40>(lanes, softplus(lanes, d, decay(lanes, d)));
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(105.0), x), x, y);
        (y, left | nan(lanes, x) | between(lanes, x, -87.0, -104.0)) // subnormal
    }
}

/// `(float)(d * tanh((double)Softplus(x)))`, Softplus rounded to float. From 105 on it is the input, below -104 it is -0.
///
/// With s the softplus before it is rounded, c what rounding adds to it and e = e^-|x|, tanh(s + c) is (q - 1)/(q + 1) for
/// q = e^(2s) e^(2c), where e^s = 1 + e^x, and e^(2c) is 1 + 2c but for 2^-48. Written without cancellation, with
/// w = 2e + e^2 and v = 2c (1 + w): for negative inputs (w + v)/(w + v + 2), else (1 + 2e + v)/(1 + 2e + v + 2e^2). The
/// error of s, relative to c, comes through as it is: 2^-41.2 beside the quotient's 2^-41.9.
#[derive(Clone, Copy)]
pub(super) struct Mish;

impl Mish {
    /// From the clamped input and [`decay`]: twice what rounding Softplus to float adds, and the lanes left.
    #[inline(always)]
    fn shift<L: Lanes>(lanes: L, d: L::F64, e: L::F64) -> (L::F64, L::M32) {
        let exact = softplus(lanes, d, e);
        let (float, left) = rounded_in_place::<L, 40>(lanes, exact);
        let c = float - exact;
        (c + c, left)
    }

    /// The rest.
    #[inline(always)]
    fn product<L: Lanes>(lanes: L, x: L::F32, d: L::F64, e: L::F64, shift: L::F64) -> (L::F32, L::M32) {
        let (one, two) = (lanes.splat_f64(1.0), lanes.splat_f64(2.0));
        let negative = lanes.lt_f64(d, lanes.splat_f64(0.0));
        let e2 = e + e;
        let w = lanes.mul_add(e, e, e2);
        let numerator = lanes.mul_add(shift, w + one, lanes.select_f64(negative, w, e2 + one));
        let rest = lanes.select_f64(negative, two, e2 * e);
        let (y, left) = rounded::<L, 40>(lanes, lanes.quotient(d * numerator, numerator + rest));
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(105.0), x), x, y);
        let y = lanes.select_f32(lanes.not_ge(x, lanes.splat_f32(-104.0)), lanes.splat_f32(-0.0), y);
        let subnormal = between(lanes, x, -87.0, -104.0);
        (y, left | subnormal | tiny_or_not_finite(lanes, x, 3 * NORMAL)) // the slope at 0 is 0.6
    }
}

impl Form for Mish {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -105.0, 105.0));
        let e = decay(lanes, d);
        let (shift, left) = Mish::shift(lanes, d, e);
        let (y, also) = Mish::product(lanes, x, d, e, shift);
        (y, left | also)
    }

    #[inline(always)]
    fn at_each<L: Lanes>(self, lanes: L, x: &[L::F32; AT_ONCE]) -> [(L::F32, L::M32); AT_ONCE] {
        let zero = lanes.splat_f64(0.0);
        let mut steps = [(zero, zero, zero, lanes.nowhere()); AT_ONCE];
        for (x, (d, e, ..)) in x.iter().zip(&mut steps) {
            *d = lanes.widen(clamped(lanes, *x, -105.0, 105.0));
            *e = decay(lanes, *d);
        }
        for (d, e, shift, left) in &mut steps {
            (*shift, *left) = Mish::shift(lanes, *d, *e);
        }
        let mut results = [(x[0], lanes.nowhere()); AT_ONCE];
        for ((x, (d, e, shift, left)), result) in x.iter().zip(steps).zip(&mut results) {
            let (y, also) = Mish::product(lanes, *x, d, e, shift);
            *result = (y, left | also);
        }
        results
    }
}
