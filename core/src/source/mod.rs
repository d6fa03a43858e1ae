//! The tables of one source, one a function: a profile directory, the embedded set, or one set of a catalog. A source
//! whose files did not change since it was last loaded is not read again (`tables/cache.rs`).

mod cache;
mod load;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::catalog::Resident;
use crate::catalog::embedded;
use crate::error::{Error, Result};
use crate::function::{Function, ID_END};
use crate::profile::Directory;
use crate::table::Table;

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
    Builtin,
    Directory(PathBuf),
    Set(Box<Resident>),
}

impl TableSet {
    /// The tables that `source` names: `builtin:`, a profile directory, or `<catalog directory>#<set>`. A path that is a
    /// directory is one, whatever characters it has. While a source's files stay as they are, every call gives the same
    /// set.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] and [`Error::ProfileFormat`], as `Simulator::open`.
    pub fn open(source: &OsStr) -> Result<Arc<TableSet>> {
        let path = Path::new(source);
        match source.to_str() {
            Some(embedded::PATH) => Ok(TableSet::builtin()),
            Some(text) if (text.starts_with(embedded::PATH) || text.contains('#')) && !path.is_dir() => {
                let files = Resident::files(text)?;
                TableSet::cached(path, &files, || TableSet::resident(Resident::load(text)?))
            }
            _ => {
                let directory = Directory::list(path)?;
                let files: Vec<&Path> = Function::all().filter_map(|function| directory.file(function.row())).collect();
                TableSet::cached(path, &files, || TableSet::load(path, &directory))
            }
        }
    }

    /// The set of `path` from the cache, if none of `files` changed, and else from `load`.
    fn cached(
        path: &Path,
        files: &[impl AsRef<Path>],
        load: impl FnOnce() -> Result<TableSet>,
    ) -> Result<Arc<TableSet>> {
        let stamp = cache::Stamp::of(files)?;
        if let Some(tables) = cache::find(path, &stamp) {
            return Ok(tables);
        }
        let stamp = stamp.settled();
        Ok(cache::keep(path, stamp, load()?))
    }

    fn builtin() -> Arc<TableSet> {
        static SET: OnceLock<Arc<TableSet>> = OnceLock::new();
        let set = SET.get_or_init(|| {
            let mut tables = [const { None }; ID_END];
            for function in Function::all() {
                tables[function as usize] = embedded::default_member(function).map(|member| Arc::clone(&member.table));
            }
            Arc::new(TableSet { tables, origin: Origin::Builtin })
        });
        Arc::clone(set)
    }

    fn load(path: &Path, directory: &Directory) -> Result<TableSet> {
        let found = |function: Function| directory.file(function.row()).map(|file| (function, file));
        let (functions, files): (Vec<Function>, Vec<&Path>) = Function::all().filter_map(found).unzip();
        let mut tables = [const { None }; ID_END];
        for (function, table) in functions.into_iter().zip(load::tables(&files)?) {
            tables[function as usize] = Some(Arc::new(table));
        }
        Ok(TableSet { tables, origin: Origin::Directory(path.to_owned()) })
    }

    fn resident(resident: Resident) -> Result<TableSet> {
        let mut tables = [const { None }; ID_END];
        for (function, table) in resident.tables() {
            tables[function as usize] = Some(Arc::clone(table));
        }
        Ok(TableSet { tables, origin: Origin::Set(Box::new(resident)) })
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
            (Origin::Builtin, _) => "it is not among the embedded tables".to_owned(),
            (Origin::Directory(path), Some(name)) => {
                format!("no {name}.json or other budget of it in {}", path.display())
            }
        };
        Error::NoProfile { function: function.name().to_owned(), detail }
    }
}
