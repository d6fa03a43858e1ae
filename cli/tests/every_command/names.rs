//! Every subcommand that takes a function takes it by any of its names.

use std::ffi::OsStr;

use crate::commands::{CASES, told, words};

/// The compiler's name, the front end's, the profile's, and that of a profile with its budget.
const NAMES: [&str; 4] = ["Derivative_Gelu", "gelu_dx", "derivative_gelu", "derivative_gelu_40p"];

#[test]
fn every_name_of_a_function_is_taken_by_every_subcommand() {
    for case in &CASES {
        let Some(line) = case.function else { continue };
        for name in NAMES {
            let directory = tempfile::tempdir().unwrap();
            let (status, _, error) = told(&words(line, directory.path(), &[("{name}", OsStr::new(name))]));
            assert_eq!((status, error.as_str()), (Some(0), ""), "{line}: {name}");
        }
    }
}

#[test]
fn an_unknown_name_is_told_with_what_was_meant_and_status_1() {
    let directory = tempfile::tempdir().unwrap();
    for case in &CASES {
        let Some(line) = case.function else { continue };
        let (status, out, error) = told(&words(line, directory.path(), &[("{name}", OsStr::new("gelu_dxx"))]));
        assert_eq!((status, out.as_str()), (Some(1), ""), "{line}");
        assert!(error.starts_with("pwp: no function is named gelu_dxx; near it are gelu_dx"), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
    }
}

#[test]
fn a_function_without_a_table_is_told_with_status_1() {
    let directory = tempfile::tempdir().unwrap();
    for line in CASES.iter().filter_map(|case| case.without) {
        let (status, _, error) = told(&words(line, directory.path(), &[]));
        assert_eq!(status, Some(1), "{line}: {error}");
        let named = ["Gelu", "gelu", "Ln_prime"].iter().any(|name| error.contains(name));
        assert!(error.starts_with("pwp: ") && named && error.lines().count() == 1, "{line}: {error}");
    }
}
