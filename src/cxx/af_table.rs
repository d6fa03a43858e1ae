//! A caller's own `AFTable`, read where it lies: the view of it that the definition takes. The table comes from a
//! stranger, so whatever a region says that its vectors do not bear out is unhandled.

use super::layout::{AfTable, NonsatRegion, Vector};
use pwp_sim_core::engine::eval::definition;
use pwp_sim_core::profile::{Saturation, SaturationPoint, Section, Specials, Symmetry};
use pwp_sim_core::table::{Place, View};

/// The table's value at `v`, or none where no section covers it.
///
/// # Safety
/// `table` is a live `AFTable`, which no one changes during the call.
pub unsafe fn evaluate(table: *const AfTable, v: f32) -> Option<f32> {
    // SAFETY: `table` is live during the call, says the section above, and the view ends with the call.
    let table = unsafe { Callers::new(table) };
    definition::evaluate_view(&table, v)
}

/// A caller's table. Its vectors do not change or end within `'a`.
struct Callers<'a>(&'a AfTable);

impl<'a> Callers<'a> {
    /// # Safety
    /// `table` is a live `AFTable`, which no one changes within `'a`.
    unsafe fn new(table: *const AfTable) -> Self {
        // SAFETY: live and unchanged within `'a`, says the section above.
        Callers(unsafe { &*table })
    }

    /// The region of a slot. Those of a side are numbered by biased exponent.
    fn region(&self, slot: usize) -> Option<&'a NonsatRegion> {
        let regions = if slot < 256 { &self.0.pos_region } else { &self.0.neg_region };
        // SAFETY: a `Callers` was made of a live table that does not change, so its vectors are live and do not change.
        unsafe { Vector::elements(regions) }.get(slot & 255)
    }
}

impl View for Callers<'_> {
    fn symmetry(&self) -> Symmetry {
        Symmetry {
            enabled: self.0.symmetry_en != 0,
            invert_sign: self.0.symmetry_invert_sign_opt != 0,
            use_neg_region: self.0.symmetry_opt_use_neg_region != 0,
            point: self.0.symmetry_point,
        }
    }

    fn specials(&self) -> Specials {
        let AfTable { zero_result: zero, nan_result: nan, pinf_result: pos_inf, ninf_result: neg_inf, .. } = *self.0;
        Specials { zero, nan, pos_inf, neg_inf }
    }

    fn saturation_point(&self, saturation: Saturation) -> &SaturationPoint {
        match saturation {
            Saturation::PosHigh => &self.0.pos_high,
            Saturation::PosLow => &self.0.pos_low,
            Saturation::NegHigh => &self.0.neg_high,
            Saturation::NegLow => &self.0.neg_low,
        }
    }

    fn octave(&self, slot: usize) -> (u32, u32) {
        match self.region(slot).map(|region| (region.num_sections, region.extract_size)) {
            Some((num_sections @ 0.., extract_size @ 0..=23)) => (num_sections as u32, extract_size as u32),
            _ => (0, 0),
        }
    }

    fn section(&self, place: Place) -> Option<&Section> {
        match place {
            Place::Saturated(saturation) => Some(&self.saturation_point(saturation).section),
            Place::Octave { slot, index } => {
                let sections = &self.region(slot)?.sections;
                // SAFETY: as in `region`: the region's own vector is live and does not change either.
                unsafe { Vector::elements(sections) }.get(index as usize)
            }
        }
    }
}
