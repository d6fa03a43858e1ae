//! The two published rosters, and the size of every table in them (`docs/figures.md`, act_info.json).

use super::{Catalog, FunctionSet, functions};
use crate::catalog::embedded;
use crate::catalog::image::{TRAINIUM_STRIDE, WITH_LN_STRIDE};
use crate::error::{Error, Result};

/// A published roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Roster {
    /// Trainium: 21 sets, the same 13 residents in each.
    Trainium,
    /// The older target: 14 sets.
    WithLn,
}

/// The hardwired functions of every trainium set, in the order of the published `exp_and_others`. In what order the
/// other sets have them is not published; here they follow the set's tables in this order.
pub const RESIDENTS: [&str; 13] = [
    "identity",
    "copy",
    "leaky_relu",
    "parametric_relu",
    "abs",
    "sign",
    "memset_zero",
    "relu",
    "derivative_relu",
    "derivative_leaky_relu",
    "derivative_identity",
    "is_finite",
    "square",
];

type Budgets = &'static [(&'static str, u32)];

/// Name and budgets above 1 of the trainium sets; each has the residents besides.
const TRAINIUM: [(&str, Budgets); 21] = [
    ("exp_and_others", &[("exp", 400), ("tanh", 4)]),
    ("softplus_and_others", &[("softplus", 40)]),
    ("sigmoid_and_others", &[("sigmoid", 40), ("tanh", 4), ("erf", 4), ("arctan", 4)]),
    ("sqrt_and_others", &[("sqrt", 65536)]),
    ("small", &[]),
    ("natural_log", &[("ln", 40)]),
    ("natural_log_exp_and_others", &[("ln", 400), ("exp", 400)]),
    ("sigmoid_derivative", &[("derivative_sigmoid", 40)]),
    ("tanh_and_derivative", &[("derivative_tanh", 400), ("tanh", 4)]),
    ("trig_and_small", &[("sin", 4), ("arctan", 4)]),
    ("gelu_and_others", &[("derivative_gelu", 40), ("gelu", 4), ("tanh", 4)]),
    ("gelu_apprx_tanh_and_others", &[("gelu_apprx_tanh", 40), ("tanh", 4)]),
    ("gelu_apprx_sigmoid_and_others", &[("gelu_apprx_sigmoid", 40), ("tanh", 4)]),
    ("reciprocal_and_small", &[("reciprocal", 400)]),
    ("reciprocal_sqrt_and_small", &[("reciprocal_sqrt", 40000)]),
    ("abs_reciprocal_sqrt_and_small", &[("abs_reciprocal_sqrt", 40000)]),
    ("mish_and_others", &[("mish", 4)]),
    ("erf_derivative", &[("derivative_erf", 400)]),
    ("silu_and_others", &[("silu", 32), ("tanh", 4), ("sin", 4)]),
    ("derivative_silu_and_others", &[("derivative_silu", 32), ("tanh", 4), ("sin", 4)]),
    ("derivative_gelu_apprx_sigmoid_and_others", &[("derivative_gelu_apprx_sigmoid", 4096), ("tanh", 4)]),
];

/// Name, budgets above 1 and residents of the older target's sets, in the published order.
#[rustfmt::skip]
const WITH_LN: [(&str, Budgets, &[&str]); 14] = [
    ("exp_and_others", &[("exp", 400), ("tanh", 4)],
        &["identity", "leaky_relu", "parametric_relu", "relu", "abs", "sign"]),
    ("sigmoid_and_others", &[("sigmoid", 40), ("tanh", 4)],
        &["identity", "leaky_relu", "parametric_relu", "relu", "abs", "sign"]),
    ("softplus_tanh_and_others", &[("softplus", 40), ("tanh", 4)],
        &["identity", "leaky_relu", "parametric_relu", "relu", "abs", "sign"]),
    ("sqrt_and_others", &[("sqrt", 65536)],
        &["identity", "leaky_relu", "parametric_relu", "relu", "sign", "abs", "square"]),
    ("small", &[],
        &["relu", "leaky_relu", "parametric_relu", "identity", "sign", "abs", "square"]),
    ("natural_log", &[("ln", 40)],
        &["abs"]),
    ("gelu_and_others", &[("gelu", 4), ("tanh", 4)],
        &["relu", "leaky_relu", "parametric_relu", "abs", "sign", "identity"]),
    ("gelu_apprx_tanh_and_others", &[("gelu_apprx_tanh", 40), ("tanh", 4)],
        &["relu", "leaky_relu", "parametric_relu", "abs", "sign", "identity"]),
    ("gelu_apprx_sigmoid_and_others", &[("gelu_apprx_sigmoid", 40), ("tanh", 4)],
        &["relu", "leaky_relu", "parametric_relu", "abs", "sign", "identity"]),
    ("mish_and_small", &[("mish", 4)],
        &["relu", "leaky_relu", "parametric_relu", "sign", "abs", "identity"]),
    ("reciprocal_and_small", &[("reciprocal", 400)],
        &["parametric_relu", "sign", "abs", "square"]),
    ("reciprocal_sqrt_and_small", &[("reciprocal_sqrt", 40000)],
        &["identity", "square", "abs", "sign"]),
    ("trig_and_small", &[("sin", 4), ("arctan", 4)],
        &["relu", "abs", "leaky_relu", "parametric_relu", "sign", "identity"]),
    ("erf_and_others", &[("erf", 4), ("tanh", 4), ("sin", 4)],
        &["relu", "abs", "leaky_relu", "parametric_relu", "identity", "sign", "square"]),
];

