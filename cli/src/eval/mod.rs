//! `pwp eval`: one function at given inputs, by its table and by its closed form.

mod steps;
pub mod values;

use std::ffi::OsString;
use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;
use pwp_sim_core::engine::{eval, exact};
use pwp_sim_core::function::FunctionInfo;
use pwp_sim_core::{Affine, Function, Table};
use serde_json::{Value, json};

use crate::sources::{self, Tables};
use crate::{output, place};
use values::Dtype;

/// Compute a function at some inputs, by its table and by its closed form
///
/// An input is a decimal (-0.5, 1e-3, inf), the bits of a float (0x3f000000), a hexadecimal float (-0x1.8p-3), an array in a
/// .npy file (floats of 16, 32 or 64 bits), or - for the standard input: numbers between blanks or commas, or an array.
///
/// For each input: the value of the table and of the closed form, as the shortest decimal and as bits; how many floats they
/// are apart; and where in the table the input lands. The status is 1 when the function has no table, unless --exact says
/// that none is wanted.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&[
    "pwp eval Gelu -1 0.5 0x3f000000",
    "pwp eval exp 0.5 --steps",
    "pwp eval tanh activations.npy --dtype bf16 --csv",
]))]
pub struct Options {
    /// The function, by any of its names; with a budget (ln_400p) that one table
    #[arg(value_name = "FUNCTION")]
    function: String,
    /// The inputs; the standard input where there are none
    #[arg(value_name = "VALUE")]
    values: Vec<String>,
    /// Where the table comes from: any source of tables
    #[arg(long, value_name = "SOURCE", default_value = "builtin:")]
    profiles: OsString,
    /// Multiply every input by this; the product is rounded before the sum
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    scale: Option<f32>,
    /// Add this to every product
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    bias: Option<f32>,
    /// The slope of Prelu
    #[arg(long, value_name = "X", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    alpha: f32,
    /// The type of inputs and results: both are rounded to it, and bits are its own
    #[arg(long, value_name = "TYPE", value_enum, default_value_t)]
    dtype: Dtype,
    /// Show every step from the input to the table's value
    #[arg(long, conflicts_with_all = ["json", "csv", "exact"])]
    steps: bool,
    /// The closed form alone
    #[arg(long)]
    exact: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
}

fn number(text: &str) -> Result<f32, String> {
    Dtype::F32.parse(text).map_err(|error| error.to_string())
}

/// One input with what it gives.
struct Row {
    x: f32,
    v: f32,
    /// None without a table; an unhandled input has none either.
    table: Option<Option<f32>>,
    exact: Option<f32>,
    place: String,
}

/// What is evaluated.
struct Subject {
    info: &'static FunctionInfo,
    table: Option<Arc<Table>>,
    /// The line that says which table it is.
    heading: String,
}

/// Runs `pwp eval`.
///
/// # Errors
/// A name that is no function's, an input that is no number, a source that cannot be read, a function without a table.
pub fn run(options: &Options) -> Result<()> {
    let tables = Tables::open(&options.profiles)?;
    let (info, entry) = tables.find(&options.function)?;
    let entry = entry.filter(|_| !options.exact && info.function != Some(Function::Prelu));
    let table = entry.map(|entry| entry.table()).transpose()?;
    let name = sources::name(info);
    let heading = match entry {
        Some(entry) => {
            let choice = tables.choice(entry).map(|choice| format!(" ({choice})")).unwrap_or_default();
            format!("{name}: table {} of {}{choice}", entry.name(), tables.display())
        }
        None => format!("{name}: closed form"),
    };
    let subject = Subject { info, table, heading };
    let inputs = values::read(&options.values, options.dtype)?;
    let rows: Vec<Row> = inputs.into_iter().map(|x| subject.row(options, x)).collect();
    let text = match (options.json, options.csv) {
        (true, _) => format!("{:#}\n", subject.json(options, &rows)),
        (_, true) => subject.csv(options, &rows)?,
        _ => subject.text(options, &rows),
    };
    output::print(&text)?;
    let always_exact = info.function == Some(Function::Prelu);
    ensure!(options.exact || subject.table.is_some() || always_exact, "{}", tables.missing(info));
    Ok(())
}

