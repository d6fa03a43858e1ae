//! Buffers of any alignment and overlap: always what the loop over the elements in order gives. And inputs that no
//! section covers: everything else is written.

use capi_tests::library::{Sim, Status};
use capi_tests::profiles::{self, Random};
use pwp_sim_core::Affine;
use pwp_sim_core::profile::{Profile, Region, SaturationPoint, Section, to_json};

/// Longer than every block the library works in, and than the longest distance below.
const COUNT: usize = 9000;

const SIZE: usize = size_of::<f32>();

const AFFINE: Affine = Affine { scale: 0.75, bias: 0.125, alpha: 0.5 };

fn hand_made() -> Sim {
    let directory = tempfile::tempdir().unwrap();
    profiles::write_hand_made(directory.path()).unwrap();
    Sim::create(directory.path()).unwrap()
}

/// Floats of ordinary size, in no order.
fn memory(bytes: usize) -> Vec<u8> {
    let mut rng = Random::new(5);
    let floats = (0..bytes.div_ceil(SIZE)).flat_map(|_| ((rng.below(2000) as f32) / 500.0 - 2.0).to_le_bytes());
    floats.take(bytes).collect()
}

/// The loop over the elements in order, one scalar call each, with the input and the output at these bytes.
fn in_order(sim: &Sim, name: &str, memory: &mut [u8], input: usize, output: usize, use_pwp: bool) {
    for index in 0..COUNT {
        let at = input + index * SIZE;
        let x = f32::from_le_bytes(memory[at..at + SIZE].try_into().unwrap());
        let v = AFFINE.scale * x + AFFINE.bias;
        let y = sim.scalar(name, v.to_bits(), AFFINE.alpha, use_pwp).unwrap();
        let at = output + index * SIZE;
        memory[at..at + SIZE].copy_from_slice(&y.to_le_bytes());
    }
}

/// Runs one call with input and output at these bytes of one memory, and compares all of it with the loop.
#[track_caller]
fn agrees_with_the_loop(sim: &Sim, input: usize, output: usize) {
    let before = memory(input.max(output) + COUNT * SIZE + 16);
    for (name, use_pwp) in [("Exp", true), ("Square", false), ("Prelu", false), ("Exp", false)] {
        let mut expected = before.clone();
        in_order(sim, name, &mut expected, input, output, use_pwp);
        let mut found = before.clone();
        let start = found.as_mut_ptr();
        // SAFETY: both ranges end within the memory.
        let result = unsafe {
            let (out, input) = (start.add(output).cast::<f32>(), start.add(input).cast::<f32>());
            sim.simulate_raw(name, out, input.cast_const(), &AFFINE, COUNT, use_pwp)
        };
        result.unwrap();
        let differing = expected.iter().zip(&found).position(|(a, b)| a != b);
        assert_eq!(differing, None, "{name}, use_pwp {use_pwp}, input at {input}, output at {output}: first byte");
    }
}

#[test]
fn in_place_is_the_loop_in_order() {
    agrees_with_the_loop(&hand_made(), 64, 64);
}

#[test]
fn an_output_that_overlaps_ahead_of_its_input_is_the_loop_in_order() {
    let sim = hand_made();
    for elements in [1, 2, 3, 100, 2047, 2048, 2049, 5000, COUNT - 1] {
        agrees_with_the_loop(&sim, 64, 64 + elements * SIZE);
    }
}

#[test]
fn an_output_that_overlaps_behind_its_input_is_the_loop_in_order() {
    let sim = hand_made();
    for elements in [1, 2, 3, 100, 2047, 2048, 2049, 5000, COUNT - 1] {
        agrees_with_the_loop(&sim, 64 + elements * SIZE, 64);
    }
}

#[test]
fn an_overlap_by_a_part_of_an_element_is_the_loop_in_order() {
    let sim = hand_made();
    for bytes in [1, 2, 3, 5, 7, 401, 8191, 8193, 20_001] {
        agrees_with_the_loop(&sim, 64, 64 + bytes);
        agrees_with_the_loop(&sim, 64 + bytes, 64);
    }
}

#[test]
fn buffers_at_any_byte_offset_are_as_good_as_aligned_ones() {
    let sim = hand_made();
    let apart = COUNT * SIZE + 64;
    for (input, output) in [(1, apart), (0, apart + 1), (1, apart + 1), (3, apart + 2), (apart + 1, 1)] {
        agrees_with_the_loop(&sim, input, output);
    }
}

/// A table that covers 1 <= |v| < 2 alone.
fn one_octave() -> Sim {
    let section = Section { d0: 5.0, ..Section::default() };
    let region = Region { exponent: 0, num_sections: 1, extract_size: 0, sections: vec![section] };
    let never = |sat_point, mantissa_point| SaturationPoint { sat_point, mantissa_point, section };
    let (high, low) = (never(i32::MAX, 0), never(i32::MIN, 0));
    let profile = Profile {
        pos: vec![region.clone()],
        neg: vec![region],
        saturation_points: [high, low, high, low],
        ..Profile::default()
    };
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("exp_400p.json"), to_json(&profile, &[])).unwrap();
    Sim::create(directory.path()).unwrap()
}

#[test]
fn unhandled_inputs_become_nan_and_all_others_are_written() {
    let sim = one_octave();
    let identity = Affine { scale: 1.0, bias: -0.0, alpha: 0.0 };
    let mut input = vec![1.5f32; 5000];
    let unhandled = [3usize, 4, 2047, 2048, 4999];
    for (index, x) in unhandled.into_iter().zip([4.0, 0.5, -8.0, f32::NAN, 1e-40]) {
        input[index] = x;
    }
    let (output, result) = sim.simulate("Exp", &input, &identity, true);
    let (status, message) = result.unwrap_err();
    assert_eq!(status, Status::PWP_SIM_UNHANDLED_SECTION);
    assert_eq!(message, "Unhandled section in simulation of Exp: 5 input(s), the first at index 3");
    for (index, y) in output.iter().enumerate() {
        assert!(if unhandled.contains(&index) { y.is_nan() } else { *y == 5.0 }, "{index}: {y}");
    }
}

#[test]
fn the_scalar_form_of_an_unhandled_input_is_nan_and_an_error() {
    let ((status, message), written) = one_octave().scalar("Exp", 4.0f32.to_bits(), 0.0, true).unwrap_err();
    assert_eq!(status, Status::PWP_SIM_UNHANDLED_SECTION);
    assert!(message.contains("Exp"), "{message}");
    assert!(written.is_some_and(f32::is_nan));
}

#[test]
fn table_section_of_an_unhandled_input_is_an_error() {
    assert_eq!(one_octave().table_section(7, 4.0).unwrap_err().0, Status::PWP_SIM_UNHANDLED_SECTION);
}

#[test]
fn zeros_and_infinities_need_no_section() {
    for bits in [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000] {
        assert_eq!(one_octave().scalar("Exp", bits, 0.0, true), Ok(0));
    }
}
