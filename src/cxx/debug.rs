//! `PWPSim::DEBUG`: when it is not zero, a construction tells stderr what it looked for and what it found.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};

use pwp_sim_core::engine::memory::Text;
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
    // One write, so that threads do not mix their lines; a closed stderr is no error of the caller's.
    let _ = std::io::stderr().write_all(text(path, opened, tables).as_bytes());
}

fn text(path: &Path, opened: bool, tables: Option<&TableSet>) -> String {
    let mut text = Text::default();
    let how = if opened { "opened" } else { "not opened, exact forms only" };
    let _ = writeln!(text, "PWPSim: profile path '{}' {how}", path.display());
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
    text.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use pwp_sim_core::Simulator;
    use pwp_sim_core::engine;
    use pwp_sim_core::profile::Saturation;

    fn log_of(sigmoid: Table) -> String {
        let simulator = Simulator::from_tables([(Function::Sigmoid, sigmoid)]);
        text(Path::new("/nonexistent"), true, engine::tables(&simulator).map(AsRef::as_ref))
    }

    #[test]
    fn a_table_of_the_other_reading_of_the_fold_is_named() {
        let embedded = Simulator::open("builtin:").unwrap().table(Function::Sigmoid).unwrap().clone();
        assert!(!log_of(embedded.clone()).contains("PWP_SIM_FOLD"));
        let mut rising = embedded.to_profile();
        rising.saturation_points[Saturation::NegHigh as usize].section.d0 = 1.0;
        let log = log_of(Table::new(&rising).unwrap());
        assert!(log.contains("PWPSim: Sigmoid: its saturation points fit PWP_SIM_FOLD=negative\n"), "{log}");
    }
}
