//! `pwp pack`: profiles to the table images of a catalog's sets, with the catalog's `act_info.json`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use pwp_sim_core::catalog::embedded;
use pwp_sim_core::catalog::image::{self, Image, Member, Paths};
use pwp_sim_core::catalog::roster::Roster;
use pwp_sim_core::catalog::{Catalog, FILE_NAME, FunctionSet};
use pwp_sim_core::engine::file;
use pwp_sim_core::function::ProfileName;
use pwp_sim_core::{Table, profile};

use crate::output;
use crate::sources::{self, Tables};

/// What `pwp pack` is asked.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The tables: any source, such as a directory of profiles, or builtin: for the embedded ones
    #[arg(long, value_name = "SOURCE")]
    pub profiles: PathBuf,
    /// Where the images and the act_info.json go
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The catalog that says which functions a set holds: trainium, with_ln, or a directory with an act_info.json
    #[arg(long, value_name = "CATALOG", default_value = "trainium")]
    pub catalog: OsString,
    /// Only these sets, by name or index; the act_info.json then has only these
    #[arg(long = "set", value_name = "NAME", num_args = 1..)]
    pub sets: Vec<String>,
    /// The hardware, which decides the control words' padding and the function codes [default: the catalog's, and
    /// trainium for a directory]
    #[arg(long, value_name = "TARGET", value_parser = ["trainium", "with_ln"])]
    pub target: Option<String>,
}

/// Runs `pwp pack`. Nothing is written unless every set can be.
///
/// # Errors
/// A catalog, set or profile that is not there or not valid; a table that an image cannot hold, with the reason; a file
/// that cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let catalog = selected(&sources::catalog(&options.catalog)?, &options.sets)?;
    let target = options.target.as_deref().or_else(|| options.catalog.to_str());
    let target = target.map(|name| name.strip_prefix(embedded::PATH).unwrap_or(name));
    let target = target.and_then(Roster::from_name).unwrap_or(Roster::Trainium);
    let mut source = Source::new(&options.profiles, target)?;
    let mut images: Vec<(&FunctionSet, Image)> = Vec::new();
    let mut reasons = Vec::new();
    for set in &catalog.sets {
        let Some(members) = source.members(set)? else { continue };
        match image::write(&set.name, &members, target.stride()) {
            Ok(image) => images.push((set, image)),
            Err(error) => reasons.push(format!("set {}: {error}", set.name)),
        }
    }
    let place = match &source.tables {
        Some(tables) if tables.source() == embedded::PATH => "among the embedded tables".to_owned(),
        _ => format!("in {}", options.profiles.display()),
    };
    let absent = |(name, sets): (&String, &Vec<String>)| {
        format!("no profile {name} {place}, which these sets need: {}", sets.join(", "))
    };
    reasons.extend(source.missing.iter().map(absent));
    if !reasons.is_empty() {
        bail!("nothing was written:\n  {}", reasons.join("\n  "));
    }
    save(&catalog, &images, &options.out)?;
    output::print(&summary(&images, target, &source.stand_ins))
}

/// The sets that are asked for, with the usual file names; all where none is named.
fn selected(catalog: &Catalog, names: &[String]) -> anyhow::Result<Catalog> {
    let mut wanted = Vec::new();
    for name in names {
        let missing = || format!("the catalog has no set {name} among its {}", catalog.sets.len());
        wanted.push(catalog.find(name).with_context(missing)?);
    }
    let chosen = catalog.sets.iter().enumerate().filter(|(index, _)| names.is_empty() || wanted.contains(index));
    Ok(Catalog::new(chosen.map(|(_, set)| FunctionSet::new(&set.name, set.act.clone())).collect()))
}

/// Where tables come from, and which were not there.
struct Source<'a> {
    /// A directory of profiles, of functions that need not be known here.
    directory: Option<&'a Path>,
    /// Any other source.
    tables: Option<Tables>,
    target: Roster,
    /// Tables by profile name, so that none is read twice.
    read: BTreeMap<String, Option<Arc<Table>>>,
    /// Profiles that are not there, and the sets that need them.
    missing: BTreeMap<String, Vec<String>>,
    /// Hardwired functions for which the directory has no profile: the embedded ones are taken.
    stand_ins: Vec<String>,
}

