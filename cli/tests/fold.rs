//! The reading of the fold that a process takes from its environment.

use std::process::{Command, Output};

/// `pwp report` of the embedded sigmoid, which folds to the negative side.
fn report(reading: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pwp"));
    command.args(["report", "--function", "Sigmoid", "--samples", "1"]);
    match reading {
        Some(reading) => command.env("PWP_SIM_FOLD", reading),
        None => command.env_remove("PWP_SIM_FOLD"),
    };
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_table_that_the_process_misreads_is_named_with_the_reading_that_fits() {
    let misread = report(Some("negative"));
    assert!(
        text(&misread.stdout).contains("sigmoid_40p: the saturation points of this table fit PWP_SIM_FOLD=reflected")
    );
    for fitting in [None, Some("reflected")] {
        assert!(!text(&report(fitting).stdout).contains("PWP_SIM_FOLD"), "{fitting:?}");
    }
}

#[test]
fn a_profile_of_the_other_reading_is_named_too() {
    use pwp_sim_core::{Function, Simulator, profile};

    let mut sigmoid = Simulator::open("builtin:").unwrap().table(Function::Sigmoid).unwrap().to_profile();
    sigmoid.saturation_points[profile::Saturation::NegHigh as usize].section.d0 = 1.0;
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("sigmoid_40p.json"), profile::to_json(&sigmoid, &[])).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pwp"));
    command.args(["report", "--function", "Sigmoid", "--samples", "1", "--profiles"]).arg(directory.path());
    let output = command.env_remove("PWP_SIM_FOLD").output().unwrap();
    let said = "sigmoid_40p: the saturation points of this table fit PWP_SIM_FOLD=negative";
    assert!(text(&output.stdout).contains(said), "{output:?}");
}

#[test]
fn a_value_that_is_no_reading_is_ignored_with_one_line_on_stderr() {
    let (odd, plain) = (report(Some("Negative")), report(None));
    assert_eq!(text(&odd.stdout), text(&plain.stdout));
    let lines: Vec<&str> = text(&odd.stderr).lines().filter(|line| line.contains("PWP_SIM_FOLD")).collect();
    assert_eq!(lines, ["pwp_sim: PWP_SIM_FOLD is \"Negative\", neither reflected nor negative: ignored"]);
    assert!(!text(&plain.stderr).contains("PWP_SIM_FOLD"));
}
