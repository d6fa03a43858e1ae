//! The report's CSV files: all figures in full, one line per function and part (`summary.csv`) or per octave and part
//! (`octaves.csv`), and the bounds that a test can hold a table to.

use std::path::Path;

use anyhow::Result;
use csv::Writer;
use pwp_sim_core::engine::file;

use super::measure::Measurement;
use super::slot::Part;
use super::subject::Subject;
use super::tally::{Loss, Lost, Tally};
use super::text::LINES;

const FIGURES: [&str; 21] = [
    "inputs",
    "worst_ulp",
    "worst_ulp_input",
    "worst_ulp_bits",
    "worst_abs",
    "worst_abs_input",
    "worst_abs_bits",
    "mean_ulp",
    "mean_abs",
    "exact_share",
    "counted",
    "nan_mismatches",
    "nan_for_a_number",
    "first_nan_input",
    "first_nan_bits",
    "number_for_nan",
    "first_number_input",
    "first_number_bits",
    "unhandled",
    "first_unhandled_input",
    "first_unhandled_bits",
];

/// Writes `summary.csv` into `directory`.
///
/// # Errors
/// When the file cannot be written.
pub fn summary(directory: &Path, measured: &[(Subject, Measurement)]) -> Result<()> {
    let header = ["function", "profile", "sections", "path"];
    let mut rows = Vec::new();
    for (subject, measurement) in measured {
        for (line, parts) in LINES {
            let tally = measurement.total(parts);
            if tally.seen > 0 {
                let mut row = names(subject);
                row.push(line.replace(", ", " "));
                row.extend(figures(&tally));
                rows.push(row);
            }
        }
    }
    write(&directory.join("summary.csv"), &header, &rows)
}

/// Writes `octaves.csv` into `directory`.
///
/// # Errors
/// When the file cannot be written.
pub fn octaves(directory: &Path, measured: &[(Subject, Measurement)]) -> Result<()> {
    let header = ["function", "profile", "sections", "path", "part", "sign", "biased_exponent"];
    let mut rows = Vec::new();
    for (subject, measurement) in measured {
        for octave in &measurement.octaves {
            let path = if octave.part == Part::Form { "exact" } else { "table" };
            let mut row = names(subject);
            row.extend([path.to_owned(), octave.part.name().to_owned()]);
            row.extend([if octave.slot < 256 { "+" } else { "-" }.to_owned(), (octave.slot & 255).to_string()]);
            row.extend(figures(&octave.tally));
            rows.push(row);
        }
    }
    write(&directory.join("octaves.csv"), &header, &rows)
}

fn names(subject: &Subject) -> Vec<String> {
    let profile = subject.table.as_ref().map(|(profile, _)| profile.clone()).unwrap_or_default();
    let sections = subject.sections().map(|sections| sections.to_string()).unwrap_or_default();
    vec![subject.name().to_owned(), profile, sections]
}

fn figures(tally: &Tally) -> Vec<String> {
    let optional = |value: Option<f64>| value.map(|value| format!("{value:e}")).unwrap_or_default();
    let input = |bits: Option<u32>| match bits {
        Some(bits) => [format!("{:?}", f32::from_bits(bits)), format!("{bits:08x}")],
        None => [String::new(), String::new()],
    };
    let mut figures = vec![tally.seen.to_string()];
    for peak in [tally.worst_ulp(), tally.worst_abs()] {
        figures.push(optional(peak.map(|peak| peak.error)));
        figures.extend(input(peak.filter(|peak| peak.error > 0.0).map(|peak| peak.bits)));
    }
    figures.extend([optional(tally.mean_ulp()), optional(tally.mean_abs()), optional(tally.exact_share())]);
    figures.push(tally.counted.to_string());
    let [nan, number, unhandled] = Loss::ALL.map(|loss| tally.lost(loss));
    figures.push((nan.count + number.count).to_string());
    for Lost { count, first } in [nan, number, unhandled] {
        figures.push(count.to_string());
        figures.extend(input(first));
    }
    figures
}

fn write(path: &Path, names: &[&str], rows: &[Vec<String>]) -> Result<()> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(names.iter().chain(&FIGURES))?;
    for row in rows {
        writer.write_record(row)?;
    }
    Ok(file::write(path, &writer.into_inner()?)?)
}
