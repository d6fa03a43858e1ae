//! The `pwp` command: one subcommand a module.

use clap::{Parser, Subcommand};
use pwp_cli::report;

/// Looks into, makes and compares the tables of Trainium's activation functions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure how far tables and closed forms are from the true functions
    ///
    /// For each function: the worst and the mean error in ULP and absolute, where the worst is, and the share of inputs
    /// that are exact, for the table's sections, for its clamps and specials, and for the closed form.
    ///
    /// An error in ULP is |y - truth| divided by one unit in the last place of the correctly rounded true value; below
    /// the normal floats and at zero that unit is 2^-149. Infinity counts as 2^128. The truth comes from MPFR, the
    /// limit at the infinities. A NaN input has no true value and is left out; a NaN for a number, or the reverse, is
    /// counted on its own. Near a zero of a function away from 0 even a tiny absolute error is many ULP.
    ///
    /// By default a sample is looked at, the same on every run: in each octave of each sign N inputs spread evenly over
    /// the bit patterns, the ends, the first, middle and last input of every section, the inputs at a clamp's edge, at
    /// a change of the truth's sign, and around the worst one found. Means and shares are over the even spread.
    ///
    /// Examples:
    ///   pwp report
    ///   pwp report --function gelu Rsqrt --octaves
    ///   pwp report --profiles my-profiles --out report
    #[command(verbatim_doc_comment)]
    Report(report::Options),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Report(options) => report::run(&options),
    }
}
