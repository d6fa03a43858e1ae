//! The natural logarithm.

use super::Form;
use super::exp::polynomial;
use super::guard::{rounded, zero_or_not_finite};
use crate::lanes::Lanes;

/// 2 atanh(s)/s in s^2, s up to 3 - sqrt(8): within 2^-45.0 (`scripts/bounds`).
const LOG: [f64; 6] = [
    1.9999999999999465,
    0.6666666667971751,
    0.39999994851243864,
    0.2857217029206437,
    0.22174077891621166,
    0.19610582828395764,
];

/// `(float)log(d)`, for a libm within 4 ULP.
///
/// d is 2^k m, m from sqrt(1/2) to sqrt(2). With s = (m - 1)/(m + 1), log m is 2 atanh s, whose relative error is
/// that of s, 2^-41.9, and of the polynomial. Where k is not 0 the sum is at least half of what is added to it.
#[derive(Clone, Copy)]
pub(super) struct Ln {
    /// What the form gives for a negative input.
    pub(super) invalid: f32,
}

/// The pattern of sqrt(1/2).
const LEAST: i64 = 0x3fe6_a09e_667f_3bcd;
/// Keeps the exponent positive, where it is cut out.
const BIAS: i64 = 512;
/// A double whose low bits are units.
pub(super) const UNITS: i64 = 0x4330_0000_0000_0000;

impl Form for Ln {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let one = lanes.splat_f64(1.0);
        let bits = lanes.bits_64(lanes.widen(x));
        let biased = bits + lanes.splat_i64((BIAS << 52) - LEAST);
        let k = lanes.shr_64::<52>(biased);
        let exponent = lanes.from_bits_64(k | lanes.splat_i64(UNITS))
            - lanes.splat_f64(f64::from_bits(UNITS as u64) + BIAS as f64);
        let m = lanes.from_bits_64(bits - lanes.shl_64::<52>(k) + lanes.splat_i64(BIAS << 52));
        let s = lanes.quotient(m - one, m + one);
        let log = s * polynomial(lanes, s * s, &LOG);
        let (y, left) = rounded::<L, 40>(lanes, lanes.mul_add(exponent, lanes.splat_f64(std::f64::consts::LN_2), log));
        let y = lanes.select_f32(lanes.not_ge(x, lanes.splat_f32(0.0)), lanes.splat_f32(self.invalid), y);
        (y, left | zero_or_not_finite(lanes, x))
    }
}
