//! The report on the terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use super::measure::Measurement;
use super::slot::Part;
use super::subject::Subject;
use super::tally::{Loss, Lost, Peak, Tally};

/// The lines of a subject in the summary: what they are called and the parts they sum up.
pub const LINES: [(&str, &[Part]); 3] = [
    ("table, sections", &[Part::Sections]),
    ("table, clamps", &[Part::Special, Part::LowClamp, Part::HighClamp]),
    ("closed form", &[Part::Form]),
];

/// A rule under the header, and nothing else but space.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The figures of some inputs, as [`figures`] has them, after what the inputs are.
pub const HEADER: [&str; 9] = [
    "path",
    "worst ULP",
    "at input (bits)",
    "worst absolute",
    "at input (bits)",
    "mean ULP",
    "mean absolute",
    "exact",
    "without an error",
];

fn table(first: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(first.iter().chain(&HEADER));
    table
}

fn align(table: &mut Table, left: usize) {
    for (index, column) in table.column_iter_mut().enumerate() {
        if index >= left && ![left, left + 2, left + 4].contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The summary: up to three lines per function.
pub fn summary(measured: &[(Subject, Measurement)]) -> String {
    let mut text = table(&["function", "table", "sections"]);
    for (subject, measurement) in measured {
        let mut first = true;
        for (line, parts) in LINES {
            let tally = measurement.total(parts);
            if tally.seen > 0 {
                let profile = subject.table.as_ref().map_or("none", |(profile, _)| profile);
                let sections = subject.sections().map(|sections| sections.to_string()).unwrap_or_default();
                let names = [subject.name().to_owned(), profile.to_owned(), sections];
                let mut row = if std::mem::take(&mut first) { names.to_vec() } else { vec![String::new(); 3] };
                row.push(line.to_owned());
                row.extend(figures(&tally));
                text.add_row(row);
            }
        }
    }
    align(&mut text, 3);
    text.trim_fmt()
}

/// One subject by octave.
pub fn octaves(subject: &Subject, measurement: &Measurement) -> String {
    let mut text = table(&["octave"]);
    for octave in &measurement.octaves {
        let mut row = vec![octave_name(octave.slot), octave.part.name().to_owned()];
        row.extend(figures(&octave.tally));
        text.add_row(row);
    }
    align(&mut text, 1);
    format!("{} ({}), by octave\n{}", subject.name(), subject.file_name(), text.trim_fmt())
}

/// The octave of a slot: `-2^3`; `0` for the denormals' and `inf` for the infinities'.
pub fn octave_name(slot: u32) -> String {
    let sign = if slot < 256 { "+" } else { "-" };
    match slot & 255 {
        0 => format!("{sign}0"),
        255 => format!("{sign}inf"),
        exponent => format!("{sign}2^{}", exponent as i32 - 127),
    }
}

/// The figures of some inputs, as [`HEADER`] names them.
pub fn figures(tally: &Tally) -> [String; 8] {
    let lost = |loss: Loss| {
        let Lost { count, first } = tally.lost(loss);
        first.map(|bits| format!("{count} {} from {}", loss.name(), input(bits)))
    };
    let lost: Vec<String> = Loss::ALL.into_iter().filter_map(lost).collect();
    let (ulp, abs) = (tally.worst_ulp(), tally.worst_abs());
    [
        ulp.map(|peak| number(peak.error)).unwrap_or_default(),
        ulp.map(place).unwrap_or_default(),
        abs.map(|peak| format!("{:.3e}", peak.error)).unwrap_or_default(),
        abs.map(place).unwrap_or_default(),
        tally.mean_ulp().map(number).unwrap_or_default(),
        tally.mean_abs().map(|mean| format!("{mean:.3e}")).unwrap_or_default(),
        tally.exact_share().map(|share| format!("{:.2} %", 100.0 * share)).unwrap_or_default(),
        lost.join(", "),
    ]
}

/// An error in ULP, short.
pub fn number(error: f64) -> String {
    let plain = error == 0.0 || (1e-3..1e5).contains(&error);
    if plain { format!("{error:.3}") } else { format!("{error:.3e}") }
}

fn place(peak: Peak) -> String {
    if peak.error == 0.0 { String::new() } else { input(peak.bits) }
}

fn input(bits: u32) -> String {
    format!("{:?} ({bits:08x})", f32::from_bits(bits))
}
