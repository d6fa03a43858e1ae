//! One suite for every evaluator. The oracle is the definition, one element at a time; an implementation passes when
//! its bits are the oracle's. Tiers that this CPU lacks are named as skipped.

use super::{Tier, Unhandled, definition, evaluate_block};
use crate::affine::Affine;
use crate::float::NAN;
use crate::profile::{Profile, Region, SaturationPoint, Section};
use crate::table::samples::{
    Coefficients, Rng, Shape, exp_table, random_table, small_straight_table, symmetry, table_of,
};
use crate::table::{Degree, Place, Table};

/// Every tier that runs here.
fn tiers() -> Vec<Tier> {
    for name in Tier::NAMES.iter().filter(|name| Tier::named(name).is_none()) {
        eprintln!("skipped: this CPU has no {name}");
    }
    Tier::available().collect()
}

/// What the definition makes of a block.
fn oracle(table: &Table, affine: &Affine, data: &[f32]) -> (Vec<u32>, Unhandled) {
    let mut unhandled = Unhandled::default();
    let results = data.iter().enumerate().map(|(index, &v)| {
        let y = definition::evaluate(table, affine.scale * v + affine.bias);
        y.unwrap_or_else(|| {
            unhandled.add(index);
            NAN
        })
        .to_bits()
    });
    (results.collect(), unhandled)
}

/// Compares every tier with the definition on one block.
#[track_caller]
pub(crate) fn check(table: &Table, affine: &Affine, data: &[f32]) {
    let (expected, unhandled) = oracle(table, affine, data);
    for tier in tiers() {
        let mut results = data.to_vec();
        let found = evaluate_block(tier, table, affine, &mut results);
        let wrong = results.iter().zip(&expected).position(|(y, e)| y.to_bits() != *e);
        if let Some(i) = wrong {
            let (v, y) = (data[i].to_bits(), results[i].to_bits());
            panic!("{}: element {i}, input {v:08x}: {y:08x}, not {:08x}; {affine:?}", tier.name(), expected[i]);
        }
        assert_eq!(found.count, unhandled.count, "{}", tier.name());
        assert!(found.count == 0 || found.first == unhandled.first, "{}", tier.name());
    }
}

/// Takes inputs as they are but for -0, whose results are those of 0.
pub(crate) const PLAIN: Affine = Affine::UNIT;

/// All inputs whose low 16 bits are zero.
pub(crate) fn coarse() -> Vec<f32> {
    (0..1u32 << 16).map(|high| f32::from_bits(high << 16)).collect()
}

/// Around every edge of a section, an octave, and a saturation point of the table.
fn edges(table: &Table) -> Vec<f32> {
    let mut starts: Vec<u32> = (0..512).map(|slot| slot << 23).collect();
    for (slot, octave) in table.octaves().iter().enumerate() {
        let sections = u64::from(octave.num_sections).min(1 << octave.extract_size).min(600) as u32;
        starts.extend((0..sections).map(|index| (slot as u32) << 23 | index << (23 - octave.extract_size)));
    }
    for (side, t) in table.lookup().thresholds().iter().enumerate() {
        starts.extend([t.high_after, t.low_last].map(|a| a as u32 & 0x7fff_ffff | (side as u32) << 31));
    }
    let around = |start: u32| (0..5).map(move |d| f32::from_bits(start.wrapping_add(d).wrapping_sub(2)));
    starts.into_iter().flat_map(around).collect()
}

fn random_patterns(rng: &mut Rng, n: usize) -> Vec<f32> {
    (0..n).map(|_| f32::from_bits(rng.next() as u32)).collect()
}

/// Random patterns that lie where a table has its octaves.
pub(crate) fn central(rng: &mut Rng, n: usize) -> Vec<f32> {
    let pattern = |rng: &mut Rng| (100 + rng.below(36) as u32) << 23 | rng.next() as u32 & 0x807f_ffff;
    (0..n).map(|_| f32::from_bits(pattern(rng))).collect()
}

/// Zeros, infinities, NaN of all kinds and the extremes, many times over in a random order.
fn specials(rng: &mut Rng) -> Vec<f32> {
    let patterns =
        [0, 1, 0x7f_ffff, 0x80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff, 0x3f80_0000];
    (0..1024).map(|_| f32::from_bits(patterns[rng.below(10) as usize] | (rng.next() as u32) << 31)).collect()
}

pub(crate) fn inputs(rng: &mut Rng, table: &Table) -> Vec<f32> {
    let mut data = edges(table);
    data.extend(specials(rng));
    data.extend(random_patterns(rng, 1 << 12));
    data.extend(central(rng, 1 << 13));
    data
}

#[test]
fn the_exp_table_has_the_published_sections() {
    let table = exp_table();
    assert_eq!(table.sections().len(), 777);
    assert_eq!(table.sections()[0].bits(), [0xb63f_ffff, 0x3f7f_ffd0, 0x3f7f_ffd0, 0x3eff_ffd0, 0x3e2a_aa8b]);
    assert_eq!(table.sections()[424].bits()[..2], [0x3f1f_ffff, 0x3fef_22ae]);
    assert_eq!(definition::evaluate(&table, 0.5), Some(1.648_702_7));
    assert!(table.lookup().rows().len() < 800, "the clamps cut the top octaves short: no padding");
}

