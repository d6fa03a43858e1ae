//! The table path over a block of inputs: picks the tier and counts what no section covers.

pub mod scalar;

pub use scalar::evaluate;

use crate::affine::Affine;
use crate::error::{Error, Result};
use crate::function::Function;
use crate::table::Table;

/// An implementation of the table path. All give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// One element at a time, on any CPU.
    Scalar,
}

impl Tier {
    /// The tier for new simulators.
    pub fn chosen() -> Tier {
        Tier::Scalar
    }

    /// The tier's name, as `PWP_SIM_TIER` takes it.
    pub fn name(self) -> &'static str {
        "scalar"
    }
}

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
pub fn evaluate_block(tier: Tier, table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
    match tier {
        Tier::Scalar => {}
    }
    let mut unhandled = Unhandled::default();
    for (index, v) in data.iter_mut().enumerate() {
        *v = scalar::evaluate(table, affine.scaled(*v)).unwrap_or_else(|| {
            unhandled.add(index);
            scalar::NAN
        });
    }
    unhandled
}
