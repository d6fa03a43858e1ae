//! What callers do wrong, and the corners of what they may do: status, text, and nothing written.

use std::ffi::{CStr, c_char};
use std::ptr;

use capi_tests::calls::*;
use capi_tests::library::{Sim, Status, UNWRITTEN, function_from_name, last_error};
use capi_tests::profiles;
use pwp_sim_core::Affine;

/// Passes as a name, is not UTF-8.
const NOT_UTF8: &CStr = c"Exp\xff";

const UNIT: Affine = Affine { scale: 1.0, bias: -0.0, alpha: 0.0 };

fn hand_made() -> Sim {
    let directory = tempfile::tempdir().unwrap();
    profiles::write_hand_made(directory.path()).unwrap();
    Sim::create(directory.path()).unwrap()
}

/// `pwp_sim_simulate` of one element by a name of any bytes. The output must stay as it was, whatever the status.
fn simulate_one(sim: *const ::pwp_sim::c::calls::pwp_sim, name: *const c_char) -> Status {
    let mut out = f32::from_bits(UNWRITTEN);
    // SAFETY: the handle and the name are null or alive, the buffers one float each.
    let status = unsafe { pwp_sim_simulate(sim, name, &mut out, &0.5, 0.0, 1.0, 0.0, 1, false) };
    assert!(status == Status::PWP_SIM_OK || out.to_bits() == UNWRITTEN, "a failing call wrote");
    status
}

/// As [`simulate_one`], for the scalar form.
fn scalar_one(sim: *const ::pwp_sim::c::calls::pwp_sim, name: *const c_char) -> Status {
    let mut out = f32::from_bits(UNWRITTEN);
    // SAFETY: the handle and the name are null or alive, the output one float.
    let status = unsafe { pwp_sim_simulate_scalar(sim, name, 0.5, 0.0, false, &mut out) };
    assert!(status == Status::PWP_SIM_OK || out.to_bits() == UNWRITTEN, "a failing call wrote");
    status
}

#[test]
fn a_null_handle_is_an_invalid_argument_in_every_call() {
    let sim = ptr::null();
    assert_eq!(simulate_one(sim, c"Exp".as_ptr()), Status::PWP_SIM_INVALID_ARGUMENT);
    assert_eq!(scalar_one(sim, c"Exp".as_ptr()), Status::PWP_SIM_INVALID_ARGUMENT);
    let mut out = f32::from_bits(UNWRITTEN);
    // SAFETY: null handles; the rest is one float, or null.
    let statuses = unsafe {
        [
            pwp_sim_apply(sim, 7, ptr::null(), &mut out, &0.5, 1, false),
            pwp_sim_table_info(sim, 7, ptr::null_mut()),
            pwp_sim_table_section(sim, 7, 0.5, ptr::null_mut()),
        ]
    };
    assert_eq!(statuses, [Status::PWP_SIM_INVALID_ARGUMENT; 3]);
    assert_eq!(last_error(), "invalid argument: the simulator is null");
    assert_eq!(out.to_bits(), UNWRITTEN);
    // SAFETY: null is allowed in both.
    unsafe {
        assert!(!pwp_sim_can_use_pwp_table(sim));
        pwp_sim_destroy(ptr::null_mut());
    }
}

#[test]
fn a_null_name_is_an_invalid_argument() {
    let sim = Sim::exact();
    assert_eq!(simulate_one(sim.handle(), ptr::null()), Status::PWP_SIM_INVALID_ARGUMENT);
    assert_eq!(scalar_one(sim.handle(), ptr::null()), Status::PWP_SIM_INVALID_ARGUMENT);
    assert_eq!(function_from_name(None), (Status::PWP_SIM_INVALID_ARGUMENT, None));
    assert_eq!(last_error(), "invalid argument: the function name is null");
}

