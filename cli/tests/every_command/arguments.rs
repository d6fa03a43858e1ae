//! Wrong arguments, and files that are not there or cannot be written.

use crate::commands::{CASES, files, told, words};

#[test]
fn arguments_that_are_no_command_are_told_with_status_2_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    for case in &CASES {
        assert!(!case.wrong.is_empty(), "{}", case.name);
        let unknown = format!("{} --nonesuch", case.name);
        for line in case.wrong.iter().copied().chain([unknown.as_str()]) {
            let (status, out, error) = told(&words(line, directory.path(), &[]));
            assert_eq!((status, out.as_str()), (Some(2), ""), "{line}: {error}");
            assert!(error.starts_with("error: ") && error.contains("--help"), "{line}: {error}");
            assert!(files(directory.path()).is_empty(), "{line}");
        }
    }
    let (status, _, error) = told(&["nonesuch".into()]);
    assert!(status == Some(2) && error.contains("nonesuch"), "{error}");
}

#[test]
fn a_file_or_source_that_is_not_there_is_named_in_one_line_with_status_1() {
    let directory = tempfile::tempdir().unwrap();
    for case in &CASES {
        for line in case.missing {
            let (status, out, error) = told(&words(line, directory.path(), &[]));
            assert_eq!((status, out.as_str()), (Some(1), ""), "{line}: {error}");
            assert!(error.starts_with("pwp: ") && error.contains("/nonexistent/x"), "{line}: {error}");
            assert_eq!(error.lines().count(), 1, "{line}: {error}");
            assert!(files(directory.path()).is_empty(), "{line}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named_in_one_line_with_status_1() {
    let directory = tempfile::tempdir().unwrap();
    for line in CASES.iter().flat_map(|case| case.unwritable) {
        let (status, _, error) = told(&words(line, directory.path(), &[]));
        assert_eq!(status, Some(1), "{line}: {error}");
        assert!(error.starts_with("pwp: ") && error.contains("/dev/null/x"), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
    }
}
