//! The sine far from zero, where one octave has more periods than polynomials could follow.
//!
//! An input is `m 2^q` with a whole m below 2^24. `2^q / 2 pi` modulo 1 is held with 128 bits, so m times it, modulo 1, is the
//! phase in turns within 2^-104. With the phase `j/512 + d`, `|d| <= 2^-10`:
//!
//! ```text
//! sin = sin(2 pi j/512) cos(2 pi d) + cos(2 pi j/512) sin(2 pi d)
//!     = S + C d + S (cos t - 1) + C' (sin t - t)        t = 2 pi d, C' the cosine, C = 2 pi C'
//! ```
//!
//! S and C come from a table, C as a head of 26 bits and a rest, and so does d: S plus head times head is exact as a sum of
//! two doubles. The rest is at most 2^-15.6, since `t^2/2` is, and passes through at most eight roundings of 2^-53: its error is
//! below 2^-65.6 and `ERROR` above it. The series of cosine and sine leave out less than 2^-90.

use std::sync::LazyLock;

use rug::Float;
use rug::float::Constant;

use super::{BLOCK, Block, Unrounded, two_sum};
use crate::jet::float;
use crate::truth::Curve;

/// From this magnitude on.
pub const FROM: f32 = 64.0;

/// The bound on the error of sum and rest.
const ERROR: f64 = 1.0 / ((1u128 << 65) as f64);

/// Parts of a turn.
const PARTS: usize = 512;

/// The table at one part of a turn.
#[derive(Clone, Copy, Default)]
struct Part {
    sine: f64,
    sine_rest: f64,
    slope: f64,
    slope_rest: f64,
    cosine: f64,
}

static TABLE: LazyLock<[Part; PARTS]> = LazyLock::new(|| {
    let mut table = [Part::default(); PARTS];
    for (j, part) in table.iter_mut().enumerate() {
        let turn = float(2.0) * crate::jet::pi();
        let (sine, cosine) = (turn.clone() * j as u32 / PARTS as u32).sin_cos(float(0.0));
        let slope = turn * &cosine;
        part.sine = sine.to_f64();
        part.sine_rest = (sine - float(part.sine)).to_f64();
        part.slope = f64::from_bits(slope.to_f64().to_bits() & (u64::MAX << 27));
        part.slope_rest = (slope - float(part.slope)).to_f64();
        part.cosine = cosine.to_f64();
    }
    table
});

/// The sine in one octave.
pub struct Sine {
    /// The bits of the octave's first input.
    base: u32,
    /// The phase of that input, as a fraction of 2^128.
    phase: u128,
    /// What the next input adds.
    step: u128,
}

impl Sine {
    /// The octave of the input with these bits.
    pub fn new(bits: u32) -> Sine {
        let base = bits & 0xff80_0000;
        let exponent = ((bits >> 23) & 255) as i32 - 150;
        // 128 bits behind the point, and as many before it as the exponent says.
        let turn = Float::with_val(320, Constant::Pi) * 2u32;
        let mut fraction = (Float::with_val(320, 1u32) << exponent) / turn;
        fraction -= fraction.clone().floor();
        let mut step = 0u128;
        for _ in 0..4 {
            fraction <<= 32;
            let whole = fraction.clone().floor();
            step = step << 32 | u128::from(whole.to_f64() as u32);
            fraction -= whole;
        }
        if bits >> 31 == 1 {
            step = step.wrapping_neg();
        }
        Sine { base, phase: step.wrapping_mul(1 << 23), step }
    }

    /// The truth at the inputs of the block.
    pub(super) fn fill(&self, vectors: pulp::Arch, block: &mut Block) {
        let table = &*TABLE;
        // Apart from the rest, which has vectors for words of 64 bits but not for these.
        let (mut high, mut low) = ([0u64; BLOCK], [0u64; BLOCK]);
        let mut phase = self.phase_of(block.first);
        for (high, low) in high.iter_mut().zip(&mut low) {
            (*high, *low) = ((phase >> 64) as u64, phase as u64);
            phase = phase.wrapping_add(self.step);
        }
        block.fill(
            vectors,
            #[inline(always)]
            |index| at(table, high[index], low[index]),
            |block, index| block.settle(Curve::Sin, index),
        );
    }

    fn phase_of(&self, bits: u32) -> u128 {
        self.phase.wrapping_add(self.step.wrapping_mul(u128::from(bits - self.base)))
    }
}

/// The sine at a phase, by its upper and its lower 64 bits.
#[inline(always)]
fn at(table: &[Part; PARTS], high: u64, low: u64) -> Unrounded {
    // To the nearest part: half a part up, then down.
    let j = (high.wrapping_add(1 << 54) >> 55) as usize % PARTS;
    let part = &table[j];
    // The offset, with 64 bits below the point of 2^-64 and as many above: at most 2^54 in magnitude.
    let offset = high.wrapping_sub((j as u64) << 55) as i64;
    let upper = offset >> 28;
    let lower = offset - (upper << 28);
    let unit = 1.0 / (1u128 << 64) as f64;
    let d_head = (upper << 28) as f64 * unit;
    let d_rest = lower as f64 * unit + (low >> 11) as f64 * (unit / (1u64 << 53) as f64);
    let d = d_head + d_rest;
    let (sum, lost) = two_sum(part.sine, part.slope * d_head);
    let t = std::f64::consts::TAU * d;
    let t2 = t * t;
    let cosine = t2 * (-0.5 + t2 * (1.0 / 24.0 + t2 * (-1.0 / 720.0 + t2 * (1.0 / 40_320.0))));
    let sine = t * t2 * (-1.0 / 6.0 + t2 * (1.0 / 120.0 + t2 * (-1.0 / 5040.0 + t2 * (1.0 / 362_880.0))));
    let rest = (part.sine * cosine
        + (part.cosine * sine + (part.slope * d_rest + (part.slope_rest * d + part.sine_rest))))
        + lost;
    Unrounded { sum, rest, error: ERROR }
}