#[test]
fn the_exp_table_gives_the_defined_bits() {
    let (table, mut rng) = (exp_table(), Rng(4));
    check(&table, &PLAIN, &coarse());
    check(&table, &PLAIN, &edges(&table));
    check(&table, &PLAIN, &random_patterns(&mut rng, 1 << 18));
    check(&table, &Affine { scale: 1.25, bias: -3.0, alpha: 0.0 }, &central(&mut rng, 1 << 18));
    check(&table, &PLAIN, &specials(&mut rng));
}

#[test]
fn covered_tables_of_every_fold_and_every_kind_of_coefficient_give_the_defined_bits() {
    let mut rng = Rng(5);
    let coarse = coarse();
    for coefficients in Coefficients::ALL {
        for flags in 0..8 {
            let shape = Shape { coefficients, symmetry: symmetry(&mut rng, flags), holes: false };
            let table = table_of(&mut rng, shape);
            check(&table, &PLAIN, &coarse);
            check(&table, &PLAIN, &inputs(&mut rng, &table));
        }
    }
}

#[test]
fn straight_tables_that_fit_registers_give_the_defined_bits() {
    let (mut rng, coarse) = (Rng(20), coarse());
    for flags in 0..32 {
        let table = small_straight_table(&mut rng, flags % 8);
        assert!(table.lookup().columns().is_some() && table.lookup().near().is_some());
        check(&table, &PLAIN, &coarse);
        check(&table, &PLAIN, &inputs(&mut rng, &table));
    }
}

#[test]
fn tables_with_holes_give_the_defined_bits_and_count_what_is_unhandled() {
    let mut rng = Rng(6);
    let mut unhandled = 0;
    for flags in 0..32 {
        let coefficients = Coefficients::ALL[rng.below(6) as usize];
        let shape = Shape { coefficients, symmetry: symmetry(&mut rng, flags % 8), holes: true };
        let table = table_of(&mut rng, shape);
        let data = inputs(&mut rng, &table);
        unhandled += oracle(&table, &PLAIN, &data).1.count;
        check(&table, &PLAIN, &data);
    }
    assert!(unhandled > 10_000, "the test must reach them");
}

#[test]
fn random_tables_under_random_scalings_give_the_defined_bits() {
    let mut rng = Rng(7);
    for _ in 0..200 {
        let table = random_table(&mut rng);
        let affine = Affine { scale: rng.float(), bias: rng.float(), alpha: 0.0 };
        check(&table, &affine, &inputs(&mut rng, &table));
    }
}

#[test]
fn every_kernel_is_reached() {
    let mut rng = Rng(8);
    for (coefficients, degree) in [
        (Coefficients::Straight, Degree::Linear),
        (Coefficients::Quadratic, Degree::Quadratic),
        (Coefficients::Plain, Degree::Cubic),
    ] {
        let shape = Shape { coefficients, symmetry: symmetry(&mut rng, 0), holes: false };
        assert_eq!(table_of(&mut rng, shape).lookup().degree(), degree);
    }
}

#[test]
fn sums_on_halfway_points_take_the_real_cube() {
    let mut rng = Rng(9);
    for flags in [0, 1, 7] {
        let shape = Shape { coefficients: Coefficients::Cubes, symmetry: symmetry(&mut rng, flags), holes: false };
        let table = table_of(&mut rng, shape);
        // Cubes of at most 25 significant bits: odd 9-bit numbers, many of whose cubes are halfway points.
        let exact = |rng: &mut Rng| {
            let odd = (2 * rng.below(256) + 1) as f32 * 2f32.powi(rng.below(30) as i32 - 20);
            if rng.one_in(2) { odd } else { -odd }
        };
        let data: Vec<f32> = (0..1 << 14).map(|_| exact(&mut rng)).collect();
        check(&table, &PLAIN, &data);
    }
}

/// An input that `pow` does not cube correctly, and a section whose sum is next to a halfway point there, so that the
/// rounded cube gives the other float.
fn section_where_the_real_cube_counts(rng: &mut Rng) -> Option<(f32, Section)> {
    let v = f32::from_bits(0x3f80_0000 | rng.next() as u32 & 0x7f_ffff);
    let (t, rounded) = (f64::from(v), f64::from(v) * f64::from(v) * f64::from(v));
    let real = crate::float::libm::pow(t, 3.0);
    if real == rounded {
        return None;
    }
    // With d3 = 1: what takes the rounded cube to a halfway point or the double next to it, split into floats.
    let half = f64::from_bits(rounded.to_bits() & !0x1fff_ffff | 0x1000_0000);
    let targets = [half, f64::from_bits(half.to_bits() - 1), f64::from_bits(half.to_bits() + 1)];
    targets.into_iter().find_map(|target| {
        let way = target - rounded;
        let d0 = way as f32;
        let d2 = ((way - f64::from(d0)) / (t * t)) as f32;
        let sum = |cube: f64| (cube + (f64::from(d0) + t * t * f64::from(d2))) as f32;
        (sum(rounded) != sum(real)).then_some((v, Section { x: 0.0, d0, d1: 0.0, d2, d3: 1.0 }))
    })
}

