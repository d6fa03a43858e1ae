//! A call that is wrong in two ways gives the status of what is checked first, and that order is one for every call:
//! arguments (null, not UTF-8, a count that does not fit), then the function, then its table, then the inputs.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use ::pwp_sim::c::calls::pwp_sim;
use ::pwp_sim::c::catalog::pwp_sim_catalog;
use capi_tests::calls::*;
use capi_tests::library::{Sim, Status, UNWRITTEN};
use capi_tests::profiles;
use pwp_sim_core::profile::to_json;

/// What a call is given. The same value serves every call that takes one of its kind.
struct Arguments {
    sim: *const pwp_sim,
    catalog: *const pwp_sim_catalog,
    name: *const c_char,
    id: i32,
    dtypes: [i32; 2],
    index: usize,
    set_name: *const c_char,
    source: *const c_char,
    tier: *const c_char,
    out: *mut f32,
    input: *const f32,
    count: usize,
    /// Null, or a place for any result that is not a float.
    result: *mut [u64; 64],
}

/// The argument that a fault is in: a call has one fault for each.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Handle,
    /// A name, as a C string.
    Name,
    /// The function, by its name or its integer.
    Function,
    /// The function's table.
    Table,
    /// A set's or a function's.
    Index,
    SetName,
    Source,
    Tier,
    Out,
    In,
    Count,
    /// The element types of output and input.
    Dtypes,
    Value,
    Result,
}

struct Fault {
    what: &'static str,
    place: Place,
    status: Status,
    make: fn(&mut Arguments),
}

const UNKNOWN: &CStr = c"exp2";
const NO_TABLE: &CStr = c"Ln_prime";
const NOT_UTF8: &CStr = c"Exp\xff";

/// Where no section of the table below covers it.
const UNCOVERED: f32 = 1.5;

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    Fault { what: "null handle", place: Place::Handle, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| (a.sim, a.catalog) = (null(), null()) },
    Fault { what: "null name", place: Place::Name, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.name = null() },
    Fault { what: "name that is not UTF-8", place: Place::Name, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.name = NOT_UTF8.as_ptr() },
    Fault { what: "unknown function", place: Place::Function, status: Status::PWP_SIM_UNSUPPORTED_FUNCTION,
            make: |a| (a.name, a.id) = (UNKNOWN.as_ptr(), 31) },
    Fault { what: "function without a table", place: Place::Table, status: Status::PWP_SIM_NO_PROFILE,
            make: |a| (a.name, a.id) = (NO_TABLE.as_ptr(), 32) },
    Fault { what: "index past the end", place: Place::Index, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.index = 31 },
    Fault { what: "null set name", place: Place::SetName, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.set_name = null() },
    Fault { what: "missing source", place: Place::Source, status: Status::PWP_SIM_PROFILE_IO,
            make: |a| a.source = c"/nonexistent".as_ptr() },
    Fault { what: "null tier", place: Place::Tier, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.tier = null() },
    Fault { what: "unknown tier", place: Place::Tier, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.tier = c"sse9".as_ptr() },
    Fault { what: "null out", place: Place::Out, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.out = null_mut() },
    Fault { what: "null in", place: Place::In, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.input = null() },
    Fault { what: "count past the address space", place: Place::Count, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.count = usize::MAX / 4 },
    Fault { what: "output of no type", place: Place::Dtypes, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.dtypes[0] = 3 },
    Fault { what: "input of no type", place: Place::Dtypes, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.dtypes[1] = -1 },
    Fault { what: "uncovered input", place: Place::Value, status: Status::PWP_SIM_UNHANDLED_SECTION,
            make: |a| if !a.input.is_null() { a.input = &UNCOVERED } },
    Fault { what: "null result", place: Place::Result, status: Status::PWP_SIM_INVALID_ARGUMENT,
            make: |a| a.result = null_mut() },
];

/// What is checked first, first.
const ORDER: [Status; 5] = [
    Status::PWP_SIM_INVALID_ARGUMENT,
    Status::PWP_SIM_UNSUPPORTED_FUNCTION,
    Status::PWP_SIM_PROFILE_IO,
    Status::PWP_SIM_NO_PROFILE,
    Status::PWP_SIM_UNHANDLED_SECTION,
];

fn rank(status: Status) -> usize {
    ORDER.iter().position(|&known| known == status).unwrap()
}

/// A call, and the places of its arguments that can be wrong.
struct Call {
    name: &'static str,
    places: &'static [Place],
    make: unsafe fn(&Arguments) -> Status,
}

fn value(a: &Arguments) -> f32 {
    // SAFETY: null or a float of this file's.
    unsafe { a.input.as_ref() }.copied().unwrap_or(0.5)
}

