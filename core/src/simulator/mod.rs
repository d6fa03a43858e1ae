//! The simulator: where its tables come from, which path a call takes, and the call itself.
//!
//! `docs/behaviour.md`, sections 1 and 5. A simulator never changes after it was built: calls on one from any number
//! of threads need no lock.

#[cfg(feature = "parallel")]
mod parallel;

use std::ffi::OsStr;
use std::sync::Arc;

use crate::affine::Affine;
use crate::error::{Error, Result};
use crate::eval::{self, Tier, Unhandled};
use crate::exact;
use crate::function::{Function, ID_END};
use crate::source::TableSet;
use crate::table::Table;

/// Elements that are copied and evaluated at a time: a block stays in the first-level cache between the two.
pub const BLOCK: usize = 2048;

/// Computes the functions, by table or by closed form.
#[derive(Debug, Clone)]
pub struct Simulator {
    tables: Option<Arc<TableSet>>,
    /// The tables that calls take which ask for one, by the function's value: those of `tables`, but for Prelu's. Here so
    /// that a call with one element has one test and one step to its table.
    due: [Option<Arc<Table>>; ID_END],
    tier: Tier,
}

/// The path of one call: a table, or the closed form of a function.
#[derive(Clone, Copy)]
/// The path of one call.
pub enum Route<'a> {
    /// By this table, on this tier.
    Table(&'a Table, Tier),
    /// By the closed form.
    Exact(Function),
}

impl Simulator {
    /// A simulator without tables: every call takes the exact path.
    pub fn exact() -> Simulator {
        Simulator::new(None)
    }

    /// A simulator with the tables that `source` names: a profile directory; `builtin:` for the embedded tables;
    /// `<directory>#<set>` for what one load of a set of that directory's catalog makes resident, the set by name or
    /// index (`builtin:trainium#<set>` and `builtin:with_ln#<set>` for the published rosters). The empty string is
    /// [`Simulator::exact`]. Files are read once, here; simulators of an unchanged source share their tables.
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

    /// A simulator with these tables, or none.
    pub fn new(tables: Option<Arc<TableSet>>) -> Simulator {
        let mut due = tables.as_ref().map_or([const { None }; ID_END], |tables| tables.by_value().clone());
        due[Function::Prelu as usize] = None;
        Simulator { tables, due, tier: Tier::from_env() }
    }

    /// Whether calls with `use_pwp` take the table path.
    pub fn can_use_pwp_table(&self) -> bool {
        self.tables.is_some()
    }

    /// The tables of the simulator, shared by all of one unchanged source.
    pub fn tables(&self) -> Option<&Arc<TableSet>> {
        self.tables.as_ref()
    }

    /// The tier of the table path: what [`Tier::from_env`] said when the simulator was built.
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

    /// The table that a call of the function with this value takes, if it takes one.
    #[inline(always)]
    pub fn table_due(&self, value: i32, use_pwp: bool) -> Option<&Table> {
        if use_pwp { self.due.get(value as usize)?.as_deref() } else { None }
    }

    /// The path of a call, or none where the table path is due and the function has no table.
    #[inline]
    pub fn find_route(&self, function: Function, use_pwp: bool) -> Option<Route<'_>> {
        match &self.tables {
            Some(_) if use_pwp && function != Function::Prelu => {
                self.table_due(function as i32, true).map(|table| Route::Table(table, self.tier))
            }
            _ => Some(Route::Exact(function)),
        }
    }

    /// [`Simulator::find_route`], with an error that says which table is missing and where.
    #[inline]
    pub fn route(&self, function: Function, use_pwp: bool) -> Result<Route<'_>> {
        match self.find_route(function, use_pwp) {
            Some(route) => Ok(route),
            None => self.table(function).map(|table| Route::Table(table, self.tier)),
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
    pub fn evaluate_block(self, affine: &Affine, data: &mut [f32]) -> Unhandled {
        match self {
            Route::Table(table, tier) => eval::evaluate_block(tier, table, affine, data),
            Route::Exact(function) => {
                exact::evaluate_block(function, affine, data);
                Unhandled::default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_exp_has_its_published_bits() {
        let simulator = Simulator::open("builtin:").unwrap();
        let table = |x: f32| simulator.evaluate(Function::Exp, x, 0.0, true).map(f32::to_bits);
        assert_eq!(table(0.5), Ok(0x3fd3_08b1));
        assert_eq!(simulator.evaluate(Function::Exp, 0.5, 0.0, false).map(f32::to_bits), Ok(0x3fd3_094c)); // 1.6487213
        assert!(simulator.can_use_pwp_table());
    }

    #[test]
    fn only_the_functions_of_a_loaded_set_have_tables() {
        let simulator = Simulator::open("builtin:trainium#exp_and_others").unwrap();
        assert!(simulator.evaluate(Function::Exp, 0.5, 0.0, true).is_ok());
        let text = simulator.evaluate(Function::Gelu, 0.5, 0.0, true).unwrap_err().to_string();
        assert!(text.contains("Gelu") && text.contains("gelu_and_others (10)"), "{text}");
        assert!(simulator.evaluate(Function::Gelu, 0.5, 0.0, false).is_ok());
    }

    #[test]
    fn prelu_is_exact_on_a_simulator_with_tables() {
        let simulator = Simulator::open("builtin:").unwrap();
        assert_eq!(simulator.evaluate(Function::Prelu, -3.0, 2.0, true), Ok(-6.0));
    }

    #[test]
    fn without_tables_every_call_is_exact() {
        let simulator = Simulator::open("").unwrap();
        assert!(!simulator.can_use_pwp_table());
        assert_eq!(simulator.evaluate(Function::Exp, 0.0, 0.0, true), Ok(1.0));
        assert!(matches!(simulator.table(Function::Exp), Err(Error::NoProfile { .. })));
    }

    #[test]
    fn a_function_without_a_table_is_an_error_and_never_the_exact_form() {
        let simulator = Simulator::open("builtin:").unwrap();
        assert!(matches!(simulator.evaluate(Function::LnPrime, 1.0, 0.0, true), Err(Error::NoProfile { .. })));
    }

    #[test]
    fn a_path_that_is_no_directory_is_an_io_error() {
        for path in ["/nonexistent", "/dev/null", "builtin:trainium", "/nonexistent#small"] {
            assert!(matches!(Simulator::open(path), Err(Error::ProfileIo { .. })), "{path}");
        }
    }

    #[test]
    fn unhandled_inputs_become_nan_and_the_others_are_written() {
        let mut profile = Simulator::open("builtin:").unwrap().table(Function::Exp).unwrap().to_profile();
        profile.pos.retain(|region| region.exponent != 0);
        let table = Table::new(&profile);
        let mut data = vec![0.5f32; BLOCK];
        data[7] = 1.5;
        data[2000] = 1.0;
        let unhandled = Route::Table(&table, Tier::from_env()).evaluate_block(&Affine::UNIT, &mut data);
        assert_eq!(unhandled, Unhandled { count: 2, first: 7 });
        assert!(data[7].is_nan() && data[2000].is_nan());
        assert_eq!(data.iter().filter(|y| y.to_bits() == 0x3fd3_08b1).count(), BLOCK - 2);
    }
}
