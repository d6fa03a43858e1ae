//! Published values of the definition, and one suite for the vectors: the definition's bits, for every form, instruction
//! set and number of elements. `make sweep-exact` takes all inputs.

use super::*;

fn at(function: Function, bits: u32, alpha: f32) -> u32 {
    evaluate(function, f32::from_bits(bits), alpha).to_bits()
}

#[test]
fn published_values_hold_to_the_bit() {
    use Function::*;
    assert_eq!(at(DerivativeSilu, 0x43b1_0000, 0.0), 0x3f80_0000); // 354 -> 1
    assert!(evaluate(DerivativeSilu, f32::from_bits(0x43b2_0000), 0.0).is_nan()); // 356: inf / inf
    assert_eq!(at(DerivativeSilu, 0xc47a_0000, 0.0), 0x8000_0000); // -1000 -> -0
    assert_eq!(at(DerivativeGeluApprxSigmoid, 0x4348_0000, 0.0), 0x3f80_0000); // 200 -> 1
    assert!(evaluate(DerivativeGeluApprxSigmoid, f32::from_bits(0x4352_0000), 0.0).is_nan()); // 210
    assert_eq!(at(Prelu, 0xc040_0000, 2.0), 0xc0c0_0000); // -3 * 2 -> -6
    assert_eq!(at(Prelu, 0xc040_0000, -0.5), 0x3fc0_0000); // -3 * -0.5 -> 1.5
    assert!(evaluate(Prelu, f32::NEG_INFINITY, 0.0).is_nan());
    assert_eq!(at(Lrelu, 0xc040_0000, 2.0), at(Lrelu, 0xc040_0000, -0.5));
}

#[test]
fn zeros_and_nan_take_the_branch_the_form_says() {
    use Function::*;
    assert_eq!(at(Relu, 0x8000_0000, 0.0), 0);
    assert_eq!(at(Relu, 0x7fc0_0000, 0.0), 0);
    assert_eq!(at(Sign, 0x7fc0_0000, 0.0), 0);
    assert_eq!(at(Sign, 0x8000_0000, 0.0), 0);
    assert_eq!(at(Abs, 0xffc0_0001, 0.0), 0x7fc0_0001);
    assert_eq!(at(MemsetZero, 0x7fc0_0000, 0.0), 0);
    assert_eq!(at(Copy, 0xffc0_0001, 0.0), 0xffc0_0001);
    assert!(evaluate(Silu, f32::NEG_INFINITY, 0.0).is_nan());
}

/// The vector tiers of this CPU, with fused multiply-adds and without, where that makes a difference.
fn vectors() -> Vec<(Tier, bool)> {
    static MISSING: std::sync::Once = std::sync::Once::new();
    MISSING.call_once(|| {
        let missing = Tier::NAMES.iter().filter(|name| Tier::named(name).is_none());
        missing.for_each(|name| eprintln!("skipped: this CPU has no {name}"));
    });
    let both = |tier: Tier| [(tier, true), (tier, false)].into_iter().take(if tier.name() == "avx2" { 2 } else { 1 });
    Tier::available().filter(|tier| *tier != Tier::Scalar).flat_map(both).collect()
}

/// Compares a block's results with the definition's, bit by bit.
#[track_caller]
fn agrees((tier, fused): (Tier, bool), function: Function, affine: &Affine, input: &[f32]) {
    let (mut found, mut expected) = (input.to_vec(), input.to_vec());
    evaluate_block_fused(tier, fused, function, affine, &mut found);
    evaluate_block(Tier::Scalar, function, affine, &mut expected);
    for ((x, y), e) in input.iter().zip(&found).zip(&expected) {
        let (y, e) = (y.to_bits(), e.to_bits());
        assert!(y == e, "{} of {x:e} on {} (fused: {fused}): {y:08x}, not {e:08x}", function.name(), tier.name());
    }
}

