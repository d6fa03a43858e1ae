//! A table: a [`Profile`] laid out for look-up. The one type the evaluators see.
//!
//! A float's top nine bits, sign and biased exponent, are the *slot*: they pick one of 512 octaves. The octave says
//! how many top mantissa bits pick the section. `docs/behaviour.md`, section 4, is the definition.

mod fold;
mod lookup;
#[cfg(test)]
pub(crate) mod samples;
mod view;

pub use fold::FoldReading;
pub(crate) use lookup::{Degree, Lookup, NEAR, ROW_SHIFT, Row};
pub use view::View;

use crate::error::Result;
use crate::memory;
use crate::profile::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};

/// Slots: two signs times 256 biased exponents.
pub const SLOTS: usize = 512;

/// One octave of one sign, as a range of the table's sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Octave {
    /// The place of the octave's first section in the table.
    pub first: u32,
    /// The sections that are stored; those up to `num_sections` are all zero.
    pub stored: u32,
    /// The length of the octave's section list; an input past it is unhandled. 0 in an absent octave.
    pub num_sections: u32,
    /// How many top mantissa bits pick the section, 0 to 23.
    pub extract_size: u32,
    /// Whether the profile has a region for this slot, be it empty.
    pub present: bool,
}

/// Where an input lands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Beyond a saturation point.
    Saturated(Saturation),
    /// In section `index` of the octave of slot `slot`.
    Octave {
        /// Sign and biased exponent: the input's top nine bits.
        slot: usize,
        /// The section's index in the octave.
        index: u32,
    },
}

/// The table of one function.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    symmetry: Symmetry,
    reading: FoldReading,
    specials: Specials,
    saturation_points: [SaturationPoint; 4],
    octaves: Box<[Octave; SLOTS]>,
    sections: Vec<Section>,
    lookup: Lookup,
}

/// What the missing sections of a region are.
static ZERO_SECTION: Section = Section { x: 0.0, d0: 0.0, d1: 0.0, d2: 0.0, d3: 0.0 };

impl Table {
    /// Lays out `profile`. Of two regions with one exponent the last counts; negative octaves' sections come first.
    ///
    /// # Errors
    /// As [`Profile::check`], which a profile that was read passes; [`Error::NoMemory`](crate::Error::NoMemory).
    pub fn new(profile: &Profile) -> Result<Table> {
        Table::with_reading(profile, FoldReading::of_process())
    }

