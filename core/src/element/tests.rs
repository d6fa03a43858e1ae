//! The conversions against the formats' numbers alone, on every tier and in every floating-point environment.

use super::*;

/// A format by its numbers alone, in doubles: what the fast conversions are held to.
struct Plain {
    exponent_bits: i32,
    mantissa_bits: i32,
}

const BINARY16: Plain = Plain { exponent_bits: 5, mantissa_bits: 10 };
const BFLOAT16: Plain = Plain { exponent_bits: 8, mantissa_bits: 7 };

impl Plain {
    fn bias(&self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The value of a finite or infinite pattern; none of a NaN.
    fn value(&self, bits: u16) -> Option<f64> {
        let (mantissa_count, top) = (1 << self.mantissa_bits, (1 << self.exponent_bits) - 1);
        let mantissa = f64::from(i32::from(bits) % mantissa_count);
        let exponent = (i32::from(bits) >> self.mantissa_bits) & top;
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        let unit = 2f64.powi(exponent.max(1) - self.bias() - self.mantissa_bits);
        match (exponent == top, mantissa == 0.0) {
            (true, true) => Some(sign * f64::INFINITY),
            (true, false) => None,
            _ => Some(sign * unit * (mantissa + if exponent > 0 { f64::from(mantissa_count) } else { 0.0 })),
        }
    }

    /// The patterns of one sign up to the infinity, where what would follow the largest number stands for it.
    fn magnitudes(&self) -> Vec<f64> {
        let infinity = ((1 << self.exponent_bits) - 1) << self.mantissa_bits;
        let mut values: Vec<f64> = (0..infinity).map(|bits| self.value(bits as u16).unwrap()).collect();
        values.push(2f64.powi(self.bias() + 1));
        values
    }
}

fn widens<T: Element>(plain: &Plain, of: fn(u16) -> T) {
    for bits in 0..=u16::MAX {
        let wide = of(bits).widen();
        match plain.value(bits) {
            Some(value) => assert_eq!(f64::from(wide).to_bits(), value.to_bits(), "{bits:04x}"),
            None => {
                let payload = u32::from(bits) << (23 - plain.mantissa_bits) & 0x7f_ffff;
                let sign = u32::from(bits >> 15) << 31;
                assert_eq!(wide.to_bits(), sign | 0x7fc0_0000 | payload, "{bits:04x}");
            }
        }
    }
}

#[test]
fn every_pattern_widens_to_its_value() {
    widens(&BINARY16, F16);
    widens(&BFLOAT16, Bf16);
}

#[test]
fn what_is_beyond_the_largest_number_narrows_to_infinity_and_nan_to_a_quiet_nan() {
    for (x, f16, bf16) in [
        (65519.996f32, 0x7bff, 0x4780),
        (65520.0, 0x7c00, 0x4780),
        (f32::MAX, 0x7c00, 0x7f80),
        (f32::NEG_INFINITY, 0xfc00, 0xff80),
        (f32::from_bits(1), 0, 0),
        (f32::from_bits(0x8000_0001), 0x8000, 0x8000),
        (f32::from_bits(0x7fc0_0000), 0x7e00, 0x7fc0),
        (f32::from_bits(0xff80_0001), 0xfe00, 0xffc0),
    ] {
        assert_eq!((F16::narrow(x), Bf16::narrow(x)), (F16(f16), Bf16(bf16)), "{x:e}");
    }
}

/// The pattern that a float narrows to, for floats in ascending order: the candidate below it, found by stepping on.
struct Nearest<'a> {
    plain: &'a Plain,
    magnitudes: Vec<f64>,
    low: usize,
}

impl Nearest<'_> {
    fn of(plain: &Plain) -> Nearest<'_> {
        Nearest { plain, magnitudes: plain.magnitudes(), low: 0 }
    }

    /// Of the float with these bits, no smaller than the one before it and not negative.
    fn next(&mut self, bits: u32) -> u16 {
        let x = f32::from_bits(bits);
        if x.is_nan() {
            let infinity = self.magnitudes.len() - 1;
            let payload = (bits & 0x7f_ffff) >> (23 - self.plain.mantissa_bits);
            return infinity as u16 | payload as u16 | 1 << (self.plain.mantissa_bits - 1);
        }
        let x = f64::from(x);
        while let Some(above) = self.magnitudes.get(self.low + 1) {
            let middle = (self.magnitudes[self.low] + above) / 2.0;
            if x < middle || (x == middle && self.low.is_multiple_of(2)) {
                break;
            }
            self.low += 1;
        }
        self.low as u16
    }
}

