//! Which readings a side follows: the calls of `pwp readings`, made on a library in a process of its own, or what the tables
//! of a source say by themselves.

use std::time::Duration;

use anyhow::{Context, Result};
use pwp_foreign::Call;
use pwp_sim_core::Numerics;
use tempfile::TempDir;

use super::side::{Engine, Side};
use crate::readings::Probe;
use crate::readings::follow::{self, Answer};
use crate::readings::probe::Given;

/// A library that hangs so often is asked no more.
const HANGS: usize = 2;

/// The answers of a side; none of the closed forms here and of the embedded tables, which are ours.
///
/// # Errors
/// A table that cannot be read, a directory that cannot be written.
pub fn answers(side: &Side, timeout: Duration) -> Result<Vec<Answer>> {
    match side {
        Side::Exact => Ok(Vec::new()),
        Side::Tables(tables) if tables.source().to_string_lossy().starts_with("builtin:") => Ok(Vec::new()),
        Side::Tables(tables) => follow::tables(tables),
        Side::Library { .. } => {
            let mut engines = Vec::new();
            for given in Given::ALL {
                let directory = tempfile::Builder::new().prefix("pwp-readings-").tempdir();
                let directory = directory.context("cannot make a directory")?;
                given.write(directory.path())?;
                engines.push((given, Engine::new(side, directory.path(), timeout)?, directory));
            }
            let mut asked = Asked { engines, hung: 0 };
            follow::library(|probe| Ok(asked.ask(probe)))
        }
    }
}

/// The engines of one library, one for each set of tables, and how often they hung.
struct Asked {
    engines: Vec<(Given, Engine, TempDir)>,
    hung: usize,
}

impl Asked {
    /// The bits of the result, or why there are none.
    fn ask(&mut self, probe: &Probe) -> Result<u32, String> {
        if self.hung >= HANGS {
            return Err("not asked: the library hangs".to_owned());
        }
        let found = self.engines.iter_mut().find(|(given, ..)| *given == probe.given);
        let (_, engine, _) = found.ok_or("no tables for it")?;
        let (scale, bias, alpha) = (Probe::AFFINE.scale, Probe::AFFINE.bias, Probe::AFFINE.alpha);
        let call = Call { scale, bias, alpha, use_pwp: probe.path == Numerics::Table };
        let (mut output, mut faults) = ([0.0], Vec::new());
        let input = [f32::from_bits(probe.input)];
        let computed = engine.compute((probe.function, call), &input, &mut output, &mut faults, 1);
        match (computed, faults.pop()) {
            (Err(error), _) => Err(format!("{error:#}")),
            (_, Some(fault)) => {
                self.hung += usize::from(fault.what.starts_with("hangs"));
                Err(fault.what)
            }
            (Ok(_), None) => Ok(output[0].to_bits()),
        }
    }
}
