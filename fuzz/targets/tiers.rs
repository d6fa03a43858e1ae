//! Every tier of this CPU against the definition, on tables and inputs of any kind: the same bits, the same inputs
//! unhandled.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use pwp_sim_core::engine::eval::{self, Tier, definition};
use pwp_sim_core::{Affine, Table};
use pwp_sim_fuzz::{input, scaling};

fuzz_target!(|data: &[u8]| {
    // Bytes that run out before the table is whole say nothing.
    let _ = run(data);
});

fn run(data: &[u8]) -> Result<()> {
    let mut bytes = Unstructured::new(data);
    let table = Table::new(&pwp_sim_fuzz::profile(&mut bytes)?).expect("the profile is within its ranges");
    let mut affine = Affine::new(1.0, -0.0);
    if bytes.ratio(1, 2)? {
        affine = Affine::new(scaling(input(&mut bytes)?), scaling(input(&mut bytes)?));
    }
    let mut inputs: Vec<f32> = (0..bytes.int_in_range(0..=80)?).map(|_| input(&mut bytes)).collect::<Result<_>>()?;
    inputs.extend(edges(&table));
    let expected: Vec<Option<f32>> = inputs.iter().map(|&x| definition::evaluate(&table, affine.scaled(x))).collect();
    for tier in Tier::available() {
        let mut results = inputs.clone();
        let unhandled = eval::evaluate_block(tier, &table, &affine, &mut results);
        for ((x, result), expected) in inputs.iter().zip(&results).zip(&expected) {
            let expected = expected.unwrap_or(eval::NAN);
            let name = tier.name();
            assert_eq!(result.to_bits(), expected.to_bits(), "{name} at {x:?} ({:08x})", x.to_bits());
        }
        let lost = expected.iter().filter(|result| result.is_none()).count();
        assert_eq!(unhandled.count, lost as u64, "{} over {} inputs, {expected:x?}", tier.name(), inputs.len());
        let first = expected.iter().position(Option::is_none);
        assert_eq!((unhandled.count > 0).then_some(unhandled.first), first);
    }
    for (&x, expected) in inputs.iter().zip(&expected) {
        let result = eval::evaluate(&table, affine.scaled(x));
        assert_eq!(result.map(f32::to_bits), expected.map(f32::to_bits), "one element at {x:?}");
    }
    Ok(())
}

/// Inputs at which a table decides: the ends of its octaves and the edges of its clamps, and the special ones.
fn edges(table: &Table) -> Vec<f32> {
    let mut inputs =
        vec![0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(0xffff_ffff), f32::MIN_POSITIVE];
    for slot in (0..512u32).filter(|&slot| table.octaves()[slot as usize].stored > 0).take(8) {
        inputs.extend([slot << 23, slot << 23 | 0x7f_ffff, slot << 23 | 0x40_0000].map(f32::from_bits));
    }
    use pwp_sim_core::profile::Saturation::{NegHigh, NegLow, PosHigh, PosLow};
    for (saturation, sign) in [(PosHigh, 0), (PosLow, 0), (NegHigh, 1), (NegLow, 1)] {
        let point = table.saturation_point(saturation);
        if (0..256).contains(&point.sat_point) && (0..=0x7f_ffff).contains(&point.mantissa_point) {
            let bits = sign << 31 | (point.sat_point as u32) << 23 | point.mantissa_point as u32;
            inputs.extend([bits.wrapping_sub(1), bits, bits.wrapping_add(1)].map(f32::from_bits));
        }
    }
    inputs
}
