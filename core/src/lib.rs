//! A bit-exact model of Trainium's activation engine: named functions over buffers of floats, by the hardware's
//! look-up table or by the exact closed form.
//!
//! ```
//! use pwp_sim_core::{Affine, Function, Numerics, Simulator};
//!
//! let simulator = Simulator::open("builtin:")?;
//! let affine = Affine::new(0.5, 1.0); // f(0.5 * x + 1)
//! let mut out = [0.0; 2];
//! simulator.apply(Function::Square, &affine, &[2.0, 4.0], &mut out, Numerics::Exact)?;
//! assert_eq!(out, [4.0, 9.0]);
//!
//! let table = simulator.evaluate(Function::Exp, 0.5, 0.0, Numerics::Table)?;
//! let exact = simulator.evaluate(Function::Exp, 0.5, 0.0, Numerics::Exact)?;
//! assert_eq!((table, exact), (1.6487027, 1.6487212));
//! # Ok::<(), pwp_sim_core::Error>(())
//! ```
//!
//! # The interface
//!
//! The names at the top of this page are what a program needs: a [`Simulator`] is opened from a [`Source`] and applies a
//! [`Function`] to scaled ([`Affine`]) inputs by one of two [`Numerics`], floats or other [`Element`]s; [`Table`] shows what the table path
//! looks up; [`Catalog`] knows the sets of functions that the hardware holds at a time. For tools, [`profile`] reads and writes
//! the JSON files of tables, [`table`] and [`catalog`] have the parts of the two, [`function`] the names and numbers.
//! [`engine`] is for the C interface and the tools of this repository, and may change in any version.
//!
//! Enums and structs that may grow are `non_exhaustive`; those of the hardware's own records (a section, a profile) and of
//! the C interface ([`Affine`]) are not. Bad data is an [`Error`], never a panic. `unsafe` is used only in `float`, `lanes`, `thread` and the vector evaluator.
//!
//! # The floors
//!
//! A call reads from the top of this list to the bottom, and nothing lower uses anything higher (`ARCHITECTURE.md`):
//! `simulator`, `source`, [`catalog`], `eval` and `exact`, [`table`], [`profile`], `json`, then `element`, `lanes`,
//! [`function`], `affine`, `file`, `error`, `float` and `memory`.

// The example of the crate's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Page;

mod affine;
pub mod catalog;
mod element;
pub mod engine;
mod error;
mod eval;
mod exact;
mod file;
mod float;
pub mod function;
mod hint;
mod json;
mod lanes;
mod lock;
mod memory;
pub mod profile;
mod simulator;
mod source;
pub mod table;
mod thread;

pub use affine::Affine;
pub use catalog::Catalog;
pub use element::{Bf16, Element, F16};
pub use error::{Error, Result};
pub use function::Function;
pub use lanes::Tier;
pub use simulator::{Numerics, Simulator};
pub use source::Source;
pub use table::Table;
