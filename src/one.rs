//! The short way of the calls with one element, of simulators that step through single instructions: no block, no tier,
//! and no panic boundary where there can be no panic.
//!
//! The C calls try [`by_table`] first, which needs no stack frame, then [`by_form`]; the C++ calls, which return the
//! result or throw, try [`at_once`]. None means that something is out of the ordinary, be it an error, and that nothing
//! was written: the call then goes the way of a buffer.

use super::pointers::Place;
use super::status::pwp_sim_status;
use pwp_sim_core::engine::eval::{self, Unhandled, definition};
use pwp_sim_core::engine::{Route, exact, table_due};
use pwp_sim_core::{Function, Numerics, Simulator, Table};

/// Writes the function of this value at the scaled input `v`, by its table.
#[inline(always)]
pub fn by_table(
    simulator: Option<&Simulator>,
    value: i32,
    v: f32,
    out: Place<f32>,
    numerics: Numerics,
) -> Option<pwp_sim_status> {
    // The value leads to the table without the function: each look-up is latency.
    let table = table_due(simulator?, value, numerics)?;
    Some(match eval::at_once(table, v) {
        Some(y) => put(out, y),
        None => by_definition(table, value, v, out),
    })
}

/// Writes the function of this value at the scaled input `v`, by its closed form, where that is due.
#[inline]
pub fn by_form(
    simulator: Option<&Simulator>,
    value: i32,
    v: f32,
    alpha: f32,
    out: Place<f32>,
    numerics: Numerics,
) -> Option<pwp_sim_status> {
    let Route::Exact(function, _) = Route::find(simulator?, Function::of_id(value)?, numerics)? else { return None };
    Some(put(out, exact::evaluate(function, v, alpha)))
}

#[inline(always)]
fn put(out: Place<f32>, y: f32) -> pwp_sim_status {
    out.put(y);
    pwp_sim_status::PWP_SIM_OK
}

/// One element by the steps of the definition. Not inlined: [`by_table`] then has no stack frame.
#[cold]
#[inline(never)]
fn by_definition(table: &Table, value: i32, v: f32, out: Place<f32>) -> pwp_sim_status {
    entry!(=> {
        let y = definition::evaluate(table, v);
        out.put(y.unwrap_or(eval::NAN));
        Unhandled { count: y.is_none().into(), first: 0 }.result(Function::from_id(value)?)
    })
}

/// The value of a route at the scaled input `v`, where that takes neither the steps of the definition nor an error.
#[inline]
pub fn at_once(route: Route<'_>, v: f32, alpha: f32) -> Option<f32> {
    match route {
        Route::Table(table, _) => eval::at_once(table, v),
        Route::Exact(function, _) => Some(exact::evaluate(function, v, alpha)),
    }
}