/// Narrows these floats, in ascending order, and their negatives on every tier.
fn narrows<T: Element>(plain: &Plain, bits_of: fn(T) -> u16, magnitudes: impl Iterator<Item = u32>) {
    const BLOCK: usize = 1 << 12;
    let mut nearest = Nearest::of(plain);
    let mut magnitudes = magnitudes.peekable();
    while magnitudes.peek().is_some() {
        let block: Vec<u32> = magnitudes.by_ref().take(BLOCK).collect();
        let due: Vec<u16> = block.iter().map(|&bits| nearest.next(bits)).collect();
        for sign in [0, 1u16 << 15] {
            let from: Vec<f32> = block.iter().map(|&bits| f32::from_bits(bits | u32::from(sign) << 16)).collect();
            let mut to = vec![T::default(); from.len()];
            for tier in Tier::available() {
                T::narrow_block(tier, &from, &mut to);
                for ((x, y), due) in from.iter().zip(&to).zip(&due) {
                    assert_eq!(bits_of(*y), due | sign, "{} at {x:e} ({:08x})", tier.name(), x.to_bits());
                }
            }
        }
    }
}

/// All floats within three of every number and of the middle of every two.
fn near(plain: &Plain) -> impl Iterator<Item = u32> {
    let magnitudes = plain.magnitudes();
    let points = magnitudes.windows(2).flat_map(|pair| [pair[0], (pair[0] + pair[1]) / 2.0, pair[1]]);
    let near = points.flat_map(|point| {
        let bits = (point as f32).to_bits();
        bits.saturating_sub(3)..=(bits + 3).min(f32::INFINITY.to_bits())
    });
    near.collect::<std::collections::BTreeSet<u32>>().into_iter()
}

#[test]
fn floats_near_numbers_and_middles_narrow_to_the_nearest_number_and_of_two_to_the_even_one() {
    narrows::<F16>(&BINARY16, |element| element.0, near(&BINARY16));
    narrows::<Bf16>(&BFLOAT16, |element| element.0, near(&BFLOAT16));
}

#[test]
fn a_thousandth_of_all_floats_narrows_to_the_nearest_number_on_every_tier() {
    narrows::<F16>(&BINARY16, |element| element.0, (0..1 << 31).step_by(1021));
    narrows::<Bf16>(&BFLOAT16, |element| element.0, (0..1 << 31).step_by(1021));
}

#[test]
#[ignore = "all 2^32 floats, on every tier: make sweep-types"]
fn every_float_narrows_to_the_nearest_number_on_every_tier() {
    narrows::<F16>(&BINARY16, |element| element.0, 0..1 << 31);
    narrows::<Bf16>(&BFLOAT16, |element| element.0, 0..1 << 31);
}

fn round_trips<T: Element + PartialEq + std::fmt::Debug>(of: fn(u16) -> T) {
    for tier in Tier::available() {
        let all: Vec<T> = (0..=u16::MAX).map(of).collect();
        let (mut wide, mut back) = (vec![0.0; all.len()], vec![T::default(); all.len()]);
        T::widen_block(tier, &all, &mut wide);
        T::narrow_block(tier, &wide, &mut back);
        for ((before, wide), after) in all.iter().zip(&wide).zip(&back) {
            assert_eq!(wide.to_bits(), before.widen().to_bits(), "{}: {before:?}", tier.name());
            assert_eq!(*after, T::narrow(*wide), "{}: {before:?}", tier.name());
            assert!(after == before || wide.is_nan(), "{}: {before:?}", tier.name());
        }
    }
}

#[test]
fn every_tier_widens_and_narrows_all_patterns_alike_and_back_to_themselves() {
    round_trips(F16);
    round_trips(Bf16);
}

/// Denormals of either type, halves of units, the largest numbers and NaN of both kinds.
#[cfg(target_arch = "x86_64")]
#[test]
fn rounding_modes_and_denormal_modes_change_no_conversion() {
    use crate::float::environment::with_mxcsr;
    use std::hint::black_box;

    let all: Vec<u16> = (0..=u16::MAX).collect();
    let (f16, bf16): (Vec<F16>, Vec<Bf16>) = all.iter().map(|&bits| (F16(bits), Bf16(bits))).unzip();
    let floats: Vec<f32> = (0..1u64 << 32).step_by(65_521).map(|bits| f32::from_bits(bits as u32)).collect();
    let convert = |tier| {
        let (mut wide, mut wide_b) = (vec![0.0; all.len()], vec![0.0; all.len()]);
        let (mut narrow, mut narrow_b) = (vec![F16(0); floats.len()], vec![Bf16(0); floats.len()]);
        F16::widen_block(tier, black_box(&f16), &mut wide);
        Bf16::widen_block(tier, black_box(&bf16), &mut wide_b);
        F16::narrow_block(tier, black_box(&floats), &mut narrow);
        Bf16::narrow_block(tier, black_box(&floats), &mut narrow_b);
        let bits = |wide: Vec<f32>| wide.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        (bits(wide), bits(wide_b), narrow, narrow_b)
    };
    for tier in Tier::available() {
        let due = convert(tier);
        // Rounding down, up and to zero; denormals-are-zero and flush-to-zero together, and all of them.
        for control in [0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0xffc0] {
            assert!(with_mxcsr(control, || convert(tier)) == due, "{} under {control:x}", tier.name());
        }
    }
}
