//! The functions whose correctly rounded double is one operation of double precision away.
//!
//! A float has 24 bits: its square and its product with another float are exact in the 53 of a double, and sums, quotients
//! and roots are correctly rounded by IEEE 754. `x / 100` is one times 0.01. No quotient or root of floats lies so close to
//! the middle between two floats that rounding to double first would change the float: 53 bits are more than twice 24 and
//! two more.

use super::{BLOCK, Block, vectors};
use crate::truth::Curve;
use Curve as C;

/// Whether `curve` is such a function.
pub fn is_direct(curve: Curve) -> bool {
    matches!(
        curve,
        C::Identity
            | C::Copy
            | C::Square
            | C::Relu
            | C::LeakyRelu
            | C::Prelu { .. }
            | C::Sqrt
            | C::Sign
            | C::Abs
            | C::Reciprocal
            | C::MemsetZero
            | C::IsFinite
            | C::DerivativeRelu
            | C::DerivativeLeakyRelu
            | C::DerivativeIdentity
    )
}

/// The truth at the inputs of the block.
pub(super) fn fill(vectors: pulp::Arch, curve: Curve, block: &mut Block) {
    // The sign is that of the whole block, and no input is zero.
    let positive = f32::from_bits(block.first) > 0.0;
    match curve {
        C::Identity | C::Copy => each(vectors, block, |d| d),
        C::Square => each(vectors, block, |d| d * d),
        C::Relu if positive => each(vectors, block, |d| d),
        C::LeakyRelu | C::Prelu { .. } if positive => each(vectors, block, |d| d),
        C::LeakyRelu => each(vectors, block, |d| d / 100.0),
        C::Prelu { alpha } => each(vectors, block, |d| d * f64::from(alpha)),
        C::Sqrt => each(vectors, block, |d| d.sqrt()),
        C::Sign => each(vectors, block, |_| if positive { 1.0 } else { -1.0 }),
        C::Abs => each(vectors, block, |d| d.abs()),
        C::Reciprocal => each(vectors, block, |d| 1.0 / d),
        C::IsFinite | C::DerivativeIdentity => each(vectors, block, |_| 1.0),
        C::DerivativeRelu | C::DerivativeLeakyRelu if positive => each(vectors, block, |_| 1.0),
        C::DerivativeLeakyRelu => each(vectors, block, |_| 0.01),
        C::Relu | C::MemsetZero | C::DerivativeRelu => each(vectors, block, |_| 0.0),
        other => unreachable!("{} is not direct", other.name()),
    }
}

#[inline(always)]
fn each(vectors: pulp::Arch, block: &mut Block, f: impl Fn(f64) -> f64) {
    vectors::run(
        vectors,
        #[inline(always)]
        || {
            for index in 0..block.len.min(BLOCK) {
                let x = f32::from_bits(block.first + index as u32);
                block.put(index, f(f64::from(x)));
            }
        },
    );
}
