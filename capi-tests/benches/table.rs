//! The table path by tier, table shape and block size. Results are compared with the definition before they are timed.
//! `docs/performance.md` has a recorded run; `make bench` times the library against the C++ reference.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pwp_sim_core::engine::eval::{self, definition};
use pwp_sim_core::profile::{Profile, Region, SaturationPoint, Section, Specials, Symmetry};
use pwp_sim_core::{Affine, Bf16, Element, F16, Function, Numerics, Simulator, Table, Tier};

/// The derivatives of a function: `[f, f', f''/2, f'''/6]` at a point.
type Taylor = fn(f64) -> [f64; 4];

/// Octaves from `first` to `last`, with more sections the larger the exponent, as the published tables have them.
fn side(taylor: Taylor, sign: u32, first: i32, last: i32, degree: usize) -> Vec<Region> {
    let octaves = (first..=last).map(|exponent| {
        let extract_size = (exponent + 2).clamp(0, 8) as u32;
        let sections = (0..1u32 << extract_size).map(|index| {
            let width = 1u32 << (23 - extract_size);
            let start = sign | ((exponent + 127) as u32) << 23 | (index * width);
            let x = f32::from_bits(start + (width - 1) / 2);
            let mut d = taylor(f64::from(x)).map(|d| d as f32);
            d[degree + 1..].fill(0.0);
            Section { x, d0: d[0], d1: d[1], d2: d[2], d3: d[3] }
        });
        Region { exponent, num_sections: 1 << extract_size, extract_size, sections: sections.collect() }
    });
    octaves.collect()
}

fn saturation(sat_point: i32, mantissa_point: i32, d: [f32; 4]) -> SaturationPoint {
    let section = Section { x: 0.0, d0: d[0], d1: d[1], d2: d[2], d3: d[3] };
    SaturationPoint { sat_point, mantissa_point, section }
}

/// A table of the shape of `exp_400p`, cut off after the term of the given degree.
fn exp(degree: usize) -> Table {
    let taylor: Taylor = |x| [x.exp(), x.exp(), x.exp() / 2.0, x.exp() / 6.0];
    let mut low = [1.0, 1.0, 0.5, 1.0 / 6.0];
    low[degree + 1..].fill(0.0);
    let low = saturation(108, 0, low);
    let mut profile = Profile {
        specials: Specials { zero: 1.0, nan: f32::NAN, pos_inf: f32::INFINITY, neg_inf: 0.0 },
        pos: side(taylor, 0, -19, 6, degree),
        neg: side(taylor, 0x8000_0000, -19, 6, degree),
        saturation_points: [
            saturation(133, 3_240_472, [f32::INFINITY, 0.0, 0.0, 0.0]),
            low,
            saturation(133, 4_362_891, [0.0; 4]),
            low,
        ],
        ..Profile::default()
    };
    profile.pos.last_mut().expect("octaves").sections.truncate(99);
    profile.neg.last_mut().expect("octaves").sections.truncate(134);
    Table::new(&profile).unwrap()
}

/// A table of the shape of `tanh_4p`: folded to the positive side, the sign put back.
fn tanh() -> Table {
    let taylor: Taylor = |x| {
        let y = x.tanh();
        let slope = 1.0 - y * y;
        [y, slope, -y * slope, slope * (6.0 * y * y - 2.0) / 6.0]
    };
    let (low, high) = (saturation(113, 0, [0.0, 1.0, 0.0, 0.0]), saturation(130, 0x10_0000, [1.0, 0.0, 0.0, 0.0]));
    Table::new(&Profile {
        symmetry: Symmetry { enabled: true, invert_sign: true, use_neg_region: false, point: 0.0 },
        specials: Specials { zero: 0.0, nan: f32::NAN, pos_inf: 1.0, neg_inf: -1.0 },
        pos: side(taylor, 0, -14, 3, 3),
        neg: Vec::new(),
        saturation_points: [high, low, high, low],
    })
    .unwrap()
}

/// `n` inputs uniform in [-10, 10].
fn uniform(n: usize) -> Vec<f32> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 * 20.0 - 10.0
    };
    (0..n).map(|_| next()).collect()
}

