//! Error statistics over a set of inputs.

use crate::truths::{self, BLOCK};
use crate::unit::Outcome;

/// The largest error and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Peak {
    /// The error; 0 where no input has one.
    pub error: f64,
    /// The bits of the first input that has it.
    pub bits: u32,
}

impl Peak {
    fn add(&mut self, error: f64, bits: u32) {
        if error > self.error {
            *self = Peak { error, bits };
        }
    }

    /// The input.
    pub fn input(&self) -> f32 {
        f32::from_bits(self.bits)
    }
}

/// Why an input has no error to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The result is NaN where the function has a value.
    Nan,
    /// The result is a number, or infinite, where the function has no value.
    Number,
    /// No section of the table covers the input: there is no result.
    Unhandled,
}

impl Loss {
    /// All, in the order of a report.
    pub const ALL: [Loss; 3] = [Loss::Nan, Loss::Number, Loss::Unhandled];

    /// What is said of such inputs after their count.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Nan => "NaN",
            Loss::Number => "numbers for NaN",
            Loss::Unhandled => "unhandled",
        }
    }

    /// Why an outcome has no error; none where it has one.
    pub fn of(outcome: Option<Outcome>) -> Option<Loss> {
        match outcome {
            None => Some(Loss::Unhandled),
            Some(Outcome::Nan) => Some(Loss::Nan),
            Some(Outcome::Number) => Some(Loss::Number),
            Some(Outcome::Error { .. }) => None,
        }
    }
}

/// Inputs without an error to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lost {
    /// How many.
    pub count: u64,
    /// The bits of the first one met.
    pub first: Option<u32>,
}

impl Lost {
    fn add(&mut self, bits: u32) {
        self.count += 1;
        self.first.get_or_insert(bits);
    }

    fn merge(&mut self, other: &Lost) {
        self.count += other.count;
        self.first = self.first.or(other.first);
    }
}

/// The statistics. Means and shares are over the *counted* inputs, which are spread evenly over the bit patterns;
/// peaks are over all that were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// All inputs that were looked at.
    pub seen: u64,
    /// Those of them whose result has an error, be it 0.
    pub measured: u64,
    /// The counted inputs.
    spread: u64,
    /// Those of them whose result has an error.
    pub counted: u64,
    /// Those of them that are correctly rounded.
    pub exact: u64,
    /// The largest error in ULP; says nothing where nothing was measured.
    pub worst_ulp: Peak,
    /// The largest absolute error; says nothing where nothing was measured.
    pub worst_abs: Peak,
    sum_ulp: f64,
    sum_abs: f64,
    /// The inputs without an error, in the order of [`Loss::ALL`].
    lost: [Lost; 3],
}

impl Tally {
    /// Adds the outcome at the input with these bits, or that the input is unhandled.
    pub fn add(&mut self, bits: u32, counted: bool, outcome: Option<Outcome>) {
        self.seen += 1;
        self.spread += u64::from(counted);
        if let Some(loss) = Loss::of(outcome) {
            self.lost[loss as usize].add(bits);
        }
        if let Some(Outcome::Error { ulp, abs, exact }) = outcome {
            self.measured += 1;
            self.worst_ulp.add(ulp, bits);
            self.worst_abs.add(abs, bits);
            if counted {
                self.counted += 1;
                self.exact += u64::from(exact);
                self.sum_ulp += ulp;
                self.sum_abs += abs;
            }
        }
    }

    /// Adds the inputs of a block that begins at these bits, all of them counted.
    pub fn add_block(&mut self, first: u32, block: &Block) {
        let len = block.len as u64;
        let lost = u64::from(block.nan + block.number);
        self.seen += len;
        self.spread += len;
        self.measured += len - lost;
        self.counted += len - lost;
        self.exact += u64::from(block.exact);
        self.sum_ulp += block.sum_ulp;
        self.sum_abs += block.sum_abs;
        // The first of the largest, looked for only where it counts.
        let at = |errors: &[f64], error: f64| first + errors.iter().position(|&e| e == error).unwrap_or(0) as u32;
        if block.worst_ulp > self.worst_ulp.error {
            self.worst_ulp = Peak { error: block.worst_ulp, bits: at(&block.ulp, block.worst_ulp) };
        }
        if block.worst_abs > self.worst_abs.error {
            self.worst_abs = Peak { error: block.worst_abs, bits: at(&block.abs, block.worst_abs) };
        }
        for (loss, count) in [(Loss::Nan, block.nan), (Loss::Number, block.number)] {
            let lost = &mut self.lost[loss as usize];
            if count > 0 && lost.first.is_none() {
                let found = block.lost.iter().position(|lost| *lost == Some(loss));
                lost.first = found.map(|index| first + index as u32);
            }
            lost.count += u64::from(count);
        }
    }

    /// Adds the statistics of other inputs.
    pub fn merge(&mut self, other: &Tally) {
        self.seen += other.seen;
        self.measured += other.measured;
        self.spread += other.spread;
        self.counted += other.counted;
        self.exact += other.exact;
        self.worst_ulp.add(other.worst_ulp.error, other.worst_ulp.bits);
        self.worst_abs.add(other.worst_abs.error, other.worst_abs.bits);
        self.sum_ulp += other.sum_ulp;
        self.sum_abs += other.sum_abs;
        for (lost, other) in self.lost.iter_mut().zip(&other.lost) {
            lost.merge(other);
        }
    }

    /// The inputs without an error for this reason.
    pub fn lost(&self, loss: Loss) -> Lost {
        self.lost[loss as usize]
    }

    /// The largest error in ULP, if anything was measured.
    pub fn worst_ulp(&self) -> Option<Peak> {
        (self.measured > 0).then_some(self.worst_ulp)
    }

