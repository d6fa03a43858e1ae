//! Profile files: text to checked [`Profile`] (`docs/behaviour.md`, section 3).

use std::path::Path;

use super::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};
use crate::error::Result;
use crate::json::{self, Array, Checked, Flag, FloatBits, Integer, Mistake, fields, required};
use crate::memory::text;

/// The longest section list a region may announce.
const MAX_SECTIONS: i64 = 1 << 23;

type I32 = Integer<{ i32::MIN as i64 }, { i32::MAX as i64 }>;

/// Reads the profile file at `path`.
///
/// # Errors
/// [`Error::ProfileIo`](crate::Error::ProfileIo) when the file cannot be read, [`Error::ProfileFormat`](crate::Error::ProfileFormat) when it is no valid profile: the
/// message names the file, the field and what was expected.
pub fn load(path: &Path) -> Result<Profile> {
    json::load(path)
}

/// Reads `text` as a profile; `file` is for messages.
///
/// # Errors
/// [`Error::ProfileFormat`](crate::Error::ProfileFormat), as [`load`].
pub fn parse(text: &str, file: &Path) -> Result<Profile> {
    json::parse(text, file)
}

/// A float box: the bits of a float, written as a signed or an unsigned 32-bit integer under `int`.
struct FloatBox(f32);

fields!(BoxFields::float -> FloatBox { int: FloatBits });

impl BoxFields {
    fn float(self) -> Checked<FloatBox> {
        Ok(FloatBox(required!(self, int).0))
    }
}

fields!(SectionFields::section -> Section { x: FloatBox, d0: FloatBox, d1: FloatBox, d2: FloatBox, d3: FloatBox });

impl SectionFields {
    fn section(self) -> Checked<Section> {
        Ok(Section {
            x: required!(self, x).0,
            d0: required!(self, d0).0,
            d1: required!(self, d1).0,
            d2: required!(self, d2).0,
            d3: required!(self, d3).0,
        })
    }
}

fields!(RegionFields::region -> Region {
    exponent: Integer<{ -127 }, 128>,
    num_sections: Integer<0, MAX_SECTIONS>,
    extract_size: Integer<0, 23>,
    exponent_sections: Array<Section>,
});

impl RegionFields {
    fn region(self) -> Checked<Region> {
        let num_sections = required!(self, num_sections).0;
        let sections = required!(self, exponent_sections).0;
        if sections.len() as i64 > num_sections {
            let reason = text!("{} sections, and num_sections is {num_sections}", sections.len());
            return Err(Mistake::new(reason).in_key("exponent_sections"));
        }
        Ok(Region {
            exponent: required!(self, exponent).0 as i32,
            num_sections: num_sections as u32,
            extract_size: required!(self, extract_size).0 as u32,
            sections,
        })
    }
}

fields!(SaturationFields::saturation_point -> SaturationPoint {
    sat_point: I32,
    mantissa_point: I32,
    x: FloatBox,
    d0: FloatBox,
    d1: FloatBox,
    d2: FloatBox,
    d3: FloatBox,
    section: Section,
});

impl SaturationFields {
    fn saturation_point(self) -> Checked<SaturationPoint> {
        let section = if self.section.is_some() {
            required!(self, section)
        } else {
            SectionFields { x: self.x, d0: self.d0, d1: self.d1, d2: self.d2, d3: self.d3 }.section()?
        };
        Ok(SaturationPoint {
            sat_point: required!(self, sat_point).0 as i32,
            mantissa_point: required!(self, mantissa_point).0 as i32,
            section,
        })
    }
}

/// The four saturation points, in the order of [`Saturation`].
struct SaturationPoints([SaturationPoint; 4]);

fields!(SaturationPointsFields::saturation_points -> SaturationPoints {
    sat_point_pos_high: SaturationPoint,
    sat_point_pos_low: SaturationPoint,
    sat_point_neg_high: SaturationPoint,
    sat_point_neg_low: SaturationPoint,
});

impl SaturationPointsFields {
    fn saturation_points(self) -> Checked<SaturationPoints> {
        let mut saturation_points = [SaturationPoint::default(); 4];
        saturation_points[Saturation::PosHigh as usize] = required!(self, sat_point_pos_high);
        saturation_points[Saturation::PosLow as usize] = required!(self, sat_point_pos_low);
        saturation_points[Saturation::NegHigh as usize] = required!(self, sat_point_neg_high);
        saturation_points[Saturation::NegLow as usize] = required!(self, sat_point_neg_low);
        Ok(SaturationPoints(saturation_points))
    }
}

fields!(ProfileFields::profile -> Profile {
    symmetry_en: Flag,
    symmetry_invert_sign_opt: Flag,
    symmetry_opt_use_neg_region: Flag,
    symmetry_point: FloatBox,
    zero_result: FloatBox,
    nan_result: FloatBox,
    pinf_result: FloatBox,
    ninf_result: FloatBox,
    pos_exponents: Array<Region>,
    neg_exponents: Array<Region>,
    saturation_points: SaturationPoints,
});

impl ProfileFields {
    fn profile(mut self) -> Checked<Profile> {
        self.pos_exponents.get_or_insert(Ok(Array(Vec::new())));
        self.neg_exponents.get_or_insert(Ok(Array(Vec::new())));
        Ok(Profile {
            symmetry: Symmetry {
                enabled: required!(self, symmetry_en).0,
                invert_sign: required!(self, symmetry_invert_sign_opt).0,
                use_neg_region: required!(self, symmetry_opt_use_neg_region).0,
                point: required!(self, symmetry_point).0,
            },
            specials: Specials {
                zero: required!(self, zero_result).0,
                nan: required!(self, nan_result).0,
                pos_inf: required!(self, pinf_result).0,
                neg_inf: required!(self, ninf_result).0,
            },
            pos: required!(self, pos_exponents).0,
            neg: required!(self, neg_exponents).0,
            saturation_points: required!(self, saturation_points).0,
        })
    }
}
