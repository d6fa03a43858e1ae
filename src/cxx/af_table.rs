//! The evaluation of a caller's own `AFTable`, read where it lies. `docs/behaviour.md`, section 4, is the definition;
//! here the table comes from a stranger, and whatever a region says that its vectors do not bear out is unhandled.

use super::layout::{AfTable, NonsatRegion, SatRegion, Vector};
use pwp_sim_core::engine::eval::{self, definition};
use pwp_sim_core::profile::{Section, Symmetry};

/// The table's value at `v`, or none where no section covers it.
///
/// # Safety
/// `table` is a live `AFTable`, which no one changes during the call.
pub unsafe fn evaluate(table: *const AfTable, v: f32) -> Option<f32> {
    // SAFETY: the caller's word.
    let table = unsafe { &*table };
    if v == 0.0 {
        return Some(table.zero_result);
    }
    if v.is_infinite() {
        return Some(if v > 0.0 { table.pinf_result } else { table.ninf_result });
    }
    let symmetry = Symmetry {
        enabled: table.symmetry_en != 0,
        invert_sign: table.symmetry_invert_sign_opt != 0,
        use_neg_region: table.symmetry_opt_use_neg_region != 0,
        point: table.symmetry_point,
    };
    let sel = symmetry.fold(v);
    // SAFETY: the caller's word: the table's vectors are as live as the table.
    let section = unsafe { section(table, sel)? };
    let y = symmetry.unfold(v, definition::cubic(section, sel));
    Some(if y.is_nan() { eval::NAN } else { y })
}

/// The section of the folded input `sel`.
///
/// # Safety
/// The vectors of `table` are live.
unsafe fn section(table: &AfTable, sel: f32) -> Option<&Section> {
    let bits = sel.to_bits();
    let exponent = ((bits >> 23) & 255) as i32;
    let mantissa = (bits & 0x7f_ffff) as i32;
    let (regions, high, low) = if bits >> 31 == 0 {
        (&table.pos_region, &table.pos_high, &table.pos_low)
    } else {
        (&table.neg_region, &table.neg_high, &table.neg_low)
    };
    let point = |region: &SatRegion| (region.sat_point, region.mantissa_point);
    if point(high) <= (exponent, mantissa) {
        return Some(&high.section);
    }
    if point(low) >= (exponent, mantissa) {
        return Some(&low.section);
    }
    // SAFETY: the caller's word; a live vector's begin and end span its elements.
    let region: &NonsatRegion = unsafe { Vector::elements(regions) }.get(exponent as usize)?;
    if !(0..=23).contains(&region.extract_size) {
        return None;
    }
    let index = mantissa >> (23 - region.extract_size);
    if index >= region.num_sections {
        return None;
    }
    // SAFETY: as above.
    unsafe { Vector::elements(&region.sections) }.get(index as usize)
}
