//! The parts of the `pwp` command: a module a subcommand, the true functions in MPFR and the table generator.

pub mod generate;
pub mod jet;
pub mod names;
pub mod output;
pub mod pack;
pub mod sets;
pub mod truth;
pub mod unpack;
