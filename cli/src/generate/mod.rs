//! `pwp generate`: writes profiles, the whole embedded set or what the user asks for.

pub mod design;
pub mod fit;
pub mod images;
pub mod measure;
pub mod record;
pub mod set;
pub mod shape;
pub mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pwp_sim_core::engine::file;
use pwp_sim_core::profile::to_json;
use rayon::prelude::*;
use serde_json::json;

use crate::{names, output};
use fit::Fit;
use set::Entry;
use table::{Generated, Target, generate};

/// The options of `pwp generate`.
#[derive(Debug, Args)]
pub struct Options {
    /// The directory for the profiles, one file `<profile>_<N>p.json` a table; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The function: a compiler name (Exp), a front-end name (gelu_dx) or a profile name (reciprocal_sqrt). May be
    /// given more than once; without it the whole embedded set is made
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,

    /// The smallest worst error within N sections. N goes into the file name
    #[arg(long, value_name = "N", group = "target", value_parser = clap::value_parser!(u32).range(1..=design::MOST_SECTIONS as i64))]
    pub sections: Option<u32>,

    /// The fewest sections with every error at most U units in the last place
    #[arg(long, value_name = "U", group = "target", value_parser = positive)]
    pub max_ulp: Option<f64>,

    /// The fewest sections with every error at most E
    #[arg(long, value_name = "E", group = "target", value_parser = positive)]
    pub max_abs: Option<f64>,

    /// How a section's coefficients are chosen
    #[arg(long, value_enum, default_value_t)]
    pub fit: Fit,

    /// Also write the tables as on-device images, one set a function and `small` for the hardwired ones
    #[arg(long, value_name = "DIR")]
    pub images: Option<PathBuf>,

    /// Also write what every table reaches, as a Markdown table
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("expected a positive number".to_owned()),
    }
}

impl Options {
    /// The tables that are asked for.
    fn entries(&self) -> Result<Vec<Entry>> {
        let target = match (self.sections, self.max_ulp, self.max_abs) {
            (Some(sections), ..) => Some(Target::Sections(sections as usize)),
            (_, Some(bound), _) => Some(Target::MaxUlp(bound)),
            (.., Some(bound)) => Some(Target::MaxAbs(bound)),
            _ => None,
        };
        let whole = set::embedded();
        if self.function.is_empty() {
            return Ok(match target {
                None => whole,
                Some(target) => set::each_with(target),
            });
        }
        let mut entries: Vec<Entry> = Vec::new();
        for name in &self.function {
            let curve = names::curve(name)?;
            match target {
                Some(target) => entries.push(Entry { curve, budget: None, target }),
                None => entries.extend(whole.iter().filter(|entry| entry.curve == curve)),
            }
        }
        Ok(entries)
    }
}

/// Runs the command.
///
/// # Errors
/// A name that is no function, a target out of reach, a file that cannot be written.
pub fn run(options: &Options) -> Result<()> {
    let entries = options.entries()?;
    std::fs::create_dir_all(&options.out).with_context(|| format!("cannot make {}", options.out.display()))?;
    let bar = ProgressBar::new(entries.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").expect("the template is a valid one"));

    let made: Vec<Result<(Entry, Generated)>> = entries
        .par_iter()
        .with_max_len(1)
        .map(|entry| {
            bar.set_message(entry.curve.name());
            let made = generate(entry.curve, entry.target, options.fit);
            bar.inc(1);
            Ok((*entry, made?))
        })
        .collect();
    bar.finish_and_clear();
    let (made, failed): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
    let made: Vec<(Entry, Generated)> = made.into_iter().flatten().collect();
    for (entry, table) in &made {
        write(&options.out, entry, table)?;
    }
    // Files that are asked for are written whether or not the text finds a reader.
    let printed = if made.is_empty() { Ok(()) } else { output::print(&record::text(&made)) };
    if let Some(directory) = &options.images {
        images::save(directory, &made)?;
    }
    if let Some(file) = &options.record {
        file::write(file, record::markdown(&made).as_bytes())?;
    }
    let failures: Vec<String> = failed.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    ensure!(failures.is_empty(), "{}", failures.join("\npwp: "));
    printed
}

/// Writes one profile, with the keys that only generators write where they are known.
fn write(directory: &Path, entry: &Entry, table: &Generated) -> Result<()> {
    let name = entry.file_name(table);
    let path = directory.join(format!("{name}.json"));
    let regions = table.profile.pos.first().or(table.profile.neg.first());
    let extra = [
        ("func_name", json!(name)),
        ("exponent_offset", json!(regions.map_or(-127, |region| region.exponent))),
        ("lut_size", json!(table.sections)),
        ("lower_bound", json!(table.domain.0)),
        ("upper_bound", json!(table.domain.1)),
        ("max_diff", json!(table.worst_abs.error)),
        ("use_multipass", json!(false)),
    ];
    let text = to_json(&table.profile, &extra);
    Ok(file::write(&path, text.as_bytes())?)
}