fn verify(tier: Tier, table: &Table, input: &[f32]) {
    let mut output = input.to_vec();
    eval::evaluate_block(tier, table, &Affine::UNIT, &mut output);
    for (x, y) in input.iter().zip(&output) {
        let expected = definition::evaluate(table, x + 0.0).expect("a covered table");
        assert_eq!(y.to_bits(), expected.to_bits(), "{} at {x:e}", tier.name());
    }
}

/// Elements of 16 bits beside floats: the same inputs, by the same table.
fn typed(c: &mut Criterion) {
    let n = 65536;
    let floats: Vec<f32> = uniform(n).into_iter().map(|x| Bf16::narrow(x).widen()).collect();
    let f16: Vec<F16> = floats.iter().copied().map(F16::narrow).collect();
    let bf16: Vec<Bf16> = floats.iter().copied().map(Bf16::narrow).collect();
    let mut group = c.benchmark_group("typed");
    group.throughput(Throughput::Elements(n as u64));
    for tier in Tier::available() {
        let simulator = Simulator::from_tables([(Function::Exp, exp(3))]).with_tier(tier);
        let (mut float_out, mut f16_out, mut bf16_out) = (floats.clone(), f16.clone(), bf16.clone());
        let (function, affine, table) = (Function::Exp, &Affine::UNIT, Numerics::Table);
        simulator.apply(function, affine, &floats, &mut float_out, table).expect("a covered table");
        simulator.apply_typed(function, affine, &f16, &mut f16_out, table).expect("a covered table");
        simulator.apply_typed(function, affine, &bf16, &mut bf16_out, table).expect("a covered table");
        for (y, (f16, bf16)) in float_out.iter().zip(f16_out.iter().zip(&bf16_out)) {
            assert_eq!(*bf16, Bf16::narrow(*y));
            assert!(*f16 == F16::narrow(*y) || y.is_nan());
        }
        group.bench_function(BenchmarkId::new(tier.name(), "f32"), |b| {
            b.iter(|| simulator.apply(function, affine, black_box(&floats), black_box(&mut float_out), table));
        });
        group.bench_function(BenchmarkId::new(tier.name(), "f16"), |b| {
            b.iter(|| simulator.apply_typed(function, affine, black_box(&f16), black_box(&mut f16_out), table));
        });
        group.bench_function(BenchmarkId::new(tier.name(), "bf16"), |b| {
            b.iter(|| simulator.apply_typed(function, affine, black_box(&bf16), black_box(&mut bf16_out), table));
        });
    }
    group.finish();
}

fn bench(c: &mut Criterion) {
    let tables = [("exp", exp(3)), ("tanh", tanh()), ("quadratic", exp(2)), ("straight", exp(1))];
    for (name, table) in &tables {
        let mut group = c.benchmark_group(*name);
        let sizes: &[usize] = if *name == "exp" { &[1, 16, 256, 4096, 65536] } else { &[65536] };
        for &n in sizes {
            let input = uniform(n);
            let mut output = input.clone();
            group.throughput(Throughput::Elements(n as u64));
            for tier in Tier::available() {
                verify(tier, table, &input);
                group.bench_with_input(BenchmarkId::new(tier.name(), n), &n, |b, _| {
                    b.iter(|| {
                        output.copy_from_slice(black_box(&input));
                        eval::evaluate_block(tier, table, &Affine::UNIT, black_box(&mut output))
                    });
                });
            }
            if n == 65536 {
                group.bench_with_input(BenchmarkId::new("definition", n), &n, |b, _| {
                    b.iter(|| {
                        for (x, y) in black_box(&input).iter().zip(&mut output) {
                            *y = definition::evaluate(table, Affine::UNIT.scaled(*x)).expect("a covered table");
                        }
                        black_box(&mut output);
                    });
                });
            }
        }
        group.finish();
    }
    typed(c);
    for name in Tier::NAMES.iter().filter(|name| Tier::named(name).is_none()) {
        eprintln!("skipped: this CPU has no {name}");
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
