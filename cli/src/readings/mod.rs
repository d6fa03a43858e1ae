//! `pwp readings`: every point that the published notes leave open or say twice, what we take, the alternative, and what
//! tells the two apart. [`list`] has the points, [`follow`] asks another library or other tables which they follow, and
//! `docs/differences.md` shows the list.

pub mod follow;
pub mod list;
pub mod probe;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use pwp_sim_core::{Affine, Function, Numerics, Table};
use serde_json::{Value, json};

use crate::output;
use list::READINGS;
use probe::Given;

/// List what the published notes leave open or say twice: what we take, the alternative, and what tells them apart
///
/// Where a call tells them apart, the function, its path, the input and both results are given, as bits; the tables are the
/// embedded ones unless another is named. Where only a file does, its field is named. pwp compare makes the calls on the
/// other library and says which reading it follows.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&["pwp readings", "pwp readings --json"]))]
pub struct Options {
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table of docs/differences.md
    #[arg(long, hide = true)]
    markdown: bool,
}

/// A point that the published notes leave open or say twice.
#[derive(Debug)]
pub struct Reading {
    /// Its name, in one word.
    pub id: &'static str,
    /// What it is about.
    pub topic: Topic,
    /// What we take.
    pub taken: &'static str,
    /// What it could be instead.
    pub alternative: &'static str,
    /// Where in our sources or documents the choice stands.
    pub place: &'static str,
    /// What tells the two apart.
    pub told: Told,
    /// The table that tells by itself which it was made for: the profile's name, and what the table says.
    pub look: Option<Look>,
}

/// A profile's name, and what a table of it says.
pub type Look = (&'static str, fn(&Table) -> Option<Follows>);

/// What a reading is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// The closed forms.
    Forms,
    /// A table at one input, and the path of a call.
    Tables,
    /// What is in a profile file, and where it is.
    Profiles,
    /// Catalogs and the hardware's images.
    Images,
    /// The interface of the library.
    Interface,
}

/// What tells a reading from its alternative.
#[derive(Debug)]
pub enum Told {
    /// A call with one element.
    Call(Probe),
    /// A field of a file; no call.
    Field {
        /// The file.
        file: &'static str,
        /// The field or word in it.
        field: &'static str,
        /// Its value by what we take.
        taken: &'static str,
        /// Its value by the alternative.
        alternative: &'static str,
    },
    /// Nothing that is known; why.
    Nothing(&'static str),
}

/// Which of the two is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Follows {
    /// What we take.
    Ours,
    /// The alternative.
    Alternative,
    /// Neither: what there was instead.
    Neither(String),
}

impl Follows {
    /// The answer in words.
    pub fn text(&self) -> String {
        match self {
            Follows::Ours => "ours".to_owned(),
            Follows::Alternative => "the alternative".to_owned(),
            Follows::Neither(what) => format!("neither ({what})"),
        }
    }

    fn of(probe: &Probe, result: Result<u32, String>) -> Follows {
        match result {
            Ok(bits) if same(bits, probe.taken) => Follows::Ours,
            Ok(bits) if same(bits, probe.alternative) => Follows::Alternative,
            Ok(bits) => Follows::Neither(format!("got {bits:#010x}")),
            Err(what) => Follows::Neither(what),
        }
    }
}

/// A call with one element. Floats are their bits.
#[derive(Debug)]
pub struct Probe {
    /// The function.
    pub function: Function,
    /// The path.
    pub path: Numerics,
    /// The tables.
    pub given: Given,
    /// The input, which reaches the function as it is.
    pub input: u32,
    /// The result by what we take.
    pub taken: u32,
    /// The result by the alternative; any NaN where it is one.
    pub alternative: u32,
}

impl Probe {
    /// The scaling of every probe: 1 and -0, which leaves each input as it is. No slope.
    pub const AFFINE: Affine = Affine::new(1.0, -0.0);
}

impl Topic {
    /// The topic in words.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Forms => "closed forms",
            Topic::Tables => "table path",
            Topic::Profiles => "profiles",
            Topic::Images => "catalogs and images",
            Topic::Interface => "interface",
        }
    }
}

