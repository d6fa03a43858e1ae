//! The calls on functions as C makes them: what they tell is the core's one table, and a refused call writes nothing.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use super::pwp_sim_status::*;
use super::*;
use crate::c::info::pwp_sim_last_error;
use pwp_sim_core::function::{FUNCTIONS, FunctionInfo};

/// A value that no call writes.
const UNWRITTEN: FunctionId = FunctionId::MIN;

/// No function's value.
const NO_FUNCTION: [FunctionId; 7] = [-1, 29, 30, 31, 34, FunctionId::MIN, FunctionId::MAX];

fn last_error() -> String {
    // SAFETY: a C string that is valid until this thread's next failing call.
    unsafe { CStr::from_ptr(pwp_sim_last_error()) }.to_str().unwrap().to_owned()
}

fn at(index: usize) -> (pwp_sim_status, FunctionId) {
    let mut function = UNWRITTEN;
    // SAFETY: a place for the result.
    (unsafe { pwp_sim_function_at(index, &mut function) }, function)
}

fn from_any_name(name: &CStr) -> (pwp_sim_status, FunctionId) {
    let mut function = UNWRITTEN;
    // SAFETY: a C string, and a place for the result.
    (unsafe { pwp_sim_function_from_any_name(name.as_ptr(), &mut function) }, function)
}

fn info(function: Function) -> pwp_sim_function_info_t {
    let mut info = MaybeUninit::uninit();
    // SAFETY: a place for the result, which a call that succeeds wrote.
    unsafe {
        assert_eq!(pwp_sim_function_info(function as FunctionId, info.as_mut_ptr()), PWP_SIM_OK);
        info.assume_init()
    }
}

/// The published profiles: first how many, then which.
fn profiles(function: Function) -> Vec<(u32, u32, u32)> {
    let mut count = usize::MAX;
    let nothing = pwp_sim_profile_t { budget: 0, sections: 0, octaves: 0 };
    // SAFETY: as much room as is said, and a place for the count.
    unsafe {
        assert_eq!(pwp_sim_function_profiles(function as FunctionId, null_mut(), 0, &mut count), PWP_SIM_OK);
        let mut room = vec![nothing; count + 1];
        let status = pwp_sim_function_profiles(function as FunctionId, room.as_mut_ptr(), room.len(), &mut count);
        assert_eq!((status, count + 1, room[count]), (PWP_SIM_OK, room.len(), nothing), "no more than there are");
        room[..count].iter().map(|profile| (profile.budget, profile.sections, profile.octaves)).collect()
    }
}

/// A string of the library's, none for null.
fn text(string: *const c_char) -> Option<&'static str> {
    // SAFETY: not null, and so one of the library's static strings.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_str().unwrap())
}

#[test]
fn the_functions_are_counted_off_in_ascending_order() {
    let count = pwp_sim_function_count();
    let all: Vec<FunctionId> = (0..count).map(|index| at(index).1).collect();
    assert_eq!(all, (0..=28).chain([32, 33]).collect::<Vec<_>>());
    for index in [count, count + 1, usize::MAX] {
        assert_eq!(at(index), (PWP_SIM_INVALID_ARGUMENT, UNWRITTEN));
        assert_eq!(last_error(), format!("invalid argument: function {index} of 31"));
    }
}

#[test]
fn every_name_finds_its_function_and_those_without_a_simulation_are_unsupported() {
    for info in &FUNCTIONS {
        let profile = info.profile.map(|profile| format!("{profile}_7p"));
        for name in info.names().map(str::to_owned).chain(profile) {
            let due =
                info.function.map_or((PWP_SIM_UNSUPPORTED_FUNCTION, UNWRITTEN), |f| (PWP_SIM_OK, f as FunctionId));
            assert_eq!(from_any_name(&CString::new(name.clone()).unwrap()), due, "{name}");
        }
    }
    for name in [c"", c"EXP", c"exp ", c"exp_04p", c"Exp_400p", c"\xc3\xa9"] {
        assert_eq!(from_any_name(name), (PWP_SIM_UNSUPPORTED_FUNCTION, UNWRITTEN), "{name:?}");
    }
    assert_eq!(from_any_name(c"exp\xff"), (PWP_SIM_INVALID_ARGUMENT, UNWRITTEN));
    assert_eq!(last_error(), "invalid argument: the function name \"exp\u{fffd}\" is not UTF-8");
}

