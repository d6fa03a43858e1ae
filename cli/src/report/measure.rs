//! The measurement: every input of a sample, or all of them, through the table and the closed form, against the truth.

use pwp_sim_core::Table;
use pwp_sim_core::engine::{eval, exact};
use pwp_sim_core::profile::Saturation;
use pwp_sim_core::table::Place;
use rayon::prelude::*;

use super::sample;
use super::subject::{ALPHA, Subject};
use super::tally::{Loss, Tally};
use super::unit::{Outcome, Truth};
use crate::truth::Curve;

/// Signs times biased exponents: the slots of a float.
pub const SLOTS: u32 = 512;

/// Bins of the picture in an octave.
pub const BINS: usize = 64;

/// How far around an octave's worst input a sampled report looks on.
const NEIGHBOURHOOD: u32 = 32;

/// Which inputs are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// This many inputs per octave and sign, with edges and neighbours, against MPFR.
    Sampled(u32),
    /// Every float, against double precision.
    Exhaustive,
}

/// What serves an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A result of its own: zero and the infinities.
    Special,
    /// The low clamp of the input's side.
    LowClamp,
    /// A section of an octave: the table's domain.
    Sections,
    /// The high clamp of the input's side.
    HighClamp,
    /// The closed form.
    Form,
}

impl Part {
    /// All, in the order of a report.
    pub const ALL: [Part; 5] = [Part::Special, Part::LowClamp, Part::Sections, Part::HighClamp, Part::Form];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Special => "special",
            Part::LowClamp => "low clamp",
            Part::Sections => "sections",
            Part::HighClamp => "high clamp",
            Part::Form => "form",
        }
    }

    /// The part of `table` that serves `x`.
    pub fn of(table: &Table, x: f32) -> Part {
        if x == 0.0 || x.is_infinite() {
            return Part::Special;
        }
        match table.locate(table.fold(x)) {
            Some(Place::Saturated(Saturation::PosLow | Saturation::NegLow)) => Part::LowClamp,
            Some(Place::Saturated(Saturation::PosHigh | Saturation::NegHigh)) => Part::HighClamp,
            _ => Part::Sections,
        }
    }
}

/// The statistics of one part of one octave.
#[derive(Debug, Clone, PartialEq)]
pub struct OctaveTally {
    /// Sign and biased exponent, the top nine bits of the inputs.
    pub slot: u32,
    /// What serves the inputs.
    pub part: Part,
    /// The statistics.
    pub tally: Tally,
}

/// What is drawn of a stretch of inputs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bin {
    /// The largest error in ULP; none where no result has one.
    pub error: Option<f64>,
    /// Whether inputs without an error are met, in the order of [`Loss::ALL`].
    pub lost: [bool; 3],
}

impl Bin {
    fn add(&mut self, outcome: Option<Outcome>) {
        match (outcome, Loss::of(outcome)) {
            (Some(Outcome::Error { ulp, .. }), _) => self.error = larger(self.error, Some(ulp)),
            (_, Some(loss)) => self.lost[loss as usize] = true,
            _ => {}
        }
    }

    /// Adds another stretch.
    pub fn merge(&mut self, other: &Bin) {
        self.error = larger(self.error, other.error);
        for (lost, other) in self.lost.iter_mut().zip(other.lost) {
            *lost |= other;
        }
    }
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

/// All that was measured of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The statistics by slot and part; none without inputs.
    pub octaves: Vec<OctaveTally>,
    /// What the table does in each of [`BINS`] bins of every slot.
    pub table_bins: Vec<Bin>,
    /// The same of the closed form.
    pub exact_bins: Vec<Bin>,
    /// How far the double-precision truth is from MPFR on the sample, in ULP of the float; 0 in a sampled report.
    pub truth_deviation: f64,
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
pub fn measure(subject: &Subject, plan: Plan, progress: impl Fn() + Sync) -> Measurement {
    let one = |slot: u32| {
        let mut visitor = Visitor::new(subject, slot);
        match plan {
            Plan::Sampled(samples) => visitor.sampled(samples),
            Plan::Exhaustive => visitor.exhaustive(),
        }
        progress();
        visitor
    };
    // Many inputs of a slot may be costly and its neighbours' likewise: slots are dealt out one by one.
    let slots: Vec<Visitor> = (0..SLOTS).into_par_iter().with_max_len(1).map(one).collect();
    let mut measurement =
        Measurement { octaves: Vec::new(), table_bins: Vec::new(), exact_bins: Vec::new(), truth_deviation: 0.0 };
    for visitor in slots {
        measurement.octaves.extend(visitor.tallies());
        measurement.table_bins.extend(visitor.table_bins);
        measurement.exact_bins.extend(visitor.exact_bins);
        measurement.truth_deviation = measurement.truth_deviation.max(visitor.deviation);
    }
    measurement
}

/// One slot's inputs on their way into the statistics.
struct Visitor<'a> {
    subject: &'a Subject,
    slot: u32,
    tallies: [Tally; Part::ALL.len()],
    table_bins: [Bin; BINS],
    exact_bins: [Bin; BINS],
    deviation: f64,
}

