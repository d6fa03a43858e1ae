//! The header and the Rust side agree: layouts and enum values as the C compiler and bindgen see them, signatures as
//! bindgen does.

use std::ffi::{CStr, c_char, c_int, c_long};
use std::mem::{offset_of, size_of};

use capi_tests::{bound, library, signatures};
use pwp_sim::c::functions::{pwp_sim_class as Class, pwp_sim_function_info_t, pwp_sim_profile_t};
use pwp_sim::c::types::{
    pwp_sim_clamp, pwp_sim_octaves, pwp_sim_place as Place, pwp_sim_section, pwp_sim_table_info_t,
};
use pwp_sim::c::{calls as c, catalog, functions, info, typed};
use pwp_sim::c::{pwp_sim_dtype as Dtype, pwp_sim_status as Status};
use pwp_sim_core::{Affine, Function};

#[repr(C)]
struct Measure {
    what: *const c_char,
    value: c_long,
}

unsafe extern "C" {
    static pwp_sim_test_measures: Measure;
    static pwp_sim_test_short_measures: Measure;
    static pwp_sim_test_values: Measure;
    static pwp_sim_test_functions: Measure;
}

/// The rows of an array of layout.c.
fn measures(first: *const Measure) -> Vec<(String, i64)> {
    let mut rows = Vec::new();
    // SAFETY: layout.c ends its arrays with a null.
    while let Some(row) = unsafe { first.add(rows.len()).as_ref() }.filter(|row| !row.what.is_null()) {
        // SAFETY: a string literal of layout.c.
        let what = unsafe { CStr::from_ptr(row.what) };
        rows.push((what.to_str().unwrap().to_owned(), row.value));
    }
    rows
}

/// Lists size and offsets of a Rust type under its name in the header, and checks that bindgen's agree.
macro_rules! layout {
    ($rows:ident, $rust:ty, $name:ident { $($field:ident),* }) => {
        $rows.push((concat!("sizeof ", stringify!($name)).to_owned(), size_of::<$rust>() as i64));
        assert_eq!(size_of::<$rust>(), size_of::<bound::$name>());
        assert_eq!(align_of::<$rust>(), align_of::<bound::$name>());
        $(
            $rows.push((concat!(stringify!($name), ".", stringify!($field)).to_owned(), offset_of!($rust, $field) as i64));
            assert_eq!(offset_of!($rust, $field), offset_of!(bound::$name, $field));
        )*
    };
}

#[test]
fn sizes_and_offsets_are_those_of_the_rust_types() {
    let mut rust = Vec::new();
    layout!(rust, Status, pwp_sim_status {});
    layout!(rust, c::FunctionId, pwp_sim_function {});
    layout!(rust, Place, pwp_sim_place {});
    layout!(rust, Affine, pwp_sim_affine { scale, bias, alpha });
    layout!(rust, pwp_sim_section, pwp_sim_section { x, d0, d1, d2, d3, place, negative, exponent, index, number });
    layout!(rust, pwp_sim_clamp, pwp_sim_clamp { sat_point, mantissa_point, x, d0, d1, d2, d3 });
    layout!(rust, pwp_sim_octaves, pwp_sim_octaves { count, first, last });
    layout!(
        rust,
        pwp_sim_table_info_t,
        pwp_sim_table_info_t {
            symmetry_en,
            symmetry_invert_sign_opt,
            symmetry_opt_use_neg_region,
            symmetry_point,
            zero_result,
            nan_result,
            pinf_result,
            ninf_result,
            pos_high,
            pos_low,
            neg_high,
            neg_low,
            num_sections,
            pos,
            neg
        }
    );
    layout!(rust, Class, pwp_sim_class {});
    layout!(rust, Dtype, pwp_sim_dtype {});
    layout!(
        rust,
        pwp_sim_function_info_t,
        pwp_sim_function_info_t {
            name,
            profile,
            profile_name,
            front_end,
            function,
            function_class,
            bir,
            neuron_id,
            budget,
            published_sections
        }
    );
    layout!(rust, pwp_sim_profile_t, pwp_sim_profile_t { budget, sections, octaves });
    assert_eq!(measures(&raw const pwp_sim_test_measures), rust);
    assert_eq!(measures(&raw const pwp_sim_test_short_measures), rust, "with -fshort-enums");
    assert_eq!(size_of::<Function>(), size_of::<c::FunctionId>());
}

#[test]
fn the_values_of_the_smaller_enums_are_those_of_the_rust_enums() {
    macro_rules! values {
        ($($type:ident::$name:ident),* $(,)?) => {
            vec![$({
                assert_eq!(i64::from(bound::$name), $type::$name as i64);
                (stringify!($name).to_owned(), $type::$name as i64)
            }),*]
        };
    }
    let rust = values![
        Status::PWP_SIM_OK,
        Status::PWP_SIM_INVALID_ARGUMENT,
        Status::PWP_SIM_UNSUPPORTED_FUNCTION,
        Status::PWP_SIM_PROFILE_IO,
        Status::PWP_SIM_PROFILE_FORMAT,
        Status::PWP_SIM_NO_PROFILE,
        Status::PWP_SIM_UNHANDLED_SECTION,
        Status::PWP_SIM_INTERNAL,
        Status::PWP_SIM_NO_MEMORY,
        Place::PWP_SIM_PLACE_POS_HIGH,
        Place::PWP_SIM_PLACE_POS_LOW,
        Place::PWP_SIM_PLACE_NEG_HIGH,
        Place::PWP_SIM_PLACE_NEG_LOW,
        Place::PWP_SIM_PLACE_OCTAVE,
        Place::PWP_SIM_PLACE_SPECIAL,
        Class::PWP_SIM_CLASS_CLOSED_FORM,
        Class::PWP_SIM_CLASS_HARDWIRED,
        Class::PWP_SIM_CLASS_TABLE,
        Dtype::PWP_SIM_DTYPE_F32,
        Dtype::PWP_SIM_DTYPE_F16,
        Dtype::PWP_SIM_DTYPE_BF16,
    ];
    assert_eq!(measures(&raw const pwp_sim_test_values), rust);
}

