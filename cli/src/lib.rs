//! The parts of the `pwp` command: a module a subcommand, and the true functions in MPFR.

pub mod abi_check;
pub mod generate;
pub mod jet;
pub mod names;
pub mod output;
pub mod pack;
pub mod report;
pub mod sets;
pub mod truth;
pub mod unpack;