#[test]
fn a_name_that_is_not_utf8_is_an_invalid_argument() {
    let sim = Sim::exact();
    assert_eq!(simulate_one(sim.handle(), NOT_UTF8.as_ptr()), Status::PWP_SIM_INVALID_ARGUMENT);
    assert_eq!(scalar_one(sim.handle(), NOT_UTF8.as_ptr()), Status::PWP_SIM_INVALID_ARGUMENT);
    assert_eq!(function_from_name(Some(NOT_UTF8)), (Status::PWP_SIM_INVALID_ARGUMENT, None));
    assert!(last_error().contains("is not UTF-8"));
}

#[test]
fn an_unknown_name_is_unsupported_with_the_original_s_text() {
    let sim = Sim::exact();
    for name in [c"", c"gelu", c"Gelu ", c" Gelu", c"GELU", c"Is_finite", c"Unknown", c"Ln_Prime", c"G\xc3\xa9lu"] {
        let text = format!("Unsupported activation function Simulator::simulation: {}", name.to_str().unwrap());
        for call in [simulate_one, scalar_one] {
            assert_eq!(call(sim.handle(), name.as_ptr()), Status::PWP_SIM_UNSUPPORTED_FUNCTION, "{name:?}");
            assert_eq!(last_error(), text);
        }
        assert_eq!(function_from_name(Some(name)), (Status::PWP_SIM_UNSUPPORTED_FUNCTION, None));
        assert_eq!(last_error(), text);
    }
}

#[test]
fn an_integer_that_is_no_function_is_unsupported() {
    let sim = hand_made();
    for id in [-1, 29, 30, 31, 34, i32::MIN, i32::MAX] {
        let mut out = f32::from_bits(UNWRITTEN);
        // SAFETY: a live handle, one float each.
        let status = unsafe { pwp_sim_apply(sim.handle(), id, ptr::null(), &mut out, &0.5, 1, false) };
        assert_eq!(status, Status::PWP_SIM_UNSUPPORTED_FUNCTION, "{id}");
        assert!(last_error().contains(&id.to_string()), "{}", last_error());
        assert_eq!(out.to_bits(), UNWRITTEN);
        assert_eq!(sim.table_info(id).unwrap_err().0, Status::PWP_SIM_UNSUPPORTED_FUNCTION);
        assert_eq!(sim.table_section(id, 0.5).unwrap_err().0, Status::PWP_SIM_UNSUPPORTED_FUNCTION);
    }
}

#[test]
fn a_count_of_zero_is_a_no_op_whatever_the_pointers() {
    let sim = hand_made();
    let mut out = f32::from_bits(UNWRITTEN);
    let odd = ptr::without_provenance_mut::<f32>(1);
    for use_pwp in [false, true] {
        for (output, input) in [
            (ptr::null_mut(), ptr::null()),
            (odd, odd.cast_const()),
            (&raw mut out, ptr::null()),
            (ptr::null_mut(), &0.5),
        ] {
            // SAFETY: no element is read or written.
            unsafe { sim.simulate_raw("Exp", output, input, &UNIT, 0, use_pwp) }.unwrap();
        }
    }
    assert_eq!(out.to_bits(), UNWRITTEN);
}

#[test]
fn a_count_of_zero_still_needs_a_function() {
    let sim = Sim::exact();
    // SAFETY: no element is read or written.
    let result = unsafe { sim.simulate_raw("exp", ptr::null_mut(), ptr::null(), &UNIT, 0, false) };
    assert_eq!(result.unwrap_err().0, Status::PWP_SIM_UNSUPPORTED_FUNCTION);
}

