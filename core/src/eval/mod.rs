//! The table path over a block of inputs: [`definition`] is the definition, [`scalar`] and [`kernel`] repeat it faster,
//! and this file says which of them may run and counts what no section covers.

pub mod definition;
mod guard;
mod kernel;
mod scalar;

#[cfg(test)]
pub(crate) mod tests;

pub use crate::float::NAN;
pub use crate::lanes::Tier;
pub use scalar::{at_once, evaluate};

use crate::affine::Affine;
use crate::error::{Error, Result};
use crate::float::environment;
use crate::function::Function;
use crate::table::Table;

/// Inputs of one call that no section covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unhandled {
    /// How many.
    pub count: u64,
    /// The index of the first; meaningless while `count` is 0.
    pub first: usize,
}

impl Unhandled {
    /// Counts the input at `index`. Indices come in ascending order.
    #[inline]
    pub fn add(&mut self, index: usize) {
        if self.count == 0 {
            self.first = index;
        }
        self.count += 1;
    }

    /// Adds what a later block, whose first element has index `offset`, found.
    #[inline]
    pub fn merge(&mut self, later: Unhandled, offset: usize) {
        if self.count == 0 {
            self.first = offset + later.first;
        }
        self.count += later.count;
    }

    /// The result of a call of `function` that left these unhandled.
    ///
    /// # Errors
    /// [`Error::UnhandledSection`] when there are any.
    #[inline]
    pub fn result(self, function: Function) -> Result<()> {
        match self.count {
            0 => Ok(()),
            count => Err(Error::UnhandledSection { function: function.name(), count, first: self.first }),
        }
    }
}

/// Replaces every `v` of `data` by the table's value at the scaled `v`; unhandled inputs become NaN.
///
/// The bits do not depend on the tier. Outside the default floating-point environment every tier takes the steps of
/// the definition.
#[inline]
pub fn evaluate_block(tier: Tier, table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
    if environment::is_default() {
        kernel::evaluate_block(tier, table, affine, data)
    } else {
        element_by_element(data, |v| definition::evaluate(table, affine.scaled(v)))
    }
}

#[inline]
fn element_by_element(data: &mut [f32], evaluate: impl Fn(f32) -> Option<f32>) -> Unhandled {
    let mut unhandled = Unhandled::default();
    for (index, v) in data.iter_mut().enumerate() {
        *v = evaluate(*v).unwrap_or_else(|| {
            unhandled.add(index);
            NAN
        });
    }
    unhandled
}
