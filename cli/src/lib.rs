//! The parts of the `pwp` command: the true functions in MPFR, the table generator and the error report.

pub mod jet;
pub mod report;
pub mod truth;
