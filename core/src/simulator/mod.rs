//! The simulator: where its tables come from, which path a call takes, and the call itself.
//!
//! `docs/behaviour.md`, sections 1 and 5. A simulator never changes after it was built: calls on one from any number
//! of threads need no lock.

#[cfg(feature = "parallel")]
mod parallel;
#[cfg(feature = "parallel")]
mod pool;
mod route;
mod typed;

use std::ffi::OsStr;
use std::sync::Arc;

use crate::affine::Affine;
use crate::error::{Error, Result};
use crate::eval::{Tier, Unhandled};
use crate::function::{Function, ID_END};
use crate::source::{Source, TableSet};
use crate::table::Table;

pub use route::{BLOCK, Route, simulator, table_due, tables};
pub use typed::TYPED_BLOCK;

/// Which numbers a call gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numerics {
    /// The hardware's: the function's table, where the simulator has tables at all. (Prelu has none in any source and is
    /// always exact.) A function without a table is then an error.
    Table,
    /// The exact closed form.
    Exact,
}

/// Computes the functions, by table or by closed form.
#[derive(Debug, Clone)]
pub struct Simulator {
    tables: Option<Arc<TableSet>>,
    /// The tables that calls take which ask for one, by the function's value: those of `tables`, but for Prelu's. Here so
    /// that a call with one element has one test and one step to its table.
    due: [Option<Arc<Table>>; ID_END],
    tier: Tier,
}

impl Simulator {
    /// A simulator without tables: every call takes the exact path.
    pub fn exact() -> Simulator {
        Simulator::of(None)
    }

    /// A simulator with the tables that `source` names, in the spellings of [`Source::parse`]: a profile directory;
    /// `builtin:` for the embedded tables; `<directory>#<set>` for what one load of a set of that directory's catalog
    /// makes resident (`builtin:trainium#<set>` and `builtin:with_ln#<set>` for the published rosters). The empty string
    /// is [`Simulator::exact`].
    ///
    /// # Errors
    /// [`Error::ProfileIo`] when `source` does not exist, is no directory, has no profile or cannot be read,
    /// [`Error::ProfileFormat`] when a file in it is no valid profile.
    pub fn open(source: impl AsRef<OsStr>) -> Result<Simulator> {
        Simulator::from_source(&Source::parse(source)?)
    }

    /// A simulator with the tables of `source`. Files are read once, here; simulators of an unchanged source share their
    /// tables.
    ///
    /// # Errors
    /// As [`Simulator::open`].
    pub fn from_source(source: &Source) -> Result<Simulator> {
        let tables = TableSet::open(source)?;
        if let (Source::Directory(path), Some(set)) = (source, &tables)
            && set.by_value().iter().all(Option::is_none)
        {
            return Err(Error::io(path, format_args!("no profile in this directory")));
        }
        Ok(Simulator::of(tables))
    }

    /// A simulator with these tables; of two of one function the last counts.
    pub fn from_tables(tables: impl IntoIterator<Item = (Function, Table)>) -> Simulator {
        Simulator::of(Some(Arc::new(TableSet::given(tables))))
    }

    fn of(tables: Option<Arc<TableSet>>) -> Simulator {
        let mut due = tables.as_ref().map_or([const { None }; ID_END], |tables| tables.by_value().clone());
        due[Function::Prelu as usize] = None;
        Simulator { tables, due, tier: Tier::from_env() }
    }

    /// Whether calls that ask for [`Numerics::Table`] take the table path. They take the exact one otherwise.
    pub fn has_tables(&self) -> bool {
        self.tables.is_some()
    }

    /// The simulator on another tier. The bits are the same on all.
    pub fn with_tier(self, tier: Tier) -> Simulator {
        Simulator { tier, ..self }
    }

    /// The tier: [`Tier::from_env`]'s, or the one that [`Simulator::with_tier`] chose.
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