impl<'a> Source<'a> {
    fn new(path: &'a Path, target: Roster) -> anyhow::Result<Source<'a>> {
        let directory = Some(path).filter(|path| path.is_dir() && !sources::holds_images(path));
        let tables = if directory.is_none() { Some(Tables::open(path)?) } else { None };
        let (read, missing) = (BTreeMap::new(), BTreeMap::new());
        Ok(Source { directory, tables, target, read, missing, stand_ins: Vec::new() })
    }

    /// The functions of a set; none where one is missing, which is then noted.
    fn members(&mut self, set: &FunctionSet) -> anyhow::Result<Option<Vec<Member>>> {
        let mut members = Vec::new();
        for (function, budget) in &set.act {
            match self.table(function, *budget)? {
                Some(table) => {
                    let mut member = Member::new(function, *budget, table);
                    member.id = self.target.neuron_id(function).unwrap_or(0);
                    members.push(member);
                }
                None => {
                    let name = ProfileName { function, budget: *budget }.to_string();
                    self.missing.entry(name).or_default().push(set.name.clone());
                }
            }
        }
        Ok((members.len() == set.act.len()).then_some(members))
    }

    fn table(&mut self, function: &str, budget: u32) -> anyhow::Result<Option<Arc<Table>>> {
        let name = ProfileName { function, budget }.to_string();
        if let Some(table) = self.read.get(&name) {
            return Ok(table.clone());
        }
        let embedded = || embedded::member(function, budget).map(|member| Arc::clone(&member.table));
        let table = match self.directory.map(|directory| directory.join(format!("{name}.json"))) {
            None => self.listed(function, budget)?,
            Some(file) if file.exists() => Some(Arc::new(Table::new(&profile::load(&file)?)?)),
            Some(_) if budget == 1 => {
                let table = embedded();
                self.stand_ins.extend(table.is_some().then(|| name.clone()));
                table
            }
            Some(_) => None,
        };
        self.read.insert(name, table.clone());
        Ok(table)
    }

    /// The table of a source that is no directory of profiles.
    fn listed(&self, function: &str, budget: u32) -> anyhow::Result<Option<Arc<Table>>> {
        let entries = self.tables.iter().flat_map(Tables::entries);
        let mut of = entries.filter(|entry| entry.info.profile == Some(function) && entry.budget == budget);
        of.next().map(|entry| entry.table()).transpose()
    }
}

fn save(catalog: &Catalog, images: &[(&FunctionSet, Image)], out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the directory {}", out.display()))?;
    let paths: Vec<Paths> = images.iter().map(|(set, _)| set.paths(out)).collect();
    let (act_info, text) = (out.join(FILE_NAME), catalog.to_json());
    let images = images.iter().zip(&paths).flat_map(|((_, image), paths)| image.files(paths));
    let files: Vec<(&Path, &[u8])> = images.chain([(act_info.as_path(), text.as_bytes())]).collect();
    Ok(file::write_all(&files)?)
}

fn summary(images: &[(&FunctionSet, Image)], target: Roster, stand_ins: &[String]) -> String {
    let mut table = output::table(["set", "functions", "records", "control words", "bytes"]);
    for (set, image) in images {
        let (records, words) = (image.bkt.len() / image::RECORD, image.ctrl.len() / target.stride());
        let bytes = image.bkt.len() + image.ctrl.len() + image.manifest.len();
        let numbers = [set.act.len(), records, words, bytes].map(|number| number.to_string());
        table.add_row(std::iter::once(set.name.clone()).chain(numbers));
    }
    let mut text = format!("{}\n", table.trim_fmt());
    if !stand_ins.is_empty() {
        let _ = writeln!(text, "\nNot in the directory, so the embedded ones: {}", stand_ins.join(", "));
    }
    text
}