#[test]
fn a_null_buffer_is_an_invalid_argument() {
    let sim = hand_made();
    let mut out = f32::from_bits(UNWRITTEN);
    for use_pwp in [false, true] {
        for (output, input, which) in
            [(ptr::null_mut(), ptr::null(), "out"), (ptr::null_mut(), &0.5, "out"), (&raw mut out, ptr::null(), "in")]
        {
            // SAFETY: what is not null is one float.
            let failure = unsafe { sim.simulate_raw("Exp", output, input, &UNIT, 1, use_pwp) }.unwrap_err();
            assert_eq!(
                failure,
                (Status::PWP_SIM_INVALID_ARGUMENT, format!("invalid argument: {which} is null and count is 1"))
            );
        }
    }
    assert_eq!(out.to_bits(), UNWRITTEN);
}

#[test]
fn a_count_whose_bytes_do_not_fit_the_address_space_is_an_invalid_argument() {
    let sim = hand_made();
    let mut out = f32::from_bits(UNWRITTEN);
    for count in
        [usize::MAX, usize::MAX / 2, usize::MAX / 4, usize::MAX / 4 + 1, usize::MAX / 4 + 2, usize::MAX / 8 + 1]
    {
        for use_pwp in [false, true] {
            // SAFETY: the call must refuse the count before it touches the buffers.
            let failure = unsafe { sim.simulate_raw("Exp", &mut out, &0.5, &UNIT, count, use_pwp) }.unwrap_err();
            assert_eq!(failure.0, Status::PWP_SIM_INVALID_ARGUMENT, "{count:x}");
            assert!(failure.1.contains("do not fit the address space"), "{}", failure.1);
        }
    }
    assert_eq!(out.to_bits(), UNWRITTEN);
}

#[test]
fn a_null_place_for_the_result_is_an_invalid_argument() {
    let sim = hand_made();
    // SAFETY: a live handle, names and nulls.
    let statuses = unsafe {
        [
            pwp_sim_create(c"".as_ptr(), ptr::null_mut()),
            pwp_sim_simulate_scalar(sim.handle(), c"Exp".as_ptr(), 0.5, 0.0, true, ptr::null_mut()),
            pwp_sim_function_from_name(c"Exp".as_ptr(), ptr::null_mut()),
            pwp_sim_table_info(sim.handle(), 7, ptr::null_mut()),
            pwp_sim_table_section(sim.handle(), 7, 0.5, ptr::null_mut()),
        ]
    };
    assert_eq!(statuses, [Status::PWP_SIM_INVALID_ARGUMENT; 5]);
}

#[test]
fn a_null_or_empty_path_gives_the_exact_path_alone() {
    for path in [ptr::null(), c"".as_ptr()] {
        let mut sim = ptr::null_mut();
        // SAFETY: null or a live string, and a place to write to.
        assert_eq!(unsafe { pwp_sim_create(path, &mut sim) }, Status::PWP_SIM_OK);
        // SAFETY: the handle is alive, and destroyed once.
        unsafe {
            assert!(!pwp_sim_can_use_pwp_table(sim));
            let mut y = 0.0;
            assert_eq!(pwp_sim_simulate_scalar(sim, c"Square".as_ptr(), 3.0, 0.0, true, &mut y), Status::PWP_SIM_OK);
            assert_eq!(y, 9.0);
            pwp_sim_destroy(sim);
        }
    }
}

#[test]
fn a_function_without_a_table_is_an_error_and_never_the_exact_path() {
    let sim = hand_made();
    for name in ["Tanh", "Ln_prime"] {
        let (failure, written) = sim.scalar(name, 0x3f00_0000, 0.0, true).unwrap_err();
        assert_eq!((failure.0, written), (Status::PWP_SIM_NO_PROFILE, None));
        assert!(failure.1.contains(name), "{}", failure.1);
        let (output, result) = sim.simulate(name, &[0.5; 3], &UNIT, true);
        assert_eq!(result.unwrap_err().0, Status::PWP_SIM_NO_PROFILE);
        assert!(output.iter().all(|y| y.to_bits() == UNWRITTEN));
    }
}