    /// The largest absolute error, if anything was measured.
    pub fn worst_abs(&self) -> Option<Peak> {
        (self.measured > 0).then_some(self.worst_abs)
    }

    /// The mean error in ULP, if anything was counted.
    pub fn mean_ulp(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.sum_ulp / self.counted as f64)
    }

    /// The mean absolute error, if anything was counted.
    pub fn mean_abs(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.sum_abs / self.counted as f64)
    }

    /// The share of the spread inputs that are correctly rounded, 0 to 1; those without an error are not.
    pub fn exact_share(&self) -> Option<f64> {
        (self.spread > 0).then(|| self.exact as f64 / self.spread as f64)
    }
}

/// Results of neighbouring inputs against the truth.
#[derive(Debug, Clone)]
pub struct Block {
    len: usize,
    ulp: [f64; BLOCK],
    abs: [f64; BLOCK],
    lost: Vec<Option<Loss>>,
    sum_ulp: f64,
    sum_abs: f64,
    /// The largest error in ULP; 0 where no result has one.
    pub worst_ulp: f64,
    worst_abs: f64,
    exact: u32,
    /// Results that are NaN where the function has a value.
    pub nan: u32,
    /// Results that are numbers where the function has none.
    pub number: u32,
}

impl Default for Block {
    fn default() -> Block {
        Block::new()
    }
}

/// Sums that run side by side, so that their order is the same on any CPU.
const SIDE_BY_SIDE: usize = 8;

impl Block {
    /// Nothing measured yet.
    pub fn new() -> Block {
        Block {
            len: 0,
            ulp: [0.0; BLOCK],
            abs: [0.0; BLOCK],
            lost: Vec::new(),
            sum_ulp: 0.0,
            sum_abs: 0.0,
            worst_ulp: 0.0,
            worst_abs: 0.0,
            exact: 0,
            nan: 0,
            number: 0,
        }
    }

    /// Compares the results `y` with the truth, in place of what was measured before.
    #[inline(always)]
    pub fn measure(&mut self, truth: &truths::Block, y: &[f32; BLOCK]) {
        let len = truth.len;
        (self.len, self.exact, self.nan, self.number) = (len, 0, 0, 0);
        self.lost.clear();
        if truth.constant && y[..len].iter().fold(0, |differ, y1| differ | (y1.to_bits() ^ y[0].to_bits())) == 0 {
            return self.measure_constant(truth, y[0]);
        }
        let (mut exact, mut nan, mut number) = (0, 0, 0);
        for (index, &y) in y[..len].iter().enumerate() {
            let apart = truth.apart(index, y);
            self.ulp[index] = apart.ulp;
            self.abs[index] = apart.abs;
            exact += u32::from(apart.exact);
            nan += u32::from(apart.nan);
            number += u32::from(apart.number);
        }
        (self.exact, self.nan, self.number) = (exact, nan, number);
        self.ulp[len..].fill(0.0);
        self.abs[len..].fill(0.0);
        (self.sum_ulp, self.worst_ulp) = sum_and_largest(&self.ulp);
        (self.sum_abs, self.worst_abs) = sum_and_largest(&self.abs);
        if nan + number > 0 {
            self.lost.extend((0..len).map(|index| Loss::of(Some(truth.apart(index, y[index]).outcome()))));
        }
    }

    /// One result at all inputs of a block with one truth: looked at once.
    fn measure_constant(&mut self, truth: &truths::Block, y: f32) {
        let apart = truth.apart(0, y);
        let count = |is: bool| if is { self.len as u32 } else { 0 };
        (self.exact, self.nan, self.number) = (count(apart.exact), count(apart.nan), count(apart.number));
        (self.ulp[0], self.abs[0]) = (apart.ulp, apart.abs);
        (self.worst_ulp, self.worst_abs) = (apart.ulp, apart.abs);
        (self.sum_ulp, self.sum_abs) = (apart.ulp * self.len as f64, apart.abs * self.len as f64);
        self.lost.push(Loss::of(Some(apart.outcome())));
    }

    /// Whether some result has an error.
    pub fn measured(&self) -> bool {
        self.len as u32 > self.nan + self.number
    }
}

#[inline(always)]
fn sum_and_largest(values: &[f64; BLOCK]) -> (f64, f64) {
    let (mut sums, mut largest) = ([0f64; SIDE_BY_SIDE], [0f64; SIDE_BY_SIDE]);
    for values in values.chunks_exact(SIDE_BY_SIDE) {
        for side in 0..SIDE_BY_SIDE {
            sums[side] += values[side];
            largest[side] = if values[side] > largest[side] { values[side] } else { largest[side] };
        }
    }
    (sums.iter().sum(), largest.into_iter().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_was_measured_there_is_no_worst_error() {
        let mut tally = Tally::default();
        tally.add(1, true, None);
        tally.add(2, true, Some(Outcome::Nan));
        tally.add(3, true, Some(Outcome::Number));
        assert_eq!((tally.worst_ulp(), tally.worst_abs(), tally.mean_ulp()), (None, None, None));
        assert_eq!(Loss::ALL.map(|loss| tally.lost(loss).first), [Some(2), Some(3), Some(1)]);
        assert_eq!((tally.seen, tally.exact_share()), (3, Some(0.0)));
        tally.add(4, true, Some(Outcome::Error { ulp: 0.0, abs: 0.0, exact: true }));
        assert_eq!(tally.worst_ulp(), Some(Peak { error: 0.0, bits: 0 }));
        assert_eq!(tally.exact_share(), Some(0.25));
    }
}
