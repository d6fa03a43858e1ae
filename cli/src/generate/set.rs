//! The embedded set: every table that goes into the library, with its budget and its number of sections.

use pwp_sim_core::catalog::roster::{SHAPES, Shape};
use pwp_sim_core::function::{ROWS, Row};

use super::table::{Generated, Target};
use crate::truth::Curve;

/// One table to make.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The function.
    pub curve: Curve,
    /// The budget in the file name, where the table has one.
    pub budget: Option<u32>,
    /// What the table is to reach.
    pub target: Target,
}

impl Entry {
    /// The name of the profile: `exp_400p`.
    pub fn file_name(&self, table: &Generated) -> String {
        format!("{}_{}p", self.curve.name(), self.number(table))
    }

    /// The number in the profile's name: the budget, the number of sections asked for or else that of the table; 1
    /// for hardwired functions.
    pub fn number(&self, table: &Generated) -> u32 {
        match (self.budget, self.target) {
            (Some(budget), _) => budget,
            (None, Target::Sections(sections)) if table.sections > 0 => sections as u32,
            _ => table.sections.max(1) as u32,
        }
    }
}

/// The embedded set: every table of the published rosters with its published number of sections; the simulator's
/// functions come first, in their order.
pub fn embedded() -> Vec<Entry> {
    let place = |shape: &Shape| {
        let of_simulator = |row: &Row| (row.profile, row.budget.max(1)) == (Some(shape.function), shape.budget);
        ROWS.iter().position(of_simulator).unwrap_or(ROWS.len())
    };
    let mut shapes = SHAPES.to_vec();
    shapes.sort_by_key(place);
    let entry = |shape: Shape| Entry {
        curve: shape.function.parse().expect("every published table is of a curve"),
        budget: Some(shape.budget),
        target: Target::Published(shape.sections as usize),
    };
    shapes.into_iter().map(entry).collect()
}

/// Every function once, with one target.
pub fn each_with(target: Target) -> Vec<Entry> {
    Curve::all().map(|curve| Entry { curve, budget: None, target }).collect()
}
