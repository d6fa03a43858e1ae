//! The scalar tier: the definition's results from the look-up layout, the cube a product where [`guard`] accepts it.
//! Also what the vector tiers use for blocks shorter than a vector, and every call with one element.
//!
//! It is right in every floating-point environment, so that a call with one element need not ask for the thread's:
//! reading the control register takes as long as all the rest, since it waits for whatever arithmetic is under way.
//! Its operations are the definition's own, the same ones in the same order, and round and flush as those do, but for
//! three things. The cube is the guard's matter. An input that is compared as an integer here and as a float there may
//! differ where denormals count as zeros: no denormal gets past the first test. Nor does a coefficient that was
//! widened when the table was made and is widened at each call there ([`Row::by_definition`](crate::table::Row)).

use std::hint::select_unpredictable;

use super::{Unhandled, definition, guard};
use crate::affine::Affine;
use crate::float::NAN;
use crate::hint::cold_path;
use crate::table::{Degree, Lookup, Table};

/// [`definition::evaluate`], faster.
#[inline]
pub fn evaluate(table: &Table, v: f32) -> Option<f32> {
    at_once(table, v).or_else(|| by_definition(table, v))
}

#[cold]
#[inline(never)]
fn by_definition(table: &Table, v: f32) -> Option<f32> {
    definition::evaluate(table, v)
}

/// [`definition::evaluate`] of the inputs that need not take its steps; none for the others, one in some thousands.
#[inline(always)]
pub fn at_once(table: &Table, v: f32) -> Option<f32> {
    const LEAST_NORMAL: u32 = 2 * 0x0080_0000;
    const INFINITY: u32 = 2 * 0x7f80_0000;
    let bits = v.to_bits();
    // Zeros, denormals, infinities and NaN; the sign shifted out.
    if (bits << 1).wrapping_sub(LEAST_NORMAL) >= INFINITY - LEAST_NORMAL {
        return None;
    }
    let lookup: &Lookup = table.lookup();
    let (keep, set) = lookup.fold_masks();
    let sel = bits & keep | set;
    let row = lookup.rows().get(lookup.row(sel) as usize)?;
    if row.by_definition != 0 {
        return None;
    }
    let t = f32::from_bits(sel) - row.x;
    let p = f64::from(t * row.d1 + row.d0);
    let t = f64::from(t);
    let square = t * t;
    let product = square * t * row.d3;
    let sum = product + (p + square * row.d2);
    // Without a cubic term anywhere there is nothing to guard: the guard's answer would be as good as random.
    if lookup.degree() != Degree::Cubic {
        if sum.is_nan() {
            return Some(NAN);
        }
    } else if !guard::accepts_in_any_mode(product, sum) {
        cold_path();
        if product != 0.0 {
            return None;
        }
        if sum.is_nan() {
            return Some(NAN);
        }
    }
    let y = sum as f32;
    let symmetry = table.symmetry();
    if !symmetry.enabled {
        return Some(y);
    }
    // Signs are as good as random: a branch on them costs more than the rest.
    // The sum of an input that is not reflected is 0 + 0, so that it raises no exception in a host that traps on them.
    let reflected = (((bits ^ lookup.untouched()) as i32) >> 31) as u32;
    let only_reflected = |value: f32| f32::from_bits(value.to_bits() & reflected);
    let y_or_zero = only_reflected(if symmetry.invert_sign { -y } else { y });
    let folded = y_or_zero + only_reflected(symmetry.point);
    let y = select_unpredictable(reflected != 0, folded, y);
    (!y.is_nan()).then_some(y)
}

/// The block form of [`evaluate`].
pub fn evaluate_block(table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
    super::element_by_element(data, |v| evaluate(table, affine.scaled(v)))
}
