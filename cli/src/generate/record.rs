//! What the generated tables reach, as text.

use std::fmt::Write;

use super::set::Entry;
use super::table::{Generated, Target, Worst};

fn wanted(entry: &Entry) -> String {
    match entry.target {
        Target::Published(0) => "no sections".to_owned(),
        Target::Published(sections) | Target::Sections(sections) => format!("{sections} sections"),
        Target::MaxUlp(bound) => format!("{bound} ULP"),
        Target::MaxAbs(bound) => format!("{bound:e} absolute"),
    }
}

fn domain(table: &Generated) -> String {
    match table.domain {
        (0.0, f32::MAX) => "all".to_owned(),
        (low, f32::MAX) => format!("from {low:.3e}"),
        (0.0, high) => format!("to {high:.6}"),
        (low, high) => format!("{low:.3e} to {high:.3e}"),
    }
}

fn row(entry: &Entry, table: &Generated) -> [String; 9] {
    let show = |worst: &Worst| format!("{:.4e} at {:e}", worst.error, worst.at);
    let measure = format!("{:.4e} {}", table.worst.error, table.measure.name());
    [
        entry.file_name(table),
        wanted(entry),
        table.sections.to_string(),
        table.octaves.to_string(),
        domain(table),
        measure,
        format!("{:e}", table.worst.at),
        show(&table.worst_ulp),
        show(&table.worst_abs),
    ]
}

const HEAD: [&str; 9] =
    ["table", "target", "sections", "octaves", "domain (|x|)", "worst", "at", "worst ULP", "worst absolute"];

/// A text table for the terminal.
pub fn text(made: &[(Entry, Generated)]) -> String {
    let rows: Vec<[String; 9]> =
        std::iter::once(HEAD.map(str::to_owned)).chain(made.iter().map(|(entry, table)| row(entry, table))).collect();
    let widths: Vec<usize> = (0..9).map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        let _ = writeln!(out, "{}", cells.join("  ").trim_end());
    }
    out
}

/// The committed record.
pub fn markdown(made: &[(Entry, Generated)]) -> String {
    let mut out = String::from(
        "# The embedded tables\n\n\
         Written by `pwp generate --out DIR --record docs/tables.md`; do not edit.\n\n\
         These figures are over the whole domain of each table, so also over inputs that a saturation point serves. README.md \
         has those of the inputs that a section serves; docs/report.md explains the difference.\n\n\
         Each table has the smallest worst error that its shape reaches within the target. \"worst\" is in the measure \
         that the search used: ULP, near a zero crossing of the function ULP of a floor (see `cli/src/generate/shape.rs`) \
         and below the normal floats 2^-145. \"worst ULP\" and \"worst absolute\" are over the whole \
         domain, zero crossings and denormals included, at seventeen floats of every section.\n\n\
         The number of octaves is the published one in every table. Where only that number is published, the first octave \
         follows from it and from where the clamps take over (`published_octaves` in `cli/src/generate/shape.rs`). \
         `reciprocal_sqrt` and its like reach from 2^-86 to 2^99: outside 2^-51 to 2^51 as straight lines, four per octave, \
         whose second derivative is no normal float. `derivative_silu`, `derivative_gelu` and \
         `derivative_gelu_apprx_sigmoid` are folded as sigmoid is, `f(v) = 1 - f(-v)` for positive inputs, and the even \
         derivatives as `f(v) = f(-v)`. A published note has no fold in any of them; with the published octaves on two \
         sides `derivative_silu` would begin at 0.5 and be off by 4e-4 there.\n\n",
    );
    let _ = writeln!(out, "| {} |", HEAD.join(" | "));
    let _ = writeln!(out, "|{}", "---|".repeat(HEAD.len()));
    for (entry, table) in made {
        let _ = writeln!(out, "| {} |", row(entry, table).join(" | "));
    }
    out
}
