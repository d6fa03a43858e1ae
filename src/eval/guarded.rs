//! The scalar tier: the definition's results from the look-up layout, the cube a product where [`guard`] accepts it.
//! Also what the vector tiers use for blocks shorter than a vector.

use super::{Unhandled, guard, scalar};
use crate::affine::Affine;
use crate::table::{Lookup, SENTINEL, Table};

/// [`scalar::evaluate`], faster. For the default floating-point environment only.
#[inline]
pub fn evaluate(table: &Table, v: f32) -> Option<f32> {
    let bits = v.to_bits();
    // Zeros, infinities and NaN.
    if (bits & 0x7fff_ffff).wrapping_sub(1) >= 0x7f7f_ffff {
        return scalar::evaluate(table, v);
    }
    let lookup: &Lookup = table.lookup();
    let (keep, set) = lookup.fold_masks();
    let sel = bits & keep | set;
    let number = lookup.row(sel);
    if number == SENTINEL {
        return scalar::evaluate(table, v);
    }
    let row = &lookup.rows()[number as usize];
    let t = f32::from_bits(sel) - row.x;
    let p = f64::from(t * row.d1 + row.d0);
    let t = f64::from(t);
    let square = t * t;
    let product = square * t * row.d3;
    let sum = product + (p + square * row.d2);
    if !guard::accepts(product, sum) {
        return scalar::evaluate(table, v);
    }
    let y = sum as f32;
    let symmetry = table.symmetry();
    let y = if symmetry.enabled {
        // Signs are as good as random: a branch on them costs more than the rest.
        let folded = if symmetry.invert_sign { -y } else { y } + symmetry.point;
        std::hint::select_unpredictable(bits >> 31 == 1, folded, y)
    } else {
        y
    };
    Some(if y.is_nan() { scalar::NAN } else { y })
}

/// The block form of [`evaluate`].
pub fn evaluate_block(table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
    super::element_by_element(data, |v| evaluate(table, affine.scaled(v)))
}
