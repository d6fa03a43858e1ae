//! The error function, GELU by it, and the derivative of that.

use super::Form;
use super::erf_table::ERF_NEAR;
use super::exp::{exp, polynomial};
use super::guard::{
    NORMAL, TWICE_NORMAL, abs, between, clamped, rounded, rounded_in_place, signed, tiny_or_nan, tiny_or_not_finite,
};
use super::tanh::half_product;
use crate::lanes::Lanes;

/// Where the variable of [`ERFCX`] is 0.
const CENTRE: f64 = 3.75;

/// e^(a^2) erfc(a) in (a - 3.75)/(a + 3.75), a up to 6.1: within 2^-45.5 (`scripts/bounds`).
const ERFCX: [f64; 15] = [
    0.14558972127504105,
    -0.273421931495479,
    0.22600806691525763,
    -0.1635718955148282,
    0.10260431216679758,
    -0.054802326957260436,
    0.024143218880678257,
    -0.00822062584710178,
    0.0018030360465823233,
    -2.5303038259168516e-05,
    -0.00015254232606739848,
    4.6165248124107526e-05,
    -5.402262310828171e-07,
    -1.1018526142703538e-05,
    -2.2088629856607624e-06,
];

/// erf(a)/a in a^2, a up to 1/2: within 2^-43.3 (`scripts/bounds`).
const ERF: [f64; 7] = [
    1.1283791670954089,
    -0.37612638899145234,
    0.11283791413483128,
    -0.026866108926848643,
    0.005223270987682656,
    -0.0008506598145971071,
    0.00010820557872567135,
];

/// 1 - erf(a) within 2^-40.4 for a from 0 to 6.1, where `decay` is e^(-a^2) within 2^-44: decay times the scaled function, a
/// polynomial in (a - 3.75)/(a + 3.75). The error of that quotient, 2^-41.9, comes through 2.1 times at most.
#[inline(always)]
fn complement<L: Lanes>(lanes: L, a: L::F64, decay: L::F64) -> L::F64 {
    let centre = lanes.splat_f64(CENTRE);
    decay * polynomial(lanes, lanes.quotient(a - centre, a + centre), &ERFCX)
}

/// erf(a) within 2^-40.3 for a from 0 to 6.1, from a^2 and [`complement`]'s `decay`.
#[inline(always)]
fn erf<L: Lanes>(lanes: L, a: L::F64, square: L::F64, decay: L::F64) -> L::F64 {
    let near = a * polynomial(lanes, square, &ERF);
    let far = lanes.splat_f64(1.0) - complement(lanes, a, decay);
    lanes.select_f64(lanes.lt_f64(a, lanes.splat_f64(0.5)), near, far)
}

/// erf(a) within 2^-38.9 for a from 0 to 3.99: a times a polynomial of degree 7, of which there are 16, a quarter wide.
#[inline(always)]
fn erf_near<L: Lanes>(lanes: L, a: L::F64) -> L::F64 {
    let scaled = lanes.mul_add(a, lanes.splat_f64(4.0), lanes.splat_f64(-0.5));
    let (whole, k) = lanes.round(scaled);
    let t = scaled - whole; // from -1/2 to 1/2
    let t2 = t * t;
    macro_rules! pair {
        ($i:literal) => {
            lanes.mul_add(lanes.look_up_16(&ERF_NEAR[$i + 1], k), t, lanes.look_up_16(&ERF_NEAR[$i], k))
        };
    }
    let high = lanes.mul_add(pair!(6), t2, pair!(4));
    a * lanes.mul_add(lanes.mul_add(high, t2, pair!(2)), t2, pair!(0))
}

/// `(float)erf(d)`, for a libm within 4 ULP. From 3.97 on it is 1.
#[derive(Clone, Copy)]
pub(super) struct Erf;

impl Form for Erf {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let a = lanes.widen(lanes.min_f32(lanes.splat_f32(3.97), abs(lanes, x)));
        let (y, left) = if L::LOOKS_UP {
            rounded::<L, 38>(lanes, erf_near(lanes, a))
        } else {
            let square = a * a;
            rounded::<L, 40>(lanes, erf(lanes, a, square, exp(lanes, lanes.neg(square))))
        };
        (signed(lanes, y, x), left | tiny_or_nan(lanes, x, NORMAL))
    }
}

/// `(float)(0.5 * d * (erf(d / 1.414213562373095) + 1.0))`, for a libm as [`half_product`] says, whose erf is 1 from 6 on.
///
/// From 8.6 on it is the input, up to -8.6 it is -0. The argument of erf has an error of 2^-52, which its complement takes
/// up to 72 times.
#[derive(Clone, Copy)]
pub(super) struct Gelu;

impl Form for Gelu {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -8.6, 8.6));
        let a = lanes.abs(d) * lanes.splat_f64(1.0 / 1.414213562373095);
        let q = complement(lanes, a, exp(lanes, lanes.neg(a * a)));
        let (y, left) = half_product(lanes, d, d, q);
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(8.6), x), x, y);
        (y, left | tiny_or_not_finite(lanes, x, TWICE_NORMAL))
    }
}

/// With `E = Erf((float)(d * 0.7071067811865476))` and `G = Exp(-(x * x) / 2.0f)`, both floats:
/// `(float)(0.5 * (E + 1.0) + d * 0.3989423 * G)`, for a libm within 4 ULP. Once E and G are right, so is the rest.
///
/// The arguments of erf and exp differ by what they were rounded by, so one e^ serves for both: e^(-a^2) is
/// G e^(h - a^2) for h = x^2/2, and of the second factor three terms are enough. Where the clamps part the two, the
/// complement of erf is below 2^-54 in any case.
#[derive(Clone, Copy)]
pub(super) struct DerivativeGelu;

impl Form for DerivativeGelu {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (one, half) = (lanes.splat_f64(1.0), lanes.splat_f64(0.5));
        let d = lanes.widen(x);
        let h = lanes.widen(lanes.min_f32(lanes.splat_f32(210.0), x * x)) * half;
        let z = lanes.narrow(d * lanes.splat_f64(0.7071067811865476));
        let a = lanes.widen(lanes.min_f32(lanes.splat_f32(6.1), abs(lanes, z)));
        let g = exp(lanes, lanes.neg(h));
        let (gauss, left) = rounded::<L, 43>(lanes, g); // 0 from 14.5 on
        let square = a * a;
        let apart = h - square;
        let decay = g * lanes.mul_add(apart, lanes.mul_add(apart, half, one), one);
        let (error_function, also) = rounded_in_place::<L, 40>(lanes, erf(lanes, a, square, decay));
        let sum =
            half * (lanes.copysign(error_function, d) + one) + d * lanes.splat_f64(0.3989423) * lanes.widen(gauss);
        let magnitude = abs(lanes, x);
        let subnormal = between(lanes, magnitude, 13.1, 14.5);
        let y = lanes.narrow(sum);
        (y, left | also | subnormal | tiny_or_not_finite(lanes, x, TWICE_NORMAL))
    }
}
