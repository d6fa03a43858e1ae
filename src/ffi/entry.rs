//! What every entry of the C ABI does with its arguments and its result.

use std::ffi::{CStr, c_char};

use super::last_error;
use super::types::pwp_sim_status;
use crate::error::{Error, Result};
use crate::function::Function;

/// Runs an entry and turns its result into a status.
#[inline]
pub fn entry(body: impl FnOnce() -> Result<()>) -> pwp_sim_status {
    match last_error::guarded(body) {
        Ok(()) => pwp_sim_status::PWP_SIM_OK,
        Err(error) => error.into(),
    }
}

/// The error for a null pointer.
pub fn null(what: &str) -> Error {
    Error::InvalidArgument(format!("{what} is null"))
}

/// The text of a C string; `what` it is, for messages.
///
/// # Safety
/// Null, or a NUL-terminated string that is alive for the call.
#[inline]
pub unsafe fn text<'a>(string: *const c_char, what: &str) -> Result<&'a str> {
    if string.is_null() {
        return Err(null(what));
    }
    // SAFETY: not null, and the caller's word for the rest.
    let string = unsafe { CStr::from_ptr(string) };
    string.to_str().map_err(|_| {
        let shown = String::from_utf8_lossy(string.to_bytes());
        Error::InvalidArgument(format!("{what} {shown:?} is not UTF-8"))
    })
}

/// The function that a C string names. The look-up goes by bytes; only a name that it does not know is checked for
/// being text.
///
/// # Safety
/// Null, or a NUL-terminated string that is alive for the call.
#[inline]
pub unsafe fn function(name: *const c_char) -> Result<Function> {
    if !name.is_null() {
        // SAFETY: not null, and the caller's word for the rest.
        if let Some(function) = Function::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()) {
            return Ok(function);
        }
    }
    // SAFETY: the caller's word.
    unsafe { named(name) }.and_then(Function::from_name)
}

/// The name of a function.
///
/// # Safety
/// As [`text`].
#[inline]
pub unsafe fn named<'a>(name: *const c_char) -> Result<&'a str> {
    // SAFETY: the caller's word.
    unsafe { text(name, "the function name") }
}

/// Writes a result.
///
/// # Safety
/// Null, or writable for a `T` of any alignment.
#[inline]
pub unsafe fn put<T>(out: *mut T, value: T) -> Result<()> {
    if out.is_null() {
        return Err(null("out"));
    }
    // SAFETY: not null, and the caller's word for the rest.
    unsafe { out.write_unaligned(value) };
    Ok(())
}
