//! One of the two things under comparison: a library, or our own tables and closed forms.

use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use pwp_foreign::{Abi, Call};
use pwp_sim_core::{Affine, Error, Function, Numerics, Simulator, profile};
use tempfile::TempDir;

use super::process::{self, Failure, Library, Process};
use super::symbols::{self, Wanted};
use crate::sources::Tables;

/// What the command line names.
#[derive(Debug, Clone)]
pub enum Side {
    /// `exact`: the closed forms.
    Exact,
    /// `table`, or a source: the tables.
    Tables(Box<Tables>),
    /// A shared library.
    Library {
        /// The file.
        path: PathBuf,
        /// Its symbols.
        abi: Abi,
    },
}

impl Side {
    /// The side of a name: `exact`, `table` (the tables of `profiles`), a source of tables, or a shared library.
    ///
    /// # Errors
    /// A name that is none of these; a library that has no interface to call.
    pub fn parse(name: &OsStr, profiles: &OsStr, wanted: Option<Wanted>) -> Result<Side> {
        let path = Path::new(name);
        match name.to_str() {
            Some("exact") => return Ok(Side::Exact),
            Some("table") => return Ok(Side::Tables(Box::new(Tables::open(profiles)?))),
            _ => {}
        }
        if path.is_file() && path.extension() != Some(OsStr::new("json")) {
            let path = std::fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
            let abi = symbols::abi(&path, wanted)?;
            return Ok(Side::Library { path, abi });
        }
        let tables = Tables::open(name).with_context(|| {
            format!("{} is no library, no source of tables, and neither exact nor table", path.display())
        })?;
        Ok(Side::Tables(Box::new(tables)))
    }

    /// Whether it is a library.
    pub fn is_library(&self) -> bool {
        matches!(self, Side::Library { .. })
    }

    /// The paths that it can take.
    pub fn paths(&self, other: &Side) -> &'static [Numerics] {
        match (self, other) {
            (Side::Exact, _) => &[Numerics::Exact],
            (Side::Library { .. }, _) | (Side::Tables(_), Side::Library { .. }) => &[Numerics::Exact, Numerics::Table],
            (Side::Tables(_), _) => &[Numerics::Table],
        }
    }

    /// What it is, for people.
    pub fn name(&self) -> String {
        match self {
            Side::Exact => "the closed forms".to_owned(),
            Side::Tables(tables) => format!("the tables of {}", tables.display()),
            Side::Library { path, abi } => {
                let class = if *abi == Abi::C { "its C calls" } else { "its class PWPSim::Simulator" };
                format!("{}, by {class}", path.display())
            }
        }
    }

    /// What it is, for a comparison that is taken up again.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn identity(&self) -> Result<OsString> {
        match self {
            Side::Exact => Ok("the closed forms".into()),
            Side::Tables(tables) => Ok(format!("{}, {:016x}", tables.display(), fingerprint(tables)?).into()),
            Side::Library { path, abi } => {
                let mut text = process::identity(path)?;
                text.push(if *abi == Abi::C { ", by its C calls" } else { ", by its C++ class" });
                Ok(text)
            }
        }
    }
}

/// A number that tells the tables of a source from others.
fn fingerprint(tables: &Tables) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for entry in tables.entries() {
        entry.name().hash(&mut hasher);
        profile::to_json(&entry.table()?.to_profile(), &[]).hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// The profiles that libraries get: the directory itself, or the tables that count of any other source, written to one.
#[derive(Debug)]
pub struct Profiles {
    /// The directory.
    pub path: PathBuf,
    _made: Option<TempDir>,
}

impl Profiles {
    /// The directory of the tables that count in `tables`.
    ///
    /// # Errors
    /// A table that cannot be read, a directory that cannot be written.
    pub fn of(tables: &Tables) -> Result<Profiles> {
        let directory = tempfile::Builder::new().prefix("pwp-compare-").tempdir().context("cannot make a directory")?;
        for function in Function::all().filter(|function| *function != Function::Prelu) {
            if let Some(entry) = tables.due(function.info()) {
                let file = directory.path().join(format!("{}.json", entry.name()));
                let text = profile::to_json(&entry.table()?.to_profile(), &[]);
                std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
            }
        }
        Ok(Profiles { path: directory.path().to_owned(), _made: Some(directory) })
    }
}

/// A side that computes; each thread has its own.
#[derive(Debug)]
pub enum Engine {
    /// In this process.
    Ours(Box<Simulator>),
    /// In a process of its own.
    Foreign(Box<Process>),
}

/// What went wrong at one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The place among the inputs of the call.
    pub index: usize,
    /// What the side does, in words.
    pub what: String,
}

