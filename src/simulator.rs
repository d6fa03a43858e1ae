//! The simulator: where its tables come from, which path a call takes, and the call itself.
//!
//! `docs/behaviour.md`, sections 1 and 5. A simulator never changes after it was built: calls on one from any number
//! of threads need no lock.

use std::ffi::OsStr;
use std::sync::Arc;

use crate::affine::Affine;
use crate::error::{Error, Result};
use crate::eval::{self, Tier, Unhandled};
use crate::exact;
use crate::function::Function;
use crate::table::Table;
use crate::tables::TableSet;

/// Elements that are copied and evaluated at a time: a block stays in the first-level cache between the two.
pub(crate) const BLOCK: usize = 2048;

/// Computes the functions, by table or by closed form.
#[derive(Debug, Clone)]
pub struct Simulator {
    tables: Option<Arc<TableSet>>,
    tier: Tier,
}

/// The path of one call: a table, or the closed form of a function.
#[derive(Clone, Copy)]
pub(crate) enum Route<'a> {
    Table(&'a Table, Tier),
    Exact(Function),
}

impl Simulator {
    /// A simulator without tables: every call takes the exact path.
    pub fn exact() -> Simulator {
        Simulator::new(None)
    }

    /// A simulator with the tables that `source` names: a profile directory, or `builtin:` for the embedded tables. The
    /// empty string is [`Simulator::exact`]. The directory is read once, here; simulators of an unchanged directory
    /// share their tables.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] when `source` does not exist, is no directory or cannot be read,
    /// [`Error::ProfileFormat`] when a file in it is no valid profile.
    pub fn open(source: impl AsRef<OsStr>) -> Result<Simulator> {
        let source = source.as_ref();
        if source.is_empty() {
            return Ok(Simulator::exact());
        }
        TableSet::open(source).map(|tables| Simulator::new(Some(tables)))
    }

    pub(crate) fn new(tables: Option<Arc<TableSet>>) -> Simulator {
        Simulator { tables, tier: Tier::chosen() }
    }

    /// Whether calls with `use_pwp` take the table path.
    pub fn can_use_pwp_table(&self) -> bool {
        self.tables.is_some()
    }

    #[cfg(cxx_abi)]
    pub(crate) fn tables(&self) -> Option<&Arc<TableSet>> {
        self.tables.as_ref()
    }

    /// The tier of the table path: what [`Tier::chosen`] said when the simulator was built.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The table of `function`.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when the simulator has none.
    pub fn table(&self, function: Function) -> Result<&Table> {
        match &self.tables {
            Some(tables) => tables.table(function),
            None => Err(Error::NoProfile {
                function: function.name().to_owned(),
                detail: "the simulator was created without tables".to_owned(),
            }),
        }
    }

    /// Picks the path of a call.
    #[inline]
    pub(crate) fn route(&self, function: Function, use_pwp: bool) -> Result<Route<'_>> {
        match &self.tables {
            Some(tables) if use_pwp && function != Function::Prelu => {
                tables.table(function).map(|table| Route::Table(table, self.tier))
            }
            _ => Ok(Route::Exact(function)),
        }
    }

    /// `function` at `x`, without scaling. `alpha` is the slope of Prelu.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when the table path is due and the function has no table,
    /// [`Error::UnhandledSection`] when no section of the table covers `x`.
    #[inline]
    pub fn evaluate(&self, function: Function, x: f32, alpha: f32, use_pwp: bool) -> Result<f32> {
        match self.route(function, use_pwp)? {
            Route::Exact(function) => Ok(exact::evaluate(function, x, alpha)),
            Route::Table(table, _) => eval::evaluate(table, x).ok_or_else(|| {
                let unhandled = Unhandled { count: 1, first: 0 };
                unhandled.result(function).unwrap_err()
            }),
        }
    }

    /// `output[i] = function(scale * input[i] + bias)`. Every element is written, also when the call fails with
    /// [`Error::UnhandledSection`]: the unhandled ones become NaN.
    ///
    /// # Errors
    /// As [`Simulator::evaluate`], and [`Error::InvalidArgument`] when the slices differ in length.
    pub fn apply(
        &self,
        function: Function,
        affine: &Affine,
        input: &[f32],
        output: &mut [f32],
        use_pwp: bool,
    ) -> Result<()> {
        if input.len() != output.len() {
            let lengths = format!("{} inputs and {} outputs", input.len(), output.len());
            return Err(Error::InvalidArgument(lengths));
        }
        let route = self.route(function, use_pwp)?;
        let mut unhandled = Unhandled::default();
        for (index, (input, output)) in input.chunks(BLOCK).zip(output.chunks_mut(BLOCK)).enumerate() {
            output.copy_from_slice(input);
            unhandled.merge(route.evaluate_block(affine, output), index * BLOCK);
        }
        unhandled.result(function)
    }

    /// [`Simulator::apply`] with the input and the output in one place.
    ///
    /// # Errors
    /// As [`Simulator::evaluate`].
    pub fn apply_in_place(&self, function: Function, affine: &Affine, data: &mut [f32], use_pwp: bool) -> Result<()> {
        self.route(function, use_pwp)?.evaluate_block(affine, data).result(function)
    }
}

impl Route<'_> {
    /// Replaces every `v` of `data` by the function at the scaled `v`; unhandled inputs become NaN.
    #[inline]
    pub(crate) fn evaluate_block(self, affine: &Affine, data: &mut [f32]) -> Unhandled {
        match self {
            Route::Table(table, tier) => eval::evaluate_block(tier, table, affine, data),
            Route::Exact(function) => {
                exact::evaluate_block(function, affine, data);
                Unhandled::default()
            }
        }
    }
}
