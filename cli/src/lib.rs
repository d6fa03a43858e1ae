//! The parts of the `pwp` command: the true functions in MPFR and the table generator.

pub mod abi_check;
pub mod generate;
pub mod jet;
pub mod names;
pub mod truth;