#[test]
fn apply_takes_scale_and_bias_in_their_natural_meaning() {
    let sim = Sim::exact();
    let affine = Affine { scale: 2.0, bias: 1.0, alpha: 0.0 };
    let mut out = 0.0;
    // SAFETY: a live handle, one float each.
    assert_eq!(unsafe { pwp_sim_apply(sim.handle(), 0, &affine, &mut out, &10.0, 1, false) }, Status::PWP_SIM_OK);
    assert_eq!(out, 21.0);
}

#[test]
fn simulate_adds_its_first_float_and_multiplies_by_its_second() {
    let sim = Sim::exact();
    let mut out = 0.0;
    // SAFETY: a live handle and name, one float each.
    let status =
        unsafe { pwp_sim_simulate(sim.handle(), c"Identity".as_ptr(), &mut out, &10.0, 1.0, 2.0, 0.0, 1, false) };
    assert_eq!((status, out), (Status::PWP_SIM_OK, 21.0));
}

#[test]
fn a_null_affine_is_scale_1_bias_0_alpha_0() {
    let sim = Sim::exact();
    let mut out = [0.0; 2];
    // SAFETY: a live handle, one float each.
    let statuses = unsafe {
        [
            pwp_sim_apply(sim.handle(), 0, ptr::null(), &mut out[0], &-0.0, 1, false),
            pwp_sim_apply(sim.handle(), 4, ptr::null(), &mut out[1], &-3.0, 1, false),
        ]
    };
    assert_eq!(statuses, [Status::PWP_SIM_OK; 2]);
    // -0 * 1 + 0 is +0; Prelu's -3 times 0 is -0.
    assert_eq!(out.map(f32::to_bits), [0, 0x8000_0000]);
}

#[test]
fn each_thread_has_its_own_last_error() {
    let barrier = &std::sync::Barrier::new(4);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                assert_eq!(last_error(), "", "empty before the first failure");
                let name = std::ffi::CString::new(format!("thread{thread}")).unwrap();
                assert_eq!(function_from_name(Some(&name)).0, Status::PWP_SIM_UNSUPPORTED_FUNCTION);
                barrier.wait();
                assert!(last_error().ends_with(&format!("simulation: thread{thread}")), "{}", last_error());
            });
        }
    });
}

#[test]
fn a_successful_call_leaves_the_last_error() {
    assert_eq!(function_from_name(Some(c"nothing")).0, Status::PWP_SIM_UNSUPPORTED_FUNCTION);
    let before = last_error();
    assert_eq!(function_from_name(Some(c"Exp")), (Status::PWP_SIM_OK, Some(7)));
    assert_eq!(last_error(), before);
}

#[test]
fn the_version_is_the_package_s() {
    // SAFETY: a static string.
    let version = unsafe { CStr::from_ptr(pwp_sim_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_directory_without_a_profile_is_an_io_error_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("notes.json"), "{}").unwrap();
    let (status, text) = Sim::create(directory.path()).unwrap_err();
    assert_eq!(status, Status::PWP_SIM_PROFILE_IO);
    assert!(text.contains("no profile in") && text.contains(directory.path().to_str().unwrap()), "{text}");
}

#[test]
fn every_tier_of_this_cpu_can_be_asked_for() {
    let mut found = 0;
    for tier in [c"scalar", c"avx2", c"avx512", c"neon"] {
        let mut sim = ptr::null_mut();
        // SAFETY: live strings, and a place to write to.
        match unsafe { pwp_sim_create_on_tier(c"builtin:".as_ptr(), tier.as_ptr(), &mut sim) } {
            Status::PWP_SIM_OK => {
                found += 1;
                // SAFETY: the handle is alive, and destroyed once.
                unsafe {
                    assert_eq!(CStr::from_ptr(pwp_sim_tier(sim)), tier);
                    pwp_sim_destroy(sim);
                }
            }
            status => assert!(status == Status::PWP_SIM_INVALID_ARGUMENT && sim.is_null(), "{status:?}"),
        }
    }
    assert!(found > 0);
}
