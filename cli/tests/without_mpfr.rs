//! The binary that was built without MPFR: `cargo test --package pwp --no-default-features`.

#![cfg(not(feature = "mpfr"))]

use std::process::Command;

#[test]
fn the_commands_that_need_mpfr_say_so_with_status_1() {
    for arguments in [&["generate", "--out", "x"][..], &["report"], &["report", "--help"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_pwp")).args(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.starts_with("pwp: this pwp was built without MPFR") && text.contains("--features mpfr"), "{text}");
    }
}

#[test]
fn the_version_says_that_mpfr_is_not_in() {
    let output = Command::new(env!("CARGO_BIN_EXE_pwp")).arg("--version").output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("pwp {} (without MPFR)\n", env!("CARGO_PKG_VERSION"))
    );
}