    /// [`Table::new`] by a given reading of the fold, whatever the process's is.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn with_reading(profile: &Profile, reading: FoldReading) -> Result<Table> {
        profile.check()?;
        let mut chosen: [Option<&Region>; SLOTS] = [None; SLOTS];
        for (sign, regions) in [(0, &profile.pos), (256, &profile.neg)] {
            for region in regions {
                chosen[sign + (region.exponent + 127) as usize] = Some(region);
            }
        }
        let mut octaves = memory::array(Octave::default())?;
        let mut sections = Vec::new();
        memory::reserve(&mut sections, profile.section_count())?;
        for slot in (256..512).chain(0..256) {
            let Some(region) = chosen[slot] else { continue };
            octaves[slot] = Octave {
                first: sections.len() as u32,
                stored: region.sections.len() as u32,
                num_sections: region.num_sections,
                extract_size: region.extract_size,
                present: true,
            };
            sections.extend_from_slice(&region.sections);
        }
        let (symmetry, specials, saturation_points) = (profile.symmetry, profile.specials, profile.saturation_points);
        let lookup = Lookup::new(&symmetry, reading, &saturation_points, &octaves, &sections)?;
        Ok(Table { symmetry, reading, specials, saturation_points, octaves, sections, lookup })
    }

    /// The profile again: its regions in ascending order of exponent, one per octave.
    pub fn to_profile(&self) -> Profile {
        let side = |slots: std::ops::Range<usize>| {
            let base = slots.start as i32;
            let present = slots.filter(|&slot| self.octaves[slot].present);
            let region = present.map(|slot| Region {
                exponent: slot as i32 - base - 127,
                num_sections: self.octaves[slot].num_sections,
                extract_size: self.octaves[slot].extract_size,
                sections: self.octave_sections(slot).to_vec(),
            });
            region.collect()
        };
        Profile {
            symmetry: self.symmetry,
            specials: self.specials,
            pos: side(0..256),
            neg: side(256..512),
            saturation_points: self.saturation_points,
        }
    }

    /// The symmetry fold.
    #[inline]
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// The results that need no section.
    #[inline]
    pub fn specials(&self) -> &Specials {
        &self.specials
    }

    /// One of the four saturation points.
    #[inline]
    pub fn saturation_point(&self, saturation: Saturation) -> &SaturationPoint {
        &self.saturation_points[saturation as usize]
    }

    /// The octaves by slot: 0..256 positive by biased exponent, 256..512 negative.
    #[inline]
    pub fn octaves(&self) -> &[Octave; SLOTS] {
        &self.octaves
    }

    /// All stored sections, negative octaves first, each side in ascending order of exponent.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The stored sections of one slot; none for a number that is no slot.
    pub fn octave_sections(&self, slot: usize) -> &[Section] {
        let sections = |octave: &Octave| &self.sections[octave.first as usize..][..octave.stored as usize];
        self.octaves.get(slot).map_or(&[], sections)
    }

    /// The layout that the fast evaluators read.
    #[inline]
    pub(crate) fn lookup(&self) -> &Lookup {
        &self.lookup
    }

    /// Folds a (scaled) input: `sel` of the definition.
    #[inline]
    pub fn fold(&self, v: f32) -> f32 {
        self.symmetry.fold(v)
    }

    /// The reading of the fold that the table was laid out by.
    #[inline]
    pub fn reading(&self) -> FoldReading {
        self.reading
    }

    /// The reading of the fold by which the results beyond the stored side's high saturation point agree with those at the
    /// infinities. None where both do or neither is nearer: so wherever the table does not fold to the negative side.
    pub fn fitting_reading(&self) -> Option<FoldReading> {
        let far = if self.symmetry.use_neg_region { Saturation::NegHigh } else { Saturation::PosHigh };
        let far = &self.saturation_point(far).section;
        if [far.d1, far.d2, far.d3] != [0.0; 3] {
            return None;
        }
        let apart = |reading: FoldReading| {
            let limit = |v: f32, due: f32| {
                let limit = reading.unfold(&self.symmetry, v, far.d0);
                if limit == due { 0.0 } else { (f64::from(limit) - f64::from(due)).abs() }
            };
            limit(f32::MAX, self.specials.pos_inf) + limit(f32::MIN, self.specials.neg_inf)
        };
        let [reflected, negative] = FoldReading::ALL.map(apart);
        match reflected.partial_cmp(&negative)? {
            std::cmp::Ordering::Less => Some(FoldReading::Reflected),
            std::cmp::Ordering::Greater => Some(FoldReading::Negative),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// [`Table::fitting_reading`], where that is not the one the table was laid out by. Such a table then gives the
    /// function's mirror image: every result is that of the input with the other sign.
    pub fn misread(&self) -> Option<FoldReading> {
        self.fitting_reading().filter(|fitting| *fitting != self.reading)
    }

    /// Where the folded input `sel` lands, or none where no section covers it.
    #[inline]
    pub fn locate(&self, sel: f32) -> Option<Place> {
        View::locate(self, sel)
    }

    /// The section of a place; one of zeros for a place that no input of this table has.
    #[inline]
    pub fn section(&self, place: Place) -> &Section {
        match place {
            Place::Saturated(saturation) => &self.saturation_point(saturation).section,
            Place::Octave { slot, index } => match self.octaves.get(slot) {
                Some(octave) if index < octave.stored => &self.sections[(octave.first + index) as usize],
                _ => &ZERO_SECTION,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sigmoid that is all saturated: 0 or 1 on the stored, negative side.
    fn step(stored: f32, flags: [bool; 3]) -> Table {
        let [enabled, invert_sign, use_neg_region] = flags;
        let section = Section { d0: stored, ..Section::default() };
        let profile = Profile {
            symmetry: Symmetry { enabled, invert_sign, use_neg_region, point: 1.0 },
            specials: Specials { zero: 0.5, nan: f32::NAN, pos_inf: 1.0, neg_inf: 0.0 },
            saturation_points: [SaturationPoint { section, ..SaturationPoint::default() }; 4],
            ..Profile::default()
        };
        Table::new(&profile).unwrap()
    }

    #[test]
    fn a_table_tells_by_its_far_end_which_reading_it_was_made_for() {
        assert_eq!(step(0.0, [true; 3]).fitting_reading(), Some(FoldReading::Reflected));
        assert_eq!(step(1.0, [true; 3]).fitting_reading(), Some(FoldReading::Negative));
        assert_eq!(step(0.99, [true; 3]).fitting_reading(), Some(FoldReading::Negative));
        for reading in FoldReading::ALL {
            let rising = Table::with_reading(&step(1.0, [true; 3]).to_profile(), reading).unwrap();
            let misread = (reading == FoldReading::Reflected).then_some(FoldReading::Negative);
            assert_eq!(rising.misread(), misread, "{reading:?}");
        }
    }

    #[test]
    fn a_table_that_both_readings_serve_alike_tells_nothing() {
        assert_eq!(step(1.0, [true, true, false]).fitting_reading(), None);
        assert_eq!(step(1.0, [false, true, true]).fitting_reading(), None);
        assert_eq!(step(f32::NAN, [true; 3]).fitting_reading(), None);
    }
}
