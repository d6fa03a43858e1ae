//! The C ABI. cbindgen makes `include/pwp_sim.h` from this folder.
//!
//! Every call is an `entry!` (`boundary.rs`): one way in, in which the arguments are checked first, in their order; then the function is
//! looked up; then its table; then the inputs are computed. So a call that is wrong in two ways gives the same status
//! whichever call it is.

pub mod calls;
pub mod catalog;
pub mod functions;
pub mod info;
pub mod typed;
pub mod types;

pub use crate::status::pwp_sim_status;
pub use crate::typed::{DtypeId, pwp_sim_dtype};
