//! What we call in the C++ runtime: the client's heap, and exceptions.

use std::ffi::c_void;

use super::layout::CxxString;
use crate::boundary;
use pwp_sim_core::{Error, Result};

/// `sizeof(std::runtime_error)`: the table of virtual functions and one pointer.
const RUNTIME_ERROR_SIZE: usize = 16;

/// A `std::type_info`; only its address is used.
#[repr(C)]
struct TypeInfo([usize; 2]);

// SAFETY: the Itanium C++ ABI and libstdc++ declare these so. `operator new` and the constructor may throw.
unsafe extern "C-unwind" {
    #[link_name = "_Znwm"]
    fn operator_new(size: usize) -> *mut c_void;
    #[link_name = "_ZdlPv"]
    fn operator_delete(block: *mut c_void);
    #[link_name = "_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"]
    fn runtime_error_construct(this: *mut c_void, what: *const CxxString);
    #[link_name = "_ZNSt13runtime_errorD1Ev"]
    fn runtime_error_destroy(this: *mut c_void);
    #[link_name = "_ZTISt13runtime_error"]
    static RUNTIME_ERROR_TYPE: TypeInfo;
    fn __cxa_allocate_exception(size: usize) -> *mut c_void;
    fn __cxa_throw(
        exception: *mut c_void,
        type_info: *const TypeInfo,
        destroy: unsafe extern "C-unwind" fn(*mut c_void),
    ) -> !;
}

/// `operator new`: a block that a client's inlined code may free. Throws `std::bad_alloc`, so the caller must hold
/// nothing that is to be dropped.
pub fn new(size: usize) -> *mut u8 {
    // SAFETY: any size will do.
    unsafe { operator_new(size) }.cast()
}

/// `operator delete`.
///
/// # Safety
/// `block` is null or came from `operator new` and is used no more.
pub unsafe fn delete<T>(block: *mut T) {
    // SAFETY: null or a block of `operator new`, says the section above.
    unsafe { operator_delete(block.cast()) }
}

/// Runs a call's body behind the panic boundary. An error, or a panic in it, is thrown as a `std::runtime_error`; `name`
/// is the function's name as the caller spelt it.
#[inline]
pub fn or_throw<T>(name: &[u8], body: impl FnOnce() -> Result<T>) -> T {
    boundary::run(body, |error| throw(error, name))
}

/// Throws `error`. An unsupported name appears byte for byte, whatever its encoding.
#[cold]
fn throw(error: Error, name: &[u8]) -> ! {
    let exception = {
        let what = match error {
            Error::UnsupportedFunction(_) => {
                let text = Error::UnsupportedFunction(String::new()).to_string();
                [text.as_bytes(), name, b"\0"].concat()
            }
            error => [error.to_string().as_bytes(), b"\0"].concat(),
        };
        // SAFETY: the block is large enough for the object that is constructed in it, which copies the text.
        unsafe {
            let exception = __cxa_allocate_exception(RUNTIME_ERROR_SIZE);
            runtime_error_construct(exception, &CxxString::borrowing(&what[..what.len() - 1]));
            exception
        }
    };
    // Nothing of ours is left to drop: no Rust frame between here and the client needs to be cleaned up.
    // SAFETY: a complete object of the type named, and its destructor.
    unsafe { __cxa_throw(exception, &raw const RUNTIME_ERROR_TYPE, runtime_error_destroy) }
}
