//! The heap of the C++ runtime, which is the client's: what one side allocates the other may free.

use std::ffi::c_void;

/// `std::nothrow_t`, of which only the address is used.
#[repr(C)]
struct NoThrow(u8);

// SAFETY: the Itanium C++ ABI and libstdc++ declare these so.
unsafe extern "C" {
    #[link_name = "_ZnwmRKSt9nothrow_t"]
    fn operator_new(size: usize, nothrow: *const NoThrow) -> *mut c_void;
    #[link_name = "_ZdlPv"]
    fn operator_delete(block: *mut c_void);
}

/// `operator new(std::nothrow)`: a block that a client's inlined code may free, or null where there is no memory. A client
/// that replaces `operator new` is asked too: the library's version of this one calls that.
pub fn new(size: usize) -> *mut u8 {
    // SAFETY: any size will do, and the second argument only picks the function.
    unsafe { operator_new(size, &NoThrow(0)) }.cast()
}

/// `operator delete`.
///
/// # Safety
/// `block` is null or came from `operator new` and is used no more.
pub unsafe fn delete<T>(block: *mut T) {
    // SAFETY: null or a block of `operator new`, says the section above.
    unsafe { operator_delete(block.cast()) }
}
