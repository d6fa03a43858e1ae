//! Exceptions out of the C++ calls.
//!
//! A client may bring its own copy of the C++ runtime and of the unwinder (`-static-libstdc++ -static-libgcc`). Its
//! `__cxa_throw` then runs for our exceptions too, and walks our frames with its own unwinder. A frame with a
//! personality routine would hand that unwinder's context to the functions of the one that we are linked to, and these
//! abort: `rust_eh_personality` calls `_Unwind_SetGR` of a libgcc_s that never saw the context. So no Rust frame is on
//! the stack when an exception is thrown. A call's body is a Rust function that returns the failure as a pointer; the
//! code here, in assembly, with unwind information and without a personality, calls it and throws.

use std::arch::global_asm;
use std::ptr;

use super::layout::{CxxString, Storage};
use crate::boundary;
use pwp_sim_core::engine::memory::{self, Watch};
use pwp_sim_core::{Error, Result};

/// What a call throws: a `std::runtime_error` of this text, or `std::bad_alloc` where `what.data` is null.
#[repr(C)]
pub struct Failure {
    /// The text as the constructor of the exception takes it, which copies it.
    what: CxxString,
    /// What `what` borrows.
    text: Vec<u8>,
}

/// What a body gives to the assembly: the failure in the first register, null where there is none, and the result in
/// the register of results.
#[repr(C)]
pub struct Outcome<T> {
    failure: *const Failure,
    value: T,
}

impl<T: Default> Default for Outcome<T> {
    /// No failure.
    fn default() -> Self {
        Outcome { failure: ptr::null(), value: T::default() }
    }
}

/// A [`Failure`] that need not be allocated.
struct NoMemory(Failure);

// SAFETY: nobody writes to it, and there is nothing behind its null pointer.
unsafe impl Sync for NoMemory {}

static NO_MEMORY: NoMemory = NoMemory(Failure {
    what: CxxString { data: ptr::null_mut(), size: 0, storage: Storage { capacity: 0 } },
    text: Vec::new(),
});

/// Out of memory, for a body to return.
pub fn no_memory() -> Outcome<()> {
    Outcome { failure: &NO_MEMORY.0, value: () }
}

/// Runs a call's body behind the panic boundary. An error, or a panic in it, becomes a `std::runtime_error`, and want of
/// memory a `std::bad_alloc`; `name` is the function's name as the caller spelt it.
#[inline]
pub fn outcome<T: Default>(name: &[u8], body: impl FnOnce() -> Result<T>) -> Outcome<T> {
    boundary::run(
        || body().map(|value| Outcome { failure: ptr::null(), value }),
        |error| Outcome { failure: failure(&error, name).unwrap_or(&NO_MEMORY.0), value: T::default() },
    )
}

impl<T> Outcome<T> {
    /// The value, or the failure for the body to return.
    pub fn value(self) -> std::result::Result<T, Outcome<()>> {
        if self.failure.is_null() { Ok(self.value) } else { Err(Outcome { failure: self.failure, value: () }) }
    }
}

/// The failure for an error, if there is memory for it. An unsupported name appears byte for byte, whatever its encoding.
#[cold]
fn failure(error: &Error, name: &[u8]) -> Option<*const Failure> {
    let (words, name) = match error {
        Error::NoMemory => return None,
        Error::UnsupportedFunction(_) => (Error::UnsupportedFunction(String::new()).text(), name),
        error => (error.text(), &[][..]),
    };
    let watch = Watch::new();
    let mut text = Vec::new();
    memory::reserve(&mut text, words.len() + name.len() + 1).ok()?;
    for part in [words.as_bytes(), name, &[0]] {
        text.extend_from_slice(part);
    }
    let what = CxxString::borrowing(&text[..text.len() - 1]);
    let failure = Box::new(Failure { what, text });
    watch.check().ok()?;
    Some(Box::into_raw(failure))
}

/// Frees a failure whose text was copied.
unsafe extern "C" fn free(failure: *mut Failure) {
    // SAFETY: the assembly below calls this once for each failure that `failure` boxed, and for no other.
    drop(unsafe { Box::from_raw(failure) });
}

