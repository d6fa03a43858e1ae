//! e^x, and the forms that take one step from it.

use super::Form;
use super::guard::{agreed, between, clamped, nan, rounded};
use crate::lanes::Lanes;

const LN_2: f64 = std::f64::consts::LN_2;

/// 2^(j/16) with `j << 48` taken off its pattern, so that `(16 k + j) << 48` added makes it 2^(k + j/16).
static POWERS: [f64; 16] = {
    let rounded: [u64; 16] = [
        0x3ff0000000000000,
        0x3ff0b5586cf9890f,
        0x3ff172b83c7d517b,
        0x3ff2387a6e756238,
        0x3ff306fe0a31b715,
        0x3ff3dea64c123422,
        0x3ff4bfdad5362a27,
        0x3ff5ab07dd485429,
        0x3ff6a09e667f3bcd,
        0x3ff7a11473eb0187,
        0x3ff8ace5422aa0db,
        0x3ff9c49182a3f090,
        0x3ffae89f995ad3ad,
        0x3ffc199bdd85529c,
        0x3ffd5818dcfba487,
        0x3ffea4afa2a490da,
    ];
    let mut powers = [0.0; 16];
    let mut j = 0;
    while j < 16 {
        powers[j] = f64::from_bits(rounded[j] - ((j as u64) << 48));
        j += 1;
    }
    powers
};

/// (e^r - 1)/r, |r| up to ln(2)/32: within 2^-41.0 (`scripts/bounds`).
const EXP_16: [f64; 5] =
    [0.9999999999999954, 0.4999999999003771, 0.16666666673665825, 0.04166749843253523, 0.008333257371157799];

/// (e^r - 1)/r, |r| up to ln(2)/32, relative to e^r: within 2^-38.4 (`scripts/bounds`).
const EXP_16_SHORT: [f64; 4] = [0.9999999993921621, 0.4999999994914305, 0.16667169919184022, 0.04166918933583749];

/// (e^r - 1)/r, |r| up to ln(2)/2: within 2^-43.5 (`scripts/bounds`).
const EXP_1: [f64; 9] = [
    0.9999999999999886,
    0.49999999999797945,
    0.1666666666695568,
    0.04166666689133801,
    0.008333333225014634,
    0.0013888821550079701,
    0.00019841381087822946,
    2.4876255103276252e-05,
    2.755302268076571e-06,
];

/// (e^r - 1)/r, |r| up to ln(2)/2, relative to e^r: within 2^-39.7 (`scripts/bounds`).
const EXP_1_SHORT: [f64; 8] = [
    0.9999999999725476,
    0.49999999997526756,
    0.16666666948689296,
    0.041666668647492924,
    0.008333255188276205,
    0.0013888495723763327,
    0.00019921576127056065,
    2.5044287131901984e-05,
];

/// The polynomial with these coefficients, the constant first, at `x`.
#[inline(always)]
pub(super) fn polynomial<L: Lanes, const N: usize>(lanes: L, x: L::F64, coefficients: &[f64; N]) -> L::F64 {
    if N < 8 {
        return horner(lanes, x, coefficients, N - 1, 1);
    }
    // The even and the odd powers on their own: half the latency for one multiplication.
    let (last, x2) = (N - 1, x * x);
    let even = horner(lanes, x2, coefficients, last - last % 2, 2);
    let odd = horner(lanes, x2, coefficients, last - (last + 1) % 2, 2);
    lanes.mul_add(odd, x, even)
}

/// The coefficients from index `i` down, every `step`th.
#[inline(always)]
fn horner<L: Lanes, const N: usize>(lanes: L, x: L::F64, coefficients: &[f64; N], mut i: usize, step: usize) -> L::F64 {
    let mut y = lanes.splat_f64(coefficients[i]);
    while i >= step {
        i -= step;
        y = lanes.mul_add(y, x, lanes.splat_f64(coefficients[i]));
    }
    y
}

