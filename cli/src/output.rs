//! What the commands leave behind: text for people and for pipes, and files.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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

/// Writes a file whole or not at all: to a file beside it, which then takes its name. What is no regular file, such as
/// `/dev/stdout`, is written to as it is.
///
/// # Errors
/// When the file cannot be written; then what stood there before still does.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Through a symbolic link, so that the link stays one.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return fs::write(path, bytes);
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mode = before.map_or_else(|| Permissions::from_mode(0o666), |metadata| metadata.permissions());
    let mut file = tempfile::Builder::new().prefix(".pwp-").permissions(mode).tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}