/// Runs `pwp readings`.
///
/// # Errors
/// A standard output that cannot be written to.
pub fn run(options: &Options) -> Result<()> {
    output::print(&match (options.json, options.markdown) {
        (true, _) => format!("{:#}\n", json()),
        (_, true) => markdown(),
        _ => text(),
    })
}

/// Whether two results are the same: their bits are, or both are NaN.
pub fn same(one: u32, other: u32) -> bool {
    one == other || (f32::from_bits(one).is_nan() && f32::from_bits(other).is_nan())
}

/// A path in one word.
pub fn path(numerics: Numerics) -> &'static str {
    if numerics == Numerics::Table { "table" } else { "exact" }
}

fn float(bits: u32) -> String {
    format!("{:?} ({bits:08x})", f32::from_bits(bits))
}

/// A text of the list without the marks that Markdown has.
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn text() -> String {
    let mut table = output::table(["reading", "told by", "at", "ours", "the alternative"]);
    for reading in &READINGS {
        let cells = match &reading.told {
            Told::Call(probe) => [
                format!("{}, {}{}", probe.function, path(probe.path), probe.given.suffix()),
                float(probe.input),
                float(probe.taken),
                float(probe.alternative),
            ],
            Told::Field { file, field, taken, alternative } => {
                [file, field, taken, alternative].map(|text| plain(text))
            }
            Told::Nothing(_) => ["no call or file".to_owned(), String::new(), String::new(), String::new()],
        };
        table.add_row(std::iter::once(reading.id.to_owned()).chain(cells));
    }
    let mut text = format!("{}\n", table.trim_fmt());
    for Reading { id, topic, taken, alternative, told, .. } in &READINGS {
        let _ = writeln!(
            text,
            "\n{id} ({}):\n  ours: {}\n  the alternative: {}",
            topic.name(),
            plain(taken),
            plain(alternative)
        );
        if let Told::Nothing(why) = told {
            let _ = writeln!(text, "  told by: {}", plain(why));
        }
    }
    text
}

/// The list as a machine reads it. Floats are their bits, in hexadecimal.
pub fn json() -> Value {
    let hex = |bits: u32| format!("{bits:08x}");
    let Affine { scale, bias, alpha } = Probe::AFFINE;
    let readings = READINGS.iter().map(|reading| {
        let mut value = json!({
            "id": reading.id,
            "topic": reading.topic.name(),
            "ours": plain(reading.taken),
            "alternative": plain(reading.alternative),
            "where": plain(reading.place),
        });
        let (key, told) = match &reading.told {
            Told::Call(probe) => (
                "call",
                json!({
                    "function": probe.function.name(),
                    "path": path(probe.path),
                    "tables": probe.given.name(),
                    "scale": hex(scale.to_bits()),
                    "bias": hex(bias.to_bits()),
                    "alpha": hex(alpha.to_bits()),
                    "input": hex(probe.input),
                    "ours": hex(probe.taken),
                    "alternative": hex(probe.alternative),
                }),
            ),
            Told::Field { file, field, taken, alternative } => {
                let [file, field, taken, alternative] = [file, field, taken, alternative].map(|text| plain(text));
                ("field", json!({"file": file, "field": field, "ours": taken, "alternative": alternative}))
            }
            Told::Nothing(why) => ("nothing", json!(plain(why))),
        };
        value[key] = told;
        value
    });
    json!({"readings": readings.collect::<Vec<_>>()})
}

/// The list as `docs/differences.md` has it.
pub fn markdown() -> String {
    let mut text = "| point | we take | the alternative | told apart by | where |\n|---|---|---|---|---|\n".to_owned();
    for Reading { id, taken, alternative, place, told, .. } in &READINGS {
        let told = match told {
            Told::Call(probe) => format!(
                "`{}`, {}{}, at {} (`{:08x}`): `{:08x}` or `{:08x}`",
                probe.function,
                path(probe.path),
                probe.given.suffix(),
                f32::from_bits(probe.input),
                probe.input,
                probe.taken,
                probe.alternative
            ),
            Told::Field { file, field, taken, alternative } => format!("{file}, {field}: {taken}, or {alternative}"),
            Told::Nothing(why) => (*why).to_owned(),
        };
        let _ = writeln!(text, "| `{id}` | {taken} | {alternative} | {told} | {place} |");
    }
    text
}
