//! The exp table built from its published description (`docs/figures.md`), and hardwired tables of the published shape.

use pwp_sim_core::Function;
use pwp_sim_core::profile::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};

const ZERO: Section = Section { x: 0.0, d0: 0.0, d1: 0.0, d2: 0.0, d3: 0.0 };

/// The first and last octave of each side, and where the clamps cut the last one short.
const FIRST_EXPONENT: i32 = -19;
const LAST_EXPONENT: i32 = 6;
const POS_HIGH_MANTISSA: u32 = 3_240_472;
const NEG_HIGH_MANTISSA: u32 = 4_362_891;

/// exp's Taylor coefficients at the float with these bits.
fn taylor(x: u32) -> Section {
    let x = f32::from_bits(x);
    let e = f64::from(x).exp();
    Section { x, d0: e as f32, d1: e as f32, d2: (e / 2.0) as f32, d3: (e / 6.0) as f32 }
}

/// One octave: 1 section up to exponent -2, then 2, 4, ... 256 in the last, of which those below the clamp are stored.
fn octave(exponent: i32, sign: u32, high_mantissa: u32) -> Region {
    let extract_size = (exponent + 2).max(0) as u32;
    let shift = 23 - extract_size;
    let num_sections = 1 << extract_size;
    let stored = if exponent == LAST_EXPONENT { (high_mantissa >> shift) + 1 } else { num_sections };
    let first = sign << 31 | ((exponent + 127) as u32) << 23;
    // The middle of a section's interval of bit patterns, rounded down.
    let middle = |index: u32| first + (index << shift) + ((1 << shift) - 1) / 2;
    Region { exponent, num_sections, extract_size, sections: (0..stored).map(|index| taylor(middle(index))).collect() }
}

/// `exp_400p`, to the published bits: 777 sections.
pub fn exp() -> Profile {
    let side = |sign, high| (FIRST_EXPONENT..=LAST_EXPONENT).map(|exponent| octave(exponent, sign, high)).collect();
    let low = Section { x: 0.0, d0: 1.0, d1: 1.0, d2: 0.5, d3: 1.0 / 6.0 };
    let point =
        |sat_point, mantissa: u32, section| SaturationPoint { sat_point, mantissa_point: mantissa as i32, section };
    Profile {
        symmetry: Symmetry::default(),
        specials: Specials { zero: 1.0, nan: f32::NAN, pos_inf: f32::INFINITY, neg_inf: 0.0 },
        pos: side(0, POS_HIGH_MANTISSA),
        neg: side(1, NEG_HIGH_MANTISSA),
        saturation_points: saturation_points([
            point(133, POS_HIGH_MANTISSA, Section { d0: f32::INFINITY, ..ZERO }),
            point(108, 0, low),
            point(133, NEG_HIGH_MANTISSA, ZERO),
            point(108, 0, low),
        ]),
    }
}

/// The four saturation points, given as positive high, positive low, negative high, negative low.
fn saturation_points(points: [SaturationPoint; 4]) -> [SaturationPoint; 4] {
    let mut saturation_points = points;
    for (saturation, point) in Saturation::ALL.into_iter().zip(points) {
        saturation_points[saturation as usize] = point;
    }
    saturation_points
}

/// A hardwired function's table, exact for it: one empty octave, and clamps that between them take every input. None
/// for functions that are not hardwired. The published bits are known for `identity` alone.
pub fn hardwired(function: Function) -> Option<Profile> {
    let linear = |slope: f32| Section { d1: slope, ..ZERO };
    let constant = |value: f32| Section { d0: value, ..ZERO };
    let inf = f32::INFINITY;
    // Positive side, negative side, value at zero, at the infinities.
    let (pos, neg, zero, pos_inf, neg_inf) = match function {
        Function::Identity | Function::Copy => (linear(1.0), linear(1.0), 0.0, inf, -inf),
        Function::Square => (Section { d2: 1.0, ..ZERO }, Section { d2: 1.0, ..ZERO }, 0.0, inf, inf),
        Function::Relu => (linear(1.0), ZERO, 0.0, inf, 0.0),
        Function::Lrelu => (linear(1.0), linear(0.01), 0.0, inf, -inf),
        Function::Sign => (constant(1.0), constant(-1.0), 0.0, 1.0, -1.0),
        Function::Abs => (linear(1.0), linear(-1.0), 0.0, inf, inf),
        Function::MemsetZero => (ZERO, ZERO, 0.0, 0.0, 0.0),
        _ => return None,
    };
    let point = |section| SaturationPoint { sat_point: 0, mantissa_point: 0, section };
    let empty = Region { exponent: -127, num_sections: 0, extract_size: 0, sections: Vec::new() };
    Some(Profile {
        symmetry: Symmetry::default(),
        specials: Specials { zero, nan: f32::NAN, pos_inf, neg_inf },
        pos: vec![empty.clone()],
        neg: vec![empty],
        saturation_points: saturation_points([point(pos), point(pos), point(neg), point(neg)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exp_table_has_the_published_sections() {
        let exp = exp();
        let count = |regions: &[Region]| regions.iter().map(|region| region.sections.len()).sum::<usize>();
        assert_eq!((count(&exp.neg), count(&exp.pos)), (406, 371));
        let last = |regions: &[Region]| regions.last().map(|region| region.sections.len());
        assert_eq!((last(&exp.neg), last(&exp.pos)), (Some(134), Some(99)));
        assert_eq!(exp.neg[0].sections[0].bits(), [0xb63f_ffff, 0x3f7f_ffd0, 0x3f7f_ffd0, 0x3eff_ffd0, 0x3e2a_aa8b]);
    }
}
