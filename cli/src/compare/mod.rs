//! `pwp compare`: two libraries, or a library and our own tables and closed forms, on the same inputs, bit by bit.

pub mod plan;
pub mod process;
mod readings;
mod resume;
mod run;
pub mod side;
pub mod symbols;
pub mod tally;
mod text;
pub mod worker;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use pwp_foreign::Call;
use pwp_sim_core::{Function, Numerics};

use crate::sources::{self, Tables};
use crate::{interrupt, output};
use plan::Plan;
use resume::{Heading, Journal};
use run::{Pair, Terms};
use side::{Profiles, Side};
use symbols::Wanted;
use tally::Nan;
use text::Report;

/// Compare two libraries, or a library with the tables and closed forms here, on the same inputs, bit by bit
///
/// A and B are each a shared library (called by its pwp_sim_ calls or by the original's class PWPSim::Simulator, whichever it
/// exports), exact (the closed forms), table (the tables of --profiles), or a source of tables: builtin:, a directory of
/// profiles, a set of a catalog (images#0, builtin:trainium#0).
///
/// Both paths are compared where both sides have them. Libraries build their simulators from the tables of --profiles,
/// and each runs in processes of its own: an input at which it aborts or hangs is found and named, and the rest goes on.
///
/// It ends with the readings that each library, or source of tables, follows where the published notes leave something open
/// (pwp readings).
///
/// Two results are equal when their bits are, or when both are NaN. The distance of two floats in ULP is how many floats
/// one is further than the other. The status is 0 only when every input of every function has two equal results.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&[
    "pwp compare target/release/libpwp_sim.so /opt/original/libpwp_sim.so",
    "pwp compare builtin: /opt/original/libpwp_sim.so --function Exp Gelu --exhaustive --resume exp.jsonl",
    "pwp compare exact table --function Tanh --profiles my-profiles",
]))]
pub struct Options {
    /// The first side
    #[arg(value_name = "A")]
    pub a: OsString,
    /// The second side
    #[arg(value_name = "B")]
    pub b: OsString,
    /// The tables that libraries and the side table get: any source [default: the source that is the other side, else
    /// builtin:]
    #[arg(long, value_name = "SOURCE")]
    pub profiles: Option<OsString>,
    /// The functions, by any of their names; all by default
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub function: Vec<String>,
    /// Compare this path alone
    #[arg(long, value_name = "PATH")]
    pub path: Option<PathChoice>,
    /// How many inputs to take of each function and path, one in each of as many equal parts of all bit patterns; the
    /// edges of sections, octaves and clamps come besides
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pub samples: u64,
    /// Choose other inputs within those parts
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "exhaustive")]
    pub seed: u64,
    /// Compare all 2^32 inputs
    #[arg(long, conflicts_with = "samples")]
    pub exhaustive: bool,
    /// Multiply every input by this
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_hyphen_values = true)]
    pub scale: f32,
    /// Add this to every product. The default leaves every input as it is; adding 0 would make +0 of -0
    #[arg(long, value_name = "X", default_value_t = -0.0, allow_hyphen_values = true)]
    pub bias: f32,
    /// The slope of Prelu
    #[arg(long, value_name = "X", default_value_t = 0.25, allow_hyphen_values = true)]
    pub alpha: f32,
    /// When two NaN are equal
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    pub nan: Nan,
    /// The interface to call in a library that has both [default: the C calls]
    #[arg(long, value_name = "ABI")]
    pub abi: Option<Wanted>,
    /// Keep what is finished in this file, and begin from what it has
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// How many threads compare, each with its own process of a library [default: the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// A library that gives no answer in this many seconds hangs
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = seconds)]
    pub timeout: f64,
    /// Give a function up after so many inputs at which a library aborts, hangs or refuses
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub failures: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// One of the two paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PathChoice {
    /// The tables.
    Table,
    /// The closed forms.
    Exact,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.001 to 86400 is due".to_owned()),
    }
}

