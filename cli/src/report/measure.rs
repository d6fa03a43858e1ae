//! The measurement: every input of a sample, or all of them ([`super::exhaustive`]), through the table and the closed form,
//! against the truth.

use rayon::prelude::*;

use super::exhaustive;
use super::slot::{Bin, OctaveTally, Part, SLOTS, Slot};
use super::subject::Subject;
use super::tally::Tally;
use crate::truths::Truths;

/// Which inputs are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inputs {
    /// This many per octave and sign, with edges and neighbours.
    Sampled(u32),
    /// Every float.
    All,
}

/// All that was measured of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The statistics by slot and part; none without inputs.
    pub octaves: Vec<OctaveTally>,
    /// What the table does in each of [`BINS`](super::slot::BINS) bins of every slot.
    pub table_bins: Vec<Bin>,
    /// The same of the closed form.
    pub exact_bins: Vec<Bin>,
}

impl Measurement {
    /// The statistics of the inputs that these parts serve.
    pub fn total(&self, parts: &[Part]) -> Tally {
        let mut total = Tally::default();
        for octave in self.octaves.iter().filter(|octave| parts.contains(&octave.part)) {
            total.merge(&octave.tally);
        }
        total
    }
}

/// Measures `subject`. `progress` is called once after each of the [`SLOTS`] slots, from any thread. The result is the
/// same on every run.
pub fn measure(subject: &Subject, inputs: Inputs, progress: impl Fn() + Sync) -> Measurement {
    let truths = Truths::new(subject.curve);
    let one = |number: u32| {
        let mut slot = Slot::new(subject, number);
        match inputs {
            Inputs::Sampled(samples) => slot.sampled(samples),
            Inputs::All => exhaustive::slot(&mut slot, &truths),
        }
        progress();
        slot
    };
    // Many inputs of a slot may be costly and its neighbours' likewise: slots are dealt out one by one.
    let slots: Vec<Slot> = (0..SLOTS).into_par_iter().with_max_len(1).map(one).collect();
    let mut measurement = Measurement { octaves: Vec::new(), table_bins: Vec::new(), exact_bins: Vec::new() };
    for slot in slots {
        measurement.octaves.extend(slot.tallies());
        measurement.table_bins.extend(slot.table_bins);
        measurement.exact_bins.extend(slot.exact_bins);
    }
    measurement
}
