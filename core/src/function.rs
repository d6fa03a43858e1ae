//! The functions: one table with every name and number, from which everything else derives.
//!
//! The simulator computes 31 functions (`docs/behaviour.md`, section 2). The silicon's catalog knows six more by
//! their profile alone (`docs/figures.md`); they have a row here and no [`Function`].

use std::ffi::{CStr, CString};
use std::sync::OnceLock;

use crate::error::{Error, Result};

/// A function the simulator can compute. The values are the compiler's BIR ordinals; the two functions without one
/// have values of their own, 32 and 33.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are the documentation; ROWS gives each its profile, docs/behaviour.md its formula
#[non_exhaustive]
pub enum Function {
    Identity = 0,
    Square = 1,
    Relu = 2,
    Lrelu = 3,
    Prelu = 4,
    Sigmoid = 5,
    Tanh = 6,
    Exp = 7,
    Softplus = 8,
    Sqrt = 9,
    Rsqrt = 10,
    Ln = 11,
    Erf = 12,
    Sin = 13,
    Arctan = 14,
    Sign = 15,
    Gelu = 16,
    Mish = 17,
    GeluApprxTanh = 18,
    GeluApprxSigmoid = 19,
    DerivativeGeluApprxSigmoid = 20,
    DerivativeGelu = 21,
    DerivativeErf = 22,
    Copy = 23,
    Abs = 24,
    Reciprocal = 25,
    AbsReciprocalSqrt = 26,
    Silu = 27,
    DerivativeSilu = 28,
    LnPrime = 32,
    MemsetZero = 33,
}

/// One row of the function table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
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

/// The number of functions the simulator computes.
pub const COUNT: usize = 31;

/// One more than the highest value of a function.
pub const ID_END: usize = 34;

/// How many rows the table has: the functions, then what only the catalog knows.
pub const ROW_COUNT: usize = 37;

