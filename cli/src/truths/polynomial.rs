//! Taylor's polynomial of a stretch, with a proven error bound.
//!
//! The inputs of an octave are `x + i u`, `u` the distance of two of them and `i` a whole number: the offset from the
//! middle input `x`. With the coefficients `c[k] u^k` from MPFR the truth at offset `i` is
//!
//! ```text
//! c0 + i c1            as the exact sum of two doubles (c0 a double, c1 so short that i c1 is exact)
//!  + (rest of c0) + i (rest of c1) + i^2 (c2 + i c3 + ... )           in double precision
//! ```
//!
//! Only the second line is rounded, and it is small. Its terms of order 0, 1 and 2 pass through at most seven roundings
//! of 2^-53 each, those above through at most 25: `Polynomial::error` is twice what that can come to, and what the
//! series leaves out ([`super::majorant`]). Where the last terms are next to nothing, as for small inputs, they are left out
//! too.

use super::{Block, Unrounded, majorant, two_sum};
use rug::Float;

use crate::jet::{PRECISION, float};
use crate::truth::Curve;
use crate::unit::{TINY, Truth};

/// Coefficients.
const TERMS: usize = 10;

/// A bound on the error of a stretch that is worth it: relative to the values there. At 2^-66 MPFR has to settle one
/// input in 2^12.
const WORTH: f64 = 1.0 / ((1u128 << 66) as f64);

/// What the terms that are left out may come to, relative to the values: little beside [`WORTH`].
const NEXT_TO_NOTHING: f64 = WORTH / 16.0;

/// More than what can get lost below the normal doubles, and far below [`TINY`]: offsets to the ninth power times 2^-1074.
const LEAST: f64 = 1e-250;

/// The polynomial of one stretch.
pub struct Polynomial {
    curve: Curve,
    middle: u32,
    /// Doubles that with the rests are the coefficients 0 and 1; the second is so short that offsets times it are exact.
    head: [f64; 2],
    rest: [f64; 2],
    /// The coefficients from 2 on, of which the first `terms` are used: one of those that [`Polynomial::fill`] has a loop
    /// for.
    tail: [f64; TERMS - 2],
    terms: usize,
    /// The bound on the error of sum and rest.
    error: f64,
    /// All coefficients, for the inputs that double precision leaves open, and a bound on the error of their polynomial.
    exact: Vec<Float>,
    left_out: f64,
}

impl Polynomial {
    /// The polynomial of the stretch `first..=last`, which lies in one octave; none where it is not worth it.
    pub fn new(curve: Curve, first: u32, last: u32) -> Option<Polynomial> {
        let middle = first + (last - first) / 2;
        let x = f32::from_bits(middle);
        let exponent = ((first >> 23) & 255).max(1) as i32 - 150;
        let reach = f64::from(last - middle).max(1.0);
        let (at, within) = (f64::from(x), reach * 2f64.powi(exponent));
        let left_out = majorant::remainder(curve, at, within, TERMS as i32);
        if !left_out.is_finite() || majorant::magnitude(curve, at, within) * WORTH < left_out {
            return None;
        }
        let mut coefficients = curve.series(x, TERMS);
        for (k, c) in coefficients.iter_mut().enumerate() {
            *c <<= k as i32 * exponent;
            if x < 0.0 && k % 2 == 1 {
                *c = -c.clone();
            }
        }
        let mut head = [coefficients[0].to_f64(), coefficients[1].to_f64()];
        let offset_bits = 32 - (last - middle).leading_zeros();
        head[1] = f64::from_bits(head[1].to_bits() & (u64::MAX << offset_bits));
        let rest = [0, 1].map(|k| (coefficients[k].clone() - float(head[k])).to_f64());
        let mut tail = [0.0; TERMS - 2];
        for (to, from) in tail.iter_mut().zip(&coefficients[2..]) {
            *to = from.to_f64();
        }
        let scale = head[0].abs() + reach * head[1].abs();
        let rounding = if sums_exactly(head, reach) { 0.0 } else { scale * 2f64.powi(-53) };
        let low = rest[0].abs() + reach * rest[1].abs() + reach * reach * tail[0].abs() + rounding;
        let from = |terms: usize| -> f64 { (terms..TERMS - 2).map(|k| tail[k].abs() * reach.powi(k as i32 + 2)).sum() };
        let few = |terms: &usize| from(*terms) <= scale.max(TINY) * NEXT_TO_NOTHING;
        let terms = [1, 3, 5].into_iter().find(few).unwrap_or(TERMS - 2);
        // Twice what is cut, for the rounding of its sum.
        let error = 2.0 * 2f64.powi(-53) * (7.0 * low + 25.0 * from(1)) + 2.0 * from(terms) + left_out + LEAST;
        let worth = error <= scale.max(TINY) * WORTH;
        let left_out = 2.0 * left_out + scale * 2f64.powi(-150) + LEAST;
        worth.then_some(Polynomial { curve, middle, head, rest, tail, terms, error, exact: coefficients, left_out })
    }

    /// Settles one input that double precision leaves open: by the polynomial in MPFR, or by the function in MPFR.
    fn settle(&self, block: &mut Block, index: usize, offset: f64) {
        let mut sum = float(0.0);
        for coefficient in self.exact.iter().rev() {
            sum *= offset;
            sum += coefficient;
        }
        let x = f32::from_bits(block.first + index as u32);
        let [low, high] =
            [-self.left_out, self.left_out].map(|e| Truth::of(self.curve, x, &Float::with_val(PRECISION, &sum + e)));
        if low == high { block.set(index, &low) } else { block.settle(self.curve, index) }
    }

    #[inline(always)]
    fn at<const N: usize>(&self, offset: f64) -> Unrounded {
        let (sum, lost) = two_sum(self.head[0], offset * self.head[1]);
        let mut q = self.tail[N - 1];
        let mut k = N - 1;
        while k > 0 {
            k -= 1;
            q = q * offset + self.tail[k];
        }
        let rest = ((q * offset + self.rest[1]) * offset + self.rest[0]) + lost;
        Unrounded { sum, rest, error: self.error }
    }

    /// The truth at the inputs of the block.
    pub(super) fn fill(&self, vectors: pulp::Arch, block: &mut Block) {
        match self.terms {
            1 => self.fill_by::<1>(vectors, block),
            3 => self.fill_by::<3>(vectors, block),
            5 => self.fill_by::<5>(vectors, block),
            _ => self.fill_by::<{ TERMS - 2 }>(vectors, block),
        }
    }

    fn fill_by<const N: usize>(&self, vectors: pulp::Arch, block: &mut Block) {
        let from = block.first as i32 - self.middle as i32;
        block.fill(
            vectors,
            #[inline(always)]
            |index| self.at::<N>(f64::from(from + index as i32)),
            |block, index| self.settle(block, index, f64::from(from + index as i32)),
        );
    }
}

/// Whether the first plus any whole number up to `reach` times the second is a double: all of them are multiples of one
/// power of two and below 2^53 of it.
fn sums_exactly(head: [f64; 2], reach: f64) -> bool {
    let least = |value: f64| match value.to_bits() << 12 {
        _ if value == 0.0 => f64::INFINITY,
        0 => value.abs(),
        mantissa => 2f64.powi(((value.to_bits() >> 52) & 0x7ff) as i32 - 1023 - 64 + mantissa.trailing_zeros() as i32),
    };
    let unit = least(head[0]).min(least(head[1]));
    unit.is_finite() && head[0].abs() + reach * head[1].abs() < unit * 2f64.powi(53)
}
