//! The forms without libm, as plain loops compiled for each instruction set: their operations are the definition's.

use crate::affine::Affine;
use crate::function::Function;
use crate::lanes::{Lanes, Tier, Work};

use super::scalar;

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
