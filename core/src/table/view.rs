//! What the definition reads of a table, whoever holds it: a [`Table`], or a C++ program's own structure.
//!
//! `docs/behaviour.md`, section 4, is the definition; steps 3 and 4, which find an input's section, are [`View::locate`].

use super::{FoldReading, Place, Table};
use crate::profile::{Saturation, SaturationPoint, Section, Specials, Symmetry};

/// A table as the definition sees it.
pub trait View {
    /// The symmetry fold.
    fn symmetry(&self) -> Symmetry;

    /// Which results are unfolded.
    #[inline]
    fn reading(&self) -> FoldReading {
        FoldReading::of_process()
    }

    /// The results that need no section.
    fn specials(&self) -> Specials;

    /// One of the four saturation points.
    fn saturation_point(&self, saturation: Saturation) -> &SaturationPoint;

    /// The length of a slot's section list and how many top mantissa bits pick the section, 0 to 23; `(0, 0)` for a slot
    /// without an octave.
    fn octave(&self, slot: usize) -> (u32, u32);

    /// The section of a place that [`View::locate`] gave; none where the table does not hold it after all.
    fn section(&self, place: Place) -> Option<&Section>;

    /// Where the folded input `sel` lands, or none where no section covers it.
    #[inline]
    fn locate(&self, sel: f32) -> Option<Place> {
        let bits = sel.to_bits();
        let exponent = ((bits >> 23) & 255) as i32;
        let mantissa = (bits & 0x7f_ffff) as i32;
        let (high, low) = if bits >> 31 == 0 {
            (Saturation::PosHigh, Saturation::PosLow)
        } else {
            (Saturation::NegHigh, Saturation::NegLow)
        };
        let h = self.saturation_point(high);
        if h.sat_point < exponent || (h.sat_point == exponent && h.mantissa_point <= mantissa) {
            return Some(Place::Saturated(high));
        }
        let l = self.saturation_point(low);
        if l.sat_point > exponent || (l.sat_point == exponent && l.mantissa_point >= mantissa) {
            return Some(Place::Saturated(low));
        }
        let slot = (bits >> 23) as usize;
        let (num_sections, extract_size) = self.octave(slot);
        let index = mantissa as u32 >> (23 - extract_size);
        (index < num_sections).then_some(Place::Octave { slot, index })
    }
}

impl View for Table {
    #[inline]
    fn symmetry(&self) -> Symmetry {
        *self.symmetry()
    }

    #[inline]
    fn reading(&self) -> FoldReading {
        self.reading()
    }

    #[inline]
    fn specials(&self) -> Specials {
        *self.specials()
    }

    #[inline]
    fn saturation_point(&self, saturation: Saturation) -> &SaturationPoint {
        self.saturation_point(saturation)
    }

    #[inline]
    fn octave(&self, slot: usize) -> (u32, u32) {
        let octave = &self.octaves()[slot];
        (octave.num_sections, octave.extract_size)
    }

    #[inline]
    fn section(&self, place: Place) -> Option<&Section> {
        Some(self.section(place))
    }
}
