//! What the comparison of one function on one path has found so far.

use std::collections::BTreeMap;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// When two NaN are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
pub enum Nan {
    /// Always.
    #[default]
    Equal,
    /// When their bits are.
    Payload,
}

/// How many mismatches are kept with their input, the first in the order of the inputs.
pub const KEPT: usize = 8;

/// One input where the two differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The input's place in the order of inputs.
    pub number: u64,
    /// The input's bits.
    pub input: u32,
    /// The first side's result.
    pub a: u32,
    /// The second side's result.
    pub b: u32,
}

/// One input where a side gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The input's place in the order of inputs.
    pub number: u64,
    /// The input's bits.
    pub input: u32,
    /// The side, 0 or 1.
    pub side: usize,
    /// What it does, in words.
    pub what: String,
}

/// The findings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The inputs looked at.
    pub inputs: u64,
    /// Those with equal results.
    pub equal: u64,
    /// By the bits of the distance in ULP, see [`bin`]: how many differ so far.
    pub histogram: BTreeMap<u32, u64>,
    /// Those where one result is NaN and the other is not, or, by payload, where the two NaN differ.
    pub nan: u64,
    /// The greatest distance between two numbers, and the first input of it.
    pub worst: Option<(u32, Mismatch)>,
    /// The first mismatches.
    pub first: Vec<Mismatch>,
    /// The inputs where a side failed.
    pub failed: Vec<Failed>,
    /// What a library said about inputs that no section covers, with its side.
    pub notes: Vec<(usize, String)>,
}

/// The distance between two floats that are no NaN: how many floats further one is than the other; 0 for the two zeros.
pub fn distance(a: u32, b: u32) -> u32 {
    let ordered = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 0 { magnitude } else { -magnitude }
    };
    (ordered(a) - ordered(b)).unsigned_abs() as u32
}

/// The bin of a distance in the histogram: 0 for 0, 1 for 1, 2 for 2, 3 for 3 and 4, and so on by powers of two.
pub fn bin(distance: u32) -> u32 {
    if distance == 0 { 0 } else { (distance - 1).checked_ilog2().map_or(1, |bits| bits + 2) }
}

/// The least and the greatest distance of a bin.
pub fn bin_range(bin: u32) -> (u64, u64) {
    if bin < 2 { (u64::from(bin), u64::from(bin)) } else { ((1 << (bin - 2)) + 1, 1 << (bin - 1)) }
}

fn is_nan(bits: u32) -> bool {
    bits & 0x7fff_ffff > 0x7f80_0000
}

impl Tally {
    /// Compares results; the inputs' numbers begin at `number`. Inputs where a side failed are left out.
    pub fn compare(&mut self, number: u64, input: &[f32], a: &[f32], b: &[f32], nan: Nan, failed: &[Failed]) {
        let mut equal = 0;
        let mut at = 0;
        for index in 0..input.len() {
            let (a, b) = (a[index].to_bits(), b[index].to_bits());
            if a == b || (nan == Nan::Equal && is_nan(a) && is_nan(b)) {
                equal += 1;
                continue;
            }
            let mismatch = Mismatch { number: number + index as u64, input: input[index].to_bits(), a, b };
            while failed.get(at).is_some_and(|failed| failed.number < mismatch.number) {
                at += 1;
            }
            if failed.get(at).is_none_or(|failed| failed.number != mismatch.number) {
                self.differ(mismatch);
            }
        }
        // An input where a side failed may have counted as equal: what a side did not write is NaN.
        let counted = |failed: &&Failed| {
            let index = (failed.number - number) as usize;
            let (a, b) = (a[index].to_bits(), b[index].to_bits());
            a == b || (nan == Nan::Equal && is_nan(a) && is_nan(b))
        };
        let mut numbers: Vec<&Failed> = failed.iter().filter(counted).collect();
        numbers.dedup_by_key(|failed| failed.number);
        self.equal += equal - numbers.len() as u64;
        self.inputs += input.len() as u64;
        self.failed.extend_from_slice(failed);
    }

    fn differ(&mut self, mismatch: Mismatch) {
        if self.first.len() < KEPT {
            self.first.push(mismatch);
        }
        if is_nan(mismatch.a) || is_nan(mismatch.b) {
            self.nan += 1;
            return;
        }
        let distance = distance(mismatch.a, mismatch.b);
        *self.histogram.entry(bin(distance)).or_default() += 1;
        if self.worst.is_none_or(|(worst, _)| distance > worst) {
            self.worst = Some((distance, mismatch));
        }
    }

