//! A plotters coordinate with labels at places of our choice. Plotters has such a combinator, but not one whose labels
//! can be formatted.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// A linear coordinate with its labelled positions.
pub struct Scale {
    inner: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Scale {
    /// The coordinate from `first` to `last` with labels at `ticks`.
    pub fn new((first, last): (f64, f64), ticks: Vec<f64>) -> Scale {
        Scale { inner: (first..last).into(), ticks }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.inner.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.inner.range()
    }
}
