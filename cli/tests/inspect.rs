//! `pwp inspect` and `pwp diff`.

use std::path::Path;
use std::process::{Command, Output};

use pwp_sim_core::{Function, Simulator, profile};

fn pwp(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pwp")).args(arguments).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = pwp(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The embedded table of exp as a profile file, after `change`.
fn exp(directory: &Path, change: impl Fn(&mut profile::Profile)) -> String {
    let mut changed = Simulator::open("builtin:").unwrap().table(Function::Exp).unwrap().to_profile();
    change(&mut changed);
    let file = directory.join("exp_400p.json");
    std::fs::write(&file, profile::to_json(&changed, &[])).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn the_sections_as_csv_are_those_of_the_table() {
    let exp = Simulator::open("builtin:").unwrap().table(Function::Exp).unwrap().clone();
    let csv = text(&["inspect", "builtin:", "exp", "--sections"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), exp.sections().len() + 4);
    for (row, section) in rows.iter().zip(exp.sections()) {
        let bits: Vec<u32> = (14..19).map(|column| u32::from_str_radix(&row[column], 16).unwrap()).collect();
        assert_eq!(bits, section.bits());
        assert_eq!(&row[8], "yes");
    }
}

#[test]
fn the_overview_has_a_line_a_table_and_the_details_say_what_is_wrong() {
    let overview = text(&["inspect", "builtin:"]);
    assert!(overview.contains("| tanh_4p ") && overview.contains("| derivative_tanh_400p "), "{overview}");
    let directory = tempfile::tempdir().unwrap();
    let file = exp(directory.path(), |exp| {
        exp.pos.retain(|region| region.exponent != 0);
        exp.neg[4].sections[0].d1 = f32::NAN;
    });
    let details = text(&["inspect", &file, "exp"]);
    for said in
        ["unhandled inputs: 8388608", "1.0 (3f800000) to 1.9999999 (3fffffff)", "d1 is NaN", "pos_high: from 88.72284"]
    {
        assert!(details.contains(said), "{said}: {details}");
    }
}

#[test]
fn a_table_of_the_other_reading_of_the_fold_is_named_in_the_overview_and_the_details() {
    let directory = tempfile::tempdir().unwrap();
    let mut sigmoid = Simulator::open("builtin:").unwrap().table(Function::Sigmoid).unwrap().to_profile();
    let source = directory.path().to_str().unwrap();
    let shown = |sigmoid: &profile::Profile| {
        std::fs::write(directory.path().join("sigmoid_40p.json"), profile::to_json(sigmoid, &[])).unwrap();
        [text(&["inspect", source]), text(&["inspect", source, "sigmoid"])]
    };
    assert!(shown(&sigmoid).iter().all(|text| !text.contains("PWP_SIM_FOLD")));
    // What is stored of the negative side rises to 1, the limit on the positive one.
    sigmoid.saturation_points[profile::Saturation::NegHigh as usize].section.d0 = 1.0;
    let said = "the saturation points fit PWP_SIM_FOLD=negative; as it is read, every result is that of the input with the \
                other sign";
    assert!(shown(&sigmoid).iter().all(|text| text.contains(said)), "{:?}", shown(&sigmoid));
}

#[test]
fn a_function_without_a_table_is_status_1() {
    for (arguments, said) in [
        (&["inspect", "builtin:", "Ln_prime"][..], "Ln_prime has no profile"),
        (&["inspect", "builtin:trainium#exp_and_others", "gelu"], "has no table for Gelu"),
        (&["inspect", "builtin:", "nonesuch"], "nonesuch"),
        (&["inspect", "/nonexistent"], "/nonexistent"),
        (&["diff", "builtin:", "/nonexistent"], "/nonexistent"),
        (&["diff", "builtin:", "builtin:", "Ln_prime"], "neither source has a table Ln_prime"),
    ] {
        let output = pwp(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{output:?}");
    }
}

#[test]
fn a_source_does_not_differ_from_itself() {
    assert!(text(&["diff", "builtin:", "builtin:"]).ends_with("\n37 the same, 0 not\n"));
}

#[test]
fn one_bit_of_a_coefficient_a_special_and_a_clamp_are_each_shown() {
    let directory = tempfile::tempdir().unwrap();
    let file = exp(directory.path(), |exp| {
        exp.neg[7].sections[0].d2 = exp.neg[7].sections[0].d2.next_up();
        exp.specials.zero = -1.0;
        exp.saturation_points[0].mantissa_point += 1;
        exp.pos[3].num_sections += 1;
    });
    let output = pwp(&["diff", "builtin:", &file, "exp"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for said in [
        "zero_result: A 1.0 (3f800000), B -1.0 (bf800000)",
        "clamp pos_high, threshold",
        "octaves of another shape: 1\n",
        "sections of other coefficients: 1\n",
        "neg octave -12, section 0: d2 A ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(text.lines().filter(|line| line.contains("A ")).count(), 5, "{text}");
}

#[test]
fn what_only_one_source_has_is_said() {
    let output = pwp(&["diff", "builtin:", "builtin:trainium#exp_and_others"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("gelu_4p: only in A") && !text.contains("exp_400p"), "{text}");
}
