//! The embedded set: every table that goes into the library, with its budget and its number of sections.

use pwp_sim_core::catalog::hardwired::hardwired;
use pwp_sim_core::function::ROWS;

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

/// Tables that only the catalog names: budget and sections, as published, but for `ln_400p`: with more than
/// 1214 of its 1219 sections it would not fit into the image that it shares with exp.
const CATALOG: [(Curve, u32, usize); 3] =
    [(Curve::Ln, 400, 1214), (Curve::DerivativeSigmoid, 40, 797), (Curve::DerivativeTanh, 400, 397)];

/// The embedded set: the simulator's functions with the published number of sections, then what only the catalog
/// names.
pub fn embedded() -> Vec<Entry> {
    let mut entries = Vec::new();
    for row in &ROWS {
        let Some(curve) = row.profile.and_then(|name| name.parse::<Curve>().ok()) else { continue };
        if hardwired(curve.name()).is_some() {
            entries.push(Entry { curve, budget: Some(1), target: Target::Published(0) });
        } else if let Some(sections) = row.published_sections {
            entries.push(Entry { curve, budget: Some(row.budget), target: Target::Published(sections as usize) });
        }
    }
    let catalog = CATALOG.iter().map(|&(curve, budget, sections)| Entry {
        curve,
        budget: Some(budget),
        target: Target::Published(sections),
    });
    entries.extend(catalog);
    entries
}

/// Every function once, with one target.
pub fn each_with(target: Target) -> Vec<Entry> {
    Curve::all().map(|curve| Entry { curve, budget: None, target }).collect()
}
