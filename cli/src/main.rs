//! The `pwp` command: one subcommand a module.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pwp_cli::{pack, sets, unpack};

/// Looks into, makes and compares the tables of Trainium's activation functions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the function sets of a catalog: what each holds, where a function is, which loads a list takes
    Sets(sets::Options),
    /// Write the table images of a catalog's sets from profiles
    Pack(pack::Options),
    /// Write profiles from table images, or from the embedded tables (pwp unpack builtin: --out DIR)
    Unpack(unpack::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Sets(options) => sets::run(&options),
        Command::Pack(options) => pack::run(&options),
        Command::Unpack(options) => unpack::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pwp: {error:#}");
            ExitCode::FAILURE
        }
    }
}
