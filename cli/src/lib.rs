//! The parts of the `pwp` command: a module a subcommand, and the true functions in MPFR.
//!
//! Without the feature `mpfr` there are no true functions, and neither are the two commands that need them.

pub mod abi_check;
pub mod absent;
pub mod compare;
pub mod diff;
pub mod drawing;
pub mod eval;
pub mod functions;
#[cfg(feature = "mpfr")]
pub mod generate;
pub mod help;
pub mod inspect;
pub mod interrupt;
#[cfg(feature = "mpfr")]
pub mod jet;
pub mod manual;
pub mod names;
pub mod output;
pub mod pack;
pub mod place;
pub mod plot;
pub mod readings;
#[cfg(feature = "mpfr")]
pub mod report;
pub mod sets;
pub mod sources;
#[cfg(feature = "mpfr")]
pub mod truth;
#[cfg(feature = "mpfr")]
pub mod truths;
#[cfg(feature = "mpfr")]
pub mod unit;
pub mod unpack;
