//! The forms without libm, as plain loops compiled for each instruction set: their operations are the definition's. Those
//! that branch on the sign are written on vectors, which compute both and choose.

use crate::affine::Affine;
use crate::function::Function;
use crate::lanes::{Lanes, Tier, Work};

use super::{Form, scalar};

/// Replaces every `v` of `data` by the closed form at the scaled `v`.
pub(super) fn evaluate_block(tier: Tier, function: Function, affine: &Affine, data: &mut [f32]) {
    tier.run_whole(true, Straight { function, affine: *affine, data });
}

struct Straight<'a> {
    function: Function,
    affine: Affine,
    data: &'a mut [f32],
}

impl Work for Straight<'_> {
    type Output = ();

    #[inline(always)]
    fn on_lanes<L: Lanes>(self, _lanes: L) {
        self.one_by_one();
    }

    #[inline(always)]
    fn one_by_one(self) {
        scalar::evaluate_straight_block(self.function, &self.affine, self.data);
    }
}

/// `yes` for inputs up to 0, and the others as they are, NaN among them.
#[inline(always)]
fn up_to_zero<L: Lanes>(lanes: L, x: L::F32, yes: L::F32) -> (L::F32, L::M32) {
    (lanes.select_f32(lanes.not_ge(lanes.splat_f32(0.0), x), x, yes), lanes.nowhere())
}

/// `(float)(d * 0.01)` for inputs up to 0.
#[derive(Clone, Copy)]
pub(super) struct Lrelu;

impl Form for Lrelu {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        up_to_zero(lanes, x, lanes.narrow(lanes.widen(x) * lanes.splat_f64(0.01)))
    }
}

/// `x * alpha` for inputs up to 0.
#[derive(Clone, Copy)]
pub(super) struct Prelu {
    /// The slope.
    pub alpha: f32,
}

impl Form for Prelu {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        up_to_zero(lanes, x, x * lanes.splat_f32(self.alpha))
    }
}
