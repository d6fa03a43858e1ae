//! `pwp diff`: where two sources of tables, or two tables, are not the same.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;

use anyhow::{Result, ensure};
use clap::Args;
use pwp_sim_core::Table;
use pwp_sim_core::function::FunctionInfo;
use pwp_sim_core::profile::Saturation;
use pwp_sim_core::table::SLOTS;

use crate::sources::{Entry, Tables};
use crate::{output, place};

/// Show where the tables of two sources are not the same, bit by bit
///
/// Tables of one function and budget are compared; where each source has one table of a function, those two are, whatever
/// their budgets. What the tables make of an input is compared by pwp compare A B. The status is 0 only when both sources have
/// the same tables.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&["pwp diff builtin: my-profiles", "pwp diff builtin: my/exp_40p.json exp"]))]
pub struct Options {
    /// The first source of tables
    #[arg(value_name = "A")]
    a: OsString,
    /// The second source of tables
    #[arg(value_name = "B")]
    b: OsString,
    /// The functions, by any of their names; all by default
    #[arg(value_name = "FUNCTION")]
    functions: Vec<String>,
}

/// The differences of one kind that are shown.
const SHOWN: usize = 4;

/// Runs `pwp diff`.
///
/// # Errors
/// A source that cannot be read, a name that is no function's; a difference.
pub fn run(options: &Options) -> Result<()> {
    let (a, b) = (Tables::open(&options.a)?, Tables::open(&options.b)?);
    let mut text = format!("A is {}\nB is {}\n\n", a.display(), b.display());
    let (mut same, mut different) = (0, 0);
    for (one, other) in pairs(options, &a, &b)? {
        match (one, other) {
            (Some(one), Some(other)) => {
                let found = differences(&*one.table()?, &*other.table()?);
                if found.is_empty() && one.budget == other.budget {
                    same += 1;
                    continue;
                }
                let title = if one.budget == other.budget {
                    one.name()
                } else {
                    format!("{} and {}", one.name(), other.name())
                };
                let what = if found.is_empty() { ": the same but for the budget" } else { ":" };
                let _ = writeln!(text, "{title}{what}\n{found}");
            }
            (Some(only), None) => drop(writeln!(text, "{}: only in A\n", only.name())),
            (None, Some(only)) => drop(writeln!(text, "{}: only in B\n", only.name())),
            (None, None) => continue,
        }
        different += 1;
    }
    let _ = writeln!(text, "{same} the same, {different} not");
    output::print(&text)?;
    ensure!(different == 0, "A and B differ in {different} of {} tables", same + different);
    Ok(())
}

type Pair<'a> = (Option<&'a Entry>, Option<&'a Entry>);

/// The tables to compare with each other.
fn pairs<'a>(options: &Options, a: &'a Tables, b: &'a Tables) -> Result<Vec<Pair<'a>>> {
    let mut pairs = Vec::new();
    for name in &options.functions {
        let named = crate::names::find(name)?;
        let of = of_function(named.info, a, b);
        let wanted =
            |entry: Option<&Entry>| entry.is_none_or(|entry| named.budget.is_none_or(|budget| entry.budget == budget));
        let before = pairs.len();
        pairs.extend(of.into_iter().filter(|(one, other)| wanted(*one) && wanted(*other)));
        ensure!(pairs.len() > before, "neither source has a table {name}");
    }
    if options.functions.is_empty() {
        pairs = FunctionInfo::with_profile().flat_map(|info| of_function(info, a, b)).collect();
    }
    Ok(pairs)
}

fn of_function<'a>(info: &FunctionInfo, a: &'a Tables, b: &'a Tables) -> Vec<Pair<'a>> {
    let (of_a, of_b) = (a.of(info), b.of(info));
    if let ([one], [other]) = (&of_a[..], &of_b[..]) {
        return vec![(Some(*one), Some(*other))];
    }
    let budgets: BTreeSet<u32> = of_a.iter().chain(&of_b).map(|entry| entry.budget).collect();
    let with = |of: &[&'a Entry], budget| of.iter().find(|entry| entry.budget == budget).copied();
    budgets.into_iter().map(|budget| (with(&of_a, budget), with(&of_b, budget))).collect()
}

/// The differences of two tables, a line each; nothing where they are the same.
fn differences(a: &Table, b: &Table) -> String {
    let mut text = String::new();
    let mut line = |what: &str, a: String, b: String| {
        if a != b {
            let _ = writeln!(text, "  {what}: A {a}, B {b}");
        }
    };
    let float = |x: f32| format!("{x:?} ({:08x})", x.to_bits());
    let (s, t) = (a.symmetry(), b.symmetry());
    line("symmetry_en", s.enabled.to_string(), t.enabled.to_string());
    line("symmetry_invert_sign_opt", s.invert_sign.to_string(), t.invert_sign.to_string());
    line("symmetry_opt_use_neg_region", s.use_neg_region.to_string(), t.use_neg_region.to_string());
    line("symmetry_point", float(s.point), float(t.point));
    let (s, t) = (a.specials(), b.specials());
    line("zero_result", float(s.zero), float(t.zero));
    line("nan_result", float(s.nan), float(t.nan));
    line("pinf_result", float(s.pos_inf), float(t.pos_inf));
    line("ninf_result", float(s.neg_inf), float(t.neg_inf));
    for clamp in Saturation::ALL {
        let (p, q) = (a.saturation_point(clamp), b.saturation_point(clamp));
        let name = place::saturation_name(clamp);
        let point = |p: &pwp_sim_core::profile::SaturationPoint| format!("{}, {}", p.sat_point, p.mantissa_point);
        line(&format!("clamp {name}, threshold"), point(p), point(q));
        for (part, (x, y)) in PARTS.iter().zip(p.section.bits().into_iter().zip(q.section.bits())) {
            line(&format!("clamp {name}, {part}"), float(f32::from_bits(x)), float(f32::from_bits(y)));
        }
    }
    let (mut octaves, mut sections) = (Vec::new(), Vec::new());
    for slot in 0..SLOTS {
        let (side, exponent) = place::octave(slot);
        let shape = |table: &Table| {
            let octave = &table.octaves()[slot];
            match octave.present {
                true => format!(
                    "{} sections, {} stored, extract size {}",
                    octave.num_sections, octave.stored, octave.extract_size
                ),
                false => "absent".to_owned(),
            }
        };
        if shape(a) != shape(b) {
            octaves.push(format!("  {side} octave {exponent}: A {}, B {}", shape(a), shape(b)));
            continue;
        }
        for (index, (p, q)) in a.octave_sections(slot).iter().zip(b.octave_sections(slot)).enumerate() {
            let (x, y) = (p.bits(), q.bits());
            let parts = PARTS.iter().enumerate().filter(|(part, _)| x[*part] != y[*part]);
            let parts: Vec<String> = parts
                .map(|(part, name)| format!("{name} A {:?}, B {:?}", f32::from_bits(x[part]), f32::from_bits(y[part])))
                .collect();
            if !parts.is_empty() {
                sections.push(format!("  {side} octave {exponent}, section {index}: {}", parts.join("; ")));
            }
        }
    }
    for (name, lines) in [("octaves of another shape", octaves), ("sections of other coefficients", sections)] {
        if !lines.is_empty() {
            let _ = writeln!(text, "  {name}: {}", lines.len());
            lines.iter().take(SHOWN).for_each(|line| text += &format!("  {line}\n"));
            if lines.len() > SHOWN {
                let _ = writeln!(text, "    and {} more", lines.len() - SHOWN);
            }
        }
    }
    text
}

const PARTS: [&str; 5] = ["x", "d0", "d1", "d2", "d3"];
