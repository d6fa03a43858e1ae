//! The path of one call, and the look-ups that the C interface makes before it takes one. For [`crate::engine`] only.

use std::sync::Arc;

use super::{Numerics, Simulator};
use crate::affine::Affine;
use crate::error::Result;
use crate::eval::{self, Tier, Unhandled};
use crate::exact;
use crate::function::Function;
use crate::source::TableSet;
use crate::table::Table;

/// Elements that are copied and evaluated at a time: a block stays in the first-level cache between the two.
pub const BLOCK: usize = 2048;

/// The path of one call.
#[derive(Clone, Copy)]
pub enum Route<'a> {
    /// By this table, on this tier.
    Table(&'a Table, Tier),
    /// By the closed form of this function, on this tier.
    Exact(Function, Tier),
}

impl<'a> Route<'a> {
    /// The path of a call, or none where the table path is due and the function has no table.
    #[inline]
    pub fn find(simulator: &'a Simulator, function: Function, numerics: Numerics) -> Option<Route<'a>> {
        match &simulator.tables {
            Some(_) if numerics == Numerics::Table && function != Function::Prelu => {
                table_due(simulator, function as i32, numerics).map(|table| Route::Table(table, simulator.tier))
            }
            _ => Some(Route::Exact(function, simulator.tier)),
        }
    }

    /// [`Route::find`], with an error that says which table is missing and where.
    ///
    /// # Errors
    /// [`Error::NoProfile`](crate::Error::NoProfile) when the table path is due and the function has no table.
    #[inline]
    pub fn of(simulator: &'a Simulator, function: Function, numerics: Numerics) -> Result<Route<'a>> {
        match Route::find(simulator, function, numerics) {
            Some(route) => Ok(route),
            None => simulator.table(function).map(|table| Route::Table(table, simulator.tier)),
        }
    }

    /// The tier that computes.
    #[inline]
    pub fn tier(self) -> Tier {
        match self {
            Route::Table(_, tier) | Route::Exact(_, tier) => tier,
        }
    }

    /// The value of `function`, whose path this is, at the scaled input `v`. `alpha` is the slope of Prelu.
    ///
    /// # Errors
    /// [`Error::UnhandledSection`](crate::Error::UnhandledSection) when no section of the table covers `v`.
    #[inline]
    pub fn evaluate(self, function: Function, v: f32, alpha: f32) -> Result<f32> {
        let y = match self {
            Route::Table(table, _) => eval::evaluate(table, v),
            Route::Exact(function, _) => Some(exact::evaluate(function, v, alpha)),
        };
        Unhandled { count: y.is_none().into(), first: 0 }.result(function).map(|()| y.unwrap_or(eval::NAN))
    }

    /// Replaces every `v` of `data` by the function at the scaled `v`; unhandled inputs become NaN.
    #[inline]
    pub fn evaluate_block(self, affine: &Affine, data: &mut [f32]) -> Unhandled {
        match self {
            Route::Table(table, tier) => eval::evaluate_block(tier, table, affine, data),
            Route::Exact(function, tier) => {
                exact::evaluate_block(tier, function, affine, data);
                Unhandled::default()
            }
        }
    }
}

/// The table that a call of the function with this value takes, if it takes one.
#[inline(always)]
pub fn table_due(simulator: &Simulator, value: i32, numerics: Numerics) -> Option<&Table> {
    match numerics {
        Numerics::Table => simulator.due.get(value as usize)?.as_deref(),
        Numerics::Exact => None,
    }
}

/// The simulator of this set.
pub fn simulator(tables: Arc<TableSet>) -> Simulator {
    Simulator::of(Some(tables))
}

/// The tables of the simulator, shared by all of one unchanged source.
pub fn tables(simulator: &Simulator) -> Option<&Arc<TableSet>> {
    simulator.tables.as_ref()
}