const fn row(
    function: Function,
    name: &'static str,
    profile: &'static str,
    budget: u32,
    neuron_id: u32,
    published_sections: u32,
    front_end: &'static str,
) -> Row {
    Row {
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

const fn catalog_row(name: Option<&'static str>, profile: &'static str, sections: Option<u32>) -> Row {
    Row {
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

use Function as F;

/// The table. The first [`COUNT`] rows are the simulator's functions in the order of [`Function::index`].
#[rustfmt::skip]
pub static ROWS: [Row; ROW_COUNT] = [
    //  function                       name                             profile                      budget  id  lut  front end
    row(F::Identity,                   "Identity",                      "identity",                       1,   1,    0, ""),
    row(F::Square,                     "Square",                        "square",                         1,  30,    0, "square"),
    row(F::Relu,                       "Relu",                          "relu",                           1,   2,    0, "relu"),
    row(F::Lrelu,                      "Lrelu",                         "leaky_relu",                     1,   3,    0, ""),
    row(F::Prelu,                      "Prelu",                         "parametric_relu",                0,   4,    0, ""),
    row(F::Sigmoid,                    "Sigmoid",                       "sigmoid",                       40,   5,  796, "sigmoid"),
    row(F::Tanh,                       "Tanh",                          "tanh",                           4,   6,  104, "tanh"),
    row(F::Exp,                        "Exp",                           "exp",                          400,   7,  777, "exp"),
    row(F::Softplus,                   "Softplus",                      "softplus",                      40,   9,  828, "softplus"),
    row(F::Sqrt,                       "Sqrt",                          "sqrt",                       65536,   8, 1113, "sqrt"),
    row(F::Rsqrt,                      "Rsqrt",                         "reciprocal_sqrt",            40000,  29, 1202, "rsqrt"),
    row(F::Ln,                         "Ln",                            "ln",                            40,  10, 1219, "log"),
    row(F::Erf,                        "Erf",                           "erf",                            4,  21,   66, "erf"),
    row(F::Sin,                        "Sin",                           "sin",                            4,  19,   55, "sin"),
    row(F::Arctan,                     "Arctan",                        "arctan",                         4,  28,  168, "arctan"),
    row(F::Sign,                       "Sign",                          "sign",                           1,  31,    0, "sign"),
    row(F::Gelu,                       "Gelu",                          "gelu",                           4,  23,  504, "gelu"),
    row(F::Mish,                       "Mish",                          "mish",                           4,  24, 1099, "mish"),
    row(F::GeluApprxTanh,              "Gelu_apprx_tanh",               "gelu_apprx_tanh",               40,  25,  945, "gelu_apprx_tanh"),
    row(F::GeluApprxSigmoid,           "Gelu_apprx_sigmoid",            "gelu_apprx_sigmoid",            40,  26, 1042, "gelu_apprx_sigmoid"),
    row(F::DerivativeGeluApprxSigmoid, "Derivative_Gelu_apprx_sigmoid", "derivative_gelu_apprx_sigmoid", 4096, 38, 1283, "gelu_apprx_sigmoid_dx"),
    row(F::DerivativeGelu,             "Derivative_Gelu",               "derivative_gelu",               40,  32,  115, "gelu_dx"),
    row(F::DerivativeErf,              "Derivative_Erf",                "derivative_erf",               400,  22,  466, "erf_dx"),
    row(F::Copy,                       "Copy",                          "copy",                           1, 128,    0, "copy"),
    row(F::Abs,                        "Abs",                           "abs",                            1,  33,    0, "abs"),
    row(F::Reciprocal,                 "Reciprocal",                    "reciprocal",                   400, 129, 1016, "reciprocal"),
    row(F::AbsReciprocalSqrt,          "Abs_reciprocal_sqrt",           "abs_reciprocal_sqrt",        40000,  34, 1202, ""),
    row(F::Silu,                       "Silu",                          "silu",                          32,  36,  908, "silu"),
    row(F::DerivativeSilu,             "Derivative_silu",               "derivative_silu",               32,  37, 1008, "silu_dx"),
    row(F::LnPrime,                    "Ln_prime",                      "",                               0,   0,    0, ""),
    row(F::MemsetZero,                 "MemsetZero",                    "memset_zero",                    1, 130,    0, ""),
    catalog_row(Some("Is_finite"), "is_finite", Some(0)),
    catalog_row(None, "derivative_relu", Some(0)),
    catalog_row(None, "derivative_leaky_relu", Some(0)),
    catalog_row(None, "derivative_identity", Some(0)),
    catalog_row(None, "derivative_sigmoid", None),
    catalog_row(None, "derivative_tanh", None),
];

/// The look-up by names of up to eight bytes, most of them: a name's [`short_slot`] holds its word and its function.
static SHORT: [(u64, Option<Function>); 32] = {
    let mut short = [(0, None); 32];
    let mut index = 0;
    while index < COUNT {
        let Some(name) = ROWS[index].name else { panic!("every function has a name") };
        if name.len() <= SHORT_NAME {
            let word = word(name.as_bytes());
            assert!(short[short_slot(word)].1.is_none(), "two names in one slot: short_slot() needs another factor");
            short[short_slot(word)] = (word, ROWS[index].function);
        }
        index += 1;
    }
    short
};

/// The length of a name that fits a word.
pub const SHORT_NAME: usize = size_of::<u64>();

/// The bytes of a short name, the first one lowest; the rest is 0.
const fn word(name: &[u8]) -> u64 {
    let (mut word, mut index) = (0, 0);
    while index < name.len() {
        word |= (name[index] as u64) << (8 * index);
        index += 1;
    }
    word
}

/// A hash without collisions among the short names, by a factor that was found by trial and is checked at compile time.
#[inline]
const fn short_slot(word: u64) -> usize {
    (word.wrapping_mul(0xbdc4_27ca_11a3_c927) >> 59) as usize
}

/// The look-up by value.
static BY_ID: [Option<Function>; ID_END] = {
    let mut by_id = [None; ID_END];
    let mut index = 0;
    while index < COUNT {
        let Some(function) = ROWS[index].function else { panic!("the first rows are the simulator's functions") };
        by_id[function as usize] = Some(function);
        index += 1;
    }
    by_id
};

impl Function {
    /// Every function, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Function> {
        ROWS[..COUNT].iter().map(|row| row.function.expect("the first rows are the simulator's functions"))
    }

    /// The function's place in [`ROWS`], 0 to 30.
    #[inline]
    pub fn index(self) -> usize {
        match self {
            F::LnPrime => 29,
            F::MemsetZero => 30,
            bir => bir as usize,
        }
    }

    /// The function's row of the table.
    pub fn row(self) -> &'static Row {
        &ROWS[self.index()]
    }

    /// The name by which [`Function::from_name`] knows it.
    pub fn name(self) -> &'static str {
        self.row().name.expect("every function has a name")
    }

    /// [`Function::name`] for C.
    pub fn c_name(self) -> &'static CStr {
        static NAMES: OnceLock<[CString; COUNT]> = OnceLock::new();
        let names = NAMES.get_or_init(|| {
            std::array::from_fn(|index| CString::new(ROWS[index].name.unwrap_or_default()).unwrap_or_default())
        });
        &names[self.index()]
    }

    /// The function of exactly this name: `Gelu`, not `gelu`.
    ///
    /// # Errors
    /// [`Error::UnsupportedFunction`] for any other name.
    #[inline]
    pub fn from_name(name: &str) -> Result<Function> {
        Function::of_name(name.as_bytes()).ok_or_else(|| Error::UnsupportedFunction(name.to_owned()))
    }

    /// The function of exactly this name, in bytes that need not be text.
    #[inline]
    pub fn of_name(name: &[u8]) -> Option<Function> {
        if name.len() <= SHORT_NAME {
            // A word does not tell a name from the same with NUL bytes after it.
            return Function::of_word(word(name)).filter(|_| !name.ends_with(b"\0"));
        }
        ROWS[..COUNT].iter().find(|row| row.name.is_some_and(|known| known.as_bytes() == name))?.function
    }

    /// [`Function::of_name`] for a name of up to [`SHORT_NAME`] bytes, none of them 0: the first one lowest.
    #[inline]
    pub fn of_word(word: u64) -> Option<Function> {
        let (known, function) = SHORT[short_slot(word)];
        function.filter(|_| known == word)
    }

    /// The function with this value in the C enum.
    ///
    /// # Errors
    /// [`Error::UnsupportedFunction`] for any other value.
    #[inline]
    pub fn from_id(id: i32) -> Result<Function> {
        Function::of_id(id).ok_or_else(|| Error::UnsupportedFunction(format!("function id {id}")))
    }

    /// The function with this value in the C enum, if there is one.
    #[inline]
    pub fn of_id(id: i32) -> Option<Function> {
        *BY_ID.get(id as usize)?
    }

    /// The file a profile directory is expected to hold for the function, without `.json`: `exp_400p`. None for the
    /// two functions without a profile.
    pub fn profile_name(self) -> Option<String> {
        let row = self.row();
        row.profile.filter(|_| row.budget > 0).map(|profile| format!("{profile}_{}p", row.budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_function_s_index_and_id() {
        for (index, row) in ROWS[..COUNT].iter().enumerate() {
            let function = row.function.unwrap();
            assert_eq!(function.index(), index);
            assert_eq!(Function::from_id(function as i32), Ok(function));
            assert_eq!(Function::from_name(function.name()), Ok(function));
        }
    }

    #[test]
    fn names_without_a_kernel_are_unsupported() {
        for name in ["Is_finite", "Unknown", "gelu", "Gelu ", "", "derivative_relu", "Exp\0", "\0", "Reciprocal\0"] {
            let text = Function::from_name(name).unwrap_err().to_string();
            assert_eq!(text, format!("Unsupported activation function Simulator::simulation: {name}"));
        }
        for id in [-1, 29, 30, 31, 34, i32::MIN, i32::MAX] {
            assert!(Function::from_id(id).is_err());
        }
    }

    #[test]
    fn profile_names_are_the_published_ones() {
        assert_eq!(Function::Exp.profile_name().unwrap(), "exp_400p");
        assert_eq!(Function::Lrelu.profile_name().unwrap(), "leaky_relu_1p");
        assert_eq!(Function::MemsetZero.profile_name().unwrap(), "memset_zero_1p");
        assert_eq!(Function::Prelu.profile_name(), None);
        assert_eq!(Function::LnPrime.profile_name(), None);
    }

    #[test]
    fn a_trainium_catalog_has_36_functions() {
        assert_eq!(ROWS.iter().filter(|row| row.profile.is_some()).count(), 36);
    }
}
