//! The catalog calls as C makes them: every status, and nothing written where the call fails.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use super::pwp_sim_status::*;
use super::*;
use crate::c::info::pwp_sim_last_error;

/// A catalog that is closed with its owner.
struct Open(*mut pwp_sim_catalog);

impl Open {
    fn new(source: &CStr) -> Open {
        let mut catalog = null_mut();
        // SAFETY: a C string, and a place for the result.
        assert_eq!(unsafe { pwp_sim_catalog_open(source.as_ptr(), &mut catalog) }, PWP_SIM_OK, "{}", last_error());
        Open(catalog)
    }

    fn set_name(&self, set: usize) -> String {
        let mut name = null();
        // SAFETY: a live catalog and a place for the result; the name lives as long as the catalog.
        unsafe {
            assert_eq!(pwp_sim_catalog_set_name(self.0, set, &mut name), PWP_SIM_OK);
            CStr::from_ptr(name).to_str().unwrap().to_owned()
        }
    }

    /// The sets of a function: first how many, then which.
    fn sets_of(&self, function: &CStr) -> Vec<usize> {
        let mut count = 99;
        // SAFETY: a live catalog, a C string, as much room as is said, and a place for the count.
        unsafe {
            assert_eq!(pwp_sim_catalog_sets_of(self.0, function.as_ptr(), null_mut(), 0, &mut count), PWP_SIM_OK);
            let mut sets = vec![99; count];
            let status = pwp_sim_catalog_sets_of(self.0, function.as_ptr(), sets.as_mut_ptr(), count, &mut count);
            assert_eq!((status, count), (PWP_SIM_OK, sets.len()));
            sets
        }
    }

    fn sequence(&self, functions: &[&CStr]) -> std::result::Result<Vec<(usize, usize)>, pwp_sim_status> {
        let names: Vec<*const c_char> = functions.iter().map(|name| name.as_ptr()).collect();
        let (mut sets, mut first, mut count) = (vec![99; names.len()], vec![99; names.len()], 99);
        let capacity = names.len();
        let (sets_at, first_at) = (sets.as_mut_ptr(), first.as_mut_ptr());
        // SAFETY: a live catalog, as many C strings and as much room as is said, and a place for the count.
        let status = unsafe {
            pwp_sim_catalog_sequence(self.0, names.as_ptr(), names.len(), sets_at, first_at, capacity, &mut count)
        };
        if status != PWP_SIM_OK {
            assert!(count == 99 && sets.iter().chain(&first).all(|&value| value == 99));
            return Err(status);
        }
        Ok(sets.into_iter().zip(first).take(count).collect())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: it came from pwp_sim_catalog_open and nothing else closes it.
        unsafe { pwp_sim_catalog_close(self.0) }
    }
}

fn last_error() -> String {
    // SAFETY: a C string that is valid until this thread's next failing call.
    unsafe { CStr::from_ptr(pwp_sim_last_error()) }.to_str().unwrap().to_owned()
}

/// Opens what cannot be opened.
fn refused(source: *const c_char) -> (pwp_sim_status, String) {
    let mut catalog = std::ptr::dangling_mut();
    // SAFETY: null or a C string, and a place for the result.
    let status = unsafe { pwp_sim_catalog_open(source, &mut catalog) };
    assert!(catalog.is_null());
    (status, last_error())
}

#[test]
fn rosters_open_by_name_with_and_without_builtin_in_front() {
    for (source, count, fourth) in
        [(c"trainium", 21, "small"), (c"builtin:trainium", 21, "small"), (c"builtin:with_ln", 14, "small")]
    {
        let catalog = Open::new(source);
        // SAFETY: a live catalog.
        assert_eq!(unsafe { pwp_sim_catalog_count(catalog.0) }, count);
        assert_eq!(catalog.set_name(4), fourth);
    }
}

