//! The crate's one error type, and the only place that words an error.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::memory::{self, NoMemory, text};

/// What can go wrong, in the classes of the C ABI's status values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An argument that no call can accept: null where a pointer is due, text that is not UTF-8, a length that does
    /// not fit the address space, slices of different lengths.
    InvalidArgument(String),
    /// A name or an id that is none of the 31 functions.
    UnsupportedFunction(String),
    /// A profile file or directory that cannot be read.
    ProfileIo {
        /// The file or directory.
        path: PathBuf,
        /// The operating system's reason, or ours.
        reason: String,
    },
    /// A file that cannot be written.
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        reason: String,
    },
    /// A file that was read and is not a valid profile, catalog or table image.
    ProfileFormat {
        /// The file.
        file: PathBuf,
        /// The field inside it, for example `pos_exponents[3].num_sections`; empty for the file as a whole.
        place: String,
        /// What was expected and what was found.
        reason: String,
    },
    /// The table of a function was asked for and the simulator has none.
    NoProfile {
        /// The function's name.
        function: String,
        /// Where a table was looked for, or where one can be had.
        detail: String,
    },
    /// Inputs that no section of the table covers. All other elements were written; these became NaN.
    UnhandledSection {
        /// The function's name.
        function: &'static str,
        /// How many inputs were unhandled.
        count: u64,
        /// The index of the first.
        first: usize,
    },
    /// A defect of this library, caught before it could cross the ABI.
    Internal(String),
    /// There is not enough memory for what is loaded.
    NoMemory,
}

impl From<NoMemory> for Error {
    fn from(_: NoMemory) -> Error {
        Error::NoMemory
    }
}

impl Error {
    /// [`Error::ProfileIo`] of this path, or [`Error::NoMemory`] where there is none for that.
    pub(crate) fn io(path: &Path, reason: fmt::Arguments<'_>) -> Error {
        match memory::path(path) {
            Ok(path) => Error::ProfileIo { path, reason: memory::written(reason) },
            Err(NoMemory) => Error::NoMemory,
        }
    }

    /// [`Error::io`] for what the system says of this path.
    pub(crate) fn system(path: &Path, error: &io::Error) -> Error {
        if error.kind() == io::ErrorKind::OutOfMemory {
            Error::NoMemory
        } else {
            Error::io(path, format_args!("{error}"))
        }
    }

    /// [`Error::ProfileFormat`] of this file, or [`Error::NoMemory`] where there is none for that.
    pub(crate) fn format(file: &Path, place: fmt::Arguments<'_>, reason: fmt::Arguments<'_>) -> Error {
        match memory::path(file) {
            Ok(file) => Error::ProfileFormat { file, place: memory::written(place), reason: memory::written(reason) },
            Err(NoMemory) => Error::NoMemory,
        }
    }

    /// The text, or as much of it as there is memory for.
    pub fn text(&self) -> String {
        text!("{self}")
    }
}

/// `Result` with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InvalidArgument(what) => write!(f, "invalid argument: {what}"),
            // The original's wording, to the letter: callers compare it.
            Error::UnsupportedFunction(name) => {
                write!(f, "Unsupported activation function Simulator::simulation: {name}")
            }
            Error::ProfileIo { path, reason } => write!(f, "cannot read {}: {reason}", path.display()),
            Error::NotWritten { path, reason } => write!(f, "cannot write {}: {reason}", path.display()),
            Error::ProfileFormat { file, place, reason } if place.is_empty() => {
                write!(f, "Failed to parse pwp file {}: {reason}", file.display())
            }
            Error::ProfileFormat { file, place, reason } => {
                write!(f, "Failed to parse pwp file {}: {place}: {reason}", file.display())
            }
            Error::NoProfile { function, detail } => write!(f, "no table for function {function}: {detail}"),
            Error::UnhandledSection { function, count, first } => {
                write!(f, "Unhandled section in simulation of {function}: {count} input(s), the first at index {first}")
            }
            Error::Internal(what) => write!(f, "internal error: {what}"),
            Error::NoMemory => f.write_str("out of memory"),
        }
    }
}

impl std::error::Error for Error {}
