//! The definition: one input through a table, step by step as `docs/behaviour.md`, section 4, has it. The
//! steps that are of use elsewhere stand where they are found: the fold with [`crate::profile::Symmetry`], its undoing with
//! [`crate::table::FoldReading`], the search for the section with [`View`].
//!
//! Every faster evaluator must give these bits. Each operation below rounds on its own.

use crate::float::{NAN, libm};
use crate::profile::Section;
use crate::table::{Table, View};

/// The table's value at the scaled input `v`, or none where no section covers it.
#[inline]
pub fn evaluate(table: &Table, v: f32) -> Option<f32> {
    evaluate_view(table, v)
}

/// [`evaluate`], of a table that lies anywhere.
#[inline]
pub fn evaluate_view(table: &impl View, v: f32) -> Option<f32> {
    let specials = table.specials();
    if v == 0.0 {
        return Some(specials.zero);
    }
    if v.is_infinite() {
        return Some(if v > 0.0 { specials.pos_inf } else { specials.neg_inf });
    }
    let symmetry = table.symmetry();
    let sel = symmetry.fold(v);
    let section = table.section(table.locate(sel)?)?;
    let y = table.reading().unfold(&symmetry, v, cubic(section, sel)); // step 6
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
