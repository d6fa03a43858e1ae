//! What the fuzz targets share: how their inputs are laid out in the fuzzer's bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use pwp_sim_core::catalog::image::Image;
use pwp_sim_core::profile::{Profile, Region, SaturationPoint, Section, Specials, Symmetry};

/// The three files of an image: the lengths of the first two as 16 bits each, little end first, then the files.
pub fn image(data: &[u8]) -> Option<Image> {
    let (lengths, files) = data.split_first_chunk::<4>()?;
    let length = |at: usize| usize::from(u16::from_le_bytes([lengths[at], lengths[at + 1]]));
    let (bkt, files) = files.split_at_checked(length(0))?;
    let (ctrl, manifest) = files.split_at_checked(length(2))?;
    Some(Image { bkt: bkt.to_vec(), ctrl: ctrl.to_vec(), manifest: String::from_utf8(manifest.to_vec()).ok()? })
}

/// The reverse of [`image`]; none where a length does not fit.
pub fn image_bytes(image: &Image) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    for file in [&image.bkt, &image.ctrl] {
        data.extend(u16::try_from(file.len()).ok()?.to_le_bytes());
    }
    Some([&data[..], &image.bkt, &image.ctrl, image.manifest.as_bytes()].concat())
}

/// A float: any pattern of bits, or one near 1, where most tables have their octaves.
fn float(input: &mut Unstructured<'_>) -> Result<f32> {
    let bits = u32::arbitrary(input)?;
    Ok(f32::from_bits(if input.ratio(1, 2)? { bits } else { bits & 0x83ff_ffff | 0x3c00_0000 }))
}

fn section(input: &mut Unstructured<'_>) -> Result<Section> {
    let [x, d0, d1, d2, d3] = [float(input)?, float(input)?, float(input)?, float(input)?, float(input)?];
    Ok(Section { x, d0, d1, d2, d3 })
}

fn region(input: &mut Unstructured<'_>) -> Result<Region> {
    let exponent = if input.ratio(7, 8)? { input.int_in_range(-12..=12)? } else { input.int_in_range(-127..=128)? };
    let extract_size = if input.ratio(7, 8)? { input.int_in_range(0..=4)? } else { input.int_in_range(0..=23)? };
    let stored = input.int_in_range(0..=12)?;
    // The sections that are not stored are zero, and there may be fewer than the extract size addresses.
    let num_sections = if input.ratio(1, 2)? { stored } else { input.int_in_range(stored..=1 << 23)? };
    let sections = (0..stored).map(|_| section(input)).collect::<Result<_>>()?;
    Ok(Region { exponent, num_sections, extract_size, sections })
}

fn saturation_point(input: &mut Unstructured<'_>) -> Result<SaturationPoint> {
    let sat_point = if input.ratio(7, 8)? { input.int_in_range(100..=150)? } else { i32::arbitrary(input)? };
    let mantissa_point = if input.ratio(7, 8)? { input.int_in_range(0..=0x7f_ffff)? } else { i32::arbitrary(input)? };
    Ok(SaturationPoint { sat_point, mantissa_point, section: section(input)? })
}

/// A profile within its ranges.
///
/// # Errors
/// Where the bytes are used up.
pub fn profile(input: &mut Unstructured<'_>) -> Result<Profile> {
    let side = |input: &mut Unstructured<'_>| {
        let count = input.int_in_range(0..=6)?;
        (0..count).map(|_| region(input)).collect::<Result<Vec<_>>>()
    };
    let [enabled, invert_sign, use_neg_region] = <[bool; 3]>::arbitrary(input)?;
    Ok(Profile {
        symmetry: Symmetry { enabled, invert_sign, use_neg_region, point: float(input)? },
        specials: Specials { zero: float(input)?, nan: float(input)?, pos_inf: float(input)?, neg_inf: float(input)? },
        saturation_points: [
            saturation_point(input)?,
            saturation_point(input)?,
            saturation_point(input)?,
            saturation_point(input)?,
        ],
        pos: side(input)?,
        neg: side(input)?,
    })
}

/// A float for an input or a scaling, as [`profile`] takes them.
///
/// # Errors
/// Where the bytes are used up.
pub fn input(data: &mut Unstructured<'_>) -> Result<f32> {
    float(data)
}

/// A number for a scaling. Where two NaN meet, which of them comes out is up to the compiler, and with it whether a table
/// has a section there: a scaling is never NaN here.
pub fn scaling(value: f32) -> f32 {
    if value.is_nan() { 1.0 } else { value }
}
