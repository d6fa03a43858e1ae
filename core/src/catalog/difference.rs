//! What one catalog has and another has not (`docs/behaviour.md`, section 8).

use super::{Catalog, FunctionSet};

/// The difference between two catalogs: what the first lacks is *added*, what the second lacks is *removed*. Sets are
/// the same when their names are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Functions in some set of the first catalog only.
    pub removed_functions: Vec<String>,
    /// Functions in some set of the second catalog only.
    pub added_functions: Vec<String>,
    /// Sets of the first catalog only.
    pub removed_sets: Vec<String>,
    /// Sets of the second catalog only.
    pub added_sets: Vec<String>,
    /// Sets of both that differ.
    pub changed_sets: Vec<SetDifference>,
}

/// The difference between two sets of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetDifference {
    /// The name.
    pub name: String,
    /// Functions of the first catalog's set only.
    pub removed: Vec<String>,
    /// Functions of the second catalog's set only.
    pub added: Vec<String>,
    /// Functions with another budget: the first catalog's, then the second's.
    pub budgets: Vec<(String, u32, u32)>,
}

impl Difference {
    /// Compares `first` with `second`. The order of sets and of functions plays no part.
    pub fn between(first: &Catalog, second: &Catalog) -> Difference {
        let (before, after) = (first.functions(), second.functions());
        let set_names = |catalog: &Catalog, other: &Catalog| {
            let only = catalog.sets.iter().filter(|set| other.index(&set.name).is_none());
            only.map(|set| set.name.clone()).collect()
        };
        let pairs = first.sets.iter().filter_map(|set| Some((set, &second.sets[second.index(&set.name)?])));
        Difference {
            removed_functions: only_in(&before, &after),
            added_functions: only_in(&after, &before),
            removed_sets: set_names(first, second),
            added_sets: set_names(second, first),
            changed_sets: pairs.filter_map(|(set, other)| SetDifference::between(set, other)).collect(),
        }
    }

    /// Whether the catalogs are the same, but for order and file names.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }
}

impl SetDifference {
    fn between(first: &FunctionSet, second: &FunctionSet) -> Option<SetDifference> {
        let only = |set: &FunctionSet, other: &FunctionSet| -> Vec<String> {
            let functions = set.act.iter().map(|(function, _)| function);
            functions.filter(|function| !other.holds(function)).cloned().collect()
        };
        let budgets = first.act.iter().filter_map(|(function, budget)| {
            let other = second.budget(function).filter(|other| other != budget)?;
            Some((function.clone(), *budget, other))
        });
        let difference = SetDifference {
            name: first.name.clone(),
            removed: only(first, second),
            added: only(second, first),
            budgets: budgets.collect(),
        };
        let same = difference.removed.is_empty() && difference.added.is_empty() && difference.budgets.is_empty();
        (!same).then_some(difference)
    }
}

fn only_in(names: &[&str], others: &[&str]) -> Vec<String> {
    names.iter().filter(|name| !others.contains(name)).map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::roster::Roster;

    #[test]
    fn a_catalog_does_not_differ_from_itself_nor_from_its_reverse() {
        let catalog = Roster::Trainium.catalog();
        let mut reversed = catalog.clone();
        reversed.sets.reverse();
        reversed.sets[3].act.reverse();
        assert!(Difference::between(&catalog, &catalog).is_empty());
        assert!(Difference::between(&catalog, &reversed).is_empty());
    }

    #[test]
    fn the_rosters_differ_by_fourteen_functions_and_their_sets() {
        let difference = Difference::between(&Roster::WithLn.catalog(), &Roster::Trainium.catalog());
        assert_eq!((difference.removed_functions.len(), difference.added_functions.len()), (0, 14));
        assert_eq!(difference.removed_sets, ["softplus_tanh_and_others", "mish_and_small", "erf_and_others"]);
        assert_eq!(difference.added_sets.len(), 10);
        assert_eq!(difference.changed_sets.len(), 11); // every set of both: trainium's have more residents
    }

    #[test]
    fn a_budget_that_changes_is_told_with_both_values() {
        let before = Roster::WithLn.catalog();
        let mut after = before.clone();
        after.sets[0].act[0].1 = 40;
        let difference = Difference::between(&before, &after);
        assert!(difference.added_functions.is_empty() && difference.added_sets.is_empty());
        let expected = SetDifference {
            name: "exp_and_others".to_owned(),
            budgets: vec![("exp".to_owned(), 400, 40)],
            ..SetDifference::default()
        };
        assert_eq!(difference.changed_sets, [expected]);
    }
}
