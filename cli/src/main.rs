//! The `pwp` command: one subcommand a module.

use clap::{Parser, Subcommand};

/// Looks into, makes and compares the tables of Trainium's activation functions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {}
}
