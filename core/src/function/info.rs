//! What is known of every function: its names, its numbers and its class, and the look-up by any name.
//!
//! `docs/behaviour.md`, section 2, and `docs/figures.md`, functions.

use super::{Function, Function as F, ProfileName};

/// The names and numbers of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionInfo {
    /// The function the simulator computes; none for what only the catalog knows.
    pub function: Option<Function>,
    /// The compiler's name (BIR), case-sensitive; none for functions without one.
    pub name: Option<&'static str>,
    /// The compiler's enum value.
    pub bir: Option<u8>,
    /// The profile function, without its budget: `exp`.
    pub profile: Option<&'static str>,
    /// The budget in the profile's file name, `exp_<400>p.json`; 0 where the library loads no file.
    pub budget: u32,
    /// The silicon's function code (`neuron_id`), where published.
    pub neuron_id: Option<u32>,
    /// Sections in the published table; 0 for hardwired functions, none where not published.
    pub published_sections: Option<u32>,
    /// The name in the kernel language's front end.
    pub front_end: Option<&'static str>,
}

/// How the silicon computes a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// No profile: the silicon does not compute it, and its closed form is all there is.
    ClosedForm,
    /// No body: the four saturation sections are the whole function.
    Hardwired,
    /// A table of octaves and sections.
    Table,
}

/// What a name means: a function and, where the name is a profile's, the profile's budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The function.
    pub info: &'static FunctionInfo,
    /// The budget of a name such as `exp_400p`. It need not be that of a profile that exists.
    pub budget: Option<u32>,
}

impl FunctionInfo {
    /// The functions with a profile: the 36 of a trainium catalog.
    pub fn with_profile() -> impl Iterator<Item = &'static FunctionInfo> {
        FUNCTIONS.iter().filter(|info| info.profile.is_some())
    }

    /// The function of this profile function: `exp`.
    pub fn of_profile(profile: &str) -> Option<&'static FunctionInfo> {
        FUNCTIONS.iter().find(|info| info.profile == Some(profile))
    }

    /// The function of any of its names, looked for in this order: the compiler's (`Ln`), the profile function (`ln`), the
    /// front end's (`log`), the name of a profile (`ln_400p`). No name is one function's in one of these and another's in
    /// another.
    pub fn find(name: &str) -> Option<Named> {
        let by = |of: fn(&FunctionInfo) -> Option<&'static str>| FUNCTIONS.iter().find(|info| of(info) == Some(name));
        let plain = by(|info| info.name).or_else(|| by(|info| info.profile)).or_else(|| by(|info| info.front_end));
        if let Some(info) = plain {
            return Some(Named { info, budget: None });
        }
        let ProfileName { function, budget } = ProfileName::parse(name)?;
        Some(Named { info: FunctionInfo::of_profile(function)?, budget: Some(budget) })
    }

    /// The compiler's name, the profile function and the front end's name, those it has.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.name, self.profile, self.front_end].into_iter().flatten()
    }

    /// How the silicon computes the function. Hardwired are those with a published table of no section.
    pub fn class(&self) -> Class {
        match (self.profile, self.published_sections) {
            (None, _) => Class::ClosedForm,
            (_, Some(0)) => Class::Hardwired,
            _ => Class::Table,
        }
    }
}

/// How many functions are known: the simulator's, then what only the catalog knows.
pub const FUNCTION_COUNT: usize = 37;

const fn simulated(
    function: Function,
    name: &'static str,
    profile: &'static str,
    budget: u32,
    neuron_id: u32,
    published_sections: u32,
    front_end: &'static str,
) -> FunctionInfo {
    FunctionInfo {
        function: Some(function),
        name: Some(name),
        bir: if (function as u32) < 29 { Some(function as u8) } else { None },
        profile: if profile.is_empty() { None } else { Some(profile) },
        budget,
        neuron_id: if neuron_id == 0 { None } else { Some(neuron_id) },
        published_sections: if profile.is_empty() { None } else { Some(published_sections) },
        front_end: if front_end.is_empty() { None } else { Some(front_end) },
    }
}

const fn catalog_only(name: Option<&'static str>, profile: &'static str, sections: Option<u32>) -> FunctionInfo {
    FunctionInfo {
        function: None,
        name,
        bir: if name.is_some() { Some(29) } else { None },
        profile: Some(profile),
        budget: 0,
        neuron_id: if name.is_some() { Some(35) } else { None },
        published_sections: sections,
        front_end: None,
    }
}