#[test]
fn what_a_function_is_said_to_be_is_the_core_s_table() {
    for function in Function::all() {
        let (ours, FunctionInfo { bir, neuron_id, published_sections, .. }) = (info(function), function.info());
        assert_eq!(ours.function, function as FunctionId);
        let names = [ours.name, ours.profile, ours.front_end].map(text);
        assert_eq!(names, [function.info().name, function.info().profile, function.info().front_end]);
        let profile_name = function.profile_name();
        assert_eq!(text(ours.profile_name), profile_name.map(|name| name.to_string()).as_deref());
        assert_eq!(ours.budget, profile_name.map_or(0, |name| name.budget));
        assert_eq!(ours.bir, bir.map_or(-1, i32::from));
        assert_eq!(ours.neuron_id, neuron_id.map_or(-1, |id| id as i32));
        assert_eq!(ours.published_sections, published_sections.map_or(-1, |sections| sections as i32));
        let class = pwp_sim_class::from(function.info().class());
        assert_eq!(ours.function_class, class);
    }
}

#[test]
fn one_function_of_each_class_is_described_in_full() {
    let ln = info(Function::Ln);
    assert_eq!([ln.name, ln.profile, ln.profile_name, ln.front_end].map(text), ["Ln", "ln", "ln_40p", "log"].map(Some));
    assert_eq!((ln.bir, ln.neuron_id, ln.budget, ln.published_sections), (11, 10, 40, 1219));
    assert_eq!(ln.function_class, pwp_sim_class::PWP_SIM_CLASS_TABLE);
    let prelu = info(Function::Prelu);
    assert_eq!([prelu.profile, prelu.profile_name].map(text), [Some("parametric_relu"), None]);
    assert_eq!((prelu.budget, prelu.published_sections), (0, 0));
    assert_eq!(prelu.function_class, pwp_sim_class::PWP_SIM_CLASS_HARDWIRED);
    let prime = info(Function::LnPrime);
    assert_eq!([prime.profile, prime.profile_name, prime.front_end].map(text), [None; 3]);
    assert_eq!((prime.bir, prime.neuron_id, prime.budget, prime.published_sections), (-1, -1, 0, -1));
    assert_eq!(prime.function_class, pwp_sim_class::PWP_SIM_CLASS_CLOSED_FORM);
}

#[test]
fn the_published_profiles_of_a_function_are_listed_by_budget() {
    assert_eq!(profiles(Function::Ln), [(40, 1219, 128), (400, 513, 128)]);
    assert_eq!(profiles(Function::Exp), [(400, 777, 52)]);
    assert_eq!(profiles(Function::Identity), [(1, 0, 2)]);
    assert_eq!(profiles(Function::LnPrime), []);
    for function in Function::all().filter(|function| function.info().budget > 0) {
        let published = info(function).published_sections as u32;
        assert!(profiles(function).iter().any(|p| (p.0, p.1) == (info(function).budget, published)), "{function}");
    }
}

#[test]
fn a_list_that_is_too_short_gets_the_first_profiles() {
    let (mut one, mut count) = (pwp_sim_profile_t { budget: 0, sections: 0, octaves: 0 }, 0);
    // SAFETY: room for one, and a place for the count.
    let status = unsafe { pwp_sim_function_profiles(Function::Ln as FunctionId, &mut one, 1, &mut count) };
    assert_eq!((status, count, one.budget), (PWP_SIM_OK, 2, 40));
}

#[test]
fn an_integer_that_is_no_function_is_unsupported_and_nothing_is_written() {
    for id in NO_FUNCTION {
        let (mut info, mut count) = (MaybeUninit::<pwp_sim_function_info_t>::zeroed(), usize::MAX);
        let mut profile = pwp_sim_profile_t { budget: 7, sections: 7, octaves: 7 };
        // SAFETY: places for the results, of which all bits zero are a value.
        let (statuses, info) = unsafe {
            let statuses = [
                pwp_sim_function_info(id, info.as_mut_ptr()),
                pwp_sim_function_profiles(id, &mut profile, 1, &mut count),
            ];
            (statuses, info.assume_init())
        };
        assert_eq!(statuses, [PWP_SIM_UNSUPPORTED_FUNCTION; 2], "{id}");
        assert_eq!((info.name, info.budget, count, profile.budget), (null(), 0, usize::MAX, 7));
        assert!(last_error().ends_with(&id.to_string()));
        assert!(pwp_sim_function_name(id).is_null());
    }
}

#[test]
fn null_is_an_invalid_argument_in_every_call() {
    let mut function = UNWRITTEN;
    // SAFETY: null where the calls refuse it; the rest is alive.
    let statuses = unsafe {
        [
            pwp_sim_function_at(0, null_mut()),
            pwp_sim_function_from_any_name(null(), &mut function),
            pwp_sim_function_from_any_name(c"exp".as_ptr(), null_mut()),
            pwp_sim_function_info(7, null_mut()),
            pwp_sim_function_profiles(7, null_mut(), 0, null_mut()),
            pwp_sim_function_profiles(7, null_mut(), 1, &mut 0),
        ]
    };
    assert_eq!((statuses, function), ([PWP_SIM_INVALID_ARGUMENT; 6], UNWRITTEN));
}
