//! The test side of the C ABI: the generated header, its bindings, a wrapper to call the library through them, and
//! profiles to test with. The tests stand in `tests/`; what needs the C++ reference is driven by CMake.

#![allow(clashing_extern_declarations, reason = "`calls` and `signatures` are to differ in bools and statuses")]

pub mod header;
pub mod library;
pub mod profiles;

/// The types of `include/pwp_sim.h` as bindgen binds them.
#[allow(missing_docs, non_camel_case_types, non_upper_case_globals, dead_code, clippy::all)]
pub mod bound {
    include!(concat!(env!("OUT_DIR"), "/header.rs"));
}

/// [`calls`] with `u8` for each `bool` argument and an integer for a status, which is how the library takes them.
#[allow(missing_docs, non_camel_case_types, unused_imports, improper_ctypes, clippy::all)]
pub mod signatures {
    include!(concat!(env!("OUT_DIR"), "/signatures.rs"));
}

/// The calls of `include/pwp_sim.h`, over the Rust side's types.
#[allow(missing_docs, non_camel_case_types, unused_imports, improper_ctypes, clippy::all)] // pwp_sim is opaque to C
pub mod calls {
    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}