impl Subject {
    fn row(&self, options: &Options, x: f32) -> Row {
        let dtype = options.dtype;
        let v = match (options.scale, options.bias) {
            (None, None) => x,
            (scale, bias) => Affine::new(scale.unwrap_or(1.0), bias.unwrap_or(0.0)).scaled(x),
        };
        let table = self.table.as_ref().map(|table| eval::evaluate(table, v).map(|y| dtype.round(y)));
        let exact = self.info.function.map(|function| dtype.round(exact::evaluate(function, v, options.alpha)));
        let place = self.table.as_ref().map(|table| place::of(table, v)).unwrap_or_default();
        Row { x, v, table, exact, place }
    }

    fn columns(&self, options: &Options) -> Vec<&'static str> {
        let scaled = options.scale.is_some() || options.bias.is_some();
        let columns = [
            (true, "input"),
            (true, "bits"),
            (scaled, "scaled"),
            (scaled, "scaled bits"),
            (self.table.is_some(), "table"),
            (self.table.is_some(), "table bits"),
            (self.info.function.is_some(), "exact"),
            (self.info.function.is_some(), "exact bits"),
            (self.table.is_some() && self.info.function.is_some(), "ULP apart"),
            (self.table.is_some(), "section"),
        ];
        columns.into_iter().filter(|(shown, _)| *shown).map(|(_, name)| name).collect()
    }

    fn cell(column: &str, options: &Options, row: &Row) -> String {
        let dtype = options.dtype;
        let table = row.table.flatten();
        let shown = |x: Option<f32>, of: fn(Dtype, f32) -> String| x.map_or("unhandled".to_owned(), |x| of(dtype, x));
        match column {
            "input" => dtype.decimal(row.x),
            "bits" => dtype.bits(row.x),
            "scaled" => Dtype::F32.decimal(row.v),
            "scaled bits" => Dtype::F32.bits(row.v),
            "table" => shown(table, Dtype::decimal),
            "table bits" => shown(table, Dtype::bits),
            "exact" => shown(row.exact, Dtype::decimal),
            "exact bits" => shown(row.exact, Dtype::bits),
            "ULP apart" => match (table, row.exact) {
                (Some(table), Some(exact)) if !table.is_nan() && !exact.is_nan() => {
                    dtype.distance(table, exact).to_string()
                }
                (Some(table), Some(exact)) if table.is_nan() && exact.is_nan() => "0".to_owned(),
                _ => "NaN".to_owned(),
            },
            _ => row.place.clone(),
        }
    }

    fn text(&self, options: &Options, rows: &[Row]) -> String {
        let mut text = format!("{}\n\n", self.heading);
        let columns = self.columns(options);
        let mut table = output::listing(&columns);
        for row in rows {
            table.add_row(columns.iter().map(|column| Subject::cell(column, options, row)));
        }
        let _ = writeln!(text, "{}", table.trim_fmt());
        if let (true, Some(table)) = (options.steps, &self.table) {
            for row in rows {
                let _ = write!(text, "\n{:?} ({:08x}):\n", row.v, row.v.to_bits());
                text += &steps::of(table, row.v);
            }
        }
        text
    }

    fn csv(&self, options: &Options, rows: &[Row]) -> Result<String> {
        let columns = self.columns(options);
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&columns)?;
        for row in rows {
            writer.write_record(columns.iter().map(|column| Subject::cell(column, options, row)))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    /// Numbers are texts: JSON has no infinity and no NaN.
    fn json(&self, options: &Options, rows: &[Row]) -> Value {
        let columns = self.columns(options);
        let row = |row: &Row| -> Value {
            let cell =
                |column: &&str| (column.replace(' ', "_").to_lowercase(), Subject::cell(column, options, row).into());
            columns.iter().map(cell).collect::<serde_json::Map<_, _>>().into()
        };
        json!({"function": sources::name(self.info), "about": self.heading, "values": rows.iter().map(row).collect::<Vec<_>>()})
    }
}
