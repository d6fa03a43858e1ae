//! Error statistics over a set of inputs.

use super::unit::Outcome;

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
