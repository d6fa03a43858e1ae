//! `pwp inspect`: what is in a table.

pub mod findings;
pub mod runs;
mod sections;

use std::ffi::OsString;
use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use pwp_sim_core::Table;
use pwp_sim_core::profile::{Saturation, SaturationPoint};

use crate::sources::Tables;
use crate::{output, place};
use findings::{Findings, Jump};

/// Look into the tables of a source: fold, specials, clamps, octaves, and what does not fit together
///
/// Without a function a line a table; with one, everything about its table. "Unreachable" are stored sections that no input
/// reaches; "unhandled" are inputs that no section covers. A jump is the distance in ULP between the values of two
/// neighbouring sections at the input where they meet.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&[
    "pwp inspect builtin:",
    "pwp inspect my-profiles exp",
    "pwp inspect images#exp_and_others exp --sections > exp.csv",
]))]
pub struct Options {
    /// Any source of tables
    #[arg(value_name = "SOURCE")]
    source: OsString,
    /// The functions, by any of their names; with a budget (ln_400p) that one table
    #[arg(value_name = "FUNCTION")]
    functions: Vec<String>,
    /// Print every section and clamp as CSV
    #[arg(long)]
    sections: bool,
}

/// Runs `pwp inspect`.
///
/// # Errors
/// A source that cannot be read, a name that is no function's, a function without a table.
pub fn run(options: &Options) -> Result<()> {
    let tables = Tables::open(&options.source)?;
    let mut chosen: Vec<(String, Arc<Table>, Option<String>)> = Vec::new();
    if options.functions.is_empty() {
        for entry in tables.entries() {
            chosen.push((entry.name(), entry.table()?, None));
        }
    }
    for name in &options.functions {
        let (info, entry) = tables.find(name)?;
        let entry = entry.with_context(|| tables.missing(info))?;
        chosen.push((entry.name(), entry.table()?, tables.choice(entry)));
    }
    if options.sections {
        return output::print(&sections::csv(chosen.iter().map(|(name, table, _)| (name.clone(), table.as_ref())))?);
    }
    if options.functions.is_empty() {
        return output::print(&overview(&tables, &chosen));
    }
    let texts = chosen.iter().map(|(name, table, choice)| {
        let choice = choice.as_ref().map(|choice| format!(" ({choice})")).unwrap_or_default();
        format!("{name} of {}{choice}\n{}", tables.display(), details(table))
    });
    output::print(&texts.collect::<Vec<_>>().join("\n"))
}

fn overview(tables: &Tables, chosen: &[(String, Arc<Table>, Option<String>)]) -> String {
    let mut list = output::table([
        "table",
        "fold",
        "neg octaves",
        "pos octaves",
        "declared",
        "stored",
        "unreachable",
        "unhandled",
        "worst jump",
        "odd",
    ]);
    for (name, table, _) in chosen {
        let found = Findings::of(table);
        let jump = found.jumps.first().map_or("0".to_owned(), ulp);
        list.add_row([
            name.clone(),
            fold(table).to_owned(),
            octaves(table, 256),
            octaves(table, 0),
            found.declared.to_string(),
            table.sections().len().to_string(),
            found.unreachable.to_string(),
            found.unhandled.0.to_string(),
            jump,
            found.oddities.len().to_string(),
        ]);
    }
    let mut text = format!("Tables of {}\n\n{}\n", tables.display(), list.trim_fmt());
    for (name, table, _) in chosen {
        if let Some(misread) = findings::misread(table) {
            let _ = writeln!(text, "\n{name}: {misread}");
        }
    }
    text
}

fn fold(table: &Table) -> &'static str {
    match (table.symmetry().enabled, table.symmetry().use_neg_region) {
        (false, _) => "none",
        (true, false) => "to |v|",
        (true, true) => "to -|v|",
    }
}

/// The first and the last octave of a side.
fn octaves(table: &Table, side: usize) -> String {
    let present: Vec<usize> = (side..side + 256).filter(|slot| table.octaves()[*slot].present).collect();
    match (present.first(), present.last()) {
        (Some(first), Some(last)) => format!("{} to {}", place::octave(*first).1, place::octave(*last).1),
        _ => "none".to_owned(),
    }
}

fn ulp(jump: &Jump) -> String {
    jump.ulp.map_or("NaN".to_owned(), |ulp| ulp.to_string())
}

fn float(x: f32) -> String {
    format!("{x:?} ({:08x})", x.to_bits())
}

/// How many of the greatest jumps, of the unhandled runs and of the oddities are shown.
const SHOWN: usize = 5;

