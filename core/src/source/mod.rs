//! The tables of one source, one a function: a profile directory, the embedded set, or one set of a catalog. A source
//! whose files did not change since it was last loaded is not read again (`cache.rs`).

mod cache;
mod load;
mod spelling;

pub use spelling::{MAX_LENGTH, Source};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::race::OnceBox;

use crate::catalog::{Resident, embedded};
use crate::error::{Error, Result};
use crate::function::{Function, ID_END};
use crate::memory::{self, Watch};
use crate::profile::Directory;
use crate::table::Table;

/// How often a source is read that changes under the reading.
const ATTEMPTS: usize = 16;

/// The tables of one source; immutable and shared. Equal when the source and every bit of the tables are.
#[derive(Debug, PartialEq)]
pub struct TableSet {
    /// By the function's value.
    tables: [Option<Arc<Table>>; ID_END],
    origin: Origin,
}

/// Where tables come from, for the message about one that is missing.
#[derive(Debug, PartialEq)]
enum Origin {
    Given,
    Builtin,
    Directory(PathBuf),
    Set(Box<Resident>),
}

impl TableSet {
    /// The tables of `source`, which [`Source::None`] has none of. While a source's files stay as they are, every call
    /// gives the same set.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] and [`Error::ProfileFormat`], as `Simulator::open`.
    pub fn open(source: &Source) -> Result<Option<Arc<TableSet>>> {
        let tables = match source {
            Source::None => return Ok(None),
            Source::Embedded => TableSet::builtin()?,
            Source::Directory(path) => {
                let files = || {
                    let directory = Directory::list(path)?;
                    let files = Function::all().filter_map(|function| directory.file(function));
                    Ok(memory::try_collect(files.map(memory::path))?)
                };
                TableSet::cached(source, path, files, || TableSet::load(path, &Directory::list(path)?))?
            }
            Source::Set { catalog, set } => {
                let files = || Resident::files(catalog, set);
                let load = || Ok(TableSet::resident(Resident::from_directory(catalog, set)?));
                TableSet::cached(source, catalog, files, load)?
            }
            Source::EmbeddedSet { roster, set } => {
                let load = || Ok(TableSet::resident(Resident::builtin(*roster, set)?));
                TableSet::cached(source, Path::new(embedded::PATH), || Ok(Vec::new()), load)?
            }
        };
        Ok(Some(tables))
    }

    /// The set of `source` from the cache, if none of its `files` changed, and else from `load`. What was read while a file
    /// changed is read again, so that a set is never made of two states of the files.
    fn cached(
        source: &Source,
        path: &Path,
        files: impl Fn() -> Result<Vec<PathBuf>>,
        load: impl Fn() -> Result<TableSet>,
    ) -> Result<Arc<TableSet>> {
        for _ in 0..ATTEMPTS {
            let watch = Watch::new();
            let stamp = cache::Stamp::of(files()?)?;
            if let Some(tables) = cache::find(source, &stamp) {
                return Ok(tables);
            }
            let settled = stamp.settle();
            let tables = load();
            if cache::Stamp::of(files()?)? == stamp {
                return cache::keep(source, settled.then_some(stamp), tables?, watch);
            }
        }
        Err(Error::io(path, format_args!("it changes while it is read")))
    }

    /// The set of these tables; of two of one function the last counts.
    pub fn given(given: impl IntoIterator<Item = (Function, Table)>) -> TableSet {
        let mut tables = [const { None }; ID_END];
        for (function, table) in given {
            tables[function as usize] = Some(Arc::new(table));
        }
        TableSet { tables, origin: Origin::Given }
    }

    fn builtin() -> Result<Arc<TableSet>> {
        static SET: OnceBox<Arc<TableSet>> = OnceBox::new(); // not waited for: see the embedded tables
        let set = SET.get_or_try_init(|| {
            let members = embedded::try_members()?;
            let mut tables = [const { None }; ID_END];
            for function in Function::all() {
                let member = embedded::default_of(members, function);
                tables[function as usize] = member.map(|member| Arc::clone(&member.table));
            }
            let watch = Watch::new();
            let set = Box::new(Arc::new(TableSet { tables, origin: Origin::Builtin }));
            watch.check()?;
            Ok(set)
        });
        set.map(Arc::clone)
    }

    fn load(path: &Path, directory: &Directory) -> Result<TableSet> {
        let functions = || Function::all().filter_map(|function| Some((function, directory.file(function)?)));
        let files = memory::collect(functions().map(|(_, file)| file))?;
        let mut tables = [const { None }; ID_END];
        for ((function, _), table) in functions().zip(load::tables(&files)?) {
            tables[function as usize] = Some(table);
        }
        Ok(TableSet { tables, origin: Origin::Directory(memory::path(path)?) })
    }

    fn resident(resident: Resident) -> TableSet {
        let mut tables = [const { None }; ID_END];
        for (function, table) in resident.tables() {
            tables[function as usize] = Some(Arc::clone(table));
        }
        TableSet { tables, origin: Origin::Set(Box::new(resident)) }
    }

    /// The tables by the function's value.
    pub fn by_value(&self) -> &[Option<Arc<Table>>; ID_END] {
        &self.tables
    }

    /// The table of `function`.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when the source has none, saying where it was looked for.
    #[inline]
    pub fn table(&self, function: Function) -> Result<&Table> {
        self.tables[function as usize].as_deref().ok_or_else(|| self.missing(function))
    }

    #[cold]
    fn missing(&self, function: Function) -> Error {
        let detail = match (&self.origin, function.profile_name()) {
            (Origin::Set(resident), _) => return resident.no_profile(function),
            (_, None) => "it has no profile".to_owned(),
            (Origin::Given, _) => "it is not among the simulator's tables".to_owned(),
            (Origin::Builtin, _) => "it is not among the embedded tables".to_owned(),
            (Origin::Directory(path), Some(name)) => {
                format!("no {name}.json or other budget of it in {}", path.display())
            }
        };
        Error::NoProfile { function: function.name().to_owned(), detail }
    }
}
