//! What the commands print, for people and for pipes.

use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};
use comfy_table::{Table, presets};

/// A table with a header line and no colours.
pub fn table<const N: usize>(header: [&str; N]) -> Table {
    listing(&header)
}

/// [`table`], with as many columns as there are names.
pub fn listing(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header.iter().copied());
    table
}

/// Writes `text` to the standard output. A reader that has seen enough is no error.
///
/// # Errors
/// Any other failure to write.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    tolerate_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The result of writing to the standard output, where a reader that has gone away is no error.
///
/// # Errors
/// Any other failure to write.
pub fn tolerate_closed_pipe(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to the standard output")
        }
        _ => Ok(()),
    }
}