#[rustfmt::skip]
#[allow(clippy::undocumented_unsafe_blocks, reason = "`status` says what the arguments are good for")]
const CALLS: &[Call] = &[
    Call { name: "pwp_sim_create", places: &[Place::Source, Place::Result],
           make: |a| unsafe { pwp_sim_create(a.source, a.result.cast()) } },
    Call { name: "pwp_sim_create_on_tier", places: &[Place::Source, Place::Tier, Place::Result],
           make: |a| unsafe { pwp_sim_create_on_tier(a.source, a.tier, a.result.cast()) } },
    Call { name: "pwp_sim_simulate",
           places: &[Place::Handle, Place::Name, Place::Function, Place::Table, Place::Out, Place::In, Place::Count,
                     Place::Value],
           make: |a| unsafe { pwp_sim_simulate(a.sim, a.name, a.out, a.input, 0.0, 1.0, 0.0, a.count, true) } },
    Call { name: "pwp_sim_simulate_scalar",
           places: &[Place::Handle, Place::Name, Place::Function, Place::Table, Place::Out, Place::Value],
           make: |a| unsafe { pwp_sim_simulate_scalar(a.sim, a.name, value(a), 0.0, true, a.out) } },
    Call { name: "pwp_sim_apply",
           places: &[Place::Handle, Place::Function, Place::Table, Place::Out, Place::In, Place::Count, Place::Value],
           make: |a| unsafe { pwp_sim_apply(a.sim, a.id, null(), a.out, a.input, a.count, true) } },
    Call { name: "pwp_sim_apply_parallel",
           places: &[Place::Handle, Place::Function, Place::Table, Place::Out, Place::In, Place::Count, Place::Value],
           make: |a| unsafe { pwp_sim_apply_parallel(a.sim, a.id, null(), a.out, a.input, a.count, true, 2) } },
    Call { name: "pwp_sim_apply_typed",
           places: &[Place::Handle, Place::Function, Place::Table, Place::Out, Place::In, Place::Count, Place::Dtypes,
                     Place::Value],
           make: |a| unsafe {
               pwp_sim_apply_typed(a.sim, a.id, null(), a.out.cast(), a.dtypes[0], a.input.cast(), a.dtypes[1], a.count,
                                   true)
           } },
    Call { name: "pwp_sim_apply_typed_parallel",
           places: &[Place::Handle, Place::Function, Place::Table, Place::Out, Place::In, Place::Count, Place::Dtypes,
                     Place::Value],
           make: |a| unsafe {
               pwp_sim_apply_typed_parallel(a.sim, a.id, null(), a.out.cast(), a.dtypes[0], a.input.cast(), a.dtypes[1],
                                            a.count, true, 2)
           } },
    Call { name: "pwp_sim_function_at", places: &[Place::Index, Place::Result],
           make: |a| unsafe { pwp_sim_function_at(a.index, a.result.cast()) } },
    Call { name: "pwp_sim_function_from_name", places: &[Place::Name, Place::Function, Place::Result],
           make: |a| unsafe { pwp_sim_function_from_name(a.name, a.result.cast()) } },
    Call { name: "pwp_sim_function_from_any_name", places: &[Place::Name, Place::Function, Place::Result],
           make: |a| unsafe { pwp_sim_function_from_any_name(a.name, a.result.cast()) } },
    Call { name: "pwp_sim_function_info", places: &[Place::Function, Place::Result],
           make: |a| unsafe { pwp_sim_function_info(a.id, a.result.cast()) } },
    Call { name: "pwp_sim_function_profiles", places: &[Place::Function, Place::Result],
           make: |a| unsafe { pwp_sim_function_profiles(a.id, null_mut(), 0, a.result.cast()) } },
    Call { name: "pwp_sim_table_info", places: &[Place::Handle, Place::Function, Place::Table, Place::Result],
           make: |a| unsafe { pwp_sim_table_info(a.sim, a.id, a.result.cast()) } },
    Call { name: "pwp_sim_table_section",
           places: &[Place::Handle, Place::Function, Place::Table, Place::Value, Place::Result],
           make: |a| unsafe { pwp_sim_table_section(a.sim, a.id, value(a), a.result.cast()) } },
    Call { name: "pwp_sim_catalog_open", places: &[Place::Source, Place::Result],
           make: |a| unsafe { pwp_sim_catalog_open(a.source, a.result.cast()) } },
    Call { name: "pwp_sim_catalog_set_name", places: &[Place::Handle, Place::Index, Place::Result],
           make: |a| unsafe { pwp_sim_catalog_set_name(a.catalog, a.index, a.result.cast()) } },
    Call { name: "pwp_sim_catalog_set_index", places: &[Place::Handle, Place::SetName, Place::Result],
           make: |a| unsafe { pwp_sim_catalog_set_index(a.catalog, a.set_name, a.result.cast()) } },
    Call { name: "pwp_sim_catalog_act_count", places: &[Place::Handle, Place::Index, Place::Result],
           make: |a| unsafe { pwp_sim_catalog_act_count(a.catalog, a.index, a.result.cast()) } },
    Call { name: "pwp_sim_catalog_act", places: &[Place::Handle, Place::Index, Place::Result],
           make: |a| unsafe { pwp_sim_catalog_act(a.catalog, a.index, 0, a.result.cast(), a.result.cast()) } },
    Call { name: "pwp_sim_catalog_sets_of", places: &[Place::Handle, Place::Name, Place::Result],
           make: |a| unsafe { pwp_sim_catalog_sets_of(a.catalog, a.name, null_mut(), 0, a.result.cast()) } },
    Call { name: "pwp_sim_catalog_sequence", places: &[Place::Handle, Place::Name, Place::Result],
           make: |a| unsafe {
               pwp_sim_catalog_sequence(a.catalog, &a.name, 1, null_mut(), null_mut(), 0, a.result.cast())
           } },
];

