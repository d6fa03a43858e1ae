//! `pwp sets`: the sets of a catalog, which of them hold a function, the loads a list of functions takes, and the
//! difference between two catalogs.

use std::ffi::OsString;
use std::fmt::Write;

use anyhow::Context;
use pwp_sim_core::catalog::{Catalog, Difference, FunctionSet, Load};
use serde_json::{Value, json};

use crate::{names, output, sources};

/// What `pwp sets` is asked.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The catalog: trainium, with_ln, or a directory with an act_info.json; of a set (images#0) that one, and of any other
    /// source of tables one set that has them all
    #[arg(long, value_name = "CATALOG", default_value = "trainium")]
    pub catalog: OsString,
    /// Show the sets that hold each of these functions, and the loads that the list takes in this order; by the name of
    /// the profile (ln), of the compiler (Ln) or of the kernel language (log)
    #[arg(long = "function", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub functions: Vec<String>,
    /// Show what another catalog has that this one has not, and the reverse
    #[arg(long, value_name = "CATALOG", conflicts_with = "functions")]
    pub diff: Option<OsString>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs `pwp sets`.
///
/// # Errors
/// A catalog that cannot be read, a name that is no function's, a function that no set holds.
pub fn run(options: &Options) -> anyhow::Result<()> {
    output::print(&text(options)?)
}

/// What `pwp sets` prints.
///
/// # Errors
/// As [`run`].
pub fn text(options: &Options) -> anyhow::Result<String> {
    let catalog = sources::catalog(&options.catalog)?;
    if let Some(other) = &options.diff {
        let difference = Difference::between(&catalog, &sources::catalog(other)?);
        return Ok(if options.json { json_line(&difference_json(&difference)) } else { difference_text(&difference) });
    }
    if options.functions.is_empty() {
        let value = || Value::Array(catalog.sets.iter().enumerate().map(set_json).collect());
        return Ok(if options.json { json_line(&json!({ "sets": value() })) } else { sets_text(&catalog) });
    }
    let profiles: Vec<&str> =
        options.functions.iter().map(|name| profile(&catalog, name)).collect::<anyhow::Result<_>>()?;
    let loads = catalog.sequence(&profiles)?;
    let asked = Asked { catalog: &catalog, names: &options.functions, profiles, loads };
    Ok(if options.json { json_line(&asked.json()) } else { asked.text() })
}

/// The profile function of a name: the catalog's own, or that of any name of a function that is known.
fn profile<'a>(catalog: &Catalog, name: &'a str) -> anyhow::Result<&'a str> {
    if !catalog.sets_of(name).is_empty() {
        return Ok(name);
    }
    names::find(name)?.info.profile.with_context(|| format!("{name} has no table"))
}

fn json_line(value: &Value) -> String {
    format!("{value:#}\n")
}

fn sets_text(catalog: &Catalog) -> String {
    let mut table = output::table(["#", "set", "tables (budget)", "hardwired"]);
    for (index, set) in catalog.sets.iter().enumerate() {
        let tables: Vec<String> = set.act.iter().filter(|(_, budget)| *budget > 1).map(show).collect();
        let hardwired = set.act.len() - tables.len();
        table.add_row([index.to_string(), set.name.clone(), tables.join(", "), hardwired.to_string()]);
    }
    let (sets, functions) = (catalog.sets.len(), catalog.functions().len());
    format!("{sets} sets, {functions} functions\n\n{}\n", table.trim_fmt())
}

fn show((function, budget): &(String, u32)) -> String {
    format!("{function} {budget}")
}

fn set_json((index, set): (usize, &FunctionSet)) -> Value {
    let act = |(function, budget): &(String, u32)| json!({"function": function, "budget": budget});
    json!({"index": index, "name": set.name, "act": set.act.iter().map(act).collect::<Vec<_>>()})
}

/// An answer about a list of functions.
struct Asked<'a> {
    catalog: &'a Catalog,
    names: &'a [String],
    profiles: Vec<&'a str>,
    loads: Vec<Load>,
}

impl Asked<'_> {
    fn text(&self) -> String {
        let mut table = output::table(["function", "profile", "sets that hold it"]);
        for (name, profile) in self.names.iter().zip(&self.profiles) {
            let sets = self.catalog.sets_of(profile);
            let list = if sets.len() == self.catalog.sets.len() {
                format!("all {}", sets.len())
            } else {
                sets.iter().map(|&set| self.set(set)).collect::<Vec<_>>().join(", ")
            };
            table.add_row([name.as_str(), profile, &list]);
        }
        let mut text = format!("{}\n\nLoads, greedy first fit:\n", table.trim_fmt());
        for (place, load) in self.loads.iter().enumerate() {
            let names = self.names[load.functions.clone()].join(", ");
            let _ = writeln!(text, "{}. {}: {names}", place + 1, self.set(load.set));
        }
        text
    }

    fn set(&self, set: usize) -> String {
        format!("{} ({set})", self.catalog.sets[set].name)
    }

    fn json(&self) -> Value {
        let name = |set: usize| &self.catalog.sets[set].name;
        let held = |(asked, profile): (&String, &&str)| {
            let set = |set: usize| json!({"index": set, "name": name(set)});
            let sets: Vec<Value> = self.catalog.sets_of(profile).into_iter().map(set).collect();
            json!({"function": asked, "profile": profile, "sets": sets})
        };
        let load = |load: &Load| {
            let functions = &self.names[load.functions.clone()];
            json!({"index": load.set, "name": name(load.set), "first": load.functions.start, "functions": functions})
        };
        json!({
            "functions": self.names.iter().zip(&self.profiles).map(held).collect::<Vec<_>>(),
            "loads": self.loads.iter().map(load).collect::<Vec<_>>(),
        })
    }
}

fn difference_text(difference: &Difference) -> String {
    if difference.is_empty() {
        return "No difference in sets, functions and budgets.\n".to_owned();
    }
    let mut text = String::new();
    for (what, list) in [
        ("functions removed", &difference.removed_functions),
        ("functions added", &difference.added_functions),
        ("sets removed", &difference.removed_sets),
        ("sets added", &difference.added_sets),
    ] {
        if !list.is_empty() {
            let _ = writeln!(text, "{what} ({}): {}", list.len(), list.join(", "));
        }
    }
    if !difference.changed_sets.is_empty() {
        let mut table = output::table(["changed set", "removed", "added", "budgets"]);
        for set in &difference.changed_sets {
            let budgets: Vec<String> =
                set.budgets.iter().map(|(name, before, after)| format!("{name} {before} -> {after}")).collect();
            table.add_row([set.name.clone(), set.removed.join(", "), set.added.join(", "), budgets.join(", ")]);
        }
        let _ = write!(text, "\n{}\n", table.trim_fmt());
    }
    text
}

fn difference_json(difference: &Difference) -> Value {
    let changed = difference.changed_sets.iter().map(|set| {
        let budget = |(function, before, after): &(String, u32, u32)| {
            json!({"function": function, "before": before, "after": after})
        };
        let budgets: Vec<Value> = set.budgets.iter().map(budget).collect();
        json!({"name": set.name, "removed": set.removed, "added": set.added, "budgets": budgets})
    });
    json!({
        "removed_functions": difference.removed_functions,
        "added_functions": difference.added_functions,
        "removed_sets": difference.removed_sets,
        "added_sets": difference.added_sets,
        "changed_sets": changed.collect::<Vec<_>>(),
    })
}
