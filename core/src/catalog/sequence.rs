//! Which sets to load, and when, for a list of functions: greedy first fit (`docs/behaviour.md`, section 8).

use std::ops::Range;

use super::Catalog;
use crate::error::{Error, Result};

/// One load, and the functions of the list that run on it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Load {
    /// The index of the set.
    pub set: usize,
    /// The functions from this load to the next, as places in the list.
    pub functions: Range<usize>,
}

impl Catalog {
    /// The loads that a list of profile functions takes, in order.
    ///
    /// The functions since the last load are kept together as long as some set holds them all; the first such set, in
    /// the catalog's order, is the one loaded. Functions that every set holds never force a load. An empty list takes
    /// none.
    ///
    /// # Errors
    /// [`Error::NoProfile`] for the first function that no set holds.
    pub fn sequence<S: AsRef<str>>(&self, functions: &[S]) -> Result<Vec<Load>> {
        let mut loads = Vec::new();
        let mut start = 0;
        let mut candidates: Vec<usize> = Vec::new();
        for (place, function) in functions.iter().enumerate() {
            let holding = self.sets_of(function.as_ref());
            if holding.is_empty() {
                return Err(Error::NoProfile {
                    function: function.as_ref().to_owned(),
                    detail: "no set of the catalog holds it".to_owned(),
                });
            }
            let left: Vec<usize> = candidates.iter().copied().filter(|set| holding.contains(set)).collect();
            if !left.is_empty() {
                candidates = left;
                continue;
            }
            if let Some(&set) = candidates.first() {
                loads.push(Load { set, functions: start..place });
            }
            start = place;
            candidates = holding;
        }
        loads.extend(candidates.first().map(|&set| Load { set, functions: start..functions.len() }));
        Ok(loads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::roster::{RESIDENTS, Roster};

    fn names(functions: &[&str]) -> Vec<(String, Range<usize>)> {
        let catalog = Roster::Trainium.catalog();
        let loads = catalog.sequence(functions).unwrap();
        loads.into_iter().map(|load| (catalog.sets[load.set].name.clone(), load.functions)).collect()
    }

    #[test]
    fn functions_of_one_set_take_one_load() {
        assert_eq!(names(&["exp", "tanh", "exp"]), [("exp_and_others".to_owned(), 0..3)]);
        assert_eq!(names(&["ln", "exp"]), [("natural_log_exp_and_others".to_owned(), 0..2)]);
        assert_eq!(names(&["tanh", "gelu"]), [("gelu_and_others".to_owned(), 0..2)]);
    }

    #[test]
    fn a_function_that_no_common_set_holds_starts_the_next_load() {
        let expected = [("exp_and_others".to_owned(), 0..3), ("sqrt_and_others".to_owned(), 3..4)];
        assert_eq!(names(&["exp", "relu", "tanh", "sqrt"]), expected);
        // Greedy: ln alone would do with natural_log, and the walk does not look ahead past tanh.
        let expected = [("natural_log".to_owned(), 0..1), ("exp_and_others".to_owned(), 1..3)];
        assert_eq!(names(&["ln", "tanh", "exp"]), expected);
    }

    #[test]
    fn hardwired_functions_never_force_a_load() {
        for resident in RESIDENTS {
            assert_eq!(names(&["sqrt", resident, "sqrt"]).len(), 1);
            assert_eq!(names(&[resident, "mish"]), [("mish_and_others".to_owned(), 0..2)]);
        }
    }

    #[test]
    fn the_loads_cover_the_list_and_every_set_holds_its_functions() {
        for roster in Roster::ALL {
            let catalog = roster.catalog();
            let functions = catalog.functions();
            // A fixed walk over the functions that comes by every one several times.
            let list: Vec<&str> = (0..500).map(|step| functions[step * step * 7 % functions.len()]).collect();
            let loads = catalog.sequence(&list).unwrap();
            let mut next = 0;
            for load in loads {
                assert_eq!(load.functions.start, next);
                assert!(list[load.functions.clone()].iter().all(|function| catalog.sets[load.set].holds(function)));
                next = load.functions.end;
            }
            assert_eq!(next, list.len());
        }
    }

    #[test]
    fn an_empty_list_takes_no_load_and_an_unknown_function_is_named() {
        let catalog = Roster::WithLn.catalog();
        assert_eq!(catalog.sequence::<&str>(&[]), Ok(vec![]));
        let text = catalog.sequence(&["exp", "silu"]).unwrap_err().to_string();
        assert!(text.contains("silu") && text.contains("no set of the catalog holds it"), "{text}");
    }
}
