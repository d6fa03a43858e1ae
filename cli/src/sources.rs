//! Every source of tables that a command accepts, as one list of tables by function and budget.
//!
//! A source is `builtin:`, a published roster (`builtin:trainium`) or a set of it (`builtin:trainium#0`), a directory of
//! profiles, a set of a catalog (`images#exp_and_others`), a directory of images with its `act_info.json`, or one profile
//! file.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use pwp_sim_core::catalog::roster::Roster;
use pwp_sim_core::catalog::{Catalog, FILE_NAME, FunctionSet, Resident, embedded, image};
use pwp_sim_core::function::{FUNCTIONS, Function, FunctionInfo, ProfileName};
use pwp_sim_core::{Simulator, Source, Table, profile};

use crate::names;

/// One table of a source.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The function.
    pub info: &'static FunctionInfo,
    /// The budget, the N of `exp_<N>p`.
    pub budget: u32,
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    Read(Arc<Table>),
    File(PathBuf),
}

impl Entry {
    /// The name of the table's profile: `exp_400p`.
    pub fn name(&self) -> String {
        ProfileName { function: self.info.profile.unwrap_or_default(), budget: self.budget }.to_string()
    }

    /// The table. A profile file is read here.
    ///
    /// # Errors
    /// A file that cannot be read or is no valid profile.
    pub fn table(&self) -> Result<Arc<Table>> {
        match &self.place {
            Place::Read(table) => Ok(Arc::clone(table)),
            Place::File(path) => {
                let table = Table::new(&profile::load(path)?);
                Ok(Arc::new(table.with_context(|| path.display().to_string())?))
            }
        }
    }
}

/// The tables of a source, the smaller budgets of a function first.
#[derive(Debug, Clone)]
pub struct Tables {
    source: OsString,
    entries: Vec<Entry>,
    /// The tables that count because they were named: a profile's function and the budget.
    chosen: Vec<(&'static str, u32)>,
}

impl Tables {
    /// Lists the tables of `source`.
    ///
    /// # Errors
    /// A source that is not there, cannot be read, or is none of those that the module names.
    pub fn open(source: impl AsRef<OsStr>) -> Result<Tables> {
        let (source, path) = (source.as_ref(), Path::new(source.as_ref()));
        if let Some(roster) = roster(source)? {
            let set = |set: &FunctionSet| Ok(members(&Resident::builtin(roster, &set.name)?.members));
            return Ok(Tables::new(source, once_each(source, &roster.catalog(), set)?));
        }
        let entries = match Source::parse(source)? {
            Source::Embedded => members(embedded::members()),
            Source::Set { catalog, set } if !path.is_file() => {
                members(&Resident::from_directory(&catalog, &set)?.members)
            }
            Source::EmbeddedSet { roster, set } => members(&Resident::builtin(roster, &set)?.members),
            Source::None => bail!("a source of tables is due, not an empty name"),
            _ if path.is_file() => vec![file(path)?],
            _ if holds_images(path) => {
                let set = |set: &FunctionSet| Ok(members(&Resident::from_directory(path, &set.name)?.members));
                once_each(source, &Catalog::named(path)?, set)?
            }
            _ => directory(path)?,
        };
        Ok(Tables::new(source, entries))
    }

    fn new(source: &OsStr, mut entries: Vec<Entry>) -> Tables {
        entries.sort_by_key(|entry| (position(entry.info), entry.budget));
        Tables { source: source.to_owned(), entries, chosen: Vec::new() }
    }

    /// The source's name, as it was given.
    pub fn source(&self) -> &OsStr {
        &self.source
    }