/// Makes `call` with these faults. A float that it may not write must stay as it was.
fn status(call: &Call, sim: &Sim, catalog: *const pwp_sim_catalog, faults: &[&Fault]) -> Status {
    let mut out = f32::from_bits(UNWRITTEN);
    let mut result = [0u64; 64];
    let mut arguments = Arguments {
        sim: sim.handle(),
        catalog,
        name: c"Exp".as_ptr(),
        id: 7,
        dtypes: [2, 0],
        index: 0,
        set_name: c"small".as_ptr(),
        source: c"trainium".as_ptr(),
        tier: c"scalar".as_ptr(),
        out: &mut out,
        input: &0.5,
        count: 1,
        result: &mut result,
    };
    if call.name.starts_with("pwp_sim_create") {
        arguments.source = c"".as_ptr();
    }
    for fault in faults {
        (fault.make)(&mut arguments);
    }
    // SAFETY: what is not null is alive and long enough: the count that is not 1 must be refused.
    let status = unsafe { (call.make)(&arguments) };
    if !matches!(status, Status::PWP_SIM_OK | Status::PWP_SIM_UNHANDLED_SECTION) {
        assert_eq!(out.to_bits(), UNWRITTEN, "{} wrote and failed", call.name);
    }
    if status == Status::PWP_SIM_OK && call.name.starts_with("pwp_sim_create") {
        // SAFETY: the call succeeded and made it.
        unsafe { pwp_sim_destroy(result[0] as *mut pwp_sim) };
    }
    if status == Status::PWP_SIM_OK && call.name == "pwp_sim_catalog_open" {
        // SAFETY: as above.
        unsafe { pwp_sim_catalog_close(result[0] as *mut pwp_sim_catalog) };
    }
    status
}

/// Runs `check` on every call, with a simulator whose only table is exp's without one octave.
fn for_every_call(check: impl Fn(&Call, &dyn Fn(&[&Fault]) -> Status)) {
    let directory = tempfile::tempdir().unwrap();
    let mut profile = profiles::exp();
    profile.pos.retain(|region| region.exponent != 0);
    std::fs::write(directory.path().join("exp_400p.json"), to_json(&profile, &[])).unwrap();
    let sim = Sim::create(directory.path()).unwrap();
    let mut catalog = null_mut();
    // SAFETY: a C string, and a place for the result.
    assert_eq!(unsafe { pwp_sim_catalog_open(c"trainium".as_ptr(), &mut catalog) }, Status::PWP_SIM_OK);
    for call in CALLS {
        check(call, &|faults| status(call, &sim, catalog, faults));
    }
    // SAFETY: it was opened above, and nobody uses it any more.
    unsafe { pwp_sim_catalog_close(catalog) };
}

fn faults_of(call: &Call) -> impl Iterator<Item = &'static Fault> {
    FAULTS.iter().filter(|fault| call.places.contains(&fault.place))
}

#[test]
fn without_a_fault_every_call_succeeds() {
    for_every_call(|call, status| assert_eq!(status(&[]), Status::PWP_SIM_OK, "{}", call.name));
}

#[test]
fn each_fault_alone_gives_its_own_status() {
    for_every_call(|call, status| {
        for fault in faults_of(call) {
            assert_eq!(status(&[fault]), fault.status, "{}: {}", call.name, fault.what);
        }
    });
}

#[test]
fn of_two_faults_the_one_that_comes_first_in_the_order_gives_the_status() {
    let same_argument = |one: Place, other: Place| {
        let kind = |place| if matches!(place, Place::Name | Place::Table) { Place::Function } else { place };
        kind(one) == kind(other)
    };
    for_every_call(|call, status| {
        for one in faults_of(call) {
            for other in faults_of(call).filter(|other| !same_argument(one.place, other.place)) {
                let due = if rank(one.status) <= rank(other.status) { one } else { other };
                assert_eq!(status(&[one, other]), due.status, "{}: {} and {}", call.name, one.what, other.what);
            }
        }
    });
}

#[test]
fn every_call_that_returns_a_status_is_in_the_table() {
    let header = std::fs::read_to_string(capi_tests::header::path()).unwrap();
    let declared: Vec<&str> = header
        .lines()
        .filter_map(|line| line.strip_prefix("pwp_sim_status ").and_then(|rest| rest.split('(').next()))
        .collect();
    let named: Vec<&str> = CALLS.iter().map(|call| call.name).collect();
    assert_eq!(named, declared);
}
