//! The two published rosters, and the size of every table in them (`docs/figures.md`, act_info.json).

use super::{Catalog, FunctionSet};
use crate::catalog::embedded;
use crate::catalog::image::{TRAINIUM_STRIDE, WITH_LN_STRIDE};
use crate::error::{Error, Result};
use crate::function::{FunctionInfo, ProfileName};
use crate::memory::{self, text};

/// A published roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Roster {
    /// Trainium: 21 sets, the same 13 residents in each.
    Trainium,
    /// The older target: 14 sets.
    WithLn,
}

/// The hardwired functions of every trainium set, in the order of the published `exp_and_others`.
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
pub struct PublishedSize {
    /// The profile.
    pub profile: ProfileName<'static>,
    /// Sections stored, without the four saturation sections.
    pub sections: u32,
    /// Octaves, both sides together.
    pub octaves: u32,
}

const fn size(function: &'static str, budget: u32, sections: u32, octaves: u32) -> PublishedSize {
    PublishedSize { profile: ProfileName { function, budget }, sections, octaves }
}

/// Every profile of the two rosters: the only sizes with which the published byte counts of all 35 sets add up. Among
/// them `ln_40p` with 1219 sections and `ln_400p` with 513, not the other way round.
pub const SIZES: [PublishedSize; 37] = [
    size("identity", 1, 0, 2),
    size("copy", 1, 0, 2),
    size("leaky_relu", 1, 0, 2),
    size("parametric_relu", 1, 0, 0),
    size("abs", 1, 0, 2),
    size("sign", 1, 0, 1),
    size("memset_zero", 1, 0, 1),
    size("relu", 1, 0, 2),
    size("derivative_relu", 1, 0, 2),
    size("derivative_leaky_relu", 1, 0, 2),
    size("derivative_identity", 1, 0, 2),
    size("is_finite", 1, 0, 1),
    size("square", 1, 0, 1),
    size("exp", 400, 777, 52),
    size("tanh", 4, 104, 17),
    size("softplus", 40, 828, 41),
    size("sigmoid", 40, 796, 11),
    size("erf", 4, 66, 7),
    size("arctan", 4, 168, 27),
    size("sqrt", 65536, 1113, 234),
    size("ln", 40, 1219, 128),
    size("ln", 400, 513, 128),
    size("derivative_sigmoid", 40, 797, 11),
    size("derivative_tanh", 400, 397, 12),
    size("sin", 4, 55, 13),
    size("derivative_gelu", 40, 115, 9),
    size("gelu", 4, 504, 21),
    size("gelu_apprx_tanh", 40, 945, 20),
    size("gelu_apprx_sigmoid", 40, 1042, 23),
    size("reciprocal", 400, 1016, 85),
    size("reciprocal_sqrt", 40000, 1202, 185),
    size("abs_reciprocal_sqrt", 40000, 1202, 185),
    size("mish", 4, 1099, 24),
    size("derivative_erf", 400, 466, 10),
    size("silu", 32, 908, 25),
    size("derivative_silu", 32, 1008, 12),
    size("derivative_gelu_apprx_sigmoid", 4096, 1283, 13),
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
        Roster::from_name(name).ok_or_else(|| {
            let path = text!("{}{name}", embedded::PATH);
            Error::io(path.as_ref(), format_args!("the embedded catalogs are builtin:trainium and builtin:with_ln"))
        })
    }

    /// The silicon's function code of a profile function on this target, where published.
    pub fn neuron_id(self, profile: &str) -> Option<u32> {
        match (self, profile) {
            (Roster::WithLn, "reciprocal") => Some(15),
            (Roster::WithLn, "abs") => Some(22),
            _ => FunctionInfo::of_profile(profile)?.neuron_id,
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
    ///
    /// # Panics
    /// When there is not enough memory.
    pub fn catalog(self) -> Catalog {
        self.try_catalog().expect("memory for a catalog")
    }

    /// [`Roster::catalog`] where there is memory for it.
    pub(crate) fn try_catalog(self) -> memory::Result<Catalog> {
        let sets = match self {
            Roster::Trainium => {
                memory::try_collect(TRAINIUM.iter().map(|(name, tables)| set(name, tables, &RESIDENTS)))
            }
            Roster::WithLn => {
                memory::try_collect(WITH_LN.iter().map(|(name, tables, residents)| set(name, tables, residents)))
            }
        };
        Ok(Catalog { sets: sets? })
    }
}

/// A set in the order of its image: its tables, then its residents, but for the three sets of which more is published.
///
/// - `exp_and_others` of trainium is published whole: tanh stands behind eight residents.
/// - `sqrt` begins at record 52, behind all thirteen residents.
/// - `sigmoid` begins at record 136, word 28, of trainium, and at record 132 of the older target: behind tanh and seven or
///   six residents, which are those of the older target and `copy`: no others have the eleven words.
///
/// That the other target's sets of these names are alike, and that in all others the tables lead, is inferred.
fn set(name: &str, tables: &[(&str, u32)], residents: &[&str]) -> memory::Result<FunctionSet> {
    let hardwired: Vec<(&str, u32)> = residents.iter().map(|&function| (function, 1)).collect();
    let before = |behind: &[&str]| -> (Vec<_>, Vec<_>) {
        hardwired.iter().copied().partition(|(function, _)| !behind.contains(function))
    };
    let order = match (tables, residents.len()) {
        ([exp @ ("exp", _), tanh], 13) => {
            let (first, last) = before(&RESIDENTS[8..]);
            [vec![*exp], first, vec![*tanh], last].concat()
        }
        ([sigmoid @ ("sigmoid", _), tanh, others @ ..], _) => {
            let (first, last) = before(&[&["memset_zero"], &RESIDENTS[8..]].concat());
            [first, vec![*tanh, *sigmoid], others.to_vec(), last].concat()
        }
        ([("sqrt", _)], _) => [hardwired.as_slice(), tables].concat(),
        _ => [tables, hardwired.as_slice()].concat(),
    };
    let named = |(function, budget)| memory::string(function).map(|function| (function, budget));
    FunctionSet::try_new(name, memory::try_collect(order.into_iter().map(named))?)
}

/// The published size of a profile.
pub fn published_size(profile: ProfileName) -> Option<&'static PublishedSize> {
    SIZES.iter().find(|size| size.profile == profile)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::function::{Class, Function};

    #[test]
    fn every_profile_is_of_a_known_function_and_has_its_published_sections() {
        for PublishedSize { profile, sections, .. } in SIZES {
            let info = FunctionInfo::of_profile(profile.function).unwrap();
            assert_eq!(profile.budget == 1, info.class() == Class::Hardwired, "{profile}");
            assert_eq!(sections == 0, info.class() == Class::Hardwired, "{profile}");
            if let Some(published) = info.published_sections.filter(|_| info.budget.max(1) == profile.budget) {
                assert_eq!(sections, published, "{profile}");
            }
        }
    }

    #[test]
    fn the_simulator_s_budgets_are_in_the_trainium_roster() {
        let catalog = Roster::Trainium.catalog();
        for profile in Function::all().filter_map(Function::profile_name) {
            assert!(catalog.sets.iter().any(|set| set.budget(profile.function) == Some(profile.budget)), "{profile}");
        }
    }

    #[test]
    fn trainium_has_36_functions_and_its_residents_in_every_set() {
        let catalog = Roster::Trainium.catalog();
        let known: BTreeSet<&str> = FunctionInfo::with_profile().filter_map(|info| info.profile).collect();
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
