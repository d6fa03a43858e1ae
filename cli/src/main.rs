//! The `pwp` command: one subcommand a module.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
#[cfg(not(feature = "mpfr"))]
use pwp_cli::absent;
use pwp_cli::{
    abi_check, compare, diff, eval, functions, help, inspect, interrupt, manual, output, pack, plot, readings, sets,
    unpack,
};
#[cfg(feature = "mpfr")]
use pwp_cli::{generate, report};

#[cfg(feature = "mpfr")]
const VERSION: &str = env!("CARGO_PKG_VERSION");
#[cfg(not(feature = "mpfr"))]
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (without MPFR)");

/// Looks into, makes and compares the tables of Trainium's activation functions.
#[derive(Parser)]
#[command(version = VERSION, arg_required_else_help = true)]
#[command(
    after_help = "The status is 0 on success, 1 on failure, 2 for arguments that are no command and 130 after Ctrl-C, which \
                        leaves every file whole. A reader of the output that goes away early (pwp report | head -1) is no \
                        failure."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Functions(functions::Options),
    Eval(eval::Options),
    Plot(plot::Options),
    Inspect(inspect::Options),
    Diff(diff::Options),
    /// Write tables as profile files: the whole embedded set, or functions and sizes of your own
    #[cfg(feature = "mpfr")]
    #[command(after_long_help = help::examples(&[
        "pwp generate --out profiles",
        "pwp generate --out profiles --function gelu --sections 200",
        "pwp generate --out profiles --function Exp --max-ulp 16 --fit minimax",
    ]))]
    Generate(generate::Options),
    /// Write tables as profile files (not in this build: it needs the feature mpfr)
    #[cfg(not(feature = "mpfr"))]
    #[command(disable_help_flag = true)]
    Generate(absent::Options),
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
    #[cfg(feature = "mpfr")]
    #[command(after_long_help = help::examples(&[
        "pwp report",
        "pwp report --function gelu Rsqrt --octaves",
        "pwp report --profiles my-profiles --out report",
    ]))]
    Report(report::Options),
    /// Measure how far tables are from the true functions (not in this build: it needs the feature mpfr)
    #[cfg(not(feature = "mpfr"))]
    #[command(disable_help_flag = true)]
    Report(absent::Options),
    /// List the function sets of a catalog: what each holds, where a function is, which loads a list takes
    Sets(sets::Options),
    /// Write the table images of a catalog's sets from profiles
    Pack(pack::Options),
    /// Write profiles from table images, or from the embedded tables (pwp unpack builtin: --out DIR)
    Unpack(unpack::Options),
    /// Say whether programs built for the original libpwp_sim.so find their symbols in this one
    ///
    /// Lists the PWPSim symbols that each file imports, and whether our library, or the one of --library, exports them. The
    /// status is 0 when all are there, and 1 when one is missing that a file cannot do without.
    #[command(after_long_help = help::examples(&[
        "pwp abi-check /path/to/program /path/to/its/library.so",
        "pwp abi-check /path/to/program --library /opt/original/libpwp_sim.so",
    ]))]
    AbiCheck(abi_check::Options),
    Compare(compare::Options),
    Readings(readings::Options),
    /// The process that a compared library runs in
    #[command(hide = true)]
    CompareWorker(compare::worker::Options),
    #[command(hide = true)]
    Manual(manual::Options),
}

fn main() -> ExitCode {
    let command = match Cli::try_parse_from(eval::values::protect(std::env::args_os())) {
        Ok(cli) => cli.command,
        Err(error) => return explain(&error),
    };
    // A compared library's process is ended by the one that started it.
    if !matches!(command, Command::CompareWorker(_))
        && let Err(error) = interrupt::listen()
    {
        return failure(&error);
    }
    let result = match command {
        Command::Functions(options) => functions::run(&options),
        Command::Eval(options) => eval::run(&options),
        Command::Plot(options) => plot::run(&options),
        Command::Inspect(options) => inspect::run(&options),
        Command::Diff(options) => diff::run(&options),
        #[cfg(feature = "mpfr")]
        Command::Generate(options) => generate::run(&options),
        #[cfg(feature = "mpfr")]
        Command::Report(options) => report::run(&options),
        #[cfg(not(feature = "mpfr"))]
        Command::Generate(options) => absent::run("generate", &options),
        #[cfg(not(feature = "mpfr"))]
        Command::Report(options) => absent::run("report", &options),
        Command::Sets(options) => sets::run(&options),
        Command::Pack(options) => pack::run(&options),
        Command::Unpack(options) => unpack::run(&options),
        Command::AbiCheck(options) => abi_check::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Readings(options) => readings::run(&options),
        Command::Manual(options) => manual::run(&options, Cli::command()),
        Command::CompareWorker(options) => compare::worker::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

/// Shows the help, the version, or what is wrong with the arguments.
fn explain(message: &clap::Error) -> ExitCode {
    let printed = message.print().and_then(|()| std::io::stdout().flush());
    match output::tolerate_closed_pipe(printed) {
        Err(error) if !message.use_stderr() => failure(&error),
        _ => ExitCode::from(message.exit_code() as u8),
    }
}

/// Says what went wrong, where the standard error can be written to, which is no reason to fail a second time.
fn failure(error: &anyhow::Error) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "pwp: {error:#}");
    interrupt::status().map_or(ExitCode::FAILURE, ExitCode::from)
}
