//! `pwp functions`: every function with its names, its numbers, and its table in a source.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;
use pwp_sim_core::Function;
use pwp_sim_core::function::{Class, FUNCTIONS, FunctionInfo};
use serde_json::{Value, json};

use crate::output;
use crate::sources::Tables;

/// List every function: its names, its numbers, its class, the table in use and its sections
///
/// The names are those of the compiler, of the profile and of the front end; every command takes any of them. BIR is the
/// compiler's number, code the silicon's. A function of the class hardwired has no sections; one without a compiler's name is
/// known to catalogs alone, and no library computes it.
#[derive(Debug, Args)]
#[command(after_long_help = crate::help::examples(&["pwp functions", "pwp functions --profiles builtin:with_ln#0"]))]
pub struct Options {
    /// Where the tables come from: any source of tables
    #[arg(long, value_name = "SOURCE", default_value = "builtin:")]
    profiles: OsString,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `pwp functions`.
///
/// # Errors
/// A source that cannot be read.
pub fn run(options: &Options) -> Result<()> {
    let tables = Tables::open(&options.profiles)?;
    let rows: Vec<Row> = FUNCTIONS.iter().map(|info| Row::of(info, &tables)).collect::<Result<_>>()?;
    if options.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        return output::print(&format!("{:#}\n", json!({"source": tables.display(), "functions": rows})));
    }
    let mut table = output::table([
        "function",
        "profile",
        "front end",
        "BIR",
        "code",
        "class",
        "table in use",
        "sections",
        "others",
    ]);
    for row in &rows {
        table.add_row(row.cells());
    }
    output::print(&format!("Tables of {}\n\n{}\n", tables.display(), table.trim_fmt()))
}

struct Row {
    info: &'static FunctionInfo,
    table: Option<(String, usize)>,
    others: Vec<String>,
}

impl Row {
    fn of(info: &'static FunctionInfo, tables: &Tables) -> Result<Row> {
        let due = tables.due(info).filter(|_| info.function != Some(Function::Prelu));
        let table = due.map(|entry| anyhow::Ok((entry.name(), entry.table()?.sections().len()))).transpose()?;
        let others = tables.of(info).into_iter().map(|entry| entry.name());
        let others = others.filter(|name| table.as_ref().is_none_or(|(due, _)| due != name)).collect();
        Ok(Row { info, table, others })
    }

    fn class(&self) -> &'static str {
        match self.info.class() {
            Class::ClosedForm => "closed form alone",
            Class::Hardwired => "hardwired",
            _ => "table",
        }
    }

    fn cells(&self) -> [String; 9] {
        let number = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        [
            text(self.info.name),
            text(self.info.profile),
            text(self.info.front_end),
            number(self.info.bir.map(u32::from)),
            number(self.info.neuron_id),
            self.class().to_owned(),
            text(self.table.as_ref().map(|(name, _)| name.as_str())),
            self.table.as_ref().map_or(String::new(), |(_, sections)| sections.to_string()),
            self.others.join(", "),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "function": self.info.name,
            "profile": self.info.profile,
            "front_end": self.info.front_end,
            "bir": self.info.bir,
            "code": self.info.neuron_id,
            "class": self.class(),
            "table": self.table.as_ref().map(|(name, _)| name),
            "sections": self.table.as_ref().map(|(_, sections)| sections),
            "others": self.others,
        })
    }
}
