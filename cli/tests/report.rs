//! `pwp report` on tables that are wrong: what is lost or false is told on the terminal, in the CSV files and in the
//! picture, and the picture holds all that it draws.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pwp_cli::report::curves::{Curves, Line};
use pwp_cli::report::layout::Layout;
use pwp_cli::report::measure::{Inputs, Measurement, measure};
use pwp_cli::report::slot::Part;
use pwp_cli::report::subject::{Subject, subjects};
use pwp_cli::report::tally::Loss;
use pwp_sim_core::Table;
use pwp_sim_core::profile::{self, Profile, Section};

/// Makes one table wrong.
type Spoil = fn(&mut Profile);

/// Every section, of the octaves and of the clamps.
fn sections(profile: &mut Profile) -> impl Iterator<Item = &mut Section> {
    let regions = profile.pos.iter_mut().chain(&mut profile.neg).flat_map(|region| &mut region.sections);
    regions.chain(profile.saturation_points.iter_mut().map(|saturation| &mut saturation.section))
}

fn octave(profile: &mut Profile, exponent: i32, value: f32) {
    let regions = profile.pos.iter_mut().chain(&mut profile.neg).filter(|region| region.exponent == exponent);
    regions.flat_map(|region| &mut region.sections).for_each(|section| section.d0 = value);
}

/// NaN everywhere.
fn nan(profile: &mut Profile) {
    sections(profile).for_each(|section| section.d0 = f32::NAN);
    let specials = &mut profile.specials;
    [specials.zero, specials.pos_inf, specials.neg_inf] = [f32::NAN; 3];
}

/// Nothing but the special results: no sections, and clamps that nothing reaches.
fn nothing(profile: &mut Profile) {
    profile.pos.clear();
    profile.neg.clear();
    for (saturation, reach) in profile.saturation_points.iter_mut().zip([300, -1, 300, -1]) {
        saturation.sat_point = reach;
    }
}

/// A number for the square roots of negative numbers.
fn negative_roots(profile: &mut Profile) {
    profile.saturation_points[2..].iter_mut().for_each(|saturation| saturation.section.d0 = 1.0);
}

/// The wrong tables: the profile that is spoilt, and how.
const WRONG: [(&str, Spoil); 7] = [
    ("gelu_4p", nan),
    ("tanh_4p", nothing),
    ("arctan_4p", |profile| octave(profile, 1, f32::NAN)),
    ("silu_32p", |profile| octave(profile, 1, f32::INFINITY)),
    ("derivative_erf_400p", |profile| octave(profile, 3, 3e38)),
    ("sqrt_65536p", negative_roots),
    ("derivative_tanh_400p", nan),
];

/// A wrong table as the subject of a report.
fn spoilt(name: &str) -> Subject {
    let mut subject = subjects("builtin:", &[name.to_owned()]).unwrap().remove(0);
    let (_, spoil) = WRONG.iter().find(|(wrong, _)| *wrong == name).unwrap();
    let mut profile = subject.table().unwrap().to_profile();
    spoil(&mut profile);
    subject.table = Some((name.to_owned(), Arc::new(Table::new(&profile).unwrap())));
    subject
}

fn measured(name: &str) -> (Subject, Measurement) {
    let subject = spoilt(name);
    let measurement = measure(&subject, Inputs::Sampled(16), || ());
    (subject, measurement)
}

fn write(directory: &Path) {
    for (name, _) in WRONG {
        let profile = spoilt(name).table().unwrap().to_profile();
        std::fs::write(directory.join(format!("{name}.json")), profile::to_json(&profile, &[])).unwrap();
    }
}

/// The report on the wrong table: the lines of the terminal, those of `summary.csv`, and the text of the picture.
fn report(name: &str) -> (Vec<String>, Vec<String>, String) {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path());
    let out = directory.path().join("out");
    let output = Command::new(env!("CARGO_BIN_EXE_pwp"))
        .args(["report", "--samples", "16", "--function", name, "--profiles"])
        .arg(directory.path())
        .arg("--out")
        .arg(&out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let read = |file: &str| std::fs::read_to_string(out.join(file)).unwrap();
    (lines(&String::from_utf8(output.stdout).unwrap()), lines(&read("summary.csv")), read(&format!("{name}.svg")))
}

/// One field of the line of `summary.csv` about `path`.
fn field<'a>(summary: &'a [String], path: &str, column: &str) -> &'a str {
    let index = summary[0].split(',').position(|name| name == column).unwrap();
    let line = summary.iter().find(|line| line.split(',').nth(3) == Some(path)).unwrap();
    line.split(',').nth(index).unwrap()
}

#[test]
fn a_table_of_nan_has_no_worst_error_and_its_nan_are_counted() {
    let (terminal, summary, picture) = report("gelu_4p");
    let count = field(&summary, "table sections", "nan_mismatches");
    assert_eq!(count, field(&summary, "table sections", "inputs"));
    assert_eq!(count, field(&summary, "table sections", "nan_for_a_number"));
    for column in ["worst_ulp", "worst_abs", "worst_ulp_input", "mean_ulp"] {
        assert_eq!(field(&summary, "table sections", column), "", "{column}");
    }
    assert_eq!(field(&summary, "table sections", "exact_share"), "0e0");
    let line = terminal.iter().find(|line| line.contains("table, sections")).unwrap();
    assert!(line.contains(&format!("{count} NaN from ")) && !line.contains(" 0.000 "), "{line}");
    assert!(picture.contains(&format!("table, sections: {count} NaN of {count} inputs")));
    assert!(picture.contains("the table gives no number here") && !picture.contains("no error"));
}