impl Engine {
    /// The engine of a side.
    ///
    /// # Errors
    /// Tables that cannot be read.
    pub fn new(side: &Side, profiles: &Path, timeout: Duration) -> Result<Engine> {
        Ok(match side {
            Side::Exact => Engine::Ours(Box::new(Simulator::exact())),
            Side::Tables(tables) => Engine::Ours(Box::new(tables.simulator()?)),
            Side::Library { path, abi } => {
                let (path, abi, profiles) = (path.clone(), abi.clone(), profiles.to_owned());
                Engine::Foreign(Box::new(Process::new(Library { path, abi, profiles, timeout })))
            }
        })
    }

    /// Why the side does not compute this function at all, if it does not: what it says at the input 0, which every
    /// table handles.
    ///
    /// # Errors
    /// A library that does not open.
    pub fn refuses(&mut self, function: Function, call: Call) -> Result<Option<String>> {
        let mut output = [0.0];
        match self {
            Engine::Ours(simulator) => match ours(simulator, (function, call), &[0.0], &mut output) {
                Err(error) => Ok(Some(error.to_string())),
                Ok(_) => Ok(None),
            },
            Engine::Foreign(process) => match process.simulate((function, call), &[0.0], &mut output, 1)?.1 {
                Some(Failure::Refused(words)) => Ok(Some(words)),
                _ => Ok(None),
            },
        }
    }

    /// Computes `function` at `input`. An input at which the side fails is found, noted, and passed over, until
    /// `allowed` of them are found. Returns how many inputs were dealt with.
    ///
    /// # Errors
    /// A library that does not open, the user's wish to stop.
    pub fn compute(
        &mut self,
        task: (Function, Call),
        input: &[f32],
        output: &mut [f32],
        faults: &mut Vec<Fault>,
        allowed: usize,
    ) -> Result<usize> {
        match self {
            Engine::Ours(simulator) => {
                ours(simulator, task, input, output)?;
                Ok(input.len())
            }
            Engine::Foreign(process) => {
                let mut search = Search { process, task, input, output, faults, allowed };
                search.range(0, input.len(), input.len())
            }
        }
    }

    /// What a library said of inputs that no section covers.
    pub fn notes(&mut self) -> Vec<String> {
        match self {
            Engine::Ours(_) => Vec::new(),
            Engine::Foreign(process) => std::mem::take(&mut process.notes),
        }
    }
}

/// Our own results; an unhandled input is NaN.
fn ours(
    simulator: &Simulator,
    (function, call): (Function, Call),
    input: &[f32],
    output: &mut [f32],
) -> Result<(), Error> {
    let mut affine = Affine::new(call.scale, call.bias);
    affine.alpha = call.alpha;
    let numerics = if call.use_pwp { Numerics::Table } else { Numerics::Exact };
    match simulator.apply(function, &affine, input, output, numerics) {
        Ok(()) | Err(Error::UnhandledSection { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The search for the inputs at which a library fails.
struct Search<'a> {
    process: &'a mut Process,
    task: (Function, Call),
    input: &'a [f32],
    output: &'a mut [f32],
    faults: &'a mut Vec<Fault>,
    allowed: usize,
}

impl Search<'_> {
    /// How much smaller the blocks are in which a failing block is looked at.
    const FINER: usize = 512;

    /// Computes the inputs `from..to` in blocks; a block that fails is gone through in finer ones. Returns where it ended.
    fn range(&mut self, from: usize, to: usize, block: usize) -> Result<usize> {
        let mut at = from;
        while at < to {
            if self.faults.len() >= self.allowed {
                return Ok(at);
            }
            let (input, output) = (&self.input[at..to], &mut self.output[at..to]);
            let (done, failure) = self.process.simulate(self.task, input, output, block)?;
            at += done;
            let Some(failure) = failure else { return Ok(to) };
            if failure == Failure::Interrupted {
                bail!("interrupted");
            }
            if block == 1 {
                self.faults.push(Fault { index: at, what: failure.text() });
                at += 1;
                continue;
            }
            let (end, before) = ((at + block).min(to), self.faults.len());
            let reached = self.range(at, end, (block / Search::FINER).max(1))?;
            if self.faults.len() == before {
                let what =
                    format!("{} (in one call with {} inputs from here on, not one by one)", failure.text(), end - at);
                self.faults.push(Fault { index: at, what });
            } else if reached < end {
                return Ok(reached);
            }
            at = end;
        }
        Ok(at)
    }
}
