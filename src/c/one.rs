//! The calls with one element, of simulators that step through single instructions: no block, no tier, and no guard
//! against panics where there can be none.

use std::hint::cold_path;

use super::buffers;
use super::entry::{entry, numerics};
use super::types::pwp_sim_status;
use pwp_sim_core::Function;
use pwp_sim_core::Simulator;
use pwp_sim_core::Table;
use pwp_sim_core::engine::eval::{self, Unhandled, definition};
use pwp_sim_core::engine::exact;
use pwp_sim_core::engine::{Route, table_due};

/// Writes the function of this value at the scaled input `v` to `*out`, by its table. None where there is none, or an
/// argument is bad; nothing is written then.
///
/// # Safety
/// `out` is writable for a float of any alignment, where [`buffers::holds_one`] says so.
#[inline(always)]
pub unsafe fn by_table(
    simulator: Option<&Simulator>,
    value: i32,
    v: f32,
    out: *mut f32,
    use_pwp: bool,
) -> Option<pwp_sim_status> {
    // The value leads to the table without the function: each look-up is latency.
    let table = table_due(simulator?, value, numerics(use_pwp))?;
    if !buffers::holds_one(out) {
        cold_path();
        return None;
    }
    Some(match eval::at_once(table, v) {
        // SAFETY: the caller's word.
        Some(y) => unsafe { put(out, y) },
        // SAFETY: as above.
        None => unsafe { by_definition(table, value, v, out) },
    })
}

/// [`by_table`] by the closed form, where that is due.
///
/// # Safety
/// As [`by_table`].
#[inline]
pub unsafe fn by_form(
    simulator: Option<&Simulator>,
    value: i32,
    v: f32,
    alpha: f32,
    out: *mut f32,
    use_pwp: bool,
) -> Option<pwp_sim_status> {
    let Route::Exact(function) = Route::find(simulator?, Function::of_id(value)?, numerics(use_pwp))? else {
        return None;
    };
    if !buffers::holds_one(out) {
        return None;
    }
    // SAFETY: the caller's word.
    Some(unsafe { put(out, exact::evaluate(function, v, alpha)) })
}

/// # Safety
/// `out` is writable for a float of any alignment.
#[inline(always)]
unsafe fn put(out: *mut f32, y: f32) -> pwp_sim_status {
    // SAFETY: the caller's word.
    unsafe { out.write_unaligned(y) };
    pwp_sim_status::PWP_SIM_OK
}

/// One element by the steps of the definition. Not inlined: [`by_table`] then has no stack frame.
///
/// # Safety
/// As [`put`].
#[cold]
#[inline(never)]
unsafe fn by_definition(table: &Table, value: i32, v: f32, out: *mut f32) -> pwp_sim_status {
    entry(move || {
        let y = definition::evaluate(table, v);
        // SAFETY: the caller's word.
        unsafe { put(out, y.unwrap_or(eval::NAN)) };
        Unhandled { count: y.is_none().into(), first: 0 }.result(Function::from_id(value)?)
    })
}
