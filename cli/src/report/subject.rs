//! What a report is about: functions by name, with the table that a source has for them.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use pwp_sim_core::Table;
use pwp_sim_core::function::{FUNCTIONS, Function, FunctionInfo, ProfileName};

use crate::names;
use crate::sources::Tables;
use crate::truth::Curve;

/// The slope of Prelu that is measured.
pub const ALPHA: f32 = 0.25;

/// One function to measure, with one table or none.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The function's names and numbers.
    pub info: &'static FunctionInfo,
    /// The true function.
    pub curve: Curve,
    /// The function whose closed form is measured; none for what only the catalog knows.
    pub function: Option<Function>,
    /// The name of the table's profile, `exp_400p`, and the table.
    pub table: Option<(String, Arc<Table>)>,
}

impl Subject {
    fn new(info: &'static FunctionInfo, table: Option<(String, Arc<Table>)>) -> Option<Subject> {
        let curve = match (info.function, info.profile) {
            (Some(function), _) => Curve::of(function, ALPHA),
            (None, profile) => profile?.parse().ok()?,
        };
        Some(Subject { info, curve, function: info.function, table })
    }

    /// The function's name: the compiler's, or the profile's where the compiler has none.
    pub fn name(&self) -> &'static str {
        self.info.name.or(self.info.profile).unwrap_or_default()
    }

    /// The name of the report's files about it: the table's profile, or the function's name.
    pub fn file_name(&self) -> &str {
        self.table.as_ref().map_or(self.name(), |(profile, _)| profile)
    }

    /// The table.
    pub fn table(&self) -> Option<&Table> {
        self.table.as_ref().map(|(_, table)| table.as_ref())
    }

    /// The sections of the table, without the saturation points.
    pub fn sections(&self) -> Option<usize> {
        self.table().map(|table| table.sections().len())
    }
}

/// The functions that `names` name, or all; with each the profile that is meant, where a name has a budget (`ln_400p`).
fn named(names: &[String]) -> Result<Vec<(&'static FunctionInfo, Option<&str>)>> {
    if names.is_empty() {
        return Ok(FUNCTIONS.iter().map(|info| (info, None)).collect());
    }
    let meant = |name| names::find(name).map(|found| (found.info, found.budget.map(|_| name)));
    names.iter().map(|name| meant(name.as_str())).collect()
}

/// What to measure: the functions of these names, or all, each with every table that `source` has for it.
///
/// # Errors
/// A name that is no function, a source that cannot be read.
pub fn subjects(source: impl AsRef<Path>, names: &[String]) -> Result<Vec<Subject>> {
    Ok(find(source.as_ref(), names)?.0)
}

/// What to measure, as [`subjects`] says, and the functions of these names, or all, of which there is nothing to measure:
/// no table in `source`, and no closed form.
///
/// # Errors
/// As [`subjects`].
pub fn find(source: &Path, names: &[String]) -> Result<(Vec<Subject>, Vec<&'static str>)> {
    let tables = tables(source)?;
    let (mut subjects, mut nothing) = (Vec::new(), Vec::new());
    for (info, wanted) in named(names)? {
        let of_function = |profile: &str| ProfileName::parse(profile).map(|name| name.function) == info.profile;
        // Prelu has a profile on the silicon; here it takes the closed form always.
        let measured = |profile: &str| info.function != Some(Function::Prelu) && of_function(profile);
        let found = tables
            .iter()
            .filter(|(profile, _)| measured(profile) && wanted.is_none_or(|wanted| wanted == profile))
            .filter_map(|table| Subject::new(info, Some(table.clone())))
            .collect::<Vec<_>>();
        match (found.is_empty(), wanted) {
            (true, Some(name)) => bail!("{} has no profile {name}", source.display()),
            (true, None) => match Subject::new(info, None).filter(|subject| subject.function.is_some()) {
                Some(subject) => subjects.push(subject),
                None => nothing.extend(info.profile.or(info.name)),
            },
            (false, _) => subjects.extend(found),
        }
    }
    Ok((subjects, nothing))
}

/// Every table of a source by the name of its profile, the smaller budgets of a function first.
fn tables(source: &Path) -> Result<Vec<(String, Arc<Table>)>> {
    Tables::open(source)?.entries().iter().map(|entry| Ok((entry.name(), entry.table()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Result<Vec<Subject>> {
        subjects("builtin:", &[name.to_owned()])
    }

    #[test]
    fn a_function_answers_to_each_of_its_names() {
        for name in ["Rsqrt", "rsqrt", "reciprocal_sqrt"] {
            assert_eq!(named(name).unwrap()[0].function, Some(Function::Rsqrt));
        }
        assert_eq!(named("exp_400p").unwrap()[0].file_name(), "exp_400p");
        assert!(named("exp_7p").is_err());
        assert!(named("nonesuch").unwrap_err().to_string().contains("nonesuch"));
    }

    #[test]
    fn every_function_of_the_simulator_is_there_with_or_without_a_table() {
        let all = subjects("builtin:", &[]).unwrap();
        for function in Function::all() {
            assert!(all.iter().any(|subject| subject.function == Some(function)), "{function:?}");
        }
        assert!(named("Prelu").unwrap()[0].table.is_none());
    }
}
