//! The tables of one source, one a function, and the loading of a profile directory into them. A directory that did
//! not change since it was last loaded is not read again: see [`cache`].

mod cache;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::function::{COUNT, Function};
use crate::profile::{self, Directory};
use crate::table::Table;

/// The tables of one source; immutable and shared. Equal when the source and every bit of the tables are.
#[derive(Debug, PartialEq)]
pub struct TableSet {
    tables: [Option<Table>; COUNT],
    origin: PathBuf,
}

impl TableSet {
    /// The tables that `source` names. While a directory's profile files stay as they are, every call gives the same
    /// set.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] and [`Error::ProfileFormat`], as `Simulator::open`.
    pub fn open(source: &OsStr) -> Result<Arc<TableSet>> {
        let path = Path::new(source);
        let directory = Directory::list(path)?;
        let stamp = cache::Stamp::of(&directory)?;
        if let Some(tables) = cache::find(path, &stamp) {
            return Ok(tables);
        }
        stamp.settle();
        let tables = TableSet::load(path, &directory)?;
        Ok(cache::keep(path, stamp, tables))
    }

    fn load(path: &Path, directory: &Directory) -> Result<TableSet> {
        let mut tables = [const { None }; COUNT];
        for function in Function::all() {
            if let Some(file) = directory.file(function.row()) {
                tables[function.index()] = Some(Table::new(&profile::load(file)?));
            }
        }
        Ok(TableSet { tables, origin: path.to_owned() })
    }

    /// The table of `function`.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when the source has none, saying where it was looked for.
    #[inline]
    pub fn table(&self, function: Function) -> Result<&Table> {
        self.tables[function.index()].as_ref().ok_or_else(|| self.missing(function))
    }

    #[cold]
    fn missing(&self, function: Function) -> Error {
        let detail = match function.profile_name() {
            Some(name) => format!("no {name}.json or other budget of it in {}", self.origin.display()),
            None => "it has no profile".to_owned(),
        };
        Error::NoProfile { function: function.name().to_owned(), detail }
    }
}