#[test]
fn a_table_without_results_says_that_its_inputs_are_unhandled() {
    let (terminal, summary, picture) = report("tanh_4p");
    let count = field(&summary, "table sections", "unhandled");
    assert_eq!(count, field(&summary, "table sections", "inputs"));
    assert_eq!(field(&summary, "table sections", "nan_mismatches"), "0");
    assert_eq!(field(&summary, "table sections", "worst_ulp"), "");
    assert!(terminal.iter().any(|line| line.contains(&format!("{count} unhandled from "))));
    assert!(picture.contains(&format!("table, sections: {count} unhandled of {count} inputs")));
    assert!(picture.contains("the table gives no number here") && picture.contains("no sections"));
}

#[test]
fn a_finite_error_beyond_float_is_an_error_and_no_nan() {
    for name in ["derivative_erf_400p", "silu_32p"] {
        let (_, summary, picture) = report(name);
        let worst: f64 = field(&summary, "table sections", "worst_ulp").parse().unwrap();
        assert!(worst > f64::from(f32::MAX), "{worst:e}");
        assert_eq!(field(&summary, "table sections", "nan_mismatches"), "0");
        let headline = picture.split("table, sections: ").nth(1).unwrap().split("table, ").next().unwrap();
        assert!(headline.starts_with("worst ") && !headline.contains("NaN"), "{headline}");
    }
}

#[test]
fn a_number_where_the_function_has_no_value_is_told_apart_from_nan() {
    let (terminal, summary, picture) = report("sqrt_65536p");
    let count = field(&summary, "table clamps", "number_for_nan");
    assert!(count.parse::<u32>().unwrap() > 0);
    assert_eq!(field(&summary, "table clamps", "nan_for_a_number"), "0");
    assert!(terminal.iter().any(|line| line.contains(&format!("{count} numbers for NaN from "))));
    assert!(picture.contains(&format!(", {count} numbers for NaN of ")));
    assert!(picture.contains("a number for NaN") && !picture.contains(">\nNaN for a number"));
    let (subject, measurement) = measured("sqrt_65536p");
    let layout = Layout::of(&subject);
    assert!(layout.axis.negative, "the wrong results are on the axis");
    assert!(!Curves::of(&subject, &measurement, &layout).lost[Loss::Number as usize].is_empty());
}

#[test]
fn nothing_that_is_drawn_leaves_its_panel_and_the_axis_reaches_the_worst_value() {
    let right = subjects("builtin:", &[]).unwrap();
    let right = right.into_iter().map(|subject| {
        let measurement = measure(&subject, Inputs::Sampled(16), || ());
        (subject, measurement)
    });
    for (subject, measurement) in right.chain(WRONG.map(|(name, _)| measured(name))) {
        let layout = Layout::of(&subject);
        let curves = Curves::of(&subject, &measurement, &layout);
        let (first, last) = layout.axis.range();
        let within = |lines: &[Line], (bottom, top): (f64, f64)| {
            lines.iter().flatten().all(|(x, y)| (first..=last).contains(x) && (bottom..=top).contains(y))
        };
        assert!(within(&curves.truth, curves.value_range), "{}", subject.file_name());
        assert!(within(&curves.table, curves.value_range), "{}", subject.file_name());
        assert!(within(&curves.table_error, curves.decades), "{}", subject.file_name());
        assert!(within(&curves.form_error, curves.decades), "{}", subject.file_name());
        for (lines, parts) in [(&curves.table_error, &Part::ALL[..4]), (&curves.form_error, &Part::ALL[4..])] {
            let drawn = lines.iter().flatten().map(|(_, y)| *y).fold(f64::NEG_INFINITY, f64::max);
            let Some(worst) = measurement.total(parts).worst_ulp() else {
                assert!(lines.is_empty());
                continue;
            };
            let worst = worst.error.max(0.01).log10();
            assert!((drawn - worst).abs() < 1e-9, "{}: {drawn} is drawn and {worst} is worst", subject.file_name());
        }
        for loss in Loss::ALL {
            let met = measurement.total(&Part::ALL).lost(loss).count > 0;
            assert_eq!(!curves.lost[loss as usize].is_empty(), met, "{} {loss:?}", subject.file_name());
        }
    }
}

#[test]
fn a_picture_without_an_error_says_so() {
    assert!(report("derivative_tanh_400p").2.contains("no result has an error to show"));
    let directory = tempfile::tempdir().unwrap();
    let mut pwp = Command::new(env!("CARGO_BIN_EXE_pwp"));
    let output = pwp.args(["report", "--function", "sign", "--out"]).arg(directory.path()).output().unwrap();
    assert!(output.status.success());
    let picture = std::fs::read_to_string(directory.path().join("sign_1p.svg")).unwrap();
    assert!(picture.contains("every result is exact"));
}

#[test]
fn functions_with_nothing_to_measure_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let report = |functions: &[&str]| {
        let mut pwp = Command::new(env!("CARGO_BIN_EXE_pwp"));
        pwp.args(["report", "--samples", "1", "--profiles"]).arg(directory.path()).arg("--function").args(functions);
        pwp.output().unwrap()
    };
    let sentence = format!("Nothing to measure, without a table in {} and a closed form: ", directory.path().display());
    let output = report(&["derivative_tanh", "relu", "derivative_sigmoid"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Relu"), "{text}");
    assert!(text.ends_with(&format!("{sentence}derivative_tanh, derivative_sigmoid\n")), "{text}");
    let names = "Relu, derivative_tanh, derivative_sigmoid";
    let told = format!("pwp: {} has no table for {names}\n", directory.path().display());
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), told));
    let output = report(&["derivative_tanh"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("pwp: {sentence}derivative_tanh\n"));
}