fn details(table: &Table) -> String {
    let found = Findings::of(table);
    let (symmetry, specials) = (table.symmetry(), table.specials());
    let mut text = String::new();
    let undo = if symmetry.invert_sign { "-y" } else { "y" };
    let _ = match symmetry.enabled {
        true => writeln!(text, "\nfold: {}, undone by {undo} + {}", fold(table), float(symmetry.point)),
        false => writeln!(text, "\nfold: none"),
    };
    let special = [
        ("zero_result", specials.zero),
        ("pinf_result", specials.pos_inf),
        ("ninf_result", specials.neg_inf),
        ("nan_result, never returned", specials.nan),
    ];
    text += "specials:\n";
    for (name, value) in special {
        let _ = writeln!(text, "  {name}: {}", float(value));
    }
    text += "clamps:\n";
    for clamp in Saturation::ALL {
        let _ = writeln!(text, "  {}", clamp_text(clamp, table.saturation_point(clamp)));
    }
    text += &octave_table(table);
    let stored = table.sections().len();
    let _ = writeln!(
        text,
        "\nsections: {} declared, {stored} stored, {} of them unreachable",
        found.declared, found.unreachable
    );
    let _ = writeln!(text, "unhandled inputs: {}", found.unhandled.0);
    for run in found.unhandled.1.iter().take(SHOWN) {
        let _ = writeln!(text, "  {} to {}", float(f32::from_bits(run.first)), float(f32::from_bits(run.last)));
    }
    more(&mut text, found.unhandled.1.len());
    jump_list(&mut text, "jumps between sections", table, &found.jumps);
    jump_list(&mut text, "jumps at clamps", table, &found.clamp_jumps);
    let _ = writeln!(text, "oddities: {}", found.oddities.len());
    for odd in found.oddities.iter().take(SHOWN) {
        let _ = writeln!(text, "  {odd}");
    }
    more(&mut text, found.oddities.len());
    text
}

fn more(text: &mut String, count: usize) {
    if count > SHOWN {
        let _ = writeln!(text, "  and {} more", count - SHOWN);
    }
}

fn clamp_text(clamp: Saturation, point: &SaturationPoint) -> String {
    let high = matches!(clamp, Saturation::PosHigh | Saturation::NegHigh);
    let sign = u32::from(matches!(clamp, Saturation::NegHigh | Saturation::NegLow)) << 31;
    let threshold = match (point.sat_point, point.mantissa_point) {
        (sat @ 0..=255, mantissa @ 0..=0x7f_ffff) => {
            let x = f32::from_bits(sign | (sat as u32) << 23 | mantissa as u32);
            format!("from {} {}", float(x), if high { "outwards" } else { "inwards" })
        }
        (sat, mantissa) => format!("exponent {sat}, mantissa {mantissa}, which is no float"),
    };
    let section = &point.section;
    let constant = [section.d1, section.d2, section.d3].iter().all(|d| d.to_bits() == 0);
    let value = match constant {
        true => format!("the constant {}", float(section.d0)),
        false => format!(
            "{:?} + {:?} t + {:?} t^2 + {:?} t^3, t = v - {:?}",
            section.d0, section.d1, section.d2, section.d3, section.x
        ),
    };
    format!("{}: {threshold}: {value}", place::saturation_name(clamp))
}

fn octave_table(table: &Table) -> String {
    let mut list = output::table([
        "octave",
        "neg declared",
        "neg stored",
        "neg extract",
        "pos declared",
        "pos stored",
        "pos extract",
    ]);
    let mut any = false;
    for exponent in 0..256 {
        let sides = [256 + exponent, exponent].map(|slot| &table.octaves()[slot]);
        if sides.iter().all(|octave| !octave.present) {
            continue;
        }
        any = true;
        let cells = sides.iter().flat_map(|octave| match octave.present {
            true => [octave.num_sections, octave.stored, octave.extract_size].map(|number| number.to_string()),
            false => [const { String::new() }; 3],
        });
        list.add_row(std::iter::once((exponent as i32 - 127).to_string()).chain(cells));
    }
    if any { format!("\n{}\n", list.trim_fmt()) } else { "\nno octaves\n".to_owned() }
}

fn jump_list(text: &mut String, name: &str, table: &Table, jumps: &[Jump]) {
    let _ = writeln!(text, "{name}: {}", jumps.len());
    for jump in jumps.iter().take(SHOWN) {
        let [inner, outer] = jump.places.map(|found| place::located(table, Some(found)));
        let _ = writeln!(
            text,
            "  {} ULP at {}: {inner} has {:?}, {outer} has {:?}",
            ulp(jump),
            float(jump.input),
            jump.values[0],
            jump.values[1]
        );
    }
    more(text, jumps.len());
}