// `throw`: throws the failure in the first argument. Every call it makes may throw in turn, `std::bad_alloc`, and that
// passes through: the frame has nothing to clean up.
#[cfg(target_arch = "x86_64")]
global_asm!(
    ".pushsection .text.pwp_sim_cxx_throw, \"ax\", @progbits",
    ".hidden pwp_sim_cxx_throw",
    ".globl pwp_sim_cxx_throw",
    ".type pwp_sim_cxx_throw, @function",
    "pwp_sim_cxx_throw:",
    ".cfi_startproc",
    "push rbx",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset rbx, 0",
    "push r12",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset r12, 0",
    "sub rsp, 8",
    ".cfi_adjust_cfa_offset 8",
    "mov rbx, rdi",
    "cmp qword ptr [rbx], 0", // what.data
    "je 2f",
    "mov edi, 16", // sizeof(std::runtime_error): its virtual functions and one pointer
    "call __cxa_allocate_exception@PLT",
    "mov r12, rax",
    "mov rdi, rax",
    "mov rsi, rbx", // what
    "call _ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE@PLT",
    "mov rdi, rbx",
    "call {free}",
    "mov rdi, r12",
    "mov rsi, qword ptr [rip + _ZTISt13runtime_error@GOTPCREL]",
    "mov rdx, qword ptr [rip + _ZNSt13runtime_errorD1Ev@GOTPCREL]",
    "call __cxa_throw@PLT",
    "ud2",
    "2:",
    "call _ZSt17__throw_bad_allocv@PLT",
    "ud2",
    ".cfi_endproc",
    ".size pwp_sim_cxx_throw, . - pwp_sim_cxx_throw",
    ".popsection",
    free = sym free,
);

#[cfg(target_arch = "aarch64")]
global_asm!(
    ".pushsection .text.pwp_sim_cxx_throw, \"ax\", @progbits",
    ".hidden pwp_sim_cxx_throw",
    ".globl pwp_sim_cxx_throw",
    ".type pwp_sim_cxx_throw, @function",
    "pwp_sim_cxx_throw:",
    ".cfi_startproc",
    "stp x29, x30, [sp, #-32]!",
    ".cfi_def_cfa_offset 32",
    ".cfi_offset x29, -32",
    ".cfi_offset x30, -24",
    "stp x19, x20, [sp, #16]",
    ".cfi_offset x19, -16",
    ".cfi_offset x20, -8",
    "mov x29, sp",
    "mov x19, x0",
    "ldr x1, [x19]", // what.data
    "cbz x1, 2f",
    "mov x0, #16", // sizeof(std::runtime_error): its virtual functions and one pointer
    "bl __cxa_allocate_exception",
    "mov x20, x0",
    "mov x1, x19", // what
    "bl _ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "mov x0, x19",
    "bl {free}",
    "mov x0, x20",
    "adrp x1, :got:_ZTISt13runtime_error",
    "ldr x1, [x1, :got_lo12:_ZTISt13runtime_error]",
    "adrp x2, :got:_ZNSt13runtime_errorD1Ev",
    "ldr x2, [x2, :got_lo12:_ZNSt13runtime_errorD1Ev]",
    "bl __cxa_throw",
    "brk #1",
    "2:",
    "bl _ZSt17__throw_bad_allocv",
    "brk #1",
    ".cfi_endproc",
    ".size pwp_sim_cxx_throw, . - pwp_sim_cxx_throw",
    ".popsection",
    free = sym free,
);

/// Defines a function in assembly that calls `$body` with its own arguments, returns what that puts beside the failure,
/// or throws the failure. The arguments are all in registers.
macro_rules! or_throw {
    ($symbol:literal, $body:path) => {
        #[cfg(target_arch = "x86_64")]
        std::arch::global_asm!(
            concat!(".pushsection .text.", $symbol, ", \"ax\", @progbits"),
            concat!(".hidden ", $symbol),
            concat!(".globl ", $symbol),
            concat!(".type ", $symbol, ", @function"),
            concat!($symbol, ":"),
            ".cfi_startproc",
            "sub rsp, 8",
            ".cfi_adjust_cfa_offset 8",
            "call {body}",
            "test rax, rax",
            "jne 2f",
            "add rsp, 8",
            ".cfi_adjust_cfa_offset -8",
            "ret",
            ".cfi_adjust_cfa_offset 8",
            "2:",
            "mov rdi, rax",
            "call pwp_sim_cxx_throw",
            "ud2",
            ".cfi_endproc",
            concat!(".size ", $symbol, ", . - ", $symbol),
            ".popsection",
            body = sym $body,
        );
        #[cfg(target_arch = "aarch64")]
        std::arch::global_asm!(
            concat!(".pushsection .text.", $symbol, ", \"ax\", @progbits"),
            concat!(".hidden ", $symbol),
            concat!(".globl ", $symbol),
            concat!(".type ", $symbol, ", @function"),
            concat!($symbol, ":"),
            ".cfi_startproc",
            "stp x29, x30, [sp, #-16]!",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset x29, -16",
            ".cfi_offset x30, -8",
            "mov x29, sp",
            "bl {body}",
            "cbnz x0, 2f",
            "fmov s0, w1", // a float beside the failure comes in a general register
            "ldp x29, x30, [sp], #16",
            ".cfi_remember_state",
            ".cfi_def_cfa_offset 0",
            ".cfi_restore x29",
            ".cfi_restore x30",
            "ret",
            ".cfi_restore_state",
            "2:",
            "bl pwp_sim_cxx_throw",
            "brk #1",
            ".cfi_endproc",
            concat!(".size ", $symbol, ", . - ", $symbol),
            ".popsection",
            body = sym $body,
        );
    };
}
pub(super) use or_throw;
