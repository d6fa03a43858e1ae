//! stub
pub mod affine;
pub mod catalog;
pub mod error;
pub mod eval;
pub mod exact;
mod ffi;
pub mod function;
pub mod profile;
pub mod table;
