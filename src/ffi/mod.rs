//! The boundaries: the C and the C++ ABI above, the system's libm below. With the vector evaluators the only home of
//! `unsafe`.

mod buffers;
pub mod c;
pub mod catalog;
#[cfg(cxx_abi)]
mod cxx;
mod entry;
pub(crate) mod fpenv;
pub mod info;
mod last_error;
pub(crate) mod libm;
mod one;
pub mod types;
