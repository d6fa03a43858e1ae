//! `libpwp_sim.so`: the C and the C++ interface of [`pwp_sim_core`], which computes. Rust programs depend on that crate;
//! this one is for every other language.
//!
//! [`c`] holds the calls of `include/pwp_sim.h`, `cxx` the symbols of the original C++ library. Both take a caller's
//! arguments as the types of `pointers`, `buffers` and `typed`, check them, and hand what is left to the core behind the panic
//! boundary. `one` is the short way of a call with one element.

#[macro_use]
mod boundary;
mod buffers;
pub mod c;
#[cfg(cxx_abi)]
mod cxx;
mod one;
mod pointers;
mod reserve;
mod status;
mod typed;
