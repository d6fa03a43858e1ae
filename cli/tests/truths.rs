//! The truth at whole stretches of inputs is that of MPFR at each of them, bit for bit but for the sign of zeros.

use pwp_cli::report::exhaustive;
use pwp_cli::report::slot::{SLOTS, Slot};
use pwp_cli::report::subject::subjects;
use pwp_cli::truth::Curve;
use pwp_cli::truths::{BLOCK, Block, Truths};
use pwp_cli::unit::Truth;
use rayon::prelude::*;

/// The inputs of one octave that have a truth and are no zero.
fn octave(slot: u32) -> Option<(u32, u32)> {
    let first = (slot << 23).max(if slot & 255 == 0 { (slot << 23) | 1 } else { 0 });
    (slot & 255 != 255).then_some((first, (slot << 23) | 0x7f_ffff))
}

fn same(one: &Truth, other: &Truth) -> bool {
    let bits = |truth: &Truth| {
        let nan = truth.value.is_nan();
        // The zeros are equal: adding zero leaves one of them.
        let value = if nan { 0 } else { (truth.value + 0.0).to_bits() };
        (nan, value, if nan { 0 } else { (truth.rounded + 0.0).to_bits() }, truth.unit.to_bits())
    };
    bits(one) == bits(other)
}

/// Compares the block with MPFR at every `step`-th input, and its last.
fn check(curve: Curve, block: &Block, step: usize) {
    for index in (0..block.len).step_by(step).chain([block.len - 1]) {
        let bits = block.first + index as u32;
        let (truth, high) = (block.truth(index), Truth::high(curve, f32::from_bits(bits)));
        assert!(same(&truth, &high), "{} at {bits:08x}: {truth:?}, and {high:?} by MPFR", curve.name());
    }
}

/// Every eighth octave of every function, others of each: all in turn would take minutes.
#[test]
fn the_truth_of_whole_octaves_is_mpfr_s_for_every_function() {
    Curve::all().enumerate().collect::<Vec<_>>().into_par_iter().with_max_len(1).for_each(|(number, curve)| {
        let truths = Truths::new(curve);
        for (first, last) in (number as u32 % 8..SLOTS).step_by(8).filter_map(octave) {
            truths.probe(first, last, &mut |block| check(curve, block, BLOCK));
        }
    });
}

#[test]
fn a_walk_meets_every_input_once_in_ascending_order() {
    for (curve, first, last) in [(Curve::Ln, 0x3f7f_0000, 0x3f7f_ffff), (Curve::Mish, 0xc000_0001, 0xc07f_fff0)] {
        let mut at = first;
        Truths::new(curve).walk(first, last, &mut |block| {
            assert_eq!(block.first, at, "{}", curve.name());
            at += block.len as u32;
        });
        assert_eq!(at, last + 1, "{}", curve.name());
    }
}

#[test]
fn every_input_of_these_stretches_is_mpfr_s() {
    let stretches = [
        (Curve::Ln, 0x3f7f_fc00, 0x3f7f_ffff),
        (Curve::Ln, 0x3f80_0000, 0x3f80_03ff),
        (Curve::Gelu, 0x0000_0001, 0x0000_07ff),
        (Curve::Gelu, 0xc118_b000, 0xc118_c7ff),
        (Curve::Sin, 0x4049_0c00, 0x4049_13ff),
        (Curve::Sin, 0x7f00_0000, 0x7f00_1fff),
        (Curve::Sin, 0xc280_0000, 0xc280_1fff),
        (Curve::Tanh, 0x3200_0000, 0x3200_07ff),
        (Curve::Tanh, 0x4190_0000, 0x4190_07ff),
        (Curve::Exp, 0x42b1_7000, 0x42b1_77ff),
        (Curve::Exp, 0xc2ce_f000, 0xc2ce_ffff),
        (Curve::Sigmoid, 0xc350_0000, 0xc350_07ff),
        (Curve::DerivativeSilu, 0xbfa3_a000, 0xbfa3_a7ff),
        (Curve::LeakyRelu, 0x8000_0001, 0x8000_0fff),
        (Curve::GeluApprxTanh, 0xc158_0000, 0xc158_07ff),
        (Curve::AbsReciprocalSqrt, 0x8000_0001, 0x8000_0fff),
    ];
    stretches.into_par_iter().with_max_len(1).for_each(|(curve, first, last)| {
        Truths::new(curve).walk(first, last, &mut |block| check(curve, block, 1));
    });
}

/// All that a report prints: the worst errors and where they are, means, shares and counts.
#[test]
fn the_statistics_of_a_stretch_are_those_against_mpfr_input_by_input() {
    // Across a clamp's edge, next to the worst inputs, in denormals, and in a tail.
    let stretches = [
        ("exp_400p", 0x42b1_7000),
        ("exp_400p", 0xc2c2_9000),
        ("sigmoid_40p", 0xc26e_8000),
        ("gelu_4p", 0xc118_b800),
        ("ln_40p", 0x3f7f_f000),
        ("sqrt_65536p", 0x0000_0001),
        ("sqrt_65536p", 0xbf80_0000),
        ("sin_4p", 0x4049_0800),
        ("sin_4p", 0x7000_0000),
        ("leaky_relu_1p", 0x8000_0001),
        ("tanh_4p", 0x3200_0000),
    ];
    stretches.into_par_iter().with_max_len(1).for_each(|(name, first)| {
        let subject = subjects("builtin:", &[name.to_owned()]).unwrap().remove(0);
        let last = first + 0xfff;
        let (mut fast, mut slow) = (Slot::new(&subject, first >> 23), Slot::new(&subject, first >> 23));
        exhaustive::stretch(&mut fast, &Truths::new(subject.curve), first, last);
        (first..=last).for_each(|bits| slow.visit_high(bits, true));
        assert_eq!((fast.table_bins, fast.exact_bins), (slow.table_bins, slow.exact_bins), "{name}");
        for (fast, slow) in fast.tallies.iter().zip(&slow.tallies) {
            assert_eq!(
                (fast.seen, fast.measured, fast.counted, fast.exact),
                (slow.seen, slow.measured, slow.counted, slow.exact),
                "{name}"
            );
            assert_eq!((fast.worst_ulp(), fast.worst_abs()), (slow.worst_ulp(), slow.worst_abs()), "{name}");
            for loss in pwp_cli::report::tally::Loss::ALL {
                assert_eq!(fast.lost(loss), slow.lost(loss), "{name}");
            }
            // The sums are of the same numbers in another order.
            for (fast, slow) in [(fast.mean_ulp(), slow.mean_ulp()), (fast.mean_abs(), slow.mean_abs())] {
                let (fast, slow) = (fast.unwrap_or(0.0), slow.unwrap_or(0.0));
                assert!((fast - slow).abs() <= 1e-12 * slow, "{name}: {fast:e} and {slow:e}");
            }
        }
    });
}