    /// `function` at `x`, without scaling. `alpha` is the slope of Prelu.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when the table path is due and the function has no table,
    /// [`Error::UnhandledSection`] when no section of the table covers `x`.
    #[inline]
    pub fn evaluate(&self, function: Function, x: f32, alpha: f32, numerics: Numerics) -> Result<f32> {
        Route::of(self, function, numerics)?.evaluate(function, x, alpha)
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
        numerics: Numerics,
    ) -> Result<()> {
        if input.len() != output.len() {
            let lengths = format!("{} inputs and {} outputs", input.len(), output.len());
            return Err(Error::InvalidArgument(lengths));
        }
        let route = Route::of(self, function, numerics)?;
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
    pub fn apply_in_place(
        &self,
        function: Function,
        affine: &Affine,
        data: &mut [f32],
        numerics: Numerics,
    ) -> Result<()> {
        Route::of(self, function, numerics)?.evaluate_block(affine, data).result(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_exp_has_its_published_bits() {
        let simulator = Simulator::open("builtin:").unwrap();
        let table = |x: f32| simulator.evaluate(Function::Exp, x, 0.0, Numerics::Table).map(f32::to_bits);
        assert_eq!(table(0.5), Ok(0x3fd3_08b1));
        assert_eq!(simulator.evaluate(Function::Exp, 0.5, 0.0, Numerics::Exact).map(f32::to_bits), Ok(0x3fd3_094c)); // 1.6487213
        assert!(simulator.has_tables());
    }

    #[test]
    fn only_the_functions_of_a_loaded_set_have_tables() {
        let simulator = Simulator::open("builtin:trainium#exp_and_others").unwrap();
        assert!(simulator.evaluate(Function::Exp, 0.5, 0.0, Numerics::Table).is_ok());
        let text = simulator.evaluate(Function::Gelu, 0.5, 0.0, Numerics::Table).unwrap_err().to_string();
        assert!(text.contains("Gelu") && text.contains("gelu_and_others (10)"), "{text}");
        assert!(simulator.evaluate(Function::Gelu, 0.5, 0.0, Numerics::Exact).is_ok());
    }

    #[test]
    fn tables_of_one_s_own_serve_their_functions_alone() {
        let exp = Simulator::open("builtin:").unwrap().table(Function::Exp).unwrap().clone();
        let simulator = Simulator::from_tables([(Function::Tanh, exp)]);
        assert_eq!(simulator.evaluate(Function::Tanh, 0.5, 0.0, Numerics::Table).map(f32::to_bits), Ok(0x3fd3_08b1));
        let missing = simulator.evaluate(Function::Exp, 0.5, 0.0, Numerics::Table).unwrap_err().to_string();
        assert_eq!(missing, "no table for function Exp: it is not among the simulator's tables");
    }

    #[test]
    fn prelu_is_exact_on_a_simulator_with_tables() {
        let simulator = Simulator::open("builtin:").unwrap();
        assert_eq!(simulator.evaluate(Function::Prelu, -3.0, 2.0, Numerics::Table), Ok(-6.0));
    }

    #[test]
    fn without_tables_every_call_is_exact() {
        let simulator = Simulator::open("").unwrap();
        assert!(!simulator.has_tables());
        assert_eq!(simulator.evaluate(Function::Exp, 0.0, 0.0, Numerics::Table), Ok(1.0));
        assert!(matches!(simulator.table(Function::Exp), Err(Error::NoProfile { .. })));
    }

    #[test]
    fn a_function_without_a_table_is_an_error_and_never_the_exact_form() {
        let simulator = Simulator::open("builtin:").unwrap();
        assert!(matches!(
            simulator.evaluate(Function::LnPrime, 1.0, 0.0, Numerics::Table),
            Err(Error::NoProfile { .. })
        ));
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
        let table = Table::new(&profile).unwrap();
        let mut data = vec![0.5f32; BLOCK];
        data[7] = 1.5;
        data[2000] = 1.0;
        let unhandled = Route::Table(&table, Tier::from_env()).evaluate_block(&Affine::UNIT, &mut data);
        assert_eq!(unhandled, Unhandled { count: 2, first: 7 });
        assert!(data[7].is_nan() && data[2000].is_nan());
        assert_eq!(data.iter().filter(|y| y.to_bits() == 0x3fd3_08b1).count(), BLOCK - 2);
    }
}
