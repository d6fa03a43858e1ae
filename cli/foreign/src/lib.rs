//! Calls a `libpwp_sim.so` that is named at run time, by its C or its C++ symbols.
//!
//! The library is code that we know nothing of: it may abort, hang, or write where it should not. So this crate is for a
//! process that has nothing to lose, the worker of `pwp compare`. `foreign.cpp` does the calls; `docs/abi.md` has the
//! symbols.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

/// The C++ side's view of an open library.
#[repr(C)]
struct Raw([u8; 0]);

// SAFETY: `foreign.h` declares these so, and `build.rs` compiles them into this crate.
unsafe extern "C" {
    fn pwp_foreign_open(
        path: *const c_char,
        constructor: *const c_char,
        simulate: *const c_char,
        profiles: *const c_char,
        message: *mut c_char,
        capacity: usize,
    ) -> *mut Raw;
    fn pwp_foreign_simulate(
        library: *mut Raw,
        name: *const c_char,
        out: *mut f32,
        input: *const f32,
        addend: f32,
        multiplier: f32,
        alpha: f32,
        count: usize,
        use_pwp: bool,
        message: *mut c_char,
        capacity: usize,
    ) -> c_int;
    fn pwp_foreign_end_with_parent();
}

/// By which symbols to call a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Abi {
    /// `pwp_sim_create` and `pwp_sim_simulate`.
    C,
    /// The original's class.
    Cxx {
        /// The mangled name of the constructor.
        constructor: CString,
        /// The mangled name of the `simulate` that takes buffers.
        simulate: CString,
    },
}

/// The scaling of a call, in its natural meaning, and whether the table is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    /// Multiplies the input.
    pub scale: f32,
    /// Added to the product.
    pub bias: f32,
    /// The slope of Prelu.
    pub alpha: f32,
    /// Whether the table is asked for.
    pub use_pwp: bool,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Every output is written.
    Done,
    /// Every output is written; those of inputs that no section covers are NaN.
    Unhandled(String),
    /// The library cannot, in its own words: an exception, or a status.
    Refused(String),
}

/// A simulator of an open library. The library stays loaded until the process ends.
#[derive(Debug)]
pub struct Library(*mut Raw);

/// The longest message that is kept.
const CAPACITY: usize = 1024;

fn text(message: &[u8; CAPACITY]) -> String {
    CStr::from_bytes_until_nul(message).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Library {
    /// Loads the library and opens a simulator of `profiles`.
    ///
    /// # Errors
    /// The loader's or the library's reason.
    pub fn open(path: &CStr, abi: &Abi, profiles: &CStr) -> Result<Library, String> {
        let (constructor, simulate) = match abi {
            Abi::C => (ptr::null(), ptr::null()),
            Abi::Cxx { constructor, simulate } => (constructor.as_ptr(), simulate.as_ptr()),
        };
        let mut message = [0; CAPACITY];
        // SAFETY: every pointer is null or a C string that outlives the call, and the message has this capacity. What
        // the library's own code does is outside of any promise: the crate's header says where this may run.
        let library = unsafe {
            let message = message.as_mut_ptr().cast();
            pwp_foreign_open(path.as_ptr(), constructor, simulate, profiles.as_ptr(), message, CAPACITY)
        };
        if library.is_null() { Err(text(&message)) } else { Ok(Library(library)) }
    }

    /// `output[i] = name(scale * input[i] + bias)`.
    ///
    /// # Panics
    /// When the buffers differ in length.
    pub fn simulate(&mut self, name: &CStr, call: &Call, input: &[f32], output: &mut [f32]) -> Answer {
        assert_eq!(input.len(), output.len(), "the buffers of a call have one length");
        let mut message = [0; CAPACITY];
        // SAFETY: the library is open, as only `open` makes one; the name is a C string; both buffers have `count`
        // elements, asserted above; the message has this capacity. The library's own code is as in `open`.
        let result = unsafe {
            pwp_foreign_simulate(
                self.0,
                name.as_ptr(),
                output.as_mut_ptr(),
                input.as_ptr(),
                call.bias,
                call.scale,
                call.alpha,
                input.len(),
                call.use_pwp,
                message.as_mut_ptr().cast(),
                CAPACITY,
            )
        };
        match result {
            0 => Answer::Done,
            2 => Answer::Unhandled(text(&message)),
            _ => Answer::Refused(text(&message)),
        }
    }
}

/// Has the kernel end this process when the thread that started it ends (Linux; nothing elsewhere).
pub fn end_with_parent() {
    // SAFETY: it takes no argument, and only asks for a signal.
    unsafe { pwp_foreign_end_with_parent() }
}