#[test]
fn the_scalar_tier_gives_the_definition_s_bits_of_the_scaled_inputs() {
    let affine = Affine { scale: 0.75, bias: -1.5, alpha: 0.25 };
    let input: Vec<f32> = (0..1000).map(|i| (i as f32 - 500.0) * 0.037).collect();
    for function in Function::all() {
        let mut data = input.clone();
        evaluate_block(Tier::Scalar, function, &affine, &mut data);
        for (x, y) in input.iter().zip(&data) {
            let expected = evaluate(function, 0.75 * x + -1.5, 0.25);
            assert!(y.to_bits() == expected.to_bits() || (y.is_nan() && expected.is_nan()), "{function:?} {x}");
        }
    }
}

#[test]
fn one_input_of_each_256_neighbours_gives_the_definition_s_bits() {
    const AS_IT_IS: Affine = Affine { scale: 1.0, bias: -0.0, alpha: 0.25 };
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut pick = |stratum: u32| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        f32::from_bits(stratum << 8 | (random >> 56) as u32)
    };
    for function in Function::all() {
        for first in (0..1u32 << 24).step_by(1 << 14) {
            let input: Vec<f32> = (first..first + (1 << 14)).map(&mut pick).collect();
            let mut expected = input.clone();
            evaluate_block(Tier::Scalar, function, &AS_IT_IS, &mut expected);
            for (tier, fused) in vectors() {
                let mut found = input.clone();
                evaluate_block_fused(tier, fused, function, &AS_IT_IS, &mut found);
                for ((x, y), e) in input.iter().zip(&found).zip(&expected) {
                    assert!(
                        y.to_bits() == e.to_bits(),
                        "{} of {x:e} on {}: {y:e}, not {e:e}",
                        function.name(),
                        tier.name()
                    );
                }
            }
        }
    }
}

#[test]
fn every_length_gives_the_definition_s_bits() {
    let affine = Affine { scale: 0.75, bias: -0.5, alpha: -2.0 };
    let input: Vec<f32> = (0..200).map(|i| (i as f32 * 0.618).sin() * 12.0).collect();
    for function in Function::all() {
        for vectors in vectors() {
            for len in 0..input.len() {
                agrees(vectors, function, &affine, &input[..len]);
            }
        }
    }
}

#[test]
fn zeros_infinities_nan_and_denormals_give_the_definition_s_bits_in_every_lane() {
    let odd = [0.0, f32::INFINITY, f32::NAN, 1e-45, 1e-38, f32::MIN_POSITIVE, f32::MAX, 1e-20, 5e9];
    for function in Function::all() {
        for vectors in vectors() {
            for lane in 0..33 {
                for x in odd.iter().flat_map(|x| [*x, -*x]) {
                    let mut input = [1.25; 33];
                    input[lane] = x;
                    agrees(vectors, function, &Affine::UNIT, &input);
                }
            }
        }
    }
}

#[test]
fn nearly_all_elements_of_the_usual_range_are_computed_on_vectors() {
    let input: Vec<f32> = (0..1 << 16).map(|i| (i as f32 - 32768.0) * (10.0 / 32768.0)).collect();
    for function in Function::all() {
        for (tier, fused) in vectors() {
            let left = evaluate_block_fused(tier, fused, function, &Affine::UNIT, &mut input.clone());
            assert!(left < input.len() / 50, "{} on {}: {left} by the definition", function.name(), tier.name());
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn other_environments_take_the_definition_on_every_tier() {
    let input: Vec<f32> = (0..64).map(|i| (i as f32 - 32.0) * 0.3).collect();
    let bits = |data: &[f32]| data.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
    for control in [0x3f80, 0x5f80, 0x7f80, 0x9fc0] {
        for function in Function::all() {
            for (tier, fused) in vectors() {
                let (mut found, mut expected) = (input.clone(), input.clone());
                let left = environment::with_mxcsr(control, || {
                    evaluate_block(Tier::Scalar, function, &Affine::UNIT, &mut expected);
                    evaluate_block_fused(tier, fused, function, &Affine::UNIT, &mut found)
                });
                assert_eq!((left, bits(&found)), (input.len(), bits(&expected)), "{} {control:x}", function.name());
            }
        }
    }
}