/// Runs `pwp compare`.
///
/// # Errors
/// A side that is not there or cannot be opened; a difference, a failure of a library, the user's wish to stop.
pub fn run(options: &Options) -> Result<()> {
    // The first Ctrl-C ends the comparison with what was found; the second ends the program.
    interrupt::ask_first();
    let given = options.profiles.clone();
    let default = || OsString::from("builtin:");
    let side = |name| Side::parse(name, &given.clone().unwrap_or_else(default), options.abi);
    let (mut a, mut b) = (side(&options.a)?, side(&options.b)?);
    let mut tables = match (given, &a, &b) {
        (Some(source), ..) => Tables::open(source)?,
        (None, Side::Tables(tables), _) | (None, _, Side::Tables(tables)) => tables.as_ref().clone(),
        (None, ..) => Tables::open(default())?,
    };
    let functions = functions(options, [&mut a, &mut b], &mut tables)?;
    let profiles = if a.is_library() || b.is_library() { Some(Profiles::of(&tables)?) } else { None };
    let choices = choices(&functions, [&a, &b], &tables);
    let mut pairs = pairs(options, functions, [&a, &b], &tables)?;
    let plan = match options.exhaustive {
        true => Plan::Exhaustive,
        false => Plan::Sample { count: options.samples, seed: options.seed },
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let terms = Terms {
        sides: [&a, &b],
        profiles: profiles.as_ref().map_or(std::path::Path::new(""), |profiles| &profiles.path),
        timeout: Duration::from_secs_f64(options.timeout),
        plan,
        call: Call { scale: options.scale, bias: options.bias, alpha: options.alpha, use_pwp: false },
        nan: options.nan,
        failures: options.failures as usize,
        jobs: options.jobs.map_or_else(cores, usize::from),
    };
    let (journal, finished) = match &options.resume {
        Some(path) => {
            let heading = heading(options, &terms, &pairs, tables)?;
            Journal::open(path, &heading).map(|(journal, finished)| (Some(journal), finished))?
        }
        None => (None, Vec::new()),
    };
    terms.ask(&mut pairs)?;
    let bar = bar(terms.inputs(&pairs));
    let findings = terms.run(&pairs, finished, journal, &bar);
    bar.finish_and_clear();
    let findings = findings?;
    let readings = match interrupt::asked() {
        true => [Vec::new(), Vec::new()],
        false => [readings::answers(&a, terms.timeout)?, readings::answers(&b, terms.timeout)?],
    };
    let report = Report { names: [a.name(), b.name()], choices, pairs: &pairs, findings: &findings, readings };
    output::print(&if options.json { format!("{:#}\n", report.json()) } else { report.text() })?;
    verdict(options, &report)
}

/// What finished work is kept for.
fn heading(options: &Options, terms: &Terms<'_>, pairs: &[Pair], tables: Tables) -> Result<Heading> {
    let identity = |side: &Side| side.identity().map(|text| text.to_string_lossy().into_owned());
    Ok(Heading {
        a: identity(terms.sides[0])?,
        b: identity(terms.sides[1])?,
        profiles: identity(&Side::Tables(Box::new(tables)))?,
        pairs: pairs.iter().map(|pair| format!("{} {}", pair.function.name(), pair.path())).collect(),
        plan: terms.plan,
        affine: [options.scale, options.bias, options.alpha].map(f32::to_bits),
        nan: options.nan,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Success only where every input has two equal results.
fn verdict(options: &Options, report: &Report) -> Result<()> {
    if interrupt::asked() {
        let kept = options.resume.as_ref().map(|path| format!("; --resume {} goes on", path.display()));
        bail!("interrupted: the figures are of what was compared so far{}", kept.unwrap_or_default());
    }
    let (all, differ) = report.verdict();
    let asked = if options.function.is_empty() { "what was asked for".to_owned() } else { options.function.join(", ") };
    ensure!(all > 0, "nothing was compared: neither side has {asked}");
    ensure!(differ == 0, "A and B differ in {differ} of {all} comparisons");
    if !options.function.is_empty() {
        let absent = |function: Function| {
            let mut of = report.pairs.iter().filter(|pair| pair.function == function);
            of.all(|pair| pair.refused.iter().all(Option::is_some))
        };
        let absent = report.pairs.iter().map(|pair| pair.function).find(|function| absent(*function));
        ensure!(absent.is_none(), "neither side has {}", absent.map_or("", Function::name));
    }
    let inputs: u64 = report.findings.iter().map(|found| found.tally.inputs).sum();
    if options.json { Ok(()) } else { output::print(&format!("\nEqual in all {all} comparisons, {inputs} inputs.\n")) }
}

/// The functions that are named, or all. Of a name with a budget (`ln_400p`) that table counts on every side.
fn functions(options: &Options, sides: [&mut Side; 2], tables: &mut Tables) -> Result<Vec<Function>> {
    let mut functions: Vec<Function> = Vec::new();
    for name in &options.function {
        let info = tables.choose(name)?;
        let Some(function) = info.function else {
            bail!("{} is in catalogs alone: no library computes it", sources::name(info))
        };
        if !functions.contains(&function) {
            functions.push(function);
        }
    }
    for side in sides {
        if let Side::Tables(tables) = side {
            options.function.iter().try_for_each(|name| tables.choose(name).map(drop))?;
        }
    }
    Ok(if functions.is_empty() { Function::all().collect() } else { functions })
}

/// Which of several tables of a function counts where tables are compared.
fn choices(functions: &[Function], sides: [&Side; 2], tables: &Tables) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for side in sides {
        let tables = match side {
            Side::Exact => continue,
            Side::Tables(tables) => tables.as_ref(),
            Side::Library { .. } => tables,
        };
        for function in functions.iter().filter(|function| **function != Function::Prelu) {
            let choice = tables.due(function.info()).and_then(|entry| tables.choice(entry));
            lines.extend(choice.map(|choice| format!("{} of {}, {choice}", function.name(), tables.display())));
        }
    }
    lines.dedup();
    lines
}

/// What is compared: each function on each path that both sides take.
fn pairs(options: &Options, functions: Vec<Function>, [a, b]: [&Side; 2], tables: &Tables) -> Result<Vec<Pair>> {
    let (of_a, of_b) = (a.paths(b), b.paths(a));
    let mut paths: Vec<[Numerics; 2]> = match (of_a, of_b) {
        ([a], [b]) => vec![[*a, *b]],
        ([path], _) | (_, [path]) => vec![[*path; 2]],
        _ => vec![[Numerics::Exact; 2], [Numerics::Table; 2]],
    };
    if let Some(path) = options.path {
        let numerics = if path == PathChoice::Table { Numerics::Table } else { Numerics::Exact };
        paths.retain(|paths| *paths == [numerics; 2]);
        ensure!(!paths.is_empty(), "the two sides do not both take that path");
    }
    let mut pairs = Vec::new();
    for function in functions {
        for paths in &paths {
            let entry =
                tables.due(function.info()).filter(|_| paths.contains(&Numerics::Table) && function != Function::Prelu);
            let table = entry.map(|entry| entry.table()).transpose()?;
            let edges = if options.exhaustive { Vec::new() } else { plan::edges(table.as_deref()) };
            pairs.push(Pair { function, paths: *paths, table, edges, refused: [None, None] });
        }
    }
    Ok(pairs)
}

/// The progress, with the rate and the time left; hidden where the standard error is no terminal.
fn bar(inputs: u64) -> ProgressBar {
    let template = "{bar:30} {percent:>3} % {human_pos} inputs, {per_sec}, about {eta} left: {msg}";
    let style = ProgressStyle::with_template(template).expect("the template is a valid one");
    ProgressBar::new(inputs).with_style(style)
}
