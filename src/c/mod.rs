//! The C ABI. cbindgen makes `include/pwp_sim.h` from this folder.

pub(crate) mod buffers;
pub mod calls;
pub mod catalog;
mod entry;
pub mod info;
pub(crate) mod last_error;
mod one;
pub mod types;
