//! `pwp unpack`: table images, or the embedded tables, to JSON profiles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use pwp_sim_core::catalog::embedded;
use pwp_sim_core::catalog::image::{self, Image, Member, Paths};
use pwp_sim_core::catalog::roster::Roster;
use pwp_sim_core::catalog::{Catalog, FILE_NAME, Resident};
use pwp_sim_core::engine::file;
use pwp_sim_core::function::ProfileName;
use pwp_sim_core::profile;

use crate::output;
use crate::sources::{Entry, Tables};

/// What `pwp unpack` is asked.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The images: a directory with an act_info.json, or with the images of the sets that --set names; or builtin: for
    /// all embedded tables, builtin:trainium and builtin:with_ln for those of a roster; or any other source of tables
    #[arg(value_name = "IMAGES", required_unless_present = "images", conflicts_with = "images")]
    pub source: Option<PathBuf>,
    /// The same
    #[arg(long, value_name = "IMAGES")]
    pub images: Option<PathBuf>,
    /// Only these sets, by name or index
    #[arg(long = "set", value_name = "NAME", num_args = 1..)]
    pub sets: Vec<String>,
    /// Where the profiles go, one `<function>_<N>p.json` a table
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Runs `pwp unpack`. Nothing is written unless every set can be read.
///
/// # Errors
/// A catalog, set or image that is not there or not valid; two sets with different tables of one name; a file that
/// cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let source = options.source.as_deref().or(options.images.as_deref()).context("no images are named")?;
    let mut profiles: BTreeMap<String, (String, Member)> = BTreeMap::new();
    for (set, members) in sets(source, &options.sets)? {
        for member in members {
            let name = member.profile_name().to_string();
            match profiles.get(&name) {
                Some((first, known)) if known.table != member.table => {
                    bail!("{name} is not the same table in the sets {first} and {set}: unpack one of them, by --set");
                }
                Some(_) => {}
                None => drop(profiles.insert(name, (set.clone(), member))),
            }
        }
    }
    let out = &options.out;
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the directory {}", out.display()))?;
    for (name, (_, member)) in &profiles {
        let file = out.join(format!("{name}.json"));
        let text = profile::to_json(&member.table.to_profile(), &[]);
        file::write(&file, text.as_bytes())?;
    }
    output::print(&format!("profiles written to {}: {}\n", out.display(), profiles.len()))
}

/// The members of each set, by the set's name.
fn sets(source: &Path, names: &[String]) -> anyhow::Result<Vec<(String, Vec<Member>)>> {
    match source.to_str().and_then(|source| source.strip_prefix(embedded::PATH)) {
        Some("") if names.is_empty() => Ok(vec![(embedded::PATH.to_owned(), embedded::members().to_vec())]),
        Some("") => bail!("the sets are those of builtin:trainium and builtin:with_ln"),
        Some(name) if name.contains('#') => tables(source, names),
        Some(name) => {
            let roster = Roster::embedded(name)?;
            each(&roster.catalog(), names, |set| Resident::builtin(roster, set))
        }
        None if source.join(FILE_NAME).exists() => {
            each(&Catalog::open(source)?, names, |set| Resident::from_directory(source, set))
        }
        None if names.is_empty() => tables(source, names),
        None => {
            let read = |name: &String| {
                let paths = Paths::of_set(source, name);
                Ok((name.clone(), image::read(&Image::load(&paths)?, &paths)?))
            };
            names.iter().map(read).collect()
        }
    }
}

/// The tables of a source that is no catalog, as one set.
fn tables(source: &Path, names: &[String]) -> anyhow::Result<Vec<(String, Vec<Member>)>> {
    ensure!(names.is_empty(), "{} has no sets to choose from by --set", source.display());
    let tables = Tables::open(source)?;
    ensure!(
        !tables.entries().is_empty(),
        "no {FILE_NAME} and no profiles in {}: where it has images, name the sets by --set",
        source.display()
    );
    let member = |entry: &Entry| Ok(Member::new(entry.info.profile.unwrap_or_default(), entry.budget, entry.table()?));
    Ok(vec![(tables.display(), tables.entries().iter().map(member).collect::<anyhow::Result<_>>()?)])
}

/// Loads the sets that are asked for; all where none is named.
fn each(
    catalog: &Catalog,
    names: &[String],
    load: impl Fn(&str) -> pwp_sim_core::Result<Resident>,
) -> anyhow::Result<Vec<(String, Vec<Member>)>> {
    let all: Vec<String> = catalog.sets.iter().map(|set| set.name.clone()).collect();
    let names = if names.is_empty() { &all } else { names };
    let mut sets = Vec::new();
    for name in names {
        let resident = load(name)?;
        let set = &resident.catalog.sets[resident.set];
        let absent = set.act.iter().find(|(name, _)| !resident.members.iter().any(|member| member.function == *name));
        if let Some((function, budget)) = absent {
            let profile = ProfileName { function, budget: *budget };
            bail!("{profile} of set {} is not among the embedded tables", set.name);
        }
        sets.push((set.name.clone(), resident.members));
    }
    Ok(sets)
}
