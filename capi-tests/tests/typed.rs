//! Buffers of every two element types at any alignment and overlap: what the loop over the elements in order gives, on one
//! thread and on several.

use std::ptr::null;

use capi_tests::calls::{pwp_sim_apply_typed, pwp_sim_apply_typed_parallel};
use capi_tests::library::{Sim, Status};
use capi_tests::profiles::{self, Random};
use pwp_sim_core::{Affine, Bf16, Element, F16};

/// Longer than several blocks.
const COUNT: usize = 1300;

const EXP: i32 = 7;

const AFFINE: Affine = Affine { scale: 0.75, bias: 0.125, alpha: 0.5 };

/// The element types, as the enum numbers them.
const DTYPES: [i32; 3] = [0, 1, 2];

fn hand_made() -> Sim {
    let directory = tempfile::tempdir().unwrap();
    profiles::write_hand_made(directory.path()).unwrap();
    Sim::create(directory.path()).unwrap()
}

fn size(dtype: i32) -> usize {
    if dtype == 0 { 4 } else { 2 }
}

/// The element of a type at a byte of the memory, as a float.
fn get(memory: &[u8], at: usize, dtype: i32) -> f32 {
    let half = u16::from_le_bytes(memory[at..at + 2].try_into().unwrap());
    match dtype {
        0 => f32::from_le_bytes(memory[at..at + 4].try_into().unwrap()),
        1 => F16(half).widen(),
        _ => Bf16(half).widen(),
    }
}

fn put(memory: &mut [u8], at: usize, dtype: i32, y: f32) {
    match dtype {
        0 => memory[at..at + 4].copy_from_slice(&y.to_le_bytes()),
        1 => memory[at..at + 2].copy_from_slice(&F16::narrow(y).0.to_le_bytes()),
        _ => memory[at..at + 2].copy_from_slice(&Bf16::narrow(y).0.to_le_bytes()),
    }
}

/// Elements of ordinary size, in no order.
fn memory(bytes: usize, dtype: i32) -> Vec<u8> {
    let mut rng = Random::new(5);
    let mut memory = vec![0; bytes.next_multiple_of(4)];
    for at in (0..memory.len()).step_by(size(dtype)) {
        put(&mut memory, at, dtype, (rng.below(2000) as f32) / 500.0 - 2.0);
    }
    memory
}

/// Runs the calls with input and output at these bytes of one memory, and compares all of it with the loop.
#[track_caller]
fn agrees_with_the_loop(sim: &Sim, in_type: i32, input: usize, out_type: i32, output: usize) {
    let before = memory(input.max(output) + COUNT * 4 + 16, in_type);
    let mut expected = before.clone();
    for index in 0..COUNT {
        let v = AFFINE.scaled(get(&expected, input + index * size(in_type), in_type));
        let y = sim.scalar("Exp", v.to_bits(), 0.0, true).unwrap();
        put(&mut expected, output + index * size(out_type), out_type, f32::from_bits(y));
    }
    for threads in [None, Some(0), Some(2)] {
        let mut found = before.clone();
        let start = found.as_mut_ptr();
        // SAFETY: a live simulator; both ranges end within the memory.
        let status = unsafe {
            let (out, input) = (start.add(output).cast(), start.add(input).cast_const().cast());
            let sim = sim.handle();
            match threads {
                None => pwp_sim_apply_typed(sim, EXP, &AFFINE, out, out_type, input, in_type, COUNT, true),
                Some(threads) => {
                    pwp_sim_apply_typed_parallel(sim, EXP, &AFFINE, out, out_type, input, in_type, COUNT, true, threads)
                }
            }
        };
        assert_eq!(status, Status::PWP_SIM_OK);
        let differing = expected.iter().zip(&found).position(|(a, b)| a != b);
        let what = format!("{in_type} at {input} to {out_type} at {output}, threads {threads:?}: first byte");
        assert_eq!(differing, None, "{what}");
    }
}

fn for_every_two_types(check: impl Fn(i32, i32)) {
    for in_type in DTYPES {
        for out_type in DTYPES {
            check(in_type, out_type);
        }
    }
}

#[test]
fn buffers_apart_are_computed_at_any_alignment() {
    let sim = hand_made();
    let apart = COUNT * 4 + 64;
    for_every_two_types(|in_type, out_type| {
        for (input, output) in [(0, apart), (1, apart), (0, apart + 1), (3, apart + 5), (apart, 0), (apart + 1, 2)] {
            agrees_with_the_loop(&sim, in_type, input, out_type, output);
        }
    });
}

#[test]
fn in_place_is_the_loop_in_order_whatever_the_sizes() {
    let sim = hand_made();
    for_every_two_types(|in_type, out_type| agrees_with_the_loop(&sim, in_type, 64, out_type, 64));
}

#[test]
fn overlaps_ahead_and_behind_are_the_loop_in_order() {
    let sim = hand_made();
    for_every_two_types(|in_type, out_type| {
        for distance in [1, 2, 3, 4, 6, 100, 1023, 1024, 1026, 2048, 2049, 2600, 4000] {
            agrees_with_the_loop(&sim, in_type, 64, out_type, 64 + distance);
            agrees_with_the_loop(&sim, in_type, 64 + distance, out_type, 64);
        }
    });
}

#[test]
fn many_elements_on_several_threads_are_those_of_one() {
    const MANY: usize = 300_000;
    let sim = hand_made();
    let input: Vec<Bf16> = (0..MANY).map(|index| Bf16::narrow((index % 4001) as f32 / 500.0 - 4.0)).collect();
    let (mut one, mut many) = (vec![F16(0); MANY], vec![F16(1); MANY]);
    let mut place = input.clone();
    // SAFETY: a live simulator, and buffers of as many elements.
    let statuses = unsafe {
        let (sim, from) = (sim.handle(), input.as_ptr().cast());
        let data = place.as_mut_ptr();
        [
            pwp_sim_apply_typed(sim, EXP, null(), one.as_mut_ptr().cast(), 1, from, 2, MANY, true),
            pwp_sim_apply_typed_parallel(sim, EXP, null(), many.as_mut_ptr().cast(), 1, from, 2, MANY, true, 0),
            pwp_sim_apply_typed_parallel(sim, EXP, null(), data.cast(), 2, data.cast_const().cast(), 2, MANY, true, 0),
        ]
    };
    assert_eq!(statuses, [Status::PWP_SIM_OK; 3]);
    assert!(one == many);
    let exp = |x: &Bf16| sim.scalar("Exp", (x.widen() + 0.0).to_bits(), 0.0, true).map(f32::from_bits).unwrap();
    let due = input.iter().map(exp);
    assert!(due.zip(one.iter().zip(&place)).all(|(y, (f16, bf16))| (F16::narrow(y), Bf16::narrow(y)) == (*f16, *bf16)));
}