    /// Adds what was found elsewhere.
    pub fn merge(&mut self, other: &Tally) {
        self.inputs += other.inputs;
        self.equal += other.equal;
        self.nan += other.nan;
        other.histogram.iter().for_each(|(bin, count)| *self.histogram.entry(*bin).or_default() += count);
        let key = |worst: &(u32, Mismatch)| (worst.0, std::cmp::Reverse(worst.1.number));
        self.worst = self.worst.into_iter().chain(other.worst).max_by_key(key);
        self.first.extend(&other.first);
        self.first.sort_by_key(|mismatch| mismatch.number);
        self.first.truncate(KEPT);
        self.failed.extend_from_slice(&other.failed);
        self.failed.sort_by_key(|failed| (failed.number, failed.side));
        for note in &other.notes {
            if self.notes.len() < KEPT && !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
    }

    /// How many inputs have two results that differ.
    pub fn differing(&self) -> u64 {
        self.histogram.values().sum::<u64>() + self.nan
    }

    /// Whether every input has two equal results.
    pub fn all_equal(&self) -> bool {
        self.equal == self.inputs && self.failed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_floats_across_zero_and_into_infinity() {
        let of = |a: f32, b: f32| distance(a.to_bits(), b.to_bits());
        assert_eq!(of(1.0, 1.0f32.next_up()), 1);
        assert_eq!(of(-0.0, 0.0), 0);
        assert_eq!(of(f32::from_bits(1), -f32::from_bits(1)), 2);
        assert_eq!(of(f32::MAX, f32::INFINITY), 1);
        assert_eq!(of(f32::INFINITY, f32::NEG_INFINITY), 2 * 0x7f80_0000);
    }

    #[test]
    fn every_distance_is_in_the_range_of_its_bin() {
        for distance in (0..40).chain([255, 256, 257, u32::MAX]) {
            let (least, greatest) = bin_range(bin(distance));
            assert!((least..=greatest).contains(&u64::from(distance)), "{distance}");
        }
    }

    fn compare(a: &[f32], b: &[f32], nan: Nan) -> Tally {
        let mut tally = Tally::default();
        tally.compare(0, &vec![1.0; a.len()], a, b, nan, &[]);
        tally
    }

    #[test]
    fn the_two_zeros_differ_and_two_nan_are_equal_unless_the_payload_counts() {
        let tally = compare(&[0.0, 1.0], &[-0.0, 1.0], Nan::Equal);
        assert_eq!((tally.equal, tally.histogram[&0]), (1, 1));
        let quiet = [f32::NAN, f32::from_bits(0xffc0_0001)];
        assert!(compare(&quiet[..1], &quiet[1..], Nan::Equal).all_equal());
        assert_eq!(compare(&quiet[..1], &quiet[1..], Nan::Payload).nan, 1);
        assert_eq!(compare(&[f32::NAN], &[1.0], Nan::Equal).nan, 1);
    }

    #[test]
    fn the_worst_is_the_greatest_distance_and_parts_add_up_to_the_whole() {
        let a: Vec<f32> = (0..100).map(|index| index as f32).collect();
        let b: Vec<f32> = a.iter().map(|x| if *x % 7.0 == 3.0 { x + x / 64.0 } else { *x }).collect();
        let mut whole = Tally::default();
        whole.compare(0, &a, &a, &b, Nan::Equal, &[]);
        let mut parts = Tally::default();
        for from in [50, 0] {
            let mut part = Tally::default();
            let range = from..from + 50;
            part.compare(from as u64, &a[range.clone()], &a[range.clone()], &b[range], Nan::Equal, &[]);
            parts.merge(&part);
        }
        assert_eq!(parts, whole);
        assert_eq!(whole.differing(), 14);
        let each = |index: usize| distance(a[index].to_bits(), b[index].to_bits());
        assert_eq!(whole.worst.unwrap().0, (0..100).map(each).max().unwrap());
    }

    #[test]
    fn an_input_where_a_side_failed_is_neither_equal_nor_a_mismatch() {
        let failed = |number, side| Failed { number, input: 0, side, what: "aborts".to_owned() };
        let mut tally = Tally::default();
        let a = [1.0, f32::NAN, 3.0];
        let b = [f32::NAN, f32::NAN, 3.0];
        tally.compare(10, &[0.0; 3], &a, &b, Nan::Equal, &[failed(10, 1), failed(11, 0), failed(11, 1)]);
        assert_eq!((tally.inputs, tally.equal, tally.differing(), tally.failed.len()), (3, 1, 0, 3));
        assert!(!tally.all_equal());
    }
}
