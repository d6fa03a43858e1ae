//! Bounds on the error of tables: a file that `pwp report --bounds` writes and a test reads.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use csv::{Reader, Writer};
use pwp_sim_core::engine::file;

use super::measure::Measurement;
use super::slot::Part;
use super::subject::Subject;
use super::tally::{Loss, Tally};

/// How far above the measured error a bound is.
const MARGIN: f64 = 1.05;

/// What is bounded of a table: its sections are its domain, and beyond lie the clamps with the specials.
const PARTS: [(&str, &[Part]); 2] =
    [("sections", &[Part::Sections]), ("clamps", &[Part::Special, Part::LowClamp, Part::HighClamp])];

/// The bounds of one part of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The table's profile: `exp_400p`.
    pub profile: String,
    /// `sections` or `clamps`.
    pub part: String,
    /// The largest error in ULP; NaN where no result has an error.
    pub ulp: f64,
    /// The largest absolute error; NaN likewise.
    pub abs: f64,
    /// NaN where the function has a value, or the reverse, is met.
    pub nan: bool,
}

/// The measured errors of the table of `subject`, as bounds without a margin.
pub fn measured(subject: &Subject, measurement: &Measurement) -> Vec<Bound> {
    let Some((profile, _)) = &subject.table else { return Vec::new() };
    let bound = |(part, parts): (&str, &[Part])| {
        let tally: Tally = measurement.total(parts);
        (tally.seen > 0).then(|| Bound {
            profile: profile.clone(),
            part: part.to_owned(),
            ulp: tally.worst_ulp().map_or(f64::NAN, |peak| peak.error),
            abs: tally.worst_abs().map_or(f64::NAN, |peak| peak.error),
            nan: tally.lost(Loss::Nan).count + tally.lost(Loss::Number).count > 0,
        })
    };
    PARTS.into_iter().filter_map(bound).collect()
}

/// Writes bounds 5 per cent above what was measured.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, all: &[(Subject, Measurement)]) -> Result<()> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(["profile", "part", "ulp", "abs", "nan"])?;
    for bound in all.iter().flat_map(|(subject, measurement)| measured(subject, measurement)) {
        let Bound { profile, part, ulp, abs, nan } = bound;
        let [ulp, abs] = [ulp, abs].map(|error| format!("{:.4e}", error * MARGIN));
        writer.write_record([&profile, &part, &ulp, &abs, &nan.to_string()])?;
    }
    Ok(file::write(path, &writer.into_inner()?)?)
}

/// Reads bounds.
///
/// # Errors
/// When the file cannot be read or is not one that [`write()`] wrote.
pub fn read(path: &Path) -> Result<Vec<Bound>> {
    let mut reader = Reader::from_path(path).with_context(|| format!("cannot read {}", path.display()))?;
    let bound = |record: csv::Result<csv::StringRecord>| {
        let record = record?;
        let field = |index: usize| record.get(index).ok_or_else(|| anyhow!("a line with too few fields"));
        Ok(Bound {
            profile: field(0)?.to_owned(),
            part: field(1)?.to_owned(),
            ulp: field(2)?.parse()?,
            abs: field(3)?.parse()?,
            nan: field(4)?.parse()?,
        })
    };
    reader.records().map(bound).collect::<Result<_>>().with_context(|| format!("in {}", path.display()))
}
