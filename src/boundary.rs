//! The panic boundary that every exported call passes, C and C++, the body that every C call has, and the calling
//! thread's last error.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use pwp_sim_core::engine::memory;
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

// SAFETY: POSIX declares these so.
unsafe extern "C" {
    fn pthread_key_create(key: *mut c_uint, destructor: Option<unsafe extern "C" fn(*mut c_void)>) -> c_int;
    fn pthread_key_delete(key: c_uint) -> c_int;
    fn pthread_getspecific(key: c_uint) -> *mut c_void;
    fn pthread_setspecific(key: c_uint, value: *const c_void) -> c_int;
}

/// One more than the key of the threads' last messages; 0 before the first. Not a thread-local of the language: where there
/// is no memory for one of these, the system ends the process.
static LAST: AtomicU32 = AtomicU32::new(0);

/// The message of which there need be no copy.
static NO_MEMORY: &CStr = c"out of memory";

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
    let last: *const c_char = match LAST.load(Ordering::Acquire) {
        0 => ptr::null(),
        // SAFETY: a key that was made and is never deleted.
        next => unsafe { pthread_getspecific(next - 1) }.cast_const().cast(),
    };
    if last.is_null() { c"".as_ptr() } else { last }
}

#[cold]
fn remember(error: &Error) {
    let text = match error {
        Error::NoMemory => None,
        error => c_text(&error.text()).ok(),
    };
    let new = text.map_or(NO_MEMORY.as_ptr(), |text| text.into_raw());
    let Some(key) = key() else { return forget(new) };
    // SAFETY: `key` gives keys that were made and are never deleted. The thread's value is null, or came from here and is
    // no one's once another one took its place; where there is no place for the new one, that is.
    unsafe {
        let old = pthread_getspecific(key);
        forget(if pthread_setspecific(key, new.cast()) == 0 { old.cast() } else { new });
    }
}

/// The text for C, a NUL in it as an escape.
fn c_text(text: &str) -> memory::Result<CString> {
    let mut bytes = Vec::new();
    memory::reserve(&mut bytes, text.len() + text.matches('\0').count() + 1)?;
    for part in text.split_inclusive('\0') {
        let plain = part.strip_suffix('\0');
        bytes.extend_from_slice(plain.unwrap_or(part).as_bytes());
        bytes.extend_from_slice(if plain.is_some() { b"\\0" } else { b"" });
    }
    bytes.push(0);
    Ok(CString::from_vec_with_nul(bytes).unwrap_or_default())
}

/// The key of the threads' last messages; none where the system has no more keys.
fn key() -> Option<c_uint> {
    let next = LAST.load(Ordering::Acquire);
    if next != 0 {
        return Some(next - 1);
    }
    let mut key = 0;
    // SAFETY: a place for the key, and a destructor that takes what `remember` puts there.
    if unsafe { pthread_key_create(&mut key, Some(end)) } != 0 {
        return None;
    }
    match LAST.compare_exchange(0, key + 1, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(key),
        Err(other) => {
            // SAFETY: the key from above, which no one else knows.
            unsafe { pthread_key_delete(key) };
            Some(other - 1)
        }
    }
}

/// Frees the message of a thread that ends.
unsafe extern "C" fn end(last: *mut c_void) {
    forget(last.cast());
}

/// Frees a message that `remember` made.
fn forget(text: *const c_char) {
    if !text.is_null() && text != NO_MEMORY.as_ptr() {
        // SAFETY: not the static one, and so from `CString::into_raw`; each is given up in one place.
        drop(unsafe { CString::from_raw(text.cast_mut()) });
    }
}

#[cold]
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}