    /// Every table.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The tables of one function.
    pub fn of(&self, info: &FunctionInfo) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| entry.info.profile == info.profile && info.profile.is_some()).collect()
    }

    /// The table that counts for a function where several are there: that of the function's own budget, else the largest;
    /// or the one of [`Tables::choose`].
    pub fn due(&self, info: &FunctionInfo) -> Option<&Entry> {
        let of = self.of(info);
        let chosen = self.chosen.iter().rev().find(|(function, _)| Some(*function) == info.profile);
        if let Some((_, budget)) = chosen {
            return of.into_iter().find(|entry| entry.budget == *budget);
        }
        of.iter().find(|entry| entry.budget == info.budget).or_else(|| of.last()).copied()
    }

    /// The function of a name, and the table that is meant: of a name with a budget (`ln_400p`) that one.
    ///
    /// # Errors
    /// A name that is no function's; a budget that the source has not.
    pub fn find(&self, name: &str) -> Result<(&'static FunctionInfo, Option<&Entry>)> {
        let named = names::find(name)?;
        let Some(budget) = named.budget else { return Ok((named.info, self.due(named.info))) };
        let of = self.of(named.info);
        let Some(entry) = of.iter().find(|entry| entry.budget == budget) else {
            let there: Vec<String> = of.iter().map(|entry| entry.name()).collect();
            bail!("{} has no table {name}; {}", self.display(), there_is(&there));
        };
        Ok((named.info, Some(entry)))
    }

    /// The function of a name; of a name with a budget (`ln_400p`) that table counts from now on.
    ///
    /// # Errors
    /// As [`Tables::find`].
    pub fn choose(&mut self, name: &str) -> Result<&'static FunctionInfo> {
        let (info, entry) = self.find(name)?;
        // Without a budget in the name it is the one that counts already.
        if let (Some(profile), Some(budget)) = (info.profile, entry.map(|entry| entry.budget)) {
            self.chosen.push((profile, budget));
        }
        Ok(info)
    }

    /// Why a function has no table here.
    pub fn missing(&self, info: &FunctionInfo) -> String {
        let name = name(info);
        match info.profile {
            None => format!("{name} has no profile and so no table anywhere"),
            Some(profile) => format!("{} has no table for {name}: no {profile}_<N>p", self.display()),
        }
    }

    /// Which of several tables of a function counts; nothing where there is one.
    pub fn choice(&self, entry: &Entry) -> Option<String> {
        let of = self.of(entry.info);
        (of.len() > 1).then(|| {
            let others = of.iter().filter(|other| other.budget != entry.budget);
            let others: Vec<String> = others.map(|other| other.name()).collect();
            format!("{} counts; by name there is {} too", entry.name(), others.join(", "))
        })
    }

    /// A simulator with the tables that count.
    ///
    /// # Errors
    /// A file that cannot be read or is no valid profile.
    pub fn simulator(&self) -> Result<Simulator> {
        let mut tables = Vec::new();
        for function in Function::all().filter(|function| *function != Function::Prelu) {
            if let Some(entry) = self.due(function.info()) {
                tables.push((function, entry.table()?.as_ref().clone()));
            }
        }
        Ok(Simulator::from_tables(tables))
    }

    /// The source's name for people.
    pub fn display(&self) -> String {
        Path::new(&self.source).display().to_string()
    }
}

/// The name of a function: the compiler's, or the profile's where the compiler has none.
pub fn name(info: &FunctionInfo) -> &'static str {
    info.name.or(info.profile).unwrap_or_default()
}

fn there_is(names: &[String]) -> String {
    if names.is_empty() { "it has none of that function".to_owned() } else { format!("there is {}", names.join(", ")) }
}

fn position(info: &FunctionInfo) -> usize {
    FUNCTIONS.iter().position(|other| other == info).unwrap_or(usize::MAX)
}

fn members(members: &[image::Member]) -> Vec<Entry> {
    let entry = |member: &image::Member| {
        let info = FunctionInfo::of_profile(&member.function)?;
        Some(Entry { info, budget: member.budget, place: Place::Read(Arc::clone(&member.table)) })
    };
    members.iter().filter_map(entry).collect()
}

fn named_file(path: &Path) -> Option<Entry> {
    let ProfileName { function, budget } = ProfileName::of_file(path.file_name()?.to_str()?)?;
    Some(Entry { info: FunctionInfo::of_profile(function)?, budget, place: Place::File(path.to_owned()) })
}

fn file(path: &Path) -> Result<Entry> {
    named_file(path).with_context(|| {
        format!("{} is no source of tables: a profile file is called <function>_<N>p.json", path.display())
    })
}

fn directory(path: &Path) -> Result<Vec<Entry>> {
    let context = || format!("cannot read {}", path.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).with_context(context)? {
        entries.extend(named_file(&entry.with_context(context)?.path()));
    }
    Ok(entries)
}