#[test]
fn a_directory_opens_by_its_act_info() {
    let dir = tempdir("opens");
    let text = pwp_sim_core::catalog::roster::Roster::WithLn.catalog().to_json();
    let text = text.replace("\"tanh\": 4", "\"own_function\": 9");
    std::fs::write(dir.join("act_info.json"), text).unwrap();
    let catalog = Open::new(&CString::new(dir.as_os_str().as_bytes()).unwrap());
    assert_eq!(catalog.set_name(13), "erf_and_others");
    assert_eq!(catalog.sets_of(c"own_function").len(), 7);
    assert_eq!(catalog.sets_of(c"Tanh"), [0; 0]); // a function, and no set has it
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn what_is_no_catalog_is_told_by_status_and_text() {
    assert_eq!(refused(null()), (PWP_SIM_INVALID_ARGUMENT, "invalid argument: the directory or roster is null".into()));
    let (status, text) = refused(c"/nonexistent".as_ptr());
    assert!(status == PWP_SIM_PROFILE_IO && text.contains("/nonexistent/act_info.json"), "{text}");
    let (status, text) = refused(c"builtin:trn9".as_ptr());
    assert!(status == PWP_SIM_PROFILE_IO && text.contains("builtin:trn9: the embedded catalogs are"), "{text}");
    assert_eq!(refused(c"".as_ptr()).0, PWP_SIM_PROFILE_IO);
    let dir = tempdir("refused");
    std::fs::write(dir.join("act_info.json"), "{}").unwrap();
    let (status, text) = refused(CString::new(dir.as_os_str().as_bytes()).unwrap().as_ptr());
    assert!(status == PWP_SIM_PROFILE_FORMAT && text.contains("pwp_file_keys: missing"), "{text}");
    std::fs::remove_dir_all(dir).unwrap();
    // SAFETY: a C string; null is an error.
    assert_eq!(unsafe { pwp_sim_catalog_open(c"trainium".as_ptr(), null_mut()) }, PWP_SIM_INVALID_ARGUMENT);
}

#[test]
fn a_set_is_found_by_its_name_and_an_unknown_one_is_an_invalid_argument() {
    let catalog = Open::new(c"trainium");
    let mut set = 99;
    // SAFETY: a live catalog, null or C strings, and a place for the result.
    unsafe {
        assert_eq!(pwp_sim_catalog_set_index(catalog.0, c"silu_and_others".as_ptr(), &mut set), PWP_SIM_OK);
        assert_eq!(set, 18);
        for name in [c"tiny".as_ptr(), c"4".as_ptr(), c"\xff".as_ptr(), null()] {
            assert_eq!(pwp_sim_catalog_set_index(catalog.0, name, &mut set), PWP_SIM_INVALID_ARGUMENT);
        }
        assert_eq!(set, 18);
        assert_eq!(last_error(), "invalid argument: the set name is null");
        assert_eq!(pwp_sim_catalog_set_index(catalog.0, c"small".as_ptr(), null_mut()), PWP_SIM_INVALID_ARGUMENT);
    }
}

#[test]
fn the_act_map_is_that_of_the_file() {
    let catalog = Open::new(c"with_ln");
    let (mut count, mut function, mut budget) = (99, null(), 99);
    // SAFETY: a live catalog and places for the results; the name lives as long as the catalog.
    unsafe {
        assert_eq!(pwp_sim_catalog_act_count(catalog.0, 5, &mut count), PWP_SIM_OK);
        assert_eq!(count, 2);
        let mut act = Vec::new();
        for index in 0..count {
            assert_eq!(pwp_sim_catalog_act(catalog.0, 5, index, &mut function, &mut budget), PWP_SIM_OK);
            act.push((CStr::from_ptr(function), budget));
        }
        assert_eq!(act, [(c"ln", 40), (c"abs", 1)]);
    }
}

#[test]
fn indices_past_the_end_and_nulls_write_nothing() {
    let catalog = Open::new(c"with_ln");
    let (mut count, mut name, mut budget) = (99, null(), 99);
    // SAFETY: null or a live catalog, and null or places for the results.
    unsafe {
        let invalid = [
            pwp_sim_catalog_set_name(catalog.0, 14, &mut name),
            pwp_sim_catalog_set_name(catalog.0, usize::MAX, &mut name),
            pwp_sim_catalog_set_name(catalog.0, 0, null_mut()),
            pwp_sim_catalog_set_name(null(), 0, &mut name),
            pwp_sim_catalog_act_count(catalog.0, 14, &mut count),
            pwp_sim_catalog_act_count(catalog.0, 0, null_mut()),
            pwp_sim_catalog_act(catalog.0, 14, 0, &mut name, &mut budget),
            pwp_sim_catalog_act(catalog.0, 5, 2, &mut name, &mut budget),
            pwp_sim_catalog_act(catalog.0, 5, 0, &mut name, null_mut()),
            pwp_sim_catalog_act(catalog.0, 5, 0, null_mut(), &mut budget),
            pwp_sim_catalog_act(null(), 5, 0, &mut name, &mut budget),
            pwp_sim_catalog_sets_of(null(), c"exp".as_ptr(), null_mut(), 0, &mut count),
            pwp_sim_catalog_sets_of(catalog.0, null(), null_mut(), 0, &mut count),
            pwp_sim_catalog_sets_of(catalog.0, c"\xff".as_ptr(), null_mut(), 0, &mut count),
            pwp_sim_catalog_sets_of(catalog.0, c"exp".as_ptr(), null_mut(), 1, &mut count),
            pwp_sim_catalog_sets_of(catalog.0, c"exp".as_ptr(), null_mut(), 0, null_mut()),
            pwp_sim_catalog_sequence(catalog.0, null(), 1, null_mut(), null_mut(), 0, &mut count),
            pwp_sim_catalog_sequence(catalog.0, &null(), 1, null_mut(), null_mut(), 0, &mut count),
            pwp_sim_catalog_sequence(catalog.0, &null(), usize::MAX, null_mut(), null_mut(), 0, &mut count),
            pwp_sim_catalog_sequence(catalog.0, &c"exp".as_ptr(), 1, null_mut(), null_mut(), 1, &mut count),
            pwp_sim_catalog_sequence(catalog.0, null(), 0, null_mut(), null_mut(), 0, null_mut()),
        ];
        assert_eq!(invalid, [PWP_SIM_INVALID_ARGUMENT; 21]);
        assert_eq!((count, name.is_null(), budget), (99, true, 99));
        assert_eq!(pwp_sim_catalog_count(null()), 0);
        pwp_sim_catalog_close(null_mut());
    }
}

#[test]
fn the_sets_of_a_function_come_by_any_of_its_names_and_as_many_as_fit() {
    let catalog = Open::new(c"trainium");
    for name in [c"ln", c"Ln", c"log"] {
        assert_eq!(catalog.sets_of(name), [5, 6]);
    }
    assert_eq!(catalog.sets_of(c"Tanh").len(), 9);
    assert_eq!(Open::new(c"with_ln").sets_of(c"silu"), [0; 0]);
    let (mut sets, mut count) = ([99; 3], 99);
    // SAFETY: a live catalog, a C string, room for two and more, and a place for the count.
    unsafe {
        let status = pwp_sim_catalog_sets_of(catalog.0, c"tanh".as_ptr(), sets.as_mut_ptr(), 2, &mut count);
        assert_eq!((status, sets, count), (PWP_SIM_OK, [0, 2, 99], 9));
        let status = pwp_sim_catalog_sets_of(catalog.0, c"Ln_prime".as_ptr(), sets.as_mut_ptr(), 2, &mut count);
        assert_eq!((status, sets, count), (PWP_SIM_UNSUPPORTED_FUNCTION, [0, 2, 99], 9));
    }
    assert!(last_error().ends_with("Ln_prime"));
}

#[test]
fn a_list_of_functions_gives_its_loads_or_the_function_that_has_none() {
    let catalog = Open::new(c"trainium");
    let list = [c"Exp", c"relu", c"tanh", c"Sqrt", c"log"];
    assert_eq!(catalog.sequence(&list), Ok(vec![(0, 0), (3, 3), (5, 4)]));
    assert_eq!(catalog.sequence(&[]), Ok(vec![]));
    assert_eq!(catalog.sequence(&[c"exp", c"Exp2"]), Err(PWP_SIM_UNSUPPORTED_FUNCTION));
    assert_eq!(Open::new(c"with_ln").sequence(&[c"exp", c"Silu"]), Err(PWP_SIM_NO_PROFILE));
    assert!(last_error().contains("function silu: no set of the catalog holds it"), "{}", last_error());
    let (names, mut sets, mut first, mut count) = (list.map(CStr::as_ptr), [99; 2], [99; 2], 99);
    // SAFETY: a live catalog, five C strings, room for one and more, and a place for the count.
    let status = unsafe {
        let (sets, first) = (sets.as_mut_ptr(), first.as_mut_ptr());
        pwp_sim_catalog_sequence(catalog.0, names.as_ptr(), 5, sets, first, 1, &mut count)
    };
    assert_eq!((status, sets, first, count), (PWP_SIM_OK, [0, 99], [0, 99], 3));
}

fn tempdir(name: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("pwp-sim-{}-ffi-catalog-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}
