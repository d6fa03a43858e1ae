//! `pwp plot`: a function and its tables over a range, as SVG or PNG.

mod curves;
mod picture;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use pwp_sim_core::engine::file;
use pwp_sim_core::function::FunctionInfo;
use pwp_sim_core::{Function, Table};

use crate::eval::values::Dtype;
use crate::sources::{self, Tables};
use crate::{drawing, output};
use picture::Plot;

/// Draw a function and its tables over a range, with the sections and the error
///
/// Above: the closed form and the tables, with a mark where two sections meet. Below: how many floats each table is from the
/// closed form, the worst of each column of pixels, on a logarithmic scale.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&[
    "pwp plot gelu --range -4 4 --out gelu.svg",
    "pwp plot exp --octave -1 --out exp.png --profiles builtin: my-profiles",
]))]
pub struct Options {
    /// The function, by any of its names; with a budget (ln_400p) that one table
    #[arg(value_name = "FUNCTION")]
    function: String,
    /// The first and the last input
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], value_parser = number, allow_hyphen_values = true,
          required_unless_present = "octave")]
    range: Vec<f32>,
    /// The inputs from 2^E to 2^(E+1)
    #[arg(long, value_name = "E", allow_hyphen_values = true, conflicts_with = "range", value_parser = exponent)]
    octave: Option<i32>,
    /// The file; its name ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the tables come from: any sources of tables, all in one picture
    #[arg(long, value_name = "SOURCE", num_args = 1.., default_value = "builtin:")]
    profiles: Vec<OsString>,
}

fn number(text: &str) -> Result<f32, String> {
    match Dtype::F32.parse(text) {
        Ok(x) if x.is_finite() => Ok(x),
        Ok(_) => Err("a finite number is due".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn exponent(text: &str) -> Result<i32, String> {
    // The sign may be the one that the protection of negative numbers put in.
    let text = text.replace('\u{2212}', "-");
    match text.parse() {
        Ok(exponent @ -126..=126) => Ok(exponent),
        _ => Err("an exponent from -126 to 126 is due".to_owned()),
    }
}

/// One table of the picture.
struct Curve {
    /// Its name, with the source where there are several.
    name: String,
    table: Arc<Table>,
}

/// Runs `pwp plot`.
///
/// # Errors
/// A name that is no function's, a range that is none, a source without the table, a file that cannot be written.
pub fn run(options: &Options) -> Result<()> {
    let range = match (options.octave, options.range.as_slice()) {
        (Some(exponent), _) => (2f32.powi(exponent), 2f32.powi(exponent + 1)),
        (None, [first, last]) => (*first, *last),
        _ => bail!("a range has two ends"),
    };
    ensure!(range.0 < range.1, "the range is empty: {:?} is not below {:?}", range.0, range.1);
    let extension = options.out.extension().and_then(OsStr::to_str);
    ensure!(matches!(extension, Some("svg" | "png")), "{} ends in neither .svg nor .png", options.out.display());
    let mut function: Option<&'static FunctionInfo> = None;
    let mut said: Vec<String> = Vec::new();
    let mut missing = None;
    let mut curves = Vec::new();
    for source in &options.profiles {
        let tables = Tables::open(source)?;
        let (info, entry) = tables.find(&options.function)?;
        function = Some(info);
        let Some(entry) = entry else {
            let text = tables.missing(info);
            // Prelu and Ln_prime have no table anywhere: a picture of the closed form is all there is.
            let nowhere = info.function.is_some_and(|function| function.profile_name().is_none());
            ensure!(nowhere, "{text}");
            missing = Some(text);
            continue;
        };
        said.extend(tables.choice(entry).map(|choice| format!("{}, {choice}\n", tables.display())));
        let name = match options.profiles.len() {
            1 => entry.name(),
            _ => format!("{} of {}", entry.name(), tables.display()),
        };
        curves.push(Curve { name, table: entry.table()? });
    }
    let info = function.context("a source of tables is due")?;
    if info.function == Some(Function::Prelu) {
        curves.clear(); // the closed form always
        (missing, said) = (None, Vec::new());
    }
    let plot = Plot::new(sources::name(info), info.function, range, &curves);
    let bytes = match extension {
        Some("svg") => drawing::svg(&plot, picture::SIZE)?.into_bytes(),
        _ => drawing::png(&plot, picture::SIZE)?,
    };
    file::write(&options.out, &bytes)?;
    said.push(format!("The picture is in {}.\n", options.out.display()));
    output::print(&said.concat())?;
    match missing {
        Some(missing) => bail!("{missing}; the picture has the closed form alone"),
        None => Ok(()),
    }
}
