//! tanh, and GELU by it.

use super::Form;
use super::exp::{exp, exp_minus_1};
use super::guard::{NORMAL, TWICE_NORMAL, abs, agreed, clamped, rounded, signed, tiny_or_nan, tiny_or_not_finite};
use crate::lanes::Lanes;

/// `(float)tanh(d)`, for a libm within 4 ULP.
///
/// tanh is m/(m + 2) for m = e^(2d) - 1: within 2^-40.3 by the errors of m and of the quotient. From 20 on it is 1.
#[derive(Clone, Copy)]
pub(super) struct Tanh;

impl Form for Tanh {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(lanes.min_f32(lanes.splat_f32(20.0), abs(lanes, x)));
        let m = exp_minus_1(lanes, d + d);
        let (y, left) = rounded::<L, 40>(lanes, lanes.quotient(m, m + lanes.splat_f64(2.0)));
        (signed(lanes, y, x), left | tiny_or_nan(lanes, x, NORMAL))
    }
}

/// `0.5 * d * (f + 1.0)` rounded to float, and the lanes left, where f is a libm function of the sign of z whose
/// magnitude is `1 - q`.
///
/// f + 1 takes in whole what f was rounded by: where z is negative and q small, half a unit of f is a large part of the
/// result. So f is rounded here too, at both ends of what it may be: `1 - q` for a q with the relative error of q here,
/// 2^-40, and with what libm adds, which is to be less than 2^-58, the 32nd of a unit, beside a few ULP of q. That holds
/// for a libm that computes q and subtracts it from 1, as all do that are known, and for one that rounds correctly.
#[inline(always)]
pub(super) fn half_product<L: Lanes>(lanes: L, d: L::F64, z: L::F64, q: L::F64) -> (L::F32, L::M32) {
    const Q_ERROR: f64 = 1.0 / (1u64 << 40) as f64;
    const LIBM_ERROR: f64 = 1.0 / (1u64 << 58) as f64;
    let one = lanes.splat_f64(1.0);
    let error = lanes.mul_add(q, lanes.splat_f64(Q_ERROR), lanes.splat_f64(LIBM_ERROR));
    let half = d * lanes.splat_f64(0.5);
    let low = half * (lanes.copysign(one - (q + error), z) + one);
    let high = half * (lanes.copysign(one - (q - error), z) + one);
    agreed(lanes, low, high)
}

/// `(float)(0.5 * d * (tanh((0.044715 * (d*d*d) + d) * 0.7978845608028654) + 1.0))`, for a libm as [`half_product`] says,
/// whose tanh is 1 from 22 on.
///
/// The argument of tanh is computed as the definition does. From 10 on the form is the input, up to -10 it is -0.
#[derive(Clone, Copy)]
pub(super) struct GeluApprxTanh;

impl Form for GeluApprxTanh {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -10.0, 10.0));
        let z = (lanes.splat_f64(0.044715) * (d * d * d) + d) * lanes.splat_f64(0.7978845608028654);
        let e = exp(lanes, lanes.neg(lanes.abs(z + z)));
        let q = lanes.quotient(e + e, e + lanes.splat_f64(1.0)); // 1 - tanh |z|
        let (y, left) = half_product(lanes, d, z, q);
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(10.0), x), x, y);
        (y, left | tiny_or_not_finite(lanes, x, TWICE_NORMAL))
    }
}
