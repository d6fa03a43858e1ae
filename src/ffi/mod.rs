//! The boundaries: the C ABI above, the system's libm below. With the vector evaluators the only home of `unsafe`.

pub(crate) mod fpenv;
pub(crate) mod libm;
