//! The tables as on-device image sets: one set a function with sections, and `small` for the hardwired functions.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use pwp_sim_core::Table;
use pwp_sim_core::catalog::image::{Member, Paths, WITH_LN_STRIDE, write};
use pwp_sim_core::catalog::roster::RESIDENTS;

use super::set::Entry;
use super::table::Generated;

/// The set of the hardwired functions.
const SMALL: &str = "small";

/// Writes the three files of every set into `directory`.
///
/// # Errors
/// When a table does not fit the format, or a file cannot be written.
pub fn save(directory: &Path, made: &[(Entry, Generated)]) -> Result<()> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let mut sets: Vec<(String, Vec<Member>)> = Vec::new();
    let mut small: Vec<Member> = Vec::new();
    for (entry, table) in made {
        let member = Member::new(entry.curve.name(), entry.number(table), Arc::new(Table::new(&table.profile)?));
        if RESIDENTS.contains(&entry.curve.name()) {
            small.push(member);
        } else {
            sets.push((member.profile_name().to_string(), vec![member]));
        }
    }
    small.sort_by_key(|member| RESIDENTS.iter().position(|name| *name == member.function));
    if !small.is_empty() {
        sets.push((SMALL.to_owned(), small));
    }
    for (set, members) in sets {
        write(&set, &members, WITH_LN_STRIDE)?.save(&Paths::of_set(directory, &set))?;
    }
    Ok(())
}
