//! Every float of one octave, against the truth of [`crate::truths`]: bit for bit what MPFR input by input would give.

use pwp_sim_core::engine::{eval, exact};
use pwp_sim_core::profile::Saturation;
use pwp_sim_core::{Affine, Table, Tier};

use super::sample;
use super::slot::{BINS, Bin, Part, Slot};
use super::subject::ALPHA;
use super::tally::{Block as Sums, Tally};
use crate::truths::{BLOCK, Block, Truths, vectors};

/// Mantissas of one octave.
const MANTISSAS: u32 = 1 << 23;

/// Measures every input of the slot but NaN.
pub fn slot(slot: &mut Slot, truths: &Truths) {
    let base = slot.number << 23;
    if slot.number & 255 == 255 {
        return slot.visit_high(base, true);
    }
    let mut first = base;
    if slot.number & 255 == 0 {
        slot.visit_high(base, true);
        first += 1;
    }
    stretch(slot, truths, first, base + MANTISSAS - 1);
}

/// Measures the inputs with the bits `first..=last` of one slot, which are neither zero nor infinite.
pub fn stretch(slot: &mut Slot, truths: &Truths, first: u32, last: u32) {
    let mut sweep = Sweep { tier: Tier::from_env(), vectors: pulp::Arch::new(), sums: Sums::new() };
    let mut cuts = slot.subject.table().map(|table| cuts(table, slot.number)).unwrap_or_default();
    cuts.retain(|cut| (first + 1..=last).contains(cut));
    cuts.push(last + 1);
    cuts.sort_unstable();
    let mut from = first;
    for to in cuts {
        if from < to {
            truths.walk(from, to - 1, &mut |block| sweep.block(slot, block));
        }
        from = to;
    }
}

/// The bits at which another part of the table begins to serve the slot's inputs.
fn cuts(table: &Table, slot: u32) -> Vec<u32> {
    let folded = sample::folded(table, slot);
    let [high, low] = if folded < 256 {
        [Saturation::PosHigh, Saturation::PosLow]
    } else {
        [Saturation::NegHigh, Saturation::NegLow]
    };
    let begins = |saturation, behind: i64| {
        let point = table.saturation_point(saturation);
        let mantissa = i64::from(point.mantissa_point) + behind;
        let inside = point.sat_point == (folded & 255) as i32 && (0..i64::from(MANTISSAS)).contains(&mantissa);
        inside.then(|| (slot << 23) + mantissa as u32)
    };
    [begins(high, 0), begins(low, 1)].into_iter().flatten().collect()
}

struct Sweep {
    tier: Tier,
    vectors: pulp::Arch,
    /// What is used again from block to block.
    sums: Sums,
}

impl Sweep {
    fn block(&mut self, slot: &mut Slot, block: &Block) {
        let mut inputs = [0f32; BLOCK];
        for (index, x) in inputs.iter_mut().enumerate() {
            *x = f32::from_bits(block.first.wrapping_add(index as u32));
        }
        let bin = (block.first >> 17) as usize % BINS;
        if let Some(table) = slot.subject.table() {
            let mut y = inputs;
            let part = Part::of(table, inputs[0]);
            let unhandled = eval::evaluate_block(self.tier, table, &Affine::UNIT, &mut y[..block.len]);
            let tally = &mut slot.tallies[part as usize];
            if unhandled.count > 0 {
                one_by_one(table, block, tally, &mut slot.table_bins[bin]);
            } else {
                self.add(block, &y, tally, &mut slot.table_bins[bin]);
            }
        }
        if let Some(function) = slot.subject.function {
            let affine = Affine::UNIT.with_alpha(ALPHA);
            exact::evaluate_block(self.tier, function, &affine, &mut inputs[..block.len]);
            self.add(block, &inputs, &mut slot.tallies[Part::Form as usize], &mut slot.exact_bins[bin]);
        }
    }

    fn add(&mut self, block: &Block, y: &[f32; BLOCK], tally: &mut Tally, bin: &mut Bin) {
        let sums = &mut self.sums;
        vectors::run(
            self.vectors,
            #[inline(always)]
            || sums.measure(block, y),
        );
        tally.add_block(block.first, sums);
        bin.add_block(sums);
    }
}

/// A block with inputs that the table does not handle.
fn one_by_one(table: &Table, block: &Block, tally: &mut Tally, bin: &mut Bin) {
    for index in 0..block.len {
        let bits = block.first + index as u32;
        let outcome = eval::evaluate(table, f32::from_bits(bits)).map(|y| block.apart(index, y).outcome());
        tally.add(bits, true, outcome);
        bin.add(outcome);
    }
}
