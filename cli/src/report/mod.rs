//! `pwp report`: how far tables and closed forms are from the true functions. `docs/report.md` defines the figures.

pub mod axis;
pub mod bounds;
pub mod csv;
pub mod curves;
pub mod double;
pub mod exhaustive;
pub mod html;
pub mod layout;
mod legend;
pub mod measure;
pub mod picture;
pub mod sample;
pub mod slot;
pub mod steps;
pub mod subject;
pub mod tally;
pub mod text;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;
use measure::{Inputs, Measurement, measure};
use pwp_sim_core::Function;
use pwp_sim_core::table::FoldReading;
use slot::{BINS, SLOTS};
use subject::Subject;

/// The options of `pwp report`.
#[derive(Debug, Args)]
pub struct Options {
    /// Where the tables come from: any source of tables, such as a directory of profiles or of images
    #[arg(long, value_name = "SOURCE", default_value = "builtin:")]
    pub profiles: PathBuf,

    /// The functions, by the compiler's name (Gelu), the front end's (gelu_dx) or the profile's (ln, ln_400p); all by
    /// default
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub function: Vec<String>,

    /// Write summary.csv, octaves.csv and a picture of each function (SVG and PNG) to this directory; made if it is not
    /// there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write the report as one page: a table that a click on a column's head sorts, and the pictures, with the figures
    /// of the octave under the pointer. It loads nothing, and can be read without JavaScript
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Look at all 2^32 inputs instead of a sample; seconds to a few minutes per function
    #[arg(long)]
    pub exhaustive: bool,

    /// How many inputs to take in each octave of each sign
    #[arg(long, value_name = "N", default_value_t = BINS as u32, conflicts_with = "exhaustive",
          value_parser = clap::value_parser!(u32).range(1..=1 << 23))]
    pub samples: u32,

    /// Print the figures of every octave too
    #[arg(long)]
    pub octaves: bool,

    /// Write bounds 5 per cent above the measured errors to this file, for the tests
    #[arg(long, value_name = "FILE")]
    pub bounds: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A name that is no function, profiles that cannot be read, files that cannot be written.
pub fn run(options: &Options) -> Result<()> {
    let (subjects, names) = subject::find(&options.profiles, &options.function)?;
    let nothing = nothing_text(&options.profiles, &names);
    ensure!(!subjects.is_empty(), "{}", nothing.trim_end());
    let inputs = if options.exhaustive { Inputs::All } else { Inputs::Sampled(options.samples) };
    let measured = measure_all(subjects, inputs);
    // Files that are asked for are written whether or not the text finds a reader.
    let printed = output::print(&(figures(options, &measured) + &nothing));
    if let Some(directory) = &options.out {
        write(directory, &measured)?;
    }
    if let Some(file) = &options.html {
        page(file, options, &measured, &nothing)?;
    }
    if let Some(file) = &options.bounds {
        bounds::write(file, &measured)?;
    }
    printed?;
    if let Some(directory) = &options.out {
        output::print(&format!("Figures and pictures are in {}.\n", directory.display()))?;
    }
    // Of a function that was named its table is wanted; Prelu has the closed form always.
    let without = |subject: &&Subject| subject.table.is_none() && subject.function != Some(Function::Prelu);
    let without = measured.iter().map(|(subject, _)| subject).filter(without).map(Subject::name);
    let without: Vec<&str> = without.chain(names).filter(|_| !options.function.is_empty()).collect();
    ensure!(without.is_empty(), "{} has no table for {}", options.profiles.display(), without.join(", "));
    Ok(())
}

/// Which functions have nothing to measure, and why; nothing where all have.
fn nothing_text(source: &Path, names: &[&str]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!("Nothing to measure, without a table in {} and a closed form: {}\n", source.display(), names.join(", "))
}

/// What an exhaustive report says of its figures.
const ALL_INPUTS: &str = "Every figure is over all inputs but the NaN.";

/// What the terminal shows.
fn figures(options: &Options, measured: &[(Subject, Measurement)]) -> String {
    let mut shown = format!("{}\n", text::summary(measured));
    for sentence in misread(measured) {
        let _ = writeln!(shown, "{sentence}");
    }
    if options.exhaustive {
        let _ = writeln!(shown, "{ALL_INPUTS}");
    }
    for (subject, measurement) in measured.iter().filter(|_| options.octaves) {
        let _ = writeln!(shown, "\n{}", text::octaves(subject, measurement));
    }
    shown
}

/// A sentence about each table whose saturation points say that its fold is to be read otherwise.
fn misread(measured: &[(Subject, Measurement)]) -> Vec<String> {
    let misread = measured.iter().filter_map(|(subject, _)| Some((subject, subject.table()?.misread()?)));
    let sentence = |(subject, fitting): (&Subject, FoldReading)| {
        let (variable, fitting) = (FoldReading::VARIABLE, fitting.name());
        format!(
            "{}: the saturation points of this table fit {variable}={fitting}. As it is read, every result is that of the \
             input with the other sign.",
            subject.file_name()
        )
    };
    misread.map(sentence).collect()
}

/// Writes the page.
fn page(file: &Path, options: &Options, measured: &[(Subject, Measurement)], nothing: &str) -> Result<()> {
    let inputs = match options.exhaustive {
        true => ALL_INPUTS.to_owned(),
        false => format!(
            "A sample of the inputs, {} in each octave of each sign for means and shares, with edges and neighbours for \
             the worst.",
            options.samples
        ),
    };
    let misread = misread(measured);
    let notes = misread.iter().map(String::as_str).chain(Some(nothing).filter(|nothing| !nothing.is_empty())).collect();
    let heading = html::Heading { source: options.profiles.display().to_string(), inputs, notes };
    let bar = bar(measured.len() as u64, "pictures");
    html::write(file, &heading, measured, || bar.inc(1))?;
    bar.finish_and_clear();
    Ok(())
}

/// Writes the CSV files and the pictures.
fn write(directory: &Path, measured: &[(Subject, Measurement)]) -> Result<()> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    csv::summary(directory, measured)?;
    csv::octaves(directory, measured)?;
    let bar = bar(measured.len() as u64, "pictures");
    for (subject, measurement) in measured {
        picture::write(directory, subject, measurement)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

fn measure_all(subjects: Vec<Subject>, inputs: Inputs) -> Vec<(Subject, Measurement)> {
    let bar = bar(subjects.len() as u64 * u64::from(SLOTS), "");
    let one = |subject: Subject| {
        bar.set_message(subject.file_name().to_owned());
        let measurement = measure(&subject, inputs, || bar.inc(1));
        (subject, measurement)
    };
    let measured = subjects.into_iter().map(one).collect();
    bar.finish_and_clear();
    measured
}

/// A progress bar; it is hidden where the output is no terminal.
fn bar(length: u64, message: &'static str) -> ProgressBar {
    let template = "{bar:40} {percent:>3} % {elapsed} (about {eta} left) {msg}";
    let style = ProgressStyle::with_template(template).expect("the template is a valid one");
    ProgressBar::new(length).with_style(style).with_message(message)
}
