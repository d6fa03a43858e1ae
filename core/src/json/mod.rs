//! JSON, for profiles, manifests and catalogs alike: one reader with one set of limits, and a writer that keeps the order.
//!
//! The text is read in one pass, without a tree. [`reader`] knows the grammar, [`value`] the kinds of value that a schema
//! is made of; the schemas are their owners'. The rules (`docs/behaviour.md`, section 3):
//!
//! - A file has at most 64 MiB and nests at most 64 deep. It is UTF-8; a byte order mark in front is skipped.
//! - Of two equal keys the last counts. An integer has no fraction and no exponent.
//! - What is not read is checked for its grammar alone: a number may be of any size, an escape any four digits, and NaN,
//!   Infinity and -Infinity, which some writers make, may stand for a value. Where a value is due they are mistakes.

mod reader;
mod value;
mod write;

pub use reader::{Quoted, Read, Reader, Token};
pub use value::{Array, Checked, FileName, Flag, FloatBits, Integer, Map, Mistake, Object, Text, Value, value, wrong};
pub(crate) use value::{fields, required};
pub use write::Node;

use std::path::Path;

use crate::error::{Error, Result};
use crate::file;

/// Reads the file at `path`, as [`parse`] reads its text.
///
/// # Errors
/// [`Error::ProfileIo`] when the file cannot be read or is no regular file, [`Error::ProfileFormat`] otherwise.
pub fn load<T: Value>(path: &Path) -> Result<T> {
    parse(&read_text(path)?, path)
}

/// Reads a file of at most 64 MiB as text.
///
/// # Errors
/// [`Error::ProfileIo`] when the file cannot be read or is no regular file, [`Error::ProfileFormat`] when it is too large
/// or not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(file::read(path)?).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        Error::format(path, format_args!(""), format_args!("not UTF-8 at byte {byte}"))
    })
}

/// Reads `text` as a value; `file` is for messages.
///
/// # Errors
/// [`Error::ProfileFormat`] with the place and the reason.
pub fn parse<T: Value>(text: &str, file: &Path) -> Result<T> {
    let mut reader = Reader::new(text);
    let (place, reason) = match value(&mut reader).and_then(|value| reader.end().map(|()| value)) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(mistake)) => (mistake.place(), mistake.reason),
        Err(syntax) if syntax.is_no_memory() => return Err(Error::NoMemory),
        Err(syntax) => (String::new(), syntax.reason(text)),
    };
    Err(Error::format(file, format_args!("{place}"), format_args!("{reason}")))
}

#[cfg(test)]
mod tests;
