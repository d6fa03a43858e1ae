//! The inputs of one octave and sign: what serves each of them, and how its outcome enters the statistics and the picture.

use pwp_sim_core::Table;
use pwp_sim_core::engine::{eval, exact};
use pwp_sim_core::profile::Saturation;
use pwp_sim_core::table::Place;

use super::sample;
use super::subject::{ALPHA, Subject};
use super::tally::{self, Loss, Tally};
use crate::unit::{Outcome, Truth};

/// Signs times biased exponents: the slots of a float.
pub const SLOTS: u32 = 512;

/// Bins of the picture in an octave.
pub const BINS: usize = 64;

/// How far around an octave's worst input a sampled report looks on.
const NEIGHBOURHOOD: u32 = 32;

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
    /// Adds the outcome of one input.
    pub fn add(&mut self, outcome: Option<Outcome>) {
        match (outcome, Loss::of(outcome)) {
            (Some(Outcome::Error { ulp, .. }), _) => self.error = larger(self.error, Some(ulp)),
            (_, Some(loss)) => self.lost[loss as usize] = true,
            _ => {}
        }
    }

    /// Adds the results of a block.
    pub fn add_block(&mut self, block: &tally::Block) {
        self.error = larger(self.error, block.measured().then_some(block.worst_ulp));
        self.lost[Loss::Nan as usize] |= block.nan > 0;
        self.lost[Loss::Number as usize] |= block.number > 0;
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

/// The inputs of one octave and sign, on their way into the statistics.
#[derive(Debug, Clone)]
pub struct Slot<'a> {
    /// What is measured.
    pub subject: &'a Subject,
    /// Sign and biased exponent, the top nine bits of the inputs.
    pub number: u32,
    /// The statistics by [`Part`].
    pub tallies: [Tally; Part::ALL.len()],
    /// What is drawn of the table.
    pub table_bins: [Bin; BINS],
    /// What is drawn of the closed form.
    pub exact_bins: [Bin; BINS],
}

impl<'a> Slot<'a> {
    /// Nothing measured yet.
    pub fn new(subject: &'a Subject, number: u32) -> Slot<'a> {
        let bins = [Bin::default(); BINS];
        Slot { subject, number, tallies: Default::default(), table_bins: bins, exact_bins: bins }
    }

    /// Adds `samples` of the slot's inputs, and those around what they show.
    pub fn sampled(&mut self, samples: u32) {
        let curve = self.subject.curve;
        let mut last: Option<(u32, Truth)> = None;
        for input in sample::inputs(self.number, samples, self.subject.table()) {
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
            let (first, last) = (self.number << 23, (self.number << 23) + 0x7f_ffff);
            let from = worst.bits.saturating_sub(NEIGHBOURHOOD).max(first);
            for bits in from..=(worst.bits.saturating_add(NEIGHBOURHOOD)).min(last) {
                self.visit_high(bits, false);
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
            self.visit_high(bits, false);
        }
    }

    /// Adds one input, against MPFR.
    pub fn visit_high(&mut self, bits: u32, counted: bool) {
        self.visit(bits, counted, &Truth::high(self.subject.curve, f32::from_bits(bits)));
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

    /// The statistics of the parts that were met.
    pub fn tallies(&self) -> impl Iterator<Item = OctaveTally> {
        let slot = self.number;
        let all = Part::ALL.into_iter().zip(self.tallies);
        all.filter(|(_, tally)| tally.seen > 0).map(move |(part, tally)| OctaveTally { slot, part, tally })
    }
}