/// The size of a profile in the published sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// The profile function.
    pub function: &'static str,
    /// Its budget.
    pub budget: u32,
    /// Sections stored, without the four saturation sections.
    pub sections: u32,
    /// Octaves, both sides together.
    pub octaves: u32,
}

const fn shape(function: &'static str, budget: u32, sections: u32, octaves: u32) -> Shape {
    Shape { function, budget, sections, octaves }
}

/// Every profile of the two rosters: the only sizes with which the published byte counts of all 35 sets add up. Among
/// them `ln_40p` with 1219 sections and `ln_400p` with 513, not the other way round.
pub const SHAPES: [Shape; 37] = [
    shape("identity", 1, 0, 2),
    shape("copy", 1, 0, 2),
    shape("leaky_relu", 1, 0, 2),
    shape("parametric_relu", 1, 0, 0),
    shape("abs", 1, 0, 2),
    shape("sign", 1, 0, 1),
    shape("memset_zero", 1, 0, 1),
    shape("relu", 1, 0, 2),
    shape("derivative_relu", 1, 0, 2),
    shape("derivative_leaky_relu", 1, 0, 2),
    shape("derivative_identity", 1, 0, 2),
    shape("is_finite", 1, 0, 1),
    shape("square", 1, 0, 1),
    shape("exp", 400, 777, 52),
    shape("tanh", 4, 104, 17),
    shape("softplus", 40, 828, 41),
    shape("sigmoid", 40, 796, 11),
    shape("erf", 4, 66, 7),
    shape("arctan", 4, 168, 27),
    shape("sqrt", 65536, 1113, 234),
    shape("ln", 40, 1219, 128),
    shape("ln", 400, 513, 128),
    shape("derivative_sigmoid", 40, 797, 11),
    shape("derivative_tanh", 400, 397, 12),
    shape("sin", 4, 55, 13),
    shape("derivative_gelu", 40, 115, 9),
    shape("gelu", 4, 504, 21),
    shape("gelu_apprx_tanh", 40, 945, 20),
    shape("gelu_apprx_sigmoid", 40, 1042, 23),
    shape("reciprocal", 400, 1016, 85),
    shape("reciprocal_sqrt", 40000, 1202, 185),
    shape("abs_reciprocal_sqrt", 40000, 1202, 185),
    shape("mish", 4, 1099, 24),
    shape("derivative_erf", 400, 466, 10),
    shape("silu", 32, 908, 25),
    shape("derivative_silu", 32, 1008, 12),
    shape("derivative_gelu_apprx_sigmoid", 4096, 1283, 13),
];

impl Roster {
    /// Both.
    pub const ALL: [Roster; 2] = [Roster::Trainium, Roster::WithLn];

    /// The roster's name: `trainium`, `with_ln`.
    pub fn name(self) -> &'static str {
        match self {
            Roster::Trainium => "trainium",
            Roster::WithLn => "with_ln",
        }
    }

    /// The roster of exactly this name.
    pub fn from_name(name: &str) -> Option<Roster> {
        Roster::ALL.into_iter().find(|roster| roster.name() == name)
    }

    /// The roster that `builtin:<name>` means.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] for any other name.
    pub fn embedded(name: &str) -> Result<Roster> {
        Roster::from_name(name).ok_or_else(|| Error::ProfileIo {
            path: format!("{}{name}", embedded::PATH).into(),
            reason: "the embedded catalogs are builtin:trainium and builtin:with_ln".to_owned(),
        })
    }

    /// The silicon's function code of a profile function on this target, where published.
    pub fn neuron_id(self, profile: &str) -> Option<u32> {
        match (self, profile) {
            (Roster::WithLn, "reciprocal") => Some(15),
            (Roster::WithLn, "abs") => Some(22),
            _ => functions::by_profile(profile)?.neuron_id,
        }
    }

    /// Bytes of a control word with its padding in this target's images.
    pub fn stride(self) -> usize {
        match self {
            Roster::Trainium => TRAINIUM_STRIDE,
            Roster::WithLn => WITH_LN_STRIDE,
        }
    }

    /// The roster as a catalog.
    pub fn catalog(self) -> Catalog {
        let sets = match self {
            Roster::Trainium => TRAINIUM.iter().map(|(name, tables)| set(name, tables, &RESIDENTS)).collect(),
            Roster::WithLn => WITH_LN.iter().map(|(name, tables, residents)| set(name, tables, residents)).collect(),
        };
        let mut catalog = Catalog { sets };
        if self == Roster::Trainium {
            // The one published order: tanh stands among the residents, behind relu.
            let act = &mut catalog.sets[0].act;
            let tanh = act.remove(1);
            let behind = act.iter().position(|(function, _)| function == "relu").expect("relu is a resident") + 1;
            act.insert(behind, tanh);
        }
        catalog
    }
}

