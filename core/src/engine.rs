//! The inside of a call, for the C and C++ interfaces and the tools of this repository.
//!
//! **Exempt from semantic versioning**: anything here may change or go in any version. Programs use what stands at the
//! top of the crate.

pub use crate::hint::cold_path;
pub use crate::profile::Directory;
pub use crate::simulator::{BLOCK, Route, TYPED_BLOCK, simulator, table_due, tables};
pub use crate::source::{MAX_LENGTH, TableSet};

/// Files, written whole or not at all.
pub mod file {
    pub use crate::file::*;
}

/// Memory that runs out.
pub mod memory {
    pub use crate::memory::*;
}

/// The table path: the definition, the tiers that repeat it, and what no section covers.
pub mod eval {
    pub use crate::eval::*;
}

/// The closed forms.
pub mod exact {
    pub use crate::exact::*;
}
