//! The commands that this build leaves out.
//!
//! The true functions come from MPFR, which takes minutes to build. Without the feature `mpfr` the commands that need
//! them are still known by name, and say what to build.

use std::ffi::OsString;

use anyhow::{Result, bail};

/// Whatever the command would have been asked.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Says which build has the command.
///
/// # Errors
/// Always.
pub fn run(command: &str, _: &Options) -> Result<()> {
    bail!(
        "this pwp was built without MPFR, and {command} needs it for the true functions: \
         cargo build --release --package pwp --features mpfr"
    )
}