fn set(name: &str, tables: &[(&str, u32)], residents: &[&str]) -> FunctionSet {
    let hardwired = residents.iter().map(|&function| (function, 1));
    let act = tables.iter().copied().chain(hardwired).map(|(function, budget)| (function.to_owned(), budget));
    FunctionSet::new(name, act.collect())
}

/// The published size of a profile.
pub fn published_shape(function: &str, budget: u32) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| (shape.function, shape.budget) == (function, budget))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalog::functions::Class;

    #[test]
    fn every_profile_is_of_a_known_function_and_has_its_published_sections() {
        for shape in &SHAPES {
            let row = functions::by_profile(shape.function).unwrap();
            assert_eq!(shape.budget == 1, functions::class(row) == Class::Hardwired, "{}", shape.function);
            assert_eq!(shape.sections == 0, functions::class(row) == Class::Hardwired, "{}", shape.function);
            if let Some(sections) = row.published_sections.filter(|_| row.budget.max(1) == shape.budget) {
                assert_eq!(shape.sections, sections, "{}", shape.function);
            }
        }
    }

    #[test]
    fn the_simulator_s_budgets_are_in_the_trainium_roster() {
        let catalog = Roster::Trainium.catalog();
        for row in functions::functions().filter(|row| row.budget > 0) {
            let function = row.profile.unwrap();
            assert!(catalog.sets.iter().any(|set| set.budget(function) == Some(row.budget)), "{function}");
        }
    }

    #[test]
    fn trainium_has_36_functions_and_its_residents_in_every_set() {
        let catalog = Roster::Trainium.catalog();
        let known: BTreeSet<&str> = functions::functions().filter_map(|row| row.profile).collect();
        assert_eq!(catalog.functions().into_iter().collect::<BTreeSet<_>>(), known);
        for resident in RESIDENTS {
            assert!(catalog.sets.iter().all(|set| set.budget(resident) == Some(1)), "{resident}");
        }
    }

    #[test]
    fn with_ln_lacks_fourteen_trainium_functions_and_adds_none() {
        let (trainium, with_ln) = (Roster::Trainium.catalog(), Roster::WithLn.catalog());
        let all: BTreeSet<&str> = trainium.functions().into_iter().collect();
        let some: BTreeSet<&str> = with_ln.functions().into_iter().collect();
        assert!(some.is_subset(&all));
        let lacking: Vec<&str> = all.difference(&some).copied().collect();
        assert_eq!(lacking.len(), 14);
        assert_eq!(lacking.iter().filter(|function| function.starts_with("derivative_")).count(), 9);
        for function in ["abs_reciprocal_sqrt", "copy", "is_finite", "memset_zero", "silu"] {
            assert!(lacking.contains(&function), "{function}");
        }
    }

    #[test]
    fn tanh_is_in_nine_and_seven_sets_and_abs_alone_in_all_of_with_ln() {
        let (trainium, with_ln) = (Roster::Trainium.catalog(), Roster::WithLn.catalog());
        assert_eq!((trainium.sets_of("tanh").len(), with_ln.sets_of("tanh").len()), (9, 7));
        let functions = with_ln.functions();
        let everywhere: Vec<_> = functions.iter().filter(|function| with_ln.sets_of(function).len() == 14).collect();
        assert_eq!(everywhere, [&"abs"]);
    }

    #[test]
    fn the_budgets_are_the_published_ones() {
        let budgets = |roster: Roster| -> Vec<u32> {
            let catalog = roster.catalog();
            let all = catalog.sets.iter().flat_map(|set| set.act.iter().map(|(_, budget)| *budget));
            all.collect::<BTreeSet<u32>>().into_iter().collect()
        };
        assert_eq!(budgets(Roster::Trainium), [1, 4, 32, 40, 400, 4096, 40000, 65536]);
        assert_eq!(budgets(Roster::WithLn), [1, 4, 40, 400, 40000, 65536]);
    }

    #[test]
    fn exp_and_others_has_its_published_order() {
        let catalog = Roster::Trainium.catalog();
        let order: Vec<&str> = catalog.sets[0].act.iter().map(|(function, _)| function.as_str()).collect();
        let published = "exp identity copy leaky_relu parametric_relu abs sign memset_zero relu tanh derivative_relu \
                         derivative_leaky_relu derivative_identity is_finite square";
        assert_eq!(order, published.split_whitespace().collect::<Vec<_>>());
    }
}
