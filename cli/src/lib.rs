//! The parts of the `pwp` command: a module a subcommand, and the true functions in MPFR.
//!
//! Without the feature `mpfr` there are no true functions, and neither are the two commands that need them.

pub mod abi_check;
pub mod absent;
#[cfg(feature = "mpfr")]
pub mod generate;
#[cfg(feature = "mpfr")]
pub mod jet;
pub mod names;
pub mod output;
pub mod pack;
#[cfg(feature = "mpfr")]
pub mod report;
pub mod sets;
#[cfg(feature = "mpfr")]
pub mod truth;
pub mod unpack;