impl<'a> Visitor<'a> {
    fn new(subject: &'a Subject, slot: u32) -> Visitor<'a> {
        let bins = [Bin::default(); BINS];
        let tallies = Default::default();
        Visitor { subject, slot, tallies, table_bins: bins, exact_bins: bins, deviation: 0.0 }
    }

    fn sampled(&mut self, samples: u32) {
        let curve = self.subject.curve;
        let mut last: Option<(u32, Truth)> = None;
        for input in sample::inputs(self.slot, samples, self.subject.table()) {
            let truth = Truth::high(curve, f32::from_bits(input.bits));
            self.visit(input.bits, input.counted, &truth);
            if let Some((bits, before)) = last.replace((input.bits, truth))
                && before.value.signum() * truth.value.signum() < 0.0
            {
                self.crossing(bits, input.bits, before.value < 0.0);
            }
        }
        let worst = self.tallies[Part::Sections as usize].worst_ulp;
        if worst.error > 0.0 {
            let (first, last) = (self.slot << 23, (self.slot << 23) + 0x7f_ffff);
            let from = worst.bits.saturating_sub(NEIGHBOURHOOD).max(first);
            for bits in from..=(worst.bits.saturating_add(NEIGHBOURHOOD)).min(last) {
                self.visit(bits, false, &Truth::high(curve, f32::from_bits(bits)));
            }
        }
    }

    /// Looks at the inputs around the zero between `low` and `high`.
    fn crossing(&mut self, mut low: u32, mut high: u32, rising: bool) {
        let truth = |bits| Truth::high(self.subject.curve, f32::from_bits(bits));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if (truth(middle).value < 0.0) == rising { low = middle } else { high = middle }
        }
        for bits in [low, high] {
            self.visit(bits, false, &Truth::high(self.subject.curve, f32::from_bits(bits)));
        }
    }

    fn exhaustive(&mut self) {
        let curve = self.subject.curve;
        let last = if self.slot & 255 == 255 { 0 } else { 0x7f_ffff };
        for mantissa in 0..=last {
            let bits = self.slot << 23 | mantissa;
            self.visit(bits, true, &Truth::double(curve, f32::from_bits(bits)));
        }
        for input in sample::inputs(self.slot, BINS as u32, self.subject.table()) {
            self.deviation = self.deviation.max(deviation(curve, f32::from_bits(input.bits)));
        }
    }

    fn visit(&mut self, bits: u32, counted: bool, truth: &Truth) {
        let x = f32::from_bits(bits);
        let bin = (bits >> 17) as usize % BINS;
        if let Some(table) = self.subject.table() {
            let outcome = eval::evaluate(table, x).map(|y| truth.compare(y));
            self.tallies[Part::of(table, x) as usize].add(bits, counted, outcome);
            self.table_bins[bin].add(outcome);
        }
        if let Some(function) = self.subject.function {
            let outcome = Some(truth.compare(exact::evaluate(function, x, ALPHA)));
            self.tallies[Part::Form as usize].add(bits, counted, outcome);
            self.exact_bins[bin].add(outcome);
        }
    }

    fn tallies(&self) -> impl Iterator<Item = OctaveTally> {
        let slot = self.slot;
        let all = Part::ALL.into_iter().zip(self.tallies);
        all.filter(|(_, tally)| tally.seen > 0).map(move |(part, tally)| OctaveTally { slot, part, tally })
    }
}

/// How far the double-precision truth is from MPFR at `x`, in ULP of the float.
fn deviation(curve: Curve, x: f32) -> f64 {
    let (high, double) = (Truth::high(curve, x), Truth::double(curve, x));
    if high.value.is_nan() && double.value.is_nan() { 0.0 } else { (high.value - double.value).abs() / high.unit }
}
