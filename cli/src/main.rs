//! The `pwp` command: one subcommand a module.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pwp_cli::{abi_check, generate};

/// Looks into, makes and compares the tables of Trainium's activation functions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write tables as profile files: the whole embedded set, or functions and sizes of your own
    ///
    /// Examples:
    ///   pwp generate --out profiles
    ///   pwp generate --out profiles --function gelu --sections 200
    ///   pwp generate --out profiles --function Exp --max-ulp 16 --fit minimax
    #[command(verbatim_doc_comment)]
    Generate(generate::Options),

    /// Say whether programs built for the original libpwp_sim.so find their symbols in this one
    ///
    /// Lists the PWPSim symbols that each file imports and whether our library exports them. Fails when one is missing.
    ///
    /// Example:
    ///   pwp abi-check /path/to/program /path/to/its/library.so
    #[command(verbatim_doc_comment)]
    AbiCheck(abi_check::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Generate(options) => generate::run(&options),
        Command::AbiCheck(options) => abi_check::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pwp: {error:#}");
            ExitCode::FAILURE
        }
    }
}
