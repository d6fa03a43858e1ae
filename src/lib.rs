//! `libpwp_sim.so`: the C and the C++ interface of [`pwp_sim_core`], which computes. Rust programs depend on that crate;
//! this one is for every other language.
//!
//! [`c`] holds the calls of `include/pwp_sim.h`, `cxx` the symbols of the original C++ library. Both check a caller's
//! arguments, stop panics, and hand what is left to the core.

pub mod c;
#[cfg(cxx_abi)]
mod cxx;
