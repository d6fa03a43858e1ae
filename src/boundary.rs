//! The panic boundary that every exported call passes, C and C++, and the calling thread's last error.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pwp_sim_core::{Error, Result};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a call's body. An error becomes the thread's last one, a panic an internal error; `failed` says what the call
/// returns then.
///
/// Not inlined, so that a call with a shorter way for one element has no stack frame there.
#[inline(never)]
pub fn run<T>(body: impl FnOnce() -> Result<T>, failed: impl FnOnce(Error) -> T) -> T {
    let error = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => error,
        Err(panic) => Error::Internal(panic_text(&*panic)),
    };
    remember(&error);
    failed(error)
}

/// The calling thread's last message; empty before the first. Valid until the thread's next failing call.
pub fn last_error() -> *const c_char {
    // A thread that is ending has no last error any more.
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cold]
fn remember(error: &Error) {
    let text = error.to_string().replace('\0', "\\0");
    let _ = LAST.try_with(|last| *last.borrow_mut() = CString::new(text).unwrap_or_default());
}

#[cold]
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}
