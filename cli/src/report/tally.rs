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
    /// The counted inputs whose result has an error.
    pub counted: u64,
    /// Those of them that are correctly rounded.
    pub exact: u64,
    /// The largest error in ULP.
    pub worst_ulp: Peak,
    /// The largest absolute error.
    pub worst_abs: Peak,
    sum_ulp: f64,
    sum_abs: f64,
    /// Inputs at which one of result and truth is NaN and the other is not.
    pub nan: Lost,
    /// Inputs that no section of the table covers.
    pub unhandled: Lost,
}

impl Tally {
    /// Adds the outcome at the input with these bits, or that the input is unhandled.
    pub fn add(&mut self, bits: u32, counted: bool, outcome: Option<Outcome>) {
        self.seen += 1;
        match outcome {
            None => self.unhandled.add(bits),
            Some(Outcome::Nan) => self.nan.add(bits),
            Some(Outcome::Error { ulp, abs, exact }) => {
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
    }

    /// Adds the statistics of other inputs.
    pub fn merge(&mut self, other: &Tally) {
        self.seen += other.seen;
        self.counted += other.counted;
        self.exact += other.exact;
        self.worst_ulp.add(other.worst_ulp.error, other.worst_ulp.bits);
        self.worst_abs.add(other.worst_abs.error, other.worst_abs.bits);
        self.sum_ulp += other.sum_ulp;
        self.sum_abs += other.sum_abs;
        self.nan.merge(&other.nan);
        self.unhandled.merge(&other.unhandled);
    }

    /// The mean error in ULP, if anything was counted.
    pub fn mean_ulp(&self) -> Option<f64> {
        self.per_counted(self.sum_ulp)
    }

    /// The mean absolute error, if anything was counted.
    pub fn mean_abs(&self) -> Option<f64> {
        self.per_counted(self.sum_abs)
    }

    /// The share of the counted inputs that are correctly rounded, 0 to 1.
    pub fn exact_share(&self) -> Option<f64> {
        self.per_counted(self.exact as f64)
    }

    fn per_counted(&self, sum: f64) -> Option<f64> {
        (self.counted > 0).then(|| sum / self.counted as f64)
    }
}
