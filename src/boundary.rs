//! The panic boundary that every exported call passes, C and C++, the body that every C call has, and the calling
//! thread's last error.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pwp_sim_core::{Error, Result};

/// The body of an exported call.
///
/// ```text
/// entry!(sim = Handle(sim), out = Out(out, "out") => { ... })
/// entry!(sim = Handle(sim) => { ... }, or false)
/// ```
///
/// Each argument is a type of `pointers` or `buffers`, made of what the call was given and checked in the order written;
/// the first that is bad ends the call. The body then sees what the checks gave. It runs behind the panic boundary and
/// gives a `Result`: of nothing, for a call that returns a status, or of what the call returns, with `or` for failure.
macro_rules! entry {
    ($($argument:ident = $kind:ident($($part:expr),*)),* => $body:block $(, or $failure:expr)?) => {{
        // SAFETY: what each type asks of its pointer is what the exported call's `# Safety` section, which stands in the
        // header, asks of the caller.
        $(let $argument = unsafe { $kind::new($($part),*) };)*
        entry!(@ {
            $(let $argument = $argument.checked()?;)*
            $body
        } $(, $failure)?)
    }};
    (@ $checked:block) => {
        $crate::boundary::run(
            move || $checked.map(|()| $crate::status::pwp_sim_status::PWP_SIM_OK),
            $crate::status::pwp_sim_status::from,
        )
    };
    (@ $checked:block, $failure:expr) => {
        $crate::boundary::run(move || $checked, |_| $failure)
    };
}

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
