//! Text for people and for pipes.

use std::io::{ErrorKind, Write};

use comfy_table::{Table, presets};

/// A table with a header line and no colours.
pub fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    table
}

/// Writes `text` to the standard output. A reader that has seen enough is no error.
///
/// # Errors
/// Any other failure to write.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
