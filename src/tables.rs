//! The tables of one source, one a function, and the loading of a profile directory into them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::function::{COUNT, Function};
use crate::profile::{self, Directory};
use crate::table::Table;

/// The tables of one source; immutable and shared.
#[derive(Debug)]
pub struct TableSet {
    tables: [Option<Table>; COUNT],
    origin: PathBuf,
}

impl TableSet {
    /// The tables that `source` names.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] and [`Error::ProfileFormat`], as `Simulator::open`.
    pub fn open(source: &OsStr) -> Result<Arc<TableSet>> {
        TableSet::load(Path::new(source)).map(Arc::new)
    }

    fn load(path: &Path) -> Result<TableSet> {
        let directory = Directory::list(path)?;
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
