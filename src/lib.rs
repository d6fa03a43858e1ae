//! A bit-exact model of Trainium's activation engine: named functions over buffers of floats, by the hardware's
//! look-up table or by the exact closed form. The crate builds `libpwp_sim.so`, a drop-in replacement for the C++
//! library of that name.
//!
//! A call reads top to bottom: [`ffi`] checks the caller's arguments, [`simulator`] picks the path, [`function`] names
//! the function, [`table`] holds what the path looks up, and [`eval`] or [`exact`] computes. [`tables`] and [`profile`]
//! run once, when a simulator is built. Nothing lower imports anything higher.
//!
//! ```
//! use pwp_sim::{Affine, Function, Simulator};
//!
//! let exact = Simulator::exact();
//! let affine = Affine { scale: 0.5, bias: 1.0, ..Affine::UNIT };
//! let mut out = [0.0; 2];
//! exact.apply(Function::Square, &affine, &[2.0, 4.0], &mut out, false)?;
//! assert_eq!(out, [4.0, 9.0]);
//! # Ok::<(), pwp_sim::Error>(())
//! ```
//!
//! `unsafe` is used only in [`ffi`] and in the vector evaluators.

pub mod affine;
pub mod builtin;
pub mod catalog;
pub mod error;
pub mod eval;
pub mod exact;
pub mod ffi;
pub mod function;
mod parallel;
pub mod profile;
pub mod simulator;
pub mod table;
pub mod tables;

pub use affine::Affine;
pub use error::{Error, Result};
pub use function::Function;
pub use simulator::Simulator;
pub use table::Table;
