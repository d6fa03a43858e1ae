//! The boundaries: the C ABI above, the system's libm below. With the vector evaluators the only home of `unsafe`.

mod buffers;
pub mod c;
pub mod catalog;
mod entry;
mod last_error;
pub(crate) mod libm;
pub mod types;