/// `(s, p)`, where e^d is `s + s p` for `|d|` up to 700: s is a power of two, or of its 16th root, and p is e^r - 1, where
/// r is what is left of d. SHORT takes the polynomials that are a degree shorter.
#[inline(always)]
fn parts<L: Lanes, const SHORT: bool>(lanes: L, d: L::F64) -> (L::F64, L::F64) {
    let steps = if L::LOOKS_UP { 16.0 } else { 1.0 };
    // In the low bits of a double that is near 1.5 * 2^52 stand the units.
    let shift = lanes.splat_f64(1.5 * (1u64 << 52) as f64);
    let shifted = lanes.mul_add(d, lanes.splat_f64(steps / LN_2), shift);
    let r = lanes.neg_mul_add(shifted - shift, lanes.splat_f64(LN_2 / steps), d);
    let k = lanes.bits_64(shifted);
    if L::LOOKS_UP {
        let power = lanes.bits_64(lanes.look_up_16(&POWERS, k));
        let p = match SHORT {
            true => polynomial(lanes, r, &EXP_16_SHORT),
            false => polynomial(lanes, r, &EXP_16),
        };
        (lanes.from_bits_64(power + lanes.shl_64::<48>(k)), r * p)
    } else {
        let one = lanes.bits_64(lanes.splat_f64(1.0));
        let p = match SHORT {
            true => polynomial(lanes, r, &EXP_1_SHORT),
            false => polynomial(lanes, r, &EXP_1),
        };
        (lanes.from_bits_64(one + lanes.shl_64::<52>(k)), r * p)
    }
}

/// e^d within 2^-44.5 for `|d|` up to 110.
///
/// The polynomial takes 2^-45 at most, the constant ln 2 and the product with it 110 * 2^-53, and four more roundings.
#[inline(always)]
pub(super) fn exp<L: Lanes>(lanes: L, d: L::F64) -> L::F64 {
    let (s, p) = parts::<L, false>(lanes, d);
    lanes.mul_add(s, p, s)
}

/// e^d within 2^-38.3 for `|d|` up to 110.
#[inline(always)]
pub(super) fn exp_short<L: Lanes>(lanes: L, d: L::F64) -> L::F64 {
    let (s, p) = parts::<L, true>(lanes, d);
    lanes.mul_add(s, p, s)
}

/// e^d - 1 within 2^-40.9 for `d` from 0 to 110. Where `s` is not 1, the difference is at least 0.02, or a third of what is
/// subtracted.
#[inline(always)]
pub(super) fn exp_minus_1<L: Lanes>(lanes: L, d: L::F64) -> L::F64 {
    let (s, p) = parts::<L, false>(lanes, d);
    lanes.mul_add(s, p, s - lanes.splat_f64(1.0))
}

/// `(float)exp(d)`, for a libm within 4 ULP.
#[derive(Clone, Copy)]
pub(super) struct Exp;

impl Form for Exp {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        // e^89.5 is infinite as a float, e^-105 is 0.
        let d = lanes.widen(clamped(lanes, x, -105.0, 89.5));
        let (y, left) = rounded::<L, 38>(lanes, exp_short(lanes, d));
        (y, left | nan(lanes, x) | between(lanes, x, -87.0, -104.0)) // subnormal
    }
}

/// `(float)((double)Exp(-(x * x)) * 1.1283792)`, for a libm within 4 ULP. Exp is rounded to float, which is subnormal for
/// inputs from 9.3 to 10.2: so by both ends of the interval, which serves there too.
#[derive(Clone, Copy)]
pub(super) struct DerivativeErf;

impl Form for DerivativeErf {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let square = lanes.min_f32(lanes.splat_f32(105.0), x * x);
        let y = exp(lanes, lanes.neg(lanes.widen(square)));
        let error = y * lanes.splat_f64(1.0 / (1u64 << 43) as f64);
        let (float, left) = agreed(lanes, y - error, y + error);
        let result = lanes.widen(float) * lanes.splat_f64(1.1283792);
        (lanes.narrow(result), left | nan(lanes, x))
    }
}
