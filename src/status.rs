//! What a C call came to: the status, and which errors mean which.

#![allow(non_camel_case_types, reason = "the names are C's")]

use std::ffi::{CStr, c_int};

use pwp_sim_core::Error;

/// A `pwp_sim_status` as a caller passes it: any integer. The header shows it as the enum.
pub type StatusId = c_int;

/// What a call came to.
#[doc = "cbindgen:rename-all=None"]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pwp_sim_status {
    /// Success.
    PWP_SIM_OK = 0,
    /// Null where a pointer is due, a name that is not UTF-8, a count that does not fit the address space.
    PWP_SIM_INVALID_ARGUMENT = 1,
    /// A name or an integer that is no function.
    PWP_SIM_UNSUPPORTED_FUNCTION = 2,
    /// A profile directory or file that cannot be read.
    PWP_SIM_PROFILE_IO = 3,
    /// A file that is no valid profile.
    PWP_SIM_PROFILE_FORMAT = 4,
    /// The table path was asked for and the function has no table.
    PWP_SIM_NO_PROFILE = 5,
    /// No section of the table covers some inputs; their results are NaN.
    PWP_SIM_UNHANDLED_SECTION = 6,
    /// A defect of the library, caught before it could cross the boundary.
    PWP_SIM_INTERNAL = 7,
    /// There is not enough memory for what is loaded. With more of it the same call succeeds.
    PWP_SIM_NO_MEMORY = 8,
}

impl pwp_sim_status {
    /// Every status, in the order of its values.
    #[doc = "cbindgen:ignore"]
    pub const ALL: [pwp_sim_status; 9] = [
        Self::PWP_SIM_OK,
        Self::PWP_SIM_INVALID_ARGUMENT,
        Self::PWP_SIM_UNSUPPORTED_FUNCTION,
        Self::PWP_SIM_PROFILE_IO,
        Self::PWP_SIM_PROFILE_FORMAT,
        Self::PWP_SIM_NO_PROFILE,
        Self::PWP_SIM_UNHANDLED_SECTION,
        Self::PWP_SIM_INTERNAL,
        Self::PWP_SIM_NO_MEMORY,
    ];

    /// The status in a few words.
    pub fn text(self) -> &'static CStr {
        match self {
            Self::PWP_SIM_OK => c"success",
            Self::PWP_SIM_INVALID_ARGUMENT => c"invalid argument",
            Self::PWP_SIM_UNSUPPORTED_FUNCTION => c"unsupported function",
            Self::PWP_SIM_PROFILE_IO => c"a profile or catalog cannot be read",
            Self::PWP_SIM_PROFILE_FORMAT => c"a file is no valid profile, catalog or table image",
            Self::PWP_SIM_NO_PROFILE => c"no table for the function",
            Self::PWP_SIM_UNHANDLED_SECTION => c"no section of the table covers some inputs",
            Self::PWP_SIM_INTERNAL => c"internal error",
            Self::PWP_SIM_NO_MEMORY => c"out of memory",
        }
    }
}

impl From<Error> for pwp_sim_status {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidArgument(_) => Self::PWP_SIM_INVALID_ARGUMENT,
            Error::UnsupportedFunction(_) => Self::PWP_SIM_UNSUPPORTED_FUNCTION,
            Error::ProfileIo { .. } | Error::NotWritten { .. } => Self::PWP_SIM_PROFILE_IO,
            Error::ProfileFormat { .. } => Self::PWP_SIM_PROFILE_FORMAT,
            Error::NoProfile { .. } => Self::PWP_SIM_NO_PROFILE,
            Error::UnhandledSection { .. } => Self::PWP_SIM_UNHANDLED_SECTION,
            Error::NoMemory => Self::PWP_SIM_NO_MEMORY,
            _ => Self::PWP_SIM_INTERNAL,
        }
    }
}
