//! Which inputs a sampled report looks at. The choice is the same on every run.

use pwp_sim_core::Table;
use pwp_sim_core::profile::Saturation;

/// The mantissas of one octave.
const MANTISSAS: u32 = 1 << 23;

/// One input to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// The bits.
    pub bits: u32,
    /// Whether it counts in means and shares: the even spread does, the edges do not.
    pub counted: bool,
}

/// The inputs of one slot (sign and biased exponent), in ascending order of bits: `samples` spread evenly, one in each
/// of that many equal intervals of the mantissa; the two ends; the first, middle and last input of every section; and
/// the two inputs at either side of a clamp's edge. Of the infinities' slot, only the infinity: a NaN has no truth.
pub fn inputs(slot: u32, samples: u32, table: Option<&Table>) -> Vec<Input> {
    let base = slot << 23;
    if slot & 255 == 255 {
        return vec![Input { bits: base, counted: true }];
    }
    let even = (0..samples).map(|index| {
        let start = |index: u32| (u64::from(index) * u64::from(MANTISSAS) / u64::from(samples)) as u32;
        let width = start(index + 1) - start(index);
        let offset = (mix(u64::from(slot) << 32 | u64::from(index)) % u64::from(width.max(1))) as u32;
        Input { bits: base + start(index) + offset, counted: true }
    });
    let mut inputs: Vec<Input> = even.collect();
    let mut edges = vec![0, MANTISSAS - 1];
    if let Some(table) = table {
        edges.extend(section_mantissas(table, slot));
        edges.extend(clamp_mantissas(table, slot));
    }
    inputs.extend(edges.into_iter().map(|mantissa| Input { bits: base + mantissa, counted: false }));
    inputs.sort_unstable();
    inputs
}

/// The slot that inputs of `slot` are looked up in.
pub fn folded(table: &Table, slot: u32) -> u32 {
    table.fold(f32::from_bits(slot << 23 | 1)).to_bits() >> 23
}

/// The first, the middle and the last mantissa of every section of the slot's octave.
fn section_mantissas(table: &Table, slot: u32) -> Vec<u32> {
    let octave = table.octaves()[folded(table, slot) as usize];
    let width = MANTISSAS >> octave.extract_size;
    // Past this many, the even spread is what there is.
    let sections = octave.stored.min(1 << octave.extract_size).min(1 << 12);
    (0..sections).flat_map(|index| [0, (width - 1) / 2, width - 1].map(|offset| index * width + offset)).collect()
}

/// The mantissas at either side of the clamps' edges, where they fall into the slot.
fn clamp_mantissas(table: &Table, slot: u32) -> Vec<u32> {
    let slot = folded(table, slot);
    let saturation_points =
        if slot < 256 { [Saturation::PosHigh, Saturation::PosLow] } else { [Saturation::NegHigh, Saturation::NegLow] };
    let edges = saturation_points
        .map(|saturation| table.saturation_point(saturation))
        .into_iter()
        .filter(|point| point.sat_point == (slot & 255) as i32);
    let around = edges.flat_map(|point| [-1, 0, 1].map(|step| i64::from(point.mantissa_point) + step));
    around.filter(|mantissa| (0..i64::from(MANTISSAS)).contains(mantissa)).map(|mantissa| mantissa as u32).collect()
}

/// SplitMix64 (Steele, Lea and Flood, 2014): scatters the samples within their intervals.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_evenly_and_the_ends_are_there() {
        let inputs = inputs(130, 64, None);
        let counted: Vec<u32> = inputs.iter().filter(|input| input.counted).map(|input| input.bits).collect();
        assert_eq!(counted.len(), 64);
        for (index, bits) in counted.iter().enumerate() {
            assert_eq!((bits >> 17) & 63, index as u32);
            assert_eq!(bits >> 23, 130);
        }
        assert_eq!((inputs[0].bits, inputs[inputs.len() - 1].bits), (130 << 23, (131 << 23) - 1));
    }

    #[test]
    fn both_sides_of_every_edge_of_exp_are_looked_at() {
        let simulator = pwp_sim_core::Simulator::open("builtin:").unwrap();
        let table = simulator.table(pwp_sim_core::Function::Exp).unwrap();
        let bits = |slot| inputs(slot, 1, Some(table)).iter().map(|input| input.bits).collect::<Vec<u32>>();
        let high = bits(133);
        for mantissa in [3_240_471, 3_240_472, 0x7fff, 0x8000] {
            assert!(high.contains(&((133 << 23) + mantissa)), "{mantissa}");
        }
    }

    #[test]
    fn nan_is_no_input() {
        assert_eq!(inputs(255, 64, None), [Input { bits: 0x7f80_0000, counted: true }]);
    }
}
