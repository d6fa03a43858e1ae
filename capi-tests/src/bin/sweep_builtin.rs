//! All 2^32 inputs of the embedded tables, or of those named: no input is unhandled, and every tier of this CPU gives
//! the bits of the scalar tier.
//!
//!     sweep_builtin [exp_400p ...]

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use pwp_sim_core::catalog::embedded;
use pwp_sim_core::engine::eval;
use pwp_sim_core::{Affine, Table, Tier};
use rayon::prelude::*;

/// Inputs of a task: all floats of one slot's half.
const TASK: u64 = 1 << 22;

/// `v * 1 + -0` is `v`, for zeros too.
const AS_IT_IS: Affine = Affine { scale: 1.0, bias: -0.0, alpha: 0.0 };

#[derive(Default)]
struct Found {
    unhandled: AtomicU64,
    /// Per tier after the scalar one.
    mismatches: [AtomicU64; 2],
}

/// Compares one task's inputs.
fn task(table: &Table, tiers: &[Tier], first: u64, found: &Found) {
    const BLOCK: u64 = 4096;
    let mut inputs = vec![0.0f32; BLOCK as usize];
    let mut expected = inputs.clone();
    let mut results = inputs.clone();
    for block in (first..first + TASK).step_by(BLOCK as usize) {
        for (input, bits) in inputs.iter_mut().zip(block..) {
            *input = f32::from_bits(bits as u32);
        }
        expected.copy_from_slice(&inputs);
        let unhandled = eval::evaluate_block(Tier::Scalar, table, &AS_IT_IS, &mut expected);
        found.unhandled.fetch_add(unhandled.count, Ordering::Relaxed);
        for (tier, mismatches) in tiers.iter().skip(1).zip(&found.mismatches) {
            results.copy_from_slice(&inputs);
            eval::evaluate_block(*tier, table, &AS_IT_IS, &mut results);
            let differ = expected.iter().zip(&results).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            mismatches.fetch_add(differ as u64, Ordering::Relaxed);
        }
    }
}

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let tiers: Vec<Tier> = Tier::available().collect();
    for name in Tier::NAMES.iter().filter(|name| tiers.iter().all(|tier| tier.name() != **name)) {
        println!("{name}: skipped, this CPU lacks it");
    }
    let known: Vec<String> = embedded::members().iter().map(|member| member.profile_name().to_string()).collect();
    if let Some(unknown) = named.iter().find(|name| !known.contains(name)) {
        eprintln!("no embedded table is called {unknown}; there are {}", known.join(", "));
        return ExitCode::FAILURE;
    }
    let mut failed = false;
    for (member, name) in embedded::members().iter().zip(&known) {
        if !named.is_empty() && !named.contains(name) {
            continue;
        }
        let (start, found) = (Instant::now(), Found::default());
        (0..(1u64 << 32) / TASK).into_par_iter().for_each(|index| task(&member.table, &tiers, index * TASK, &found));
        let unhandled = found.unhandled.load(Ordering::Relaxed);
        print!("{name}: 4294967296 inputs, {unhandled} unhandled");
        failed |= unhandled > 0;
        for (tier, mismatches) in tiers.iter().skip(1).zip(&found.mismatches) {
            let mismatches = mismatches.load(Ordering::Relaxed);
            print!(", {} {mismatches} mismatches", tier.name());
            failed |= mismatches > 0;
        }
        println!(", {:.0} s", start.elapsed().as_secs_f64());
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
