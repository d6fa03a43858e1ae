//! `pwp eval` and `pwp functions`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use pwp_sim_core::{Function, Numerics, Simulator};
use serde_json::Value;

fn pwp(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pwp"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input); // a command that reads no input may be gone
    child.wait_with_output().unwrap()
}

/// The column of the values that JSON shows.
fn column(arguments: &[&str], input: &[u8], column: &str) -> Vec<String> {
    let output = pwp(&[&["eval"], arguments, &["--json"]].concat(), input);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    value["values"].as_array().unwrap().iter().map(|row| row[column].as_str().unwrap().to_owned()).collect()
}

/// A `.npy` array of one dimension.
fn npy(kind: &str, count: usize, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({count},), }}");
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[test]
fn both_values_are_those_of_the_simulator() {
    let simulator = Simulator::open("builtin:").unwrap();
    let inputs = ["-2.5", "0.5", "1e-30", "inf", "-inf", "-0", "100"];
    for (name, function) in [("Exp", Function::Exp), ("gelu", Function::Gelu), ("reciprocal_sqrt", Function::Rsqrt)] {
        for (shown, numerics) in [("table_bits", Numerics::Table), ("exact_bits", Numerics::Exact)] {
            let value = |x: &&str| simulator.evaluate(function, x.parse().unwrap(), 0.0, numerics);
            let due: Vec<String> = inputs.iter().map(|x| format!("{:08x}", value(x).unwrap().to_bits())).collect();
            assert_eq!(column(&[&[name], &inputs[..]].concat(), b"", shown), due, "{name} {shown}");
        }
    }
}

#[test]
fn negative_values_need_no_tricks_and_options_may_follow_them() {
    for arguments in [
        &["Relu", "-1", "-inf", "-0x1p-3", "--alpha", "-2"][..],
        &["Relu", "--bias", "-0", "-1", "--scale", "1", "-inf", "-0x1p-3"],
    ] {
        assert_eq!(column(arguments, b"", "input"), ["-1.0", "-inf", "-0.125"], "{arguments:?}");
    }
}

#[test]
fn values_come_from_the_standard_input_and_from_arrays() {
    assert_eq!(column(&["Exp"], b"1, -2\n0x3f000000", "bits"), ["3f800000", "c0000000", "3f000000"]);
    assert_eq!(column(&["Exp", "3", "-"], b"4", "input"), ["3.0", "4.0"]);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.npy");
    let arrays = [
        npy("<f4", 2, &[0.5f32, -1.5].map(f32::to_le_bytes).concat()),
        npy(">f4", 2, &[0.5f32, -1.5].map(f32::to_be_bytes).concat()),
        npy("<f8", 2, &[0.5f64, -1.5].map(f64::to_le_bytes).concat()),
        npy("<f2", 2, &[0x00, 0x38, 0x00, 0xbe]),
    ];
    for array in arrays {
        std::fs::write(&file, &array).unwrap();
        assert_eq!(column(&["Exp", file.to_str().unwrap()], b"", "input"), ["0.5", "-1.5"]);
        assert_eq!(column(&["Exp", "-"], &array, "input"), ["0.5", "-1.5"]);
    }
    for wrong in [npy("<i4", 1, &[0; 4]), npy("<f4", 3, &[0; 4]), b"\x93NUMPY".to_vec()] {
        std::fs::write(&file, &wrong).unwrap();
        let output = pwp(&["eval", "Exp", file.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("x.npy"), "{output:?}");
    }
}

#[test]
fn the_scaling_rounds_the_product_before_the_sum_and_types_round_inputs_and_results() {
    assert_eq!(column(&["Copy", "3", "--scale", "0.1", "--bias", "1"], b"", "scaled"), ["1.3"]);
    assert_eq!(column(&["Exp", "1", "--dtype", "bf16"], b"", "exact_bits"), ["402e"]);
    assert_eq!(column(&["Exp", "0x3f80", "--dtype", "bf16"], b"", "exact"), ["2.72"]);
    assert_eq!(column(&["Prelu", "-3", "--alpha", "2"], b"", "exact"), ["-6.0"]);
}

#[test]
fn the_steps_end_in_the_value_of_the_table() {
    for (function, x) in [("exp", "-3.3"), ("sigmoid", "1.5"), ("sigmoid", "-1.5"), ("tanh", "-2"), ("gelu", "0")] {
        let output = pwp(&["eval", function, x, "--steps"], b"");
        let text = String::from_utf8(output.stdout).unwrap();
        let bits = &column(&[function, x], b"", "table_bits")[0];
        let last = text.trim_end().lines().last().unwrap();
        assert!(output.status.success() && last.ends_with(&format!("({bits})")), "{text}");
    }
}

#[test]
fn a_function_without_a_table_is_said_with_status_1_and_its_closed_form_is_shown() {
    let output = pwp(&["eval", "Ln_prime", "2"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("3f000000"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Ln_prime has no profile"), "{output:?}");
    assert_eq!(pwp(&["eval", "Ln_prime", "2", "--exact"], b"").status.code(), Some(0));
    let output = pwp(&["eval", "gelu", "2", "--profiles", "builtin:trainium#exp_and_others"], b"");
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no table for Gelu"), "{output:?}");
}

#[test]
fn a_budget_in_the_name_means_that_table_and_several_are_said() {
    let text = |name: &str| String::from_utf8(pwp(&["eval", name, "2"], b"").stdout).unwrap();
    assert!(text("ln").contains("table ln_40p of builtin: (ln_40p counts; by name there is ln_400p too)"));
    assert!(text("ln_400p").contains("table ln_400p"));
}

#[test]
fn wrong_arguments_are_told_in_one_line() {
    for (arguments, said) in [
        (&["eval", "exq", "1"][..], "near it are"),
        (&["eval", "exp", "one"], "\"one\" is no number"),
        (&["eval", "exp_9p", "1"], "there is exp_400p"),
        (&["eval", "exp", "1", "--profiles", "/nonexistent"], "/nonexistent"),
        (&["functions", "--profiles", "/dev/null"], "/dev/null"),
    ] {
        let output = pwp(arguments, b"");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn every_function_is_listed_with_its_names_and_its_table() {
    let output = pwp(&["functions", "--json"], b"");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let functions = value["functions"].as_array().unwrap();
    assert_eq!(functions.len(), 37);
    let ln = functions.iter().find(|row| row["function"] == "Ln").unwrap();
    assert_eq!((&ln["profile"], &ln["front_end"], &ln["table"]), (&"ln".into(), &"log".into(), &"ln_40p".into()));
    assert_eq!(ln["others"][0], "ln_400p");
    let text = String::from_utf8(pwp(&["functions", "--profiles", "builtin:trainium#0"], b"").stdout).unwrap();
    assert_eq!(text.matches("exp_400p").count(), 1, "{text}");
}

#[test]
fn csv_has_a_line_a_value() {
    let output = pwp(&["eval", "exp", "0.5", "1", "--csv"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(
        text.starts_with("input,bits,table,table bits,exact,exact bits,ULP apart,section\n0.5,3f000000,"),
        "{text}"
    );
}
