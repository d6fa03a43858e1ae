//! The table path over a block of inputs: picks the tier and counts what no section covers.

pub mod scalar;

use crate::affine::Affine;
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
}

/// Replaces every `v` of `data` by the table's value at the scaled `v`; unhandled inputs become NaN.
pub fn evaluate_block(table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
    let mut unhandled = Unhandled::default();
    for (index, v) in data.iter_mut().enumerate() {
        *v = scalar::evaluate(table, affine.scaled(*v)).unwrap_or_else(|| {
            unhandled.add(index);
            scalar::NAN
        });
    }
    unhandled
}
