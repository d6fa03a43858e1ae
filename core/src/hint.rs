//! A hint for the optimizer that the standard library has under the same name since Rust 1.95.

/// Marks the path that calls it as taken rarely.
#[cold]
#[inline]
pub fn cold_path() {}
