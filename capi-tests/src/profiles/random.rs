//! Random tables that cover every input, from a seed: what the harness runs both libraries over.
//!
//! Covered means that every float of both signs, NaN patterns included, reaches a section: the C++ reference aborts
//! where one does not.

use pwp_sim_core::profile::{Profile, Region, SaturationPoint, Section, Specials, Symmetry};

/// The combinations of the three symmetry flags.
pub const FOLDS: u32 = 8;

/// A small generator of random numbers (SplitMix64, Steele et al. 2014): the files must not change with a library.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// The flags of a fold mode, `0..FOLDS`: bit 0 enables, bit 1 inverts, bit 2 folds to the negative side.
pub fn symmetry_of_fold(fold: u32, point: f32) -> Symmetry {
    Symmetry { enabled: fold & 1 != 0, invert_sign: fold & 2 != 0, use_neg_region: fold & 4 != 0, point }
}

/// A random table of one fold mode.
pub fn random(rng: &mut Random, fold: u32) -> Profile {
    let (pos, [pos_high, pos_low]) = side(rng, 0);
    let (neg, [neg_high, neg_low]) = side(rng, 1);
    let mut saturation_points = [SaturationPoint::default(); 4];
    use pwp_sim_core::profile::Saturation::{NegHigh, NegLow, PosHigh, PosLow};
    for (saturation, point) in [(PosHigh, pos_high), (PosLow, pos_low), (NegHigh, neg_high), (NegLow, neg_low)] {
        saturation_points[saturation as usize] = point;
    }
    let specials = Specials {
        zero: coefficient(rng),
        nan: f32::from_bits(rng.bits() as u32),
        pos_inf: coefficient(rng),
        neg_inf: coefficient(rng),
    };
    Profile { symmetry: symmetry_of_fold(fold, coefficient(rng)), specials, pos, neg, saturation_points }
}

/// The octaves of one side, and its high and low saturation points. Every biased exponent between the two points has a
/// complete octave; what the points take may have one as well, then often a cut one.
fn side(rng: &mut Random, sign: u32) -> (Vec<Region>, [SaturationPoint; 2]) {
    let (low, high) = match rng.below(8) {
        // Every octave there is: from the denormals, or from nothing, to the NaNs.
        0 => (rng.below(2) as i32 - 1, 255 + rng.below(2) as i32),
        // The clamps meet or cross: the high one, asked first, takes what both claim.
        1 => {
            let low = 100 + rng.below(50) as i32;
            (low, low + 1 - rng.below(3) as i32)
        }
        _ => {
            let low = 105 + rng.below(25) as i32;
            (low, low + 2 + rng.below(16) as i32)
        }
    };
    let wide = high - low > 40;
    let mut regions = Vec::new();
    for slot in (low - 1).max(0)..=(high + 1).min(255) {
        let needed = (low..=high).contains(&slot);
        if needed || rng.one_in(2) {
            regions.push(octave(rng, sign, slot, needed, wide));
        }
    }
    let point = |rng: &mut Random, sat_point: i32, section| SaturationPoint {
        sat_point,
        mantissa_point: threshold(rng),
        section,
    };
    let centre = |slot: i32| (sign << 31) | (slot.clamp(0, 254) as u32) << 23;
    let (high_section, low_section) = (section(rng, centre(high)), section(rng, centre(low)));
    let mut high = point(rng, high, high_section);
    if high.sat_point > 255 {
        // Above every exponent: never taken, whatever its mantissa. The last octave then serves the NaNs.
        high.mantissa_point = i32::MIN;
    }
    (regions, [high, point(rng, low, low_section)])
}

/// The mantissa of a threshold: mostly within the mantissas, also at their ends and beyond.
fn threshold(rng: &mut Random) -> i32 {
    match rng.below(8) {
        0 => 0,
        1 => 0x7f_ffff,
        2 => [-1, i32::MIN, 0x80_0000, i32::MAX][rng.below(4) as usize],
        _ => rng.below(1 << 23) as i32,
    }
}

/// One octave. A `needed` one has as many sections as its index can reach; another may be cut short.
fn octave(rng: &mut Random, sign: u32, slot: i32, needed: bool, wide: bool) -> Region {
    let extract_size = if wide { rng.below(3) } else { rng.below(9).min(rng.below(9) + 2) };
    let reach = 1 << extract_size;
    let num_sections = match rng.below(4) {
        _ if !needed => rng.below(reach + 1),
        0 => reach + rng.below(3),
        _ => reach,
    };
    // Fewer sections than the region announces: the others are all zero.
    let given = if rng.one_in(4) { rng.below(num_sections + 1) } else { num_sections };
    let shift = 23 - extract_size;
    let first = (sign << 31) | (slot as u32) << 23;
    let sections = (0..given).map(|index| section(rng, first + ((index << shift) & 0x7f_ffff))).collect();
    Region { exponent: slot - 127, num_sections, extract_size, sections }
}

/// A section about a point near the pattern `start`; now and then about any float at all.
fn section(rng: &mut Random, start: u32) -> Section {
    let x = if rng.one_in(16) { coefficient(rng) } else { f32::from_bits(start | rng.below(1 << 15)) };
    Section { x, d0: coefficient(rng), d1: coefficient(rng), d2: coefficient(rng), d3: coefficient(rng) }
}

/// A coefficient: of ordinary size nine times in ten, else zero, denormal, huge, infinite, NaN or any pattern.
fn coefficient(rng: &mut Random) -> f32 {
    let bits = rng.bits() as u32;
    let sign = bits & 0x8000_0000;
    f32::from_bits(match rng.below(60) {
        0 => sign,
        1 => sign | 0x7f80_0000,
        2 => sign | 0x7fc0_0000 | (bits & 0xff),
        3 => sign | (bits & 0x7f_ffff),
        4 => sign | 0x7f00_0000 | (bits & 0xff_ffff),
        5 => bits,
        _ => sign | (112 + rng.below(30)) << 23 | (bits & 0x7f_ffff),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pwp_sim_core::table::Table;

    #[test]
    fn every_input_of_a_random_table_is_covered() {
        let mut rng = Random::new(7);
        for fold in 0..FOLDS {
            for _ in 0..40 {
                let table = Table::new(&random(&mut rng, fold)).unwrap();
                for top in 0..=0xffff_u32 {
                    for bits in [top << 16, top << 16 | 0xffff] {
                        let sel = table.fold(f32::from_bits(bits));
                        assert!(table.locate(sel).is_some(), "fold {fold}, {bits:08x}");
                    }
                }
            }
        }
    }

    #[test]
    fn equal_seeds_give_equal_tables() {
        assert_eq!(random(&mut Random::new(3), 5), random(&mut Random::new(3), 5));
        assert_ne!(random(&mut Random::new(3), 5), random(&mut Random::new(4), 5));
    }
}
