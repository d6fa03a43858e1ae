//! The reciprocals of square roots. `1.0 / sqrt(d)` has two roundings in double; the approximation is within 2^-40.6.

use super::Form;
use super::guard::{abs, not_normal, rounded};
use crate::lanes::Lanes;

/// `(float)(1.0 / sqrt(d))`.
#[derive(Clone, Copy)]
pub(super) struct Rsqrt {
    /// What the form gives for a negative input.
    pub(super) invalid: f32,
}

impl Form for Rsqrt {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (y, left) = rounded::<L, 40>(lanes, lanes.inverse_root(x));
        let y = lanes.select_f32(lanes.not_ge(x, lanes.splat_f32(0.0)), lanes.splat_f32(self.invalid), y);
        (y, left | not_normal(lanes, x))
    }
}

/// `(float)(1.0 / sqrt(fabs(d)))`.
#[derive(Clone, Copy)]
pub(super) struct AbsReciprocalSqrt;

impl Form for AbsReciprocalSqrt {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (y, left) = rounded::<L, 40>(lanes, lanes.inverse_root(abs(lanes, x)));
        (y, left | not_normal(lanes, x))
    }
}
