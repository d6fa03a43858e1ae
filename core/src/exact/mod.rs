//! The exact path: the closed form of every function (`docs/behaviour.md`, section 2).
//!
//! [`scalar`] is the definition, with the system's libm. [`vector`] gives the same bits several elements at a time.

mod scalar;
mod vector;

#[cfg(test)]
mod tests;

pub use scalar::evaluate;

use crate::affine::Affine;
use crate::float::environment;
use crate::function::Function;
use crate::lanes::Tier;

/// Replaces every `v` of `data` by the closed form at the scaled `v`.
///
/// The bits do not depend on the tier. Outside the default floating-point environment every tier takes the definition,
/// and so it does for one element.
#[inline]
pub fn evaluate_block(tier: Tier, function: Function, affine: &Affine, data: &mut [f32]) {
    evaluate_block_fused(tier, true, function, affine, data);
}

/// [`evaluate_block`], and how many elements the definition computed. Without `fused` a tier whose CPU may or may not have
/// fused multiply-adds does without them.
pub fn evaluate_block_fused(tier: Tier, fused: bool, function: Function, affine: &Affine, data: &mut [f32]) -> usize {
    if data.len() > 1 && tier != Tier::Scalar && environment::is_default() {
        vector::evaluate_block(tier, fused, function, affine, data)
    } else {
        scalar::evaluate_block(function, affine, data);
        data.len()
    }
}
