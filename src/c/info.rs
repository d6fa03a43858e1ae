//! The C ABI: the calls of `include/pwp_sim.h` that tell of tables, errors and the library. The comments here are the
//! header's.

use std::ffi::{CStr, c_char};

use super::calls::{FunctionId, pwp_sim};
use super::pwp_sim_status;
use super::types::{pwp_sim_section, pwp_sim_table_info_t};
use crate::boundary;
use crate::pointers::{Handle, Out};
use crate::status::StatusId;
use pwp_sim_core::{Error, Function};

/// The tier that the simulator took when it was created: "scalar", "neon", "avx2" or "avx512", a static
/// string. It is the fastest that the CPU has, or what the environment variable PWP_SIM_TIER asked for, if the CPU has
/// that; the variable is read at the first pwp_sim_create of the process. All give the same bits. Null for a null simulator.
///
/// # Safety
/// `sim` is null or a live simulator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_tier(sim: *const pwp_sim) -> *const c_char {
    entry!(sim = Handle(sim) => { Ok(sim.simulator().tier().c_name().as_ptr()) }, or std::ptr::null())
}

/// Describes the table of a function. PWP_SIM_NO_PROFILE where it has none.
///
/// # Safety
/// `sim` is null or live, `out` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_table_info(
    sim: *const pwp_sim,
    function: FunctionId,
    out: *mut pwp_sim_table_info_t,
) -> pwp_sim_status {
    entry!(sim = Handle(sim), out = Out(out, "out") => {
        let table = sim.simulator().table(Function::from_id(function)?)?;
        out.put(pwp_sim_table_info_t::of(table));
        Ok(())
    })
}

/// Tells which section of a function's table serves the (scaled) input `v`, after the fold.
/// PWP_SIM_NO_PROFILE where the function has no table, PWP_SIM_UNHANDLED_SECTION where no section covers `v`; `*out` is
/// then not written.
///
/// # Safety
/// `sim` is null or live, `out` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_table_section(
    sim: *const pwp_sim,
    function: FunctionId,
    v: f32,
    out: *mut pwp_sim_section,
) -> pwp_sim_status {
    entry!(sim = Handle(sim), out = Out(out, "out") => {
        let function = Function::from_id(function)?;
        let section = pwp_sim_section::of(sim.simulator().table(function)?, v);
        out.put(section.ok_or(Error::UnhandledSection { function: function.name(), count: 1, first: 0 })?);
        Ok(())
    })
}

/// The calling thread's last error, as text that names what was wrong and where; empty before the first. Valid until
/// the same thread's next failing call. A caller whose tasks move between threads must read it on the thread that made
/// the call.
#[unsafe(no_mangle)]
pub extern "C" fn pwp_sim_last_error() -> *const c_char {
    entry!(=> { Ok(boundary::last_error()) }, or c"".as_ptr())
}

/// A status in a few words, a static string: "no table for the function". Null for an integer that is none of the enum's.
/// What was wrong in a call that failed, pwp_sim_last_error says.
#[unsafe(no_mangle)]
pub extern "C" fn pwp_sim_status_text(status: StatusId) -> *const c_char {
    let known = pwp_sim_status::ALL.into_iter().find(|known| *known as StatusId == status);
    known.map_or(std::ptr::null(), |known| known.text().as_ptr())
}

/// The library's version, `major.minor.patch`; a static string.
#[unsafe(no_mangle)]
pub extern "C" fn pwp_sim_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => unreachable!(),
    };
    VERSION.as_ptr()
}
