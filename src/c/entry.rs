//! What every entry of the C ABI does with its arguments and its result.

use std::ffi::{CStr, c_char};

use super::last_error;
use super::types::pwp_sim_status;
use pwp_sim_core::Numerics;
use pwp_sim_core::function::{Function, ID_END, SHORT_NAME};
use pwp_sim_core::{Error, Result};

/// Runs an entry and turns its result into a status. Not inlined, so that an entry with a shorter way for one element
/// has no stack frame there.
#[inline(never)]
pub fn entry(body: impl FnOnce() -> Result<()>) -> pwp_sim_status {
    match last_error::guarded(body) {
        Ok(()) => pwp_sim_status::PWP_SIM_OK,
        Err(error) => error.into(),
    }
}

/// What a caller's `use_pwp` asks for.
#[inline(always)]
pub fn numerics(use_pwp: bool) -> Numerics {
    if use_pwp { Numerics::Table } else { Numerics::Exact }
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

/// The value of the function that a C string names; [`ID_END`] where none has that name.
///
/// # Safety
/// Null, or a NUL-terminated string that is alive for the call.
#[inline]
pub unsafe fn value(name: *const c_char) -> i32 {
    // SAFETY: the caller's word.
    unsafe { known(name) }.map_or(ID_END as i32, |function| function as i32)
}

/// The function that a C string names. Only a name that none has is checked for being text.
///
/// # Safety
/// As [`value`].
#[inline]
pub unsafe fn function(name: *const c_char) -> Result<Function> {
    // SAFETY: the caller's word.
    unsafe { known(name).map_or_else(|| named(name).and_then(Function::from_name), Ok) }
}

/// # Safety
/// As [`value`].
#[inline]
unsafe fn known(name: *const c_char) -> Option<Function> {
    if name.is_null() {
        return None;
    }
    let mut word = 0;
    for index in 0..=SHORT_NAME {
        // SAFETY: not null, and no byte before this one is the NUL.
        let byte = unsafe { name.add(index).read() } as u8;
        if byte == 0 {
            return Function::of_word(word);
        }
        word |= u64::from(byte).wrapping_shl(8 * index as u32); // the ninth byte makes it a long name
    }
    // SAFETY: not null, and the caller's word for the rest.
    unsafe { known_long(name) }
}

/// # Safety
/// A NUL-terminated string that is alive for the call.
#[inline(never)]
unsafe fn known_long(name: *const c_char) -> Option<Function> {
    // SAFETY: the caller's word.
    Function::of_name(unsafe { CStr::from_ptr(name) }.to_bytes())
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
