//! Which inputs are compared, in which order. The choice is the same on every run.

use pwp_sim_core::Table;
use pwp_sim_core::profile::Saturation;
use serde::{Deserialize, Serialize};

/// The bit patterns of floats.
const ALL: u64 = 1 << 32;

/// The inputs of one call.
pub const CHUNK: u64 = 1 << 17;

/// The inputs after which a comparison that is taken up again has no need to start over.
pub const UNIT: u64 = 1 << 21;

/// The inputs of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Plan {
    /// One input in each of this many equal parts of the bit patterns, 1 to 2^32.
    Sample {
        /// The number of parts.
        count: u64,
        /// Chooses the input within each part.
        seed: u64,
    },
    /// Every float.
    Exhaustive,
}

impl Plan {
    /// The number of inputs.
    pub fn count(&self) -> u64 {
        match self {
            Plan::Sample { count, .. } => *count,
            Plan::Exhaustive => ALL,
        }
    }

    /// The number of units; the last may be short.
    pub fn units(&self) -> u64 {
        self.count().div_ceil(UNIT)
    }

    /// The numbers of the inputs of a unit.
    pub fn unit(&self, unit: u64) -> std::ops::Range<u64> {
        unit * UNIT..((unit + 1) * UNIT).min(self.count())
    }

    /// The inputs with these numbers.
    pub fn inputs(&self, numbers: std::ops::Range<u64>, inputs: &mut Vec<f32>) {
        inputs.clear();
        let Plan::Sample { count, seed } = *self else {
            inputs.extend(numbers.map(|number| f32::from_bits(number as u32)));
            return;
        };
        inputs.extend(numbers.map(|number| {
            let (from, to) = (number * ALL / count, (number + 1) * ALL / count);
            f32::from_bits((from + mix(number ^ seed.rotate_left(32)) % (to - from)) as u32)
        }));
    }
}

/// Scatters a number over 64 bits (the finalizer of MurmurHash3).
fn mix(mut number: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        number = (number ^ (number >> 33)).wrapping_mul(factor);
    }
    number ^ (number >> 33)
}

/// The inputs where a difference is most likely, which a sample has besides: zeros, infinities, NaN, the ends of every
/// octave, and of a table the first and last input of every section and those beside a clamp's threshold.
pub fn edges(table: Option<&Table>) -> Vec<f32> {
    let mut edges = vec![0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fff_ffff, 1, 0x8000_0001, 2, 0x8000_0002];
    for slot in 0..512u32 {
        edges.extend([slot << 23, slot << 23 | 1, slot << 23 | 0x40_0000, slot << 23 | 0x7f_ffff]);
    }
    let Some(table) = table else { return floats(edges) };
    // Of a folded table both sides: the stored one's edges and their mirror images.
    let mut both = |bits: u32| edges.extend([bits, bits ^ 0x8000_0000]);
    for saturation in Saturation::ALL {
        let point = table.saturation_point(saturation);
        if let (0..=255, 0..=0x7f_ffff) = (point.sat_point, point.mantissa_point) {
            let threshold = (point.sat_point as u32) << 23 | point.mantissa_point as u32;
            (-2i32..=2).for_each(|step| both(threshold.wrapping_add_signed(step)));
        }
    }
    for (slot, octave) in table.octaves().iter().enumerate() {
        let shift = 23 - octave.extract_size;
        for index in 0..octave.num_sections.min(octave.stored + 1) {
            let first = (slot as u32) << 23 | (index << shift & 0x7f_ffff);
            [first, first | ((1 << shift) - 1), first | (1 << shift) >> 1].into_iter().for_each(&mut both);
        }
    }
    floats(edges)
}

fn floats(mut bits: Vec<u32>) -> Vec<f32> {
    bits.sort_unstable();
    bits.dedup();
    bits.into_iter().map(f32::from_bits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_one_input_of_every_part_and_another_seed_has_others() {
        let of = |seed| {
            let plan = Plan::Sample { count: 1000, seed };
            let mut inputs = Vec::new();
            plan.inputs(0..1000, &mut inputs);
            inputs.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        for (number, bits) in of(0).into_iter().enumerate() {
            assert_eq!((u64::from(bits) * 1000 + 999) / ALL, number as u64, "{bits:08x}");
        }
        assert_ne!(of(0), of(1));
        assert_eq!(of(1), of(1));
    }

    #[test]
    fn the_units_of_the_exhaustive_plan_are_every_float_once() {
        let plan = Plan::Exhaustive;
        let ranges: Vec<_> = (0..plan.units()).map(|unit| plan.unit(unit)).collect();
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((ranges[0].start, ranges.last().unwrap().end), (0, ALL));
        let mut inputs = Vec::new();
        plan.inputs(0x3f80_0000..0x3f80_0002, &mut inputs);
        assert_eq!(inputs, [1.0, 1.0f32.next_up()]);
    }

    #[test]
    fn edges_have_the_thresholds_of_clamps_and_the_ends_of_sections_on_both_sides() {
        let table = crate::sources::Tables::open("builtin:").unwrap().find("tanh").unwrap().1.unwrap().table().unwrap();
        let edges = edges(Some(&table));
        let high = table.saturation_point(Saturation::PosHigh);
        let threshold = (high.sat_point as u32) << 23 | high.mantissa_point as u32;
        for bits in [threshold - 1, threshold, threshold | 0x8000_0000, 0, 0x8000_0000, 0x7f80_0000] {
            assert!(edges.iter().any(|x| x.to_bits() == bits), "{bits:08x}");
        }
    }
}
