//! The embedded set: every table that goes into the library, with its budget and its number of sections.

use pwp_sim_core::catalog::roster::{PublishedSize, SIZES};
use pwp_sim_core::function::{FUNCTIONS, FunctionInfo, ProfileName};

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
        ProfileName { function: self.curve.name(), budget: self.number(table) }.to_string()
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
    let place = |size: &PublishedSize| {
        let of_simulator = |info: &FunctionInfo| {
            (info.profile, info.budget.max(1)) == (Some(size.profile.function), size.profile.budget)
        };
        FUNCTIONS.iter().position(of_simulator).unwrap_or(FUNCTIONS.len())
    };
    let mut sizes = SIZES.to_vec();
    sizes.sort_by_key(place);
    let entry = |size: PublishedSize| Entry {
        curve: size.profile.function.parse().expect("every published table is of a curve"),
        budget: Some(size.profile.budget),
        target: Target::Published(size.sections as usize),
    };
    sizes.into_iter().map(entry).collect()
}

/// Every function once, with one target.
pub fn each_with(target: Target) -> Vec<Entry> {
    Curve::all().map(|curve| Entry { curve, budget: None, target }).collect()
}