#[test]
fn status_values_are_the_contract_s() {
    let values: Vec<i64> = measures(&raw const pwp_sim_test_values).iter().map(|row| row.1).take(9).collect();
    assert_eq!(values, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn every_status_has_a_text_of_its_own() {
    let statuses = measures(&raw const pwp_sim_test_values).into_iter().take(9).map(|row| row.1 as c_int);
    let texts: Vec<String> = statuses.map(|status| library::status_text(status).unwrap()).collect();
    let different: std::collections::BTreeSet<&String> = texts.iter().collect();
    assert_eq!(different.len(), 9, "{texts:?}");
    for status in [-1, 9, c_int::MIN, c_int::MAX] {
        assert_eq!(library::status_text(status), None, "{status}");
    }
}

#[test]
fn function_values_are_the_bir_ordinals_and_two_of_their_own() {
    let rust: Vec<(String, i64)> = Function::all().map(|f| (f.name().to_owned(), f as i64)).collect();
    let c = measures(&raw const pwp_sim_test_functions);
    assert_eq!(c, rust);
    let ids: Vec<i64> = c.iter().map(|row| row.1).collect();
    assert_eq!(ids, (0..=28).chain([32, 33]).collect::<Vec<i64>>());
}

#[test]
fn names_and_ids_of_the_header_translate_both_ways() {
    for (name, id) in measures(&raw const pwp_sim_test_functions) {
        let c_name = std::ffi::CString::new(name.clone()).unwrap();
        assert_eq!(library::function_from_name(Some(&c_name)), (Status::PWP_SIM_OK, Some(id as c_int)));
        assert_eq!(library::function_name(id as c_int), Some(name));
    }
    for id in [-1, 29, 30, 31, 34, c_int::MIN, c_int::MAX] {
        assert_eq!(library::function_name(id), None, "{id}");
    }
}

/// The two function pointers have one type, or this does not compile.
macro_rules! same_signature {
    ($($module:ident::$name:ident($($arg:tt),*)),* $(,)?) => {
        [$({
            let mut _signature: unsafe extern "C" fn($($arg),*) -> _ = signatures::$name;
            _signature = $module::$name;
            stringify!($name)
        }),*]
    };
}

#[test]
fn every_call_of_the_header_has_the_signature_of_the_rust_one() {
    let compared = same_signature!(
        c::pwp_sim_create(_, _),
        c::pwp_sim_create_on_tier(_, _, _),
        c::pwp_sim_destroy(_),
        c::pwp_sim_can_use_pwp_table(_),
        c::pwp_sim_simulate(_, _, _, _, _, _, _, _, _),
        c::pwp_sim_simulate_scalar(_, _, _, _, _, _),
        c::pwp_sim_apply(_, _, _, _, _, _, _),
        c::pwp_sim_apply_parallel(_, _, _, _, _, _, _, _),
        typed::pwp_sim_apply_typed(_, _, _, _, _, _, _, _, _),
        typed::pwp_sim_apply_typed_parallel(_, _, _, _, _, _, _, _, _, _),
        functions::pwp_sim_function_count(),
        functions::pwp_sim_function_at(_, _),
        functions::pwp_sim_function_from_name(_, _),
        functions::pwp_sim_function_from_any_name(_, _),
        functions::pwp_sim_function_name(_),
        functions::pwp_sim_function_info(_, _),
        functions::pwp_sim_function_profiles(_, _, _, _),
        info::pwp_sim_tier(_),
        info::pwp_sim_table_info(_, _, _),
        info::pwp_sim_table_section(_, _, _, _),
        info::pwp_sim_last_error(),
        info::pwp_sim_status_text(_),
        info::pwp_sim_version(),
        catalog::pwp_sim_catalog_open(_, _),
        catalog::pwp_sim_catalog_close(_),
        catalog::pwp_sim_catalog_count(_),
        catalog::pwp_sim_catalog_set_name(_, _, _),
        catalog::pwp_sim_catalog_set_index(_, _, _),
        catalog::pwp_sim_catalog_act_count(_, _, _),
        catalog::pwp_sim_catalog_act(_, _, _, _, _),
        catalog::pwp_sim_catalog_sets_of(_, _, _, _, _),
        catalog::pwp_sim_catalog_sequence(_, _, _, _, _, _, _),
    );
    let header = std::fs::read_to_string(capi_tests::header::path()).unwrap();
    let code: String = header.lines().filter(|line| !line.trim_start().starts_with(['/', '*'])).collect();
    let declared = code.split('(').map(|part| part.rsplit([' ', '*']).next().unwrap_or_default());
    let declared: Vec<&str> = declared.filter(|name| name.starts_with("pwp_sim_")).collect();
    assert_eq!(declared, compared);
}
