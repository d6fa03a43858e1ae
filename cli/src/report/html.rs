//! The report as one page that needs nothing else: `pwp report --html FILE`. The page itself is `page.html`.

use std::path::Path;

use anyhow::{Context, Result};
use minijinja::Environment;
use minijinja::value::Serde;
use pwp_sim_core::engine::file;
use serde::Serialize;

use super::measure::Measurement;
use super::picture;
use super::slot::Part;
use super::steps::Step;
use super::subject::Subject;
use super::tally::{Loss, Tally};
use super::text::{self, LINES};

/// What is said of a report besides its figures.
#[derive(Debug, Serialize)]
pub struct Heading<'a> {
    /// The source of the tables.
    pub source: String,
    /// Which inputs were looked at.
    pub inputs: String,
    /// Sentences about tables that seem to be misread, and functions without anything to measure.
    pub notes: Vec<&'a str>,
}

/// A column of the table: its name, and whether numbers are in it.
const COLUMNS: [(&str, bool); 15] = [
    ("function", false),
    ("table", false),
    ("sections", true),
    ("inputs", true),
    ("worst ULP, sections", true),
    ("worst ULP, clamps", true),
    ("worst ULP, closed form", true),
    ("mean ULP, sections", true),
    ("mean ULP, clamps", true),
    ("mean ULP, closed form", true),
    ("exact, sections", true),
    ("exact, closed form", true),
    ("NaN mismatches, table", true),
    ("NaN mismatches, closed form", true),
    ("unhandled", true),
];

#[derive(Serialize)]
struct Column {
    name: &'static str,
    number: bool,
}

/// A cell: what it shows, below in small letters the place of a peak, and what it is sorted by.
#[derive(Serialize, Default)]
struct Cell {
    text: String,
    place: String,
    value: String,
}

/// A stretch of a picture and what is shown where the pointer is over it.
#[derive(Serialize)]
struct Hover {
    x: f64,
    width: f64,
    says: String,
}

/// One function with one table or none.
#[derive(Serialize)]
struct Entry {
    id: String,
    name: &'static str,
    about: String,
    cells: Vec<Cell>,
    /// The figures in full, a line a part.
    lines: Vec<Vec<String>>,
    svg: String,
    size: (u32, u32),
    top: i32,
    height: i32,
    hovers: Vec<Hover>,
}

#[derive(Serialize)]
struct Page<'a> {
    version: &'static str,
    heading: &'a Heading<'a>,
    columns: Vec<Column>,
    header: [&'static str; 9],
    entries: Vec<Entry>,
}

/// Writes the page. `progress` is called after each picture.
///
/// # Errors
/// When the file cannot be written.
pub fn write(
    path: &Path,
    heading: &Heading<'_>,
    measured: &[(Subject, Measurement)],
    progress: impl Fn(),
) -> Result<()> {
    let entries = measured.iter().map(|(subject, measurement)| {
        let entry = entry(subject, measurement);
        progress();
        entry
    });
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        heading,
        columns: COLUMNS.map(|(name, number)| Column { name, number }).into(),
        header: text::HEADER,
        entries: entries.collect::<Result<_>>()?,
    };
    let text = Environment::new().render_named_str("page.html", include_str!("page.html"), Serde(page));
    Ok(file::write(path, text.context("cannot make the page")?.as_bytes())?)
}

fn entry(subject: &Subject, measurement: &Measurement) -> Result<Entry> {
    let lines = LINES.into_iter().map(|(line, parts)| (line, measurement.total(parts)));
    let lines = lines.filter(|(_, tally)| tally.seen > 0);
    let drawing = picture::svg(subject, measurement)?;
    let (first, last) = drawing.layout.axis.range();
    let (left, right) = (f64::from(drawing.inputs.start), f64::from(drawing.inputs.end));
    let pixel = |position: f64| left + (position - first) / (last - first) * (right - left);
    let hovers = Step::of(&drawing.layout.axis).into_iter().map(|step| {
        let (x, end) = (pixel(step.ends.0), pixel(step.ends.1));
        Hover { x, width: end - x, says: step.says(measurement) }
    });
    Ok(Entry {
        id: subject.file_name().to_owned(),
        name: subject.name(),
        about: picture::title(subject),
        cells: cells(subject, measurement),
        lines: lines.map(|(line, tally)| [vec![line.to_owned()], text::figures(&tally).into()].concat()).collect(),
        svg: drawing.svg,
        size: picture::SIZE,
        top: drawing.height.start,
        height: drawing.height.end - drawing.height.start,
        hovers: hovers.collect(),
    })
}

/// The cells of the line about a subject, as [`COLUMNS`] has them.
fn cells(subject: &Subject, measurement: &Measurement) -> Vec<Cell> {
    let [sections, clamps, form] = LINES.map(|(_, parts)| measurement.total(parts));
    let table = measurement.total(&Part::ALL[..4]);
    let word = |word: &str| Cell { text: word.to_owned(), value: word.to_lowercase(), ..Cell::default() };
    let count = |count: u64| Cell { text: count.to_string(), value: count.to_string(), ..Cell::default() };
    let number = |number: Option<f64>| {
        number.map(|x| Cell { text: text::number(x), value: format!("{x:e}"), ..Cell::default() }).unwrap_or_default()
    };
    let worst = |tally: &Tally| Cell {
        place: tally
            .worst_ulp()
            .filter(|peak| peak.error > 0.0)
            .map(|peak| format!("at {:?}", peak.input()))
            .unwrap_or_default(),
        ..number(tally.worst_ulp().map(|peak| peak.error))
    };
    let share = |tally: &Tally| {
        let share = tally.exact_share().map(|share| (format!("{:.2} %", 100.0 * share), format!("{share:e}")));
        share.map(|(text, value)| Cell { text, value, ..Cell::default() }).unwrap_or_default()
    };
    let lost = |tally: &Tally, losses: &[Loss]| match tally.seen {
        0 => Cell::default(),
        _ => count(losses.iter().map(|loss| tally.lost(*loss).count).sum()),
    };
    vec![
        word(subject.name()),
        word(subject.table.as_ref().map_or("", |(profile, _)| profile)),
        subject.sections().map(|sections| count(sections as u64)).unwrap_or_default(),
        count(table.seen.max(form.seen)),
        worst(&sections),
        worst(&clamps),
        worst(&form),
        number(sections.mean_ulp()),
        number(clamps.mean_ulp()),
        number(form.mean_ulp()),
        share(&sections),
        share(&form),
        lost(&table, &[Loss::Nan, Loss::Number]),
        lost(&form, &[Loss::Nan, Loss::Number]),
        lost(&table, &[Loss::Unhandled]),
    ]
}
