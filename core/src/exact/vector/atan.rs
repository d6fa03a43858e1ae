//! The arc tangent.

use super::Form;
use super::exp::polynomial;
use super::guard::{NORMAL, abs, rounded, signed, tiny_or_nan};
use crate::lanes::Lanes;

/// atan(t)/t in t^2, t up to tan(pi/8): within 2^-45.1 (`scripts/bounds`).
const ATAN: [f64; 9] = [
    0.9999999999999742,
    -0.3333333333087187,
    0.19999999612933264,
    -0.1428569078408775,
    0.1111039297248872,
    -0.09078486750080732,
    0.07564329668736063,
    -0.05876659885299944,
    0.03069252036047196,
];

/// tan(pi/8).
const TAN_1: f64 = 0.414_213_562_373_095_03;
/// tan(3 pi/8).
const TAN_3: f64 = 2.414_213_562_373_095;

/// `(float)atan(d)`, for a libm within 4 ULP.
///
/// Of a = |d|: up to tan(pi/8) it is atan(a), up to tan(3 pi/8) pi/4 + atan((a - 1)/(a + 1)), then pi/2 + atan(-1/a). The
/// error of the quotient, 2^-41.9, is no larger in the sum.
#[derive(Clone, Copy)]
pub(super) struct Arctan;

impl Form for Arctan {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (zero, one) = (lanes.splat_f64(0.0), lanes.splat_f64(1.0));
        let quarter = lanes.splat_f64(std::f64::consts::FRAC_PI_4);
        let half = lanes.splat_f64(std::f64::consts::FRAC_PI_2);
        let a = lanes.widen(lanes.min_f32(lanes.splat_f32(1e30), abs(lanes, x)));
        let middle = lanes.lt_f64(lanes.splat_f64(TAN_1), a);
        let far = lanes.lt_f64(lanes.splat_f64(TAN_3), a);
        let numerator = lanes.select_f64(far, lanes.splat_f64(-1.0), lanes.select_f64(middle, a - one, a));
        let denominator = lanes.select_f64(far, a, lanes.select_f64(middle, a + one, one));
        let base = lanes.select_f64(far, half, lanes.select_f64(middle, quarter, zero));
        let t = lanes.quotient(numerator, denominator);
        let y = lanes.mul_add(t, polynomial(lanes, t * t, &ATAN), base);
        let (y, left) = rounded::<L, 40>(lanes, y);
        (signed(lanes, y, x), left | tiny_or_nan(lanes, x, NORMAL))
    }
}