#[test]
fn where_the_rounded_cube_would_give_another_float_the_real_one_counts() {
    let mut rng = Rng(13);
    let found: Vec<_> = (0..1 << 20).filter_map(|_| section_where_the_real_cube_counts(&mut rng)).take(50).collect();
    if found.is_empty() {
        eprintln!("skipped: this libm's pow cubes a million floats correctly");
    }
    for (v, section) in found {
        let region = Region { exponent: 0, num_sections: 1, extract_size: 0, sections: vec![section] };
        let mut saturation_points = [SaturationPoint { sat_point: 300, ..Default::default() }; 4];
        (saturation_points[1].sat_point, saturation_points[3].sat_point) = (-1, -1);
        let table = Table::new(&Profile { pos: vec![region], saturation_points, ..Default::default() }).unwrap();
        check(&table, &PLAIN, &[v; 37]);
        check(&table, &PLAIN, &[v; 3]);
    }
}

#[test]
fn blocks_of_every_length_at_every_offset_give_the_defined_bits() {
    let mut rng = Rng(10);
    let affine = Affine { scale: -0.75, bias: 0.25, alpha: 0.0 };
    for table in [exp_table(), random_table(&mut rng), random_table(&mut rng)] {
        for length in 0..=70 {
            for offset in 0..4 {
                let data = central(&mut rng, offset + length);
                let (expected, unhandled) = oracle(&table, &affine, &data[offset..]);
                for tier in tiers() {
                    let mut results = data.clone();
                    results.push(3.25);
                    let found = evaluate_block(tier, &table, &affine, &mut results[offset..offset + length]);
                    let bits: Vec<u32> = results[offset..offset + length].iter().map(|y| y.to_bits()).collect();
                    assert_eq!(bits, expected, "{} {length}", tier.name());
                    assert_eq!(found.count, unhandled.count);
                    assert!(found.count == 0 || found.first == unhandled.first);
                    assert_eq!(results[..offset], data[..offset]);
                    assert_eq!(results[offset + length], 3.25);
                }
            }
        }
    }
}

#[test]
fn the_first_unhandled_input_and_their_count_are_exact() {
    let mut rng = Rng(11);
    let table = Table::new(&Profile {
        saturation_points: [SaturationPoint { sat_point: 300, ..Default::default() }; 4],
        ..Default::default()
    })
    .unwrap();
    // The low saturation points take everything: nothing is unhandled.
    check(&table, &PLAIN, &random_patterns(&mut rng, 100));
    let mut saturation_points = [SaturationPoint { sat_point: 300, ..Default::default() }; 4];
    saturation_points[1].sat_point = -1;
    saturation_points[3].sat_point = -1;
    let table = Table::new(&Profile { saturation_points, ..Default::default() }).unwrap();
    assert_eq!(table.locate(1.0), None::<Place>);
    for at in 0..40 {
        let mut data = [0.0; 50];
        data[at] = 1.0;
        data[at + 9] = -1.0;
        check(&table, &PLAIN, &data);
        for tier in tiers() {
            let found = evaluate_block(tier, &table, &PLAIN, &mut data.clone());
            assert_eq!(found, Unhandled { count: 2, first: at });
        }
    }
}

#[test]
fn unhandled_blocks_merge_by_offset() {
    let mut sum = Unhandled::default();
    sum.merge(Unhandled::default(), 100);
    sum.merge(Unhandled { count: 2, first: 3 }, 200);
    sum.merge(Unhandled { count: 1, first: 0 }, 300);
    assert_eq!(sum, Unhandled { count: 3, first: 203 });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn other_rounding_and_denormal_modes_give_what_the_definition_gives_in_them() {
    let mut rng = Rng(12);
    let mut differ = 0;
    for table in [exp_table(), random_table(&mut rng), random_table(&mut rng)] {
        let mut data = central(&mut rng, 1 << 12);
        data.extend(specials(&mut rng));
        let nearest = oracle(&table, &PLAIN, &data).0;
        for control in [0x3f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0, 0x9fc0] {
            crate::float::environment::with_mxcsr(control, || {
                check(&table, &PLAIN, &data);
                for &v in &data {
                    let v = std::hint::black_box(PLAIN.scaled(v)); // the compiler knows PLAIN, and not the mode
                    let bits = |y: Option<f32>| y.map(f32::to_bits);
                    assert_eq!(
                        bits(super::evaluate(&table, v)),
                        bits(definition::evaluate(&table, v)),
                        "{v:e} {control:x}"
                    );
                }
            });
            let other = crate::float::environment::with_mxcsr(control, || oracle(&table, &PLAIN, &data).0);
            differ += nearest.iter().zip(&other).filter(|(a, b)| a != b).count();
        }
    }
    assert!(differ > 1000, "the modes must matter");
}
