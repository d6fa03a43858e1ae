//! The calling thread's last error, and the panic boundary in front of every entry.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pwp_sim_core::{Error, Result};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs an entry's body; an error becomes the thread's last and a panic an internal error.
#[inline]
pub fn guarded<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(remember(error)),
        Err(panic) => Err(remember(Error::Internal(panic_text(&*panic)))),
    }
}

/// The calling thread's last message; empty before the first. Valid until the thread's next failing call.
pub fn text() -> *const c_char {
    // A thread that is ending has no last error any more.
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cold]
fn remember(error: Error) -> Error {
    let text = error.to_string().replace('\0', "\\0");
    let _ = LAST.try_with(|last| *last.borrow_mut() = CString::new(text).unwrap_or_default());
    error
}

#[cold]
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}
