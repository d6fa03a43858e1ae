//! A bit-exact model of Trainium's activation engine: named functions over buffers of floats, by the hardware's
//! look-up table or by the exact closed form.
//!
//! A call reads top to bottom: [`simulator`] picks the path, [`function`] names the function, [`table`] holds what the
//! path looks up, and [`eval`] or [`exact`] computes. [`source`], [`catalog`] and [`profile`] run once, when a simulator
//! is built. Nothing lower imports anything higher; `ARCHITECTURE.md` has the order of the floors.
//!
//! ```
//! use pwp_sim_core::{Affine, Function, Simulator};
//!
//! let exact = Simulator::exact();
//! let affine = Affine { scale: 0.5, bias: 1.0, ..Affine::UNIT };
//! let mut out = [0.0; 2];
//! exact.apply(Function::Square, &affine, &[2.0, 4.0], &mut out, false)?;
//! assert_eq!(out, [4.0, 9.0]);
//! # Ok::<(), pwp_sim_core::Error>(())
//! ```
//!
//! `unsafe` is used only in [`float`] and in the vector evaluators.

pub mod affine;
pub mod catalog;
pub mod error;
pub mod eval;
pub mod exact;
pub mod float;
pub mod function;
pub mod profile;
pub mod simulator;
pub mod source;
pub mod table;

pub use affine::Affine;
pub use error::{Error, Result};
pub use function::Function;
pub use simulator::Simulator;
pub use table::Table;