/// The catalog of a name: a roster's, a directory's with an `act_info.json`, of a set of them that set alone, and of any
/// other source of tables one set that has them all.
///
/// # Errors
/// What is neither a catalog nor a source.
pub fn catalog(name: &OsStr) -> Result<Catalog> {
    let path = Path::new(name);
    if path.join(FILE_NAME).is_file() || name.to_str().is_some_and(|name| Roster::from_name(name).is_some()) {
        return Ok(Catalog::named(name)?);
    }
    if let Some(roster) = roster(name)? {
        return Ok(roster.catalog());
    }
    let one = |catalog: Catalog, set: &str| {
        let missing = || format!("the catalog has no set {set} among its {}", catalog.sets.len());
        let index = catalog.find(set).with_context(missing)?;
        Ok(Catalog::new(vec![catalog.sets[index].clone()]))
    };
    match Source::parse(name)? {
        Source::Set { catalog, set } if !path.is_file() => one(Catalog::open(&catalog)?, &set),
        Source::EmbeddedSet { roster, set } => one(roster.catalog(), &set),
        _ => {
            let tables = Tables::open(name)?;
            anyhow::ensure!(
                !tables.entries().is_empty(),
                "{} is no catalog: it has neither an {FILE_NAME} nor profiles",
                path.display()
            );
            let act =
                tables.entries().iter().map(|entry| (entry.info.profile.unwrap_or_default().to_owned(), entry.budget));
            let set = path.file_stem().and_then(OsStr::to_str).unwrap_or("tables").trim_end_matches(':');
            Ok(Catalog::new(vec![FunctionSet::new(set, act.collect())]))
        }
    }
}

/// The roster of `builtin:trainium`, whose sets all are meant.
fn roster(source: &OsStr) -> Result<Option<Roster>> {
    let name = source.to_str().and_then(|source| source.strip_prefix(embedded::PATH));
    let name = name.filter(|name| !name.is_empty() && !name.contains('#'));
    Ok(name.map(Roster::embedded).transpose()?)
}

/// Whether a directory has the images of a set of its catalog. A catalog alone may stand beside profiles.
pub fn holds_images(path: &Path) -> bool {
    let catalog = path.join(FILE_NAME).is_file().then(|| Catalog::named(path).ok()).flatten();
    catalog.is_some_and(|catalog| catalog.sets.iter().any(|set| set.paths(path).bkt.is_file()))
}

/// The tables of all sets of a catalog, each once.
fn once_each(
    source: &OsStr,
    catalog: &Catalog,
    read: impl Fn(&FunctionSet) -> Result<Vec<Entry>>,
) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    for set in &catalog.sets {
        for entry in read(set)? {
            let known = entries.iter().find(|known| known.info == entry.info && known.budget == entry.budget);
            match known {
                None => entries.push(entry),
                Some(known) if known.table()? != entry.table()? => bail!(
                    "{} is not the same table in every set of {}: name one set, {}#{}",
                    entry.name(),
                    Path::new(source).display(),
                    Path::new(source).display(),
                    set.name
                ),
                Some(_) => {}
            }
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_s_own_budget_counts_and_any_other_goes_by_its_name() {
        let tables = Tables::open("builtin:").unwrap();
        let name = |name: &str| tables.find(name).unwrap().1.unwrap().name();
        assert_eq!((name("Ln"), name("ln_400p")), ("ln_40p".to_owned(), "ln_400p".to_owned()));
        let ln = tables.find("Ln").unwrap().1.unwrap();
        assert!(tables.choice(ln).unwrap().contains("ln_400p"));
        assert!(tables.find("ln_7p").unwrap_err().to_string().contains("there is ln_40p, ln_400p"));
        assert!(tables.find("Ln_prime").unwrap().1.is_none());
    }

    #[test]
    fn images_a_set_of_them_profiles_and_one_file_are_sources_alike() {
        let directory = tempfile::tempdir().unwrap();
        let embedded = Tables::open("builtin:trainium#exp_and_others").unwrap();
        let exp = embedded.find("Exp").unwrap().1.unwrap().table().unwrap();
        let members: Vec<image::Member> =
            Resident::builtin(pwp_sim_core::catalog::roster::Roster::Trainium, "exp_and_others").unwrap().members;
        let set = pwp_sim_core::catalog::FunctionSet::new(
            "exp_and_others",
            members.iter().map(|member| (member.function.clone(), member.budget)).collect(),
        );
        let written = image::write("exp_and_others", &members, image::TRAINIUM_STRIDE).unwrap();
        written.save(&set.paths(directory.path())).unwrap();
        std::fs::write(directory.path().join(FILE_NAME), Catalog::new(vec![set]).to_json()).unwrap();
        let profile = directory.path().join("exp_9p.json");
        std::fs::write(&profile, profile::to_json(&exp.to_profile(), &[])).unwrap();
        let images = directory.path().display().to_string();
        for source in [images.clone(), format!("{images}#0"), profile.display().to_string()] {
            let tables = Tables::open(&source).unwrap();
            assert_eq!(tables.find("exp").unwrap().1.unwrap().table().unwrap(), exp, "{source}");
        }
        assert!(Tables::open("/nonexistent").is_err());
        assert!(Tables::open("/dev/null").is_err());
    }
}
