//! `PWPSim::DEBUG`: when it is not zero, a construction tells stderr what it looked for and what it found.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};

use pwp_sim_core::engine::{Directory, TableSet};
use pwp_sim_core::table::FoldReading;
use pwp_sim_core::{Function, Table};

/// `int PWPSim::DEBUG`. A client that is an executable may hold the real one (a copy relocation); what is exported with
/// default visibility is reached through the GOT, which then leads there.
#[unsafe(export_name = "_ZN6PWPSim5DEBUGE")]
static DEBUG: AtomicI32 = AtomicI32::new(0);

/// Whether to log.
pub fn enabled() -> bool {
    DEBUG.load(Ordering::Relaxed) != 0
}

/// Logs a construction: whether the path counts as opened, and which file serves each function.
pub fn log(path: &Path, opened: bool, tables: Option<&TableSet>) {
    let mut text = format!("PWPSim: profile path '{}' ", path.display());
    text += if opened { "opened\n" } else { "not opened, exact forms only\n" };
    if let Some(tables) = tables {
        let directory = Directory::list(path).unwrap_or_default();
        for function in Function::all() {
            let Some(probed) = function.profile_name() else { continue };
            let _ = write!(text, "PWPSim: {}: probed {probed}.json: ", function.name());
            let _ = match (tables.table(function), directory.file(function)) {
                (Ok(table), Some(file)) => {
                    writeln!(text, "loaded {}, {} sections", file.display(), table.sections().len())
                }
                (Ok(table), None) => {
                    writeln!(text, "loaded from {}, {} sections", path.display(), table.sections().len())
                }
                (Err(_), _) => writeln!(text, "absent"),
            };
            if let Some(fitting) = tables.table(function).ok().and_then(Table::misread) {
                let (due, name) = (FoldReading::VARIABLE, fitting.name());
                let _ = writeln!(text, "PWPSim: {}: its saturation points fit {due}={name}", function.name());
            }
        }
    }
    // One write, so that threads do not mix their lines; a closed stderr is no error of the caller's.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