/// Every function. The first [`COUNT`](super::COUNT) are the simulator's, in the order of [`Function::index`].
#[rustfmt::skip]
pub static FUNCTIONS: [FunctionInfo; FUNCTION_COUNT] = [
    //        function                       name                             profile                      budget  id  lut  front end
    simulated(F::Identity,                   "Identity",                      "identity",                       1,   1,    0, ""),
    simulated(F::Square,                     "Square",                        "square",                         1,  30,    0, "square"),
    simulated(F::Relu,                       "Relu",                          "relu",                           1,   2,    0, "relu"),
    simulated(F::Lrelu,                      "Lrelu",                         "leaky_relu",                     1,   3,    0, ""),
    simulated(F::Prelu,                      "Prelu",                         "parametric_relu",                0,   4,    0, ""),
    simulated(F::Sigmoid,                    "Sigmoid",                       "sigmoid",                       40,   5,  796, "sigmoid"),
    simulated(F::Tanh,                       "Tanh",                          "tanh",                           4,   6,  104, "tanh"),
    simulated(F::Exp,                        "Exp",                           "exp",                          400,   7,  777, "exp"),
    simulated(F::Softplus,                   "Softplus",                      "softplus",                      40,   9,  828, "softplus"),
    simulated(F::Sqrt,                       "Sqrt",                          "sqrt",                       65536,   8, 1113, "sqrt"),
    simulated(F::Rsqrt,                      "Rsqrt",                         "reciprocal_sqrt",            40000,  29, 1202, "rsqrt"),
    simulated(F::Ln,                         "Ln",                            "ln",                            40,  10, 1219, "log"),
    simulated(F::Erf,                        "Erf",                           "erf",                            4,  21,   66, "erf"),
    simulated(F::Sin,                        "Sin",                           "sin",                            4,  19,   55, "sin"),
    simulated(F::Arctan,                     "Arctan",                        "arctan",                         4,  28,  168, "arctan"),
    simulated(F::Sign,                       "Sign",                          "sign",                           1,  31,    0, "sign"),
    simulated(F::Gelu,                       "Gelu",                          "gelu",                           4,  23,  504, "gelu"),
    simulated(F::Mish,                       "Mish",                          "mish",                           4,  24, 1099, "mish"),
    simulated(F::GeluApprxTanh,              "Gelu_apprx_tanh",               "gelu_apprx_tanh",               40,  25,  945, "gelu_apprx_tanh"),
    simulated(F::GeluApprxSigmoid,           "Gelu_apprx_sigmoid",            "gelu_apprx_sigmoid",            40,  26, 1042, "gelu_apprx_sigmoid"),
    simulated(F::DerivativeGeluApprxSigmoid, "Derivative_Gelu_apprx_sigmoid", "derivative_gelu_apprx_sigmoid", 4096, 38, 1283, "gelu_apprx_sigmoid_dx"),
    simulated(F::DerivativeGelu,             "Derivative_Gelu",               "derivative_gelu",               40,  32,  115, "gelu_dx"),
    simulated(F::DerivativeErf,              "Derivative_Erf",                "derivative_erf",               400,  22,  466, "erf_dx"),
    simulated(F::Copy,                       "Copy",                          "copy",                           1, 128,    0, "copy"),
    simulated(F::Abs,                        "Abs",                           "abs",                            1,  33,    0, "abs"),
    simulated(F::Reciprocal,                 "Reciprocal",                    "reciprocal",                   400, 129, 1016, "reciprocal"),
    simulated(F::AbsReciprocalSqrt,          "Abs_reciprocal_sqrt",           "abs_reciprocal_sqrt",        40000,  34, 1202, ""),
    simulated(F::Silu,                       "Silu",                          "silu",                          32,  36,  908, "silu"),
    simulated(F::DerivativeSilu,             "Derivative_silu",               "derivative_silu",               32,  37, 1008, "silu_dx"),
    simulated(F::LnPrime,                    "Ln_prime",                      "",                               0,   0,    0, ""),
    simulated(F::MemsetZero,                 "MemsetZero",                    "memset_zero",                    1, 130,    0, ""),
    catalog_only(Some("Is_finite"), "is_finite", Some(0)),
    catalog_only(None, "derivative_relu", Some(0)),
    catalog_only(None, "derivative_leaky_relu", Some(0)),
    catalog_only(None, "derivative_identity", Some(0)),
    catalog_only(None, "derivative_sigmoid", None),
    catalog_only(None, "derivative_tanh", None),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trainium_catalog_has_36_functions_of_which_six_have_no_simulation() {
        assert_eq!(FunctionInfo::with_profile().count(), 36);
        assert_eq!(FunctionInfo::with_profile().filter(|info| info.function.is_none()).count(), 6);
    }

    #[test]
    fn a_function_is_found_by_each_of_its_names() {
        for info in &FUNCTIONS {
            for name in info.names() {
                assert_eq!(FunctionInfo::find(name), Some(Named { info, budget: None }), "{name}");
            }
            if let Some(profile) = info.profile {
                let named = Named { info, budget: Some(7) };
                assert_eq!(FunctionInfo::find(&format!("{profile}_7p")), Some(named));
            }
        }
    }

    #[test]
    fn the_functions_that_the_silicon_has_are_hardwired_or_tables() {
        let count = |class| FUNCTIONS.iter().filter(|info| info.class() == class).count();
        assert_eq!([Class::ClosedForm, Class::Hardwired, Class::Table].map(count), [1, 13, 23]);
        assert_eq!(Function::LnPrime.info().class(), Class::ClosedForm);
    }

    #[test]
    fn what_is_no_name_finds_nothing() {
        for name in ["", "EXP", "Exp ", "Exp_400p", "log_40p", "exp_04p", "exp_+4p", "exp_p", "_4p", "Unknown"] {
            assert_eq!(FunctionInfo::find(name), None, "{name}");
        }
    }
}
