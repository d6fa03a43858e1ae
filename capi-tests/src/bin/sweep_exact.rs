//! All 2^32 inputs of the closed forms, or of those named, on every tier of this CPU against the definition with this
//! machine's libm.
//!
//!     sweep_exact [Exp ...]
//!
//! A tier that may do without fused multiply-adds is swept with them and without. NaN must have the definition's bits too.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use pwp_sim_core::engine::exact::{evaluate_block, evaluate_block_fused};
use pwp_sim_core::{Affine, Function, Tier};
use rayon::prelude::*;

/// Inputs of a task.
const TASK: u64 = 1 << 22;

/// `v * 1 + -0` is `v`, for zeros too. Prelu's slope is no power of two.
const AS_IT_IS: Affine = Affine { scale: 1.0, bias: -0.0, alpha: 0.7 };

/// A way to compute, and what was found of it.
struct Way {
    tier: Tier,
    fused: bool,
    mismatches: AtomicU64,
    by_definition: AtomicU64,
}

impl Way {
    fn new(tier: Tier, fused: bool) -> Way {
        Way { tier, fused, mismatches: AtomicU64::new(0), by_definition: AtomicU64::new(0) }
    }

    fn name(&self) -> String {
        let name = self.tier.name();
        if self.fused { name.to_owned() } else { format!("{name} without fma") }
    }
}

/// The vector tiers of this CPU, and AVX2 without fused multiply-adds.
fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for tier in Tier::available().filter(|tier| *tier != Tier::Scalar) {
        ways.push(Way::new(tier, true));
        if tier.name() == "avx2" {
            ways.push(Way::new(tier, false));
        }
    }
    ways
}

/// Compares one task's inputs.
fn task(function: Function, first: u64, ways: &[Way]) {
    const BLOCK: u64 = 2048;
    let mut inputs = vec![0.0f32; BLOCK as usize];
    let mut expected = inputs.clone();
    let mut results = inputs.clone();
    for block in (first..first + TASK).step_by(BLOCK as usize) {
        for (input, bits) in inputs.iter_mut().zip(block..) {
            *input = f32::from_bits(bits as u32);
        }
        expected.copy_from_slice(&inputs);
        evaluate_block(Tier::Scalar, function, &AS_IT_IS, &mut expected);
        for way in ways {
            results.copy_from_slice(&inputs);
            let left = evaluate_block_fused(way.tier, way.fused, function, &AS_IT_IS, &mut results);
            way.by_definition.fetch_add(left as u64, Ordering::Relaxed);
            for ((input, y), e) in inputs.iter().zip(&results).zip(&expected) {
                if y.to_bits() != e.to_bits() && way.mismatches.fetch_add(1, Ordering::Relaxed) < 5 {
                    let (x, y, e) = (input.to_bits(), y.to_bits(), e.to_bits());
                    println!("{} of {input:e} ({x:08x}) on {}: {y:08x}, not {e:08x}", function.name(), way.name());
                }
            }
        }
    }
}

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args().skip(1).collect();
    for name in Tier::NAMES.iter().filter(|name| Tier::named(name).is_none()) {
        println!("{name}: skipped, this CPU lacks it");
    }
    if let Some(unknown) = named.iter().find(|name| !Function::all().any(|function| function.name() == *name)) {
        eprintln!("no function is called {unknown}");
        return ExitCode::FAILURE;
    }
    let mut failed = false;
    for function in Function::all().filter(|f| named.is_empty() || named.iter().any(|name| name == f.name())) {
        let (start, ways) = (Instant::now(), ways());
        (0..(1u64 << 32) / TASK).into_par_iter().for_each(|index| task(function, index * TASK, &ways));
        print!("{}: 4294967296 inputs", function.name());
        for way in &ways {
            let mismatches = way.mismatches.load(Ordering::Relaxed);
            let share = way.by_definition.load(Ordering::Relaxed) as f64 / (1u64 << 32) as f64;
            print!(", {} {mismatches} mismatches, {:.3} % by the definition", way.name(), 100.0 * share);
            failed |= mismatches > 0;
        }
        println!(", {:.0} s", start.elapsed().as_secs_f64());
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
