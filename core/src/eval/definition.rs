//! The definition: one input through a table, step by step as `docs/behaviour.md`, section 4, has it.
//!
//! Every faster evaluator must give these bits. Each operation below rounds on its own.

use crate::float::{NAN, libm};
use crate::profile::Section;
use crate::table::Table;

/// The table's value at the scaled input `v`, or none where no section covers it.
#[inline]
pub fn evaluate(table: &Table, v: f32) -> Option<f32> {
    if v == 0.0 {
        return Some(table.specials().zero);
    }
    if v.is_infinite() {
        return Some(if v > 0.0 { table.specials().pos_inf } else { table.specials().neg_inf });
    }
    let sel = table.fold(v);
    let section = table.section(table.locate(sel)?);
    let y = unfold(table, v, cubic(section, sel));
    Some(if y.is_nan() { NAN } else { y })
}

/// Step 5: the section's cubic at the folded input `sel`, the cube by the system's `pow`.
#[inline]
pub fn cubic(section: &Section, sel: f32) -> f32 {
    let t = sel - section.x;
    let p = t * section.d1 + section.d0;
    let (t, p) = (f64::from(t), f64::from(p));
    let r = p + (t * t) * f64::from(section.d2);
    let r = libm::pow(t, 3.0) * f64::from(section.d3) + r;
    r as f32
}

/// Step 6: undoes the fold for inputs that were negative or NaN.
#[inline]
pub fn unfold(table: &Table, v: f32, y: f32) -> f32 {
    let symmetry = table.symmetry();
    if symmetry.enabled && (v < 0.0 || v.is_nan()) {
        let y = if symmetry.invert_sign { -y } else { y };
        return y + symmetry.point;
    }
    y
}
