//! A profile: one function's table as its JSON file has it, checked (`docs/behaviour.md`, section 3).
//!
//! `read` turns text into a [`Profile`], `write` the other way. Nothing else in the crate knows the schema.

mod directory;
mod read;
mod write;

pub use directory::Directory;
pub use read::{load, parse};
pub use write::{float_box, to_json};

use crate::error::{Error, Result};
use crate::memory::text;

/// One section: a cubic about `x`, `d0 + d1*t + d2*t^2 + d3*t^3` with `t = v - x`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Section {
    /// The centre of the section.
    pub x: f32,
    /// The value at the centre.
    pub d0: f32,
    /// The coefficient of `t`.
    pub d1: f32,
    /// The coefficient of `t^2`.
    pub d2: f32,
    /// The coefficient of `t^3`.
    pub d3: f32,
}

impl Section {
    /// The bit patterns of `x, d0, d1, d2, d3`.
    pub fn bits(&self) -> [u32; 5] {
        [self.x, self.d0, self.d1, self.d2, self.d3].map(f32::to_bits)
    }

    /// The section with these bit patterns of `x, d0, d1, d2, d3`.
    pub fn from_bits(bits: [u32; 5]) -> Section {
        let [x, d0, d1, d2, d3] = bits.map(f32::from_bits);
        Section { x, d0, d1, d2, d3 }
    }
}

/// Two sections are equal when their bits are: `-0` is not `0`, and a NaN equals itself.
impl PartialEq for Section {
    fn eq(&self, other: &Section) -> bool {
        self.bits() == other.bits()
    }
}

/// A saturation point: a threshold on the biased exponent and the mantissa, and the section beyond it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SaturationPoint {
    /// The biased exponent of the threshold; any 32-bit integer, compared as such.
    pub sat_point: i32,
    /// The mantissa of the threshold; any 32-bit integer, compared as such.
    pub mantissa_point: i32,
    /// The section that serves inputs beyond the threshold.
    pub section: Section,
}

/// One octave of one sign.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Region {
    /// The unbiased exponent, -127 to 128.
    pub exponent: i32,
    /// The length of the section list, 0 to 2^23; entries past those in `sections` are all zero.
    pub num_sections: u32,
    /// How many top bits of the mantissa choose the section, 0 to 23.
    pub extract_size: u32,
    /// The sections the file gives, at most `num_sections`.
    pub sections: Vec<Section>,
}

/// The symmetry fold.
#[derive(Debug, Clone, Copy, Default)]
pub struct Symmetry {
    /// `symmetry_en`: fold the input to one sign.
    pub enabled: bool,
    /// `symmetry_invert_sign_opt`: negate the result of an input that the fold reflected.
    pub invert_sign: bool,
    /// `symmetry_opt_use_neg_region`: fold to the negative side, not the positive one.
    pub use_neg_region: bool,
    /// `symmetry_point`: added to the result of an input that the fold reflected.
    pub point: f32,
}

impl Symmetry {
    /// Folds a scaled input to `sel`: step 2 of `docs/behaviour.md`, section 4.
    #[inline]
    pub fn fold(&self, v: f32) -> f32 {
        let magnitude = v.to_bits() & 0x7fff_ffff;
        match (self.enabled, self.use_neg_region) {
            (false, _) => v,
            (true, false) => f32::from_bits(magnitude),
            (true, true) => f32::from_bits(magnitude | 0x8000_0000),
        }
    }
}

impl PartialEq for Symmetry {
    fn eq(&self, other: &Symmetry) -> bool {
        let key = |s: &Symmetry| (s.enabled, s.invert_sign, s.use_neg_region, s.point.to_bits());
        key(self) == key(other)
    }
}

/// The results that need no section. Equal when their bits are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Specials {
    /// The result for either zero.
    pub zero: f32,
    /// Loaded and shown, never returned: a NaN input goes through the sections.
    pub nan: f32,
    /// The result for +inf.
    pub pos_inf: f32,
    /// The result for -inf.
    pub neg_inf: f32,
}

impl PartialEq for Specials {
    fn eq(&self, other: &Specials) -> bool {
        let key = |s: &Specials| [s.zero, s.nan, s.pos_inf, s.neg_inf].map(f32::to_bits);
        key(self) == key(other)
    }
}

/// One of the four saturation points, in the order of [`Profile::saturation_points`].
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Saturation {
    /// Beyond the high threshold of the positive side.
    PosHigh = 0,
    /// Below the low threshold of the positive side.
    PosLow = 1,
    /// Beyond the high threshold (in magnitude) of the negative side.
    NegHigh = 2,
    /// Below the low threshold (in magnitude) of the negative side.
    NegLow = 3,
}

impl Saturation {
    /// All four, in the order of [`Profile::saturation_points`].
    pub const ALL: [Saturation; 4] = [Saturation::PosHigh, Saturation::PosLow, Saturation::NegHigh, Saturation::NegLow];

    /// The key of the saturation point in a profile's `saturation_points`.
    pub fn key(self) -> &'static str {
        match self {
            Saturation::PosHigh => "sat_point_pos_high",
            Saturation::PosLow => "sat_point_pos_low",
            Saturation::NegHigh => "sat_point_neg_high",
            Saturation::NegLow => "sat_point_neg_low",
        }
    }
}

/// A function's table as its file has it. Its fields are what the simulator reads of the file, all of them, so that a
/// tool can write one down; [`Profile::check`] says whether they make sense.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    /// The symmetry fold.
    pub symmetry: Symmetry,
    /// The results that need no section.
    pub specials: Specials,
    /// The octaves of the positive side, in the file's order.
    pub pos: Vec<Region>,
    /// The octaves of the negative side, in the file's order.
    pub neg: Vec<Region>,
    /// The four saturation points, indexed by [`Saturation`].
    pub saturation_points: [SaturationPoint; 4],
}

impl Profile {
    /// Whether every field is within the range it states.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the field: an exponent outside -127..=128, an `extract_size` above 23, more
    /// sections than `num_sections`, `num_sections` above 2^23, 2^32 sections or more in all.
    pub fn check(&self) -> Result<()> {
        let refuse = |side: &str, index: usize, what: String| {
            Err(Error::InvalidArgument(text!("the profile's {side}[{index}]: {what}")))
        };
        for (side, regions) in [("pos", &self.pos), ("neg", &self.neg)] {
            for (index, region) in regions.iter().enumerate() {
                let Region { exponent, num_sections, extract_size, ref sections } = *region;
                if !(-127..=128).contains(&exponent) {
                    return refuse(side, index, text!("exponent {exponent} is not within -127 to 128"));
                }
                if extract_size > 23 {
                    return refuse(side, index, text!("extract_size {extract_size} is above 23"));
                }
                if num_sections > 1 << 23 {
                    return refuse(side, index, text!("num_sections {num_sections} is above 2^23"));
                }
                if sections.len() > num_sections as usize {
                    let given = sections.len();
                    return refuse(side, index, text!("{given} sections, and num_sections is {num_sections}"));
                }
            }
        }
        match u32::try_from(self.section_count()) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::InvalidArgument(text!("the profile has {} sections", self.section_count()))),
        }
    }

    /// The sections the file gives in all, without the saturation points.
    pub fn section_count(&self) -> usize {
        self.pos.iter().chain(&self.neg).map(|region| region.sections.len()).sum()
    }
}

#[cfg(test)]
mod tests;
