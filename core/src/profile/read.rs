//! Profile files: text to checked [`Profile`] (`docs/behaviour.md`, section 3).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::json::{Array, Checked, Flag, Integer, Kept, Mistake, fields, required};
use super::{Clamp, Profile, Region, SaturationPoint, Section, Specials, Symmetry};
use crate::error::{Error, Result};

/// The largest file that is read: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The deepest nesting of arrays and objects that is read.
pub const MAX_NESTING: usize = 64;

/// The longest section list a region may announce.
const MAX_SECTIONS: i64 = 1 << 23;

type I32 = Integer<{ i32::MIN as i64 }, { i32::MAX as i64 }>;

/// Reads the profile file at `path`.
///
/// # Errors
/// [`Error::ProfileIo`] when the file cannot be read, [`Error::ProfileFormat`] when it is no valid profile: the
/// message names the file, the field and what was expected.
pub fn load(path: &Path) -> Result<Profile> {
    parse(&read_text(path)?, path)
}

/// Reads `text` as a profile; `file` is for messages.
///
/// # Errors
/// [`Error::ProfileFormat`], as [`load`].
pub fn parse(text: &str, file: &Path) -> Result<Profile> {
    let mistake = match serde_json::from_str::<Kept<Profile>>(text) {
        Ok(Kept(Ok(profile))) => return Ok(profile),
        Ok(Kept(Err(mistake))) => *mistake,
        Err(syntax) => *Mistake::new(format!("not JSON: {syntax}")),
    };
    Err(Error::ProfileFormat { file: file.to_owned(), place: mistake.place(), reason: mistake.reason })
}

/// Reads a JSON file as text that is safe to parse: at most [`MAX_FILE_BYTES`] long, UTF-8 with an optional byte order
/// mark, nested at most [`MAX_NESTING`] deep.
///
/// # Errors
/// [`Error::ProfileIo`] when the file cannot be read or is no regular file, [`Error::ProfileFormat`] otherwise.
pub fn read_text(path: &Path) -> Result<String> {
    let io = |reason: String| Error::ProfileIo { path: path.to_owned(), reason };
    let metadata = std::fs::metadata(path).map_err(|error| io(error.to_string()))?;
    if !metadata.is_file() {
        return Err(io("not a regular file".to_owned())); // a pipe would block, a device never end
    }
    let mut bytes = Vec::with_capacity(metadata.len().min(MAX_FILE_BYTES) as usize + 1);
    let file = File::open(path).map_err(|error| io(error.to_string()))?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| io(error.to_string()))?;
    checked_text(bytes).map_err(|reason| Error::ProfileFormat { file: path.to_owned(), place: String::new(), reason })
}

/// The text of a JSON file, or why it is none.
fn checked_text(mut bytes: Vec<u8>) -> std::result::Result<String, String> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("larger than {MAX_FILE_BYTES} bytes"));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let text =
        String::from_utf8(bytes).map_err(|error| format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to()))?;
    check_nesting(&text)?;
    Ok(text)
}

/// Checks the nesting of `text` without parsing it, so that no parser's stack depends on the file.
fn check_nesting(text: &str) -> std::result::Result<(), String> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_NESTING {
                    return Err(format!("nested more than {MAX_NESTING} deep at byte {at}"));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// A float box: the bits of a float, written as a signed or an unsigned 32-bit integer under `int`.
struct FloatBox(f32);

fields!(BoxFields::float -> FloatBox { int: Integer<{ i32::MIN as i64 }, { u32::MAX as i64 }> });

impl BoxFields {
    fn float(self) -> Checked<FloatBox> {
        Ok(FloatBox(f32::from_bits(required!(self, int).0 as u32)))
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
            let reason = format!("{} sections, and num_sections is {num_sections}", sections.len());
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

/// The four saturation points, in the order of [`Clamp`].
struct Clamps([SaturationPoint; 4]);

fields!(ClampFields::clamps -> Clamps {
    sat_point_pos_high: SaturationPoint,
    sat_point_pos_low: SaturationPoint,
    sat_point_neg_high: SaturationPoint,
    sat_point_neg_low: SaturationPoint,
});

impl ClampFields {
    fn clamps(self) -> Checked<Clamps> {
        let mut clamps = [SaturationPoint::default(); 4];
        clamps[Clamp::PosHigh as usize] = required!(self, sat_point_pos_high);
        clamps[Clamp::PosLow as usize] = required!(self, sat_point_pos_low);
        clamps[Clamp::NegHigh as usize] = required!(self, sat_point_neg_high);
        clamps[Clamp::NegLow as usize] = required!(self, sat_point_neg_low);
        Ok(Clamps(clamps))
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
    saturation_points: Clamps,
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
            clamps: required!(self, saturation_points).0,
        })
    }
}
