//! The functions the simulator computes, and how one is found by its name or its value.
//!
//! [`FUNCTIONS`] is the one table with every name and number, from which everything else derives. The simulator computes
//! 31 functions (`docs/behaviour.md`, section 2); the silicon's catalog knows six more by their profile alone
//! (`docs/figures.md`), which are in the table and are no [`Function`].

mod c_names;
mod info;
mod profile_name;

pub use c_names::CNames;
pub use info::{Class, FUNCTION_COUNT, FUNCTIONS, FunctionInfo, Named};
pub use profile_name::ProfileName;

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A function the simulator can compute. The values are the compiler's BIR ordinals; the two functions without one
/// have values of their own, 32 and 33.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are the documentation; FUNCTIONS gives each its profile, docs/behaviour.md its formula
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

/// The number of functions the simulator computes.
pub const COUNT: usize = 31;

/// One more than the highest value of a function.
pub const ID_END: usize = 34;

/// The look-up by names of up to eight bytes, most of them: a name's [`short_slot`] holds its word and its function.
static SHORT: [(u64, Option<Function>); 32] = {
    let mut short = [(0, None); 32];
    let mut index = 0;
    while index < COUNT {
        let Some(name) = FUNCTIONS[index].name else { panic!("every function has a name") };
        if name.len() <= SHORT_NAME {
            let word = word(name.as_bytes());
            assert!(short[short_slot(word)].1.is_none(), "two names in one slot: short_slot() needs another factor");
            short[short_slot(word)] = (word, FUNCTIONS[index].function);
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
        let Some(function) = FUNCTIONS[index].function else { panic!("the first are the simulator's functions") };
        by_id[function as usize] = Some(function);
        index += 1;
    }
    by_id
};

impl Function {
    /// Every function, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Function> {
        FUNCTIONS[..COUNT].iter().map(|info| info.function.expect("the first are the simulator's functions"))
    }

    /// The function's place in [`FUNCTIONS`], 0 to 30.
    #[inline]
    pub fn index(self) -> usize {
        match self {
            Function::LnPrime => 29,
            Function::MemsetZero => 30,
            bir => bir as usize,
        }
    }

    /// The function's names and numbers.
    pub fn info(self) -> &'static FunctionInfo {
        &FUNCTIONS[self.index()]
    }

    /// The name by which [`Function::from_name`] knows it.
    pub fn name(self) -> &'static str {
        self.info().name.expect("every function has a name")
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
        FUNCTIONS[..COUNT].iter().find(|info| info.name.is_some_and(|known| known.as_bytes() == name))?.function
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

    /// The function of any of its names, as [`FunctionInfo::find`] has them.
    ///
    /// # Errors
    /// [`Error::UnsupportedFunction`] for a name that is no function's, or that of one the simulator does not compute.
    pub fn from_any_name(name: &str) -> Result<Function> {
        let named = FunctionInfo::find(name).and_then(|named| named.info.function);
        named.ok_or_else(|| Error::UnsupportedFunction(name.to_owned()))
    }

    /// The profile a directory is expected to hold for the function: `exp_400p`. None for the two functions for which no
    /// file is loaded.
    pub fn profile_name(self) -> Option<ProfileName<'static>> {
        let info = self.info();
        Some(ProfileName { function: info.profile.filter(|_| info.budget > 0)?, budget: info.budget })
    }
}

/// The compiler's name.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// [`Function::from_name`], the way back from its text. [`Function::from_any_name`] knows more names.
impl FromStr for Function {
    type Err = Error;

    fn from_str(name: &str) -> Result<Function> {
        Function::from_name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_stands_at_its_index_and_id() {
        for (index, info) in FUNCTIONS[..COUNT].iter().enumerate() {
            let function = info.function.unwrap();
            assert_eq!(function.index(), index);
            assert_eq!(Function::from_id(function as i32), Ok(function));
            assert_eq!(Function::from_name(function.name()), Ok(function));
            assert_eq!(function.to_string().parse(), Ok(function));
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
        let name = |function: Function| function.profile_name().unwrap().to_string();
        assert_eq!(name(Function::Exp), "exp_400p");
        assert_eq!(name(Function::Lrelu), "leaky_relu_1p");
        assert_eq!(name(Function::MemsetZero), "memset_zero_1p");
        assert_eq!(Function::Prelu.profile_name(), None);
        assert_eq!(Function::LnPrime.profile_name(), None);
    }

    /// As many as there are known names in the original's map of files (`docs/differences.md`, `func-map`).
    #[test]
    fn twenty_nine_functions_load_a_file_each_its_own() {
        let names: Vec<_> = Function::all().filter_map(Function::profile_name).collect();
        let different: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!((names.len(), different.len()), (29, 29));
    }

    #[test]
    fn any_name_finds_the_function_and_what_is_not_simulated_is_unsupported() {
        for name in ["Ln", "ln", "log", "ln_40p", "ln_400p"] {
            assert_eq!(Function::from_any_name(name), Ok(Function::Ln));
        }
        assert_eq!(Function::from_any_name("Ln_prime"), Ok(Function::LnPrime));
        for name in ["is_finite", "derivative_tanh", "ln_", "LN", ""] {
            assert_eq!(Function::from_any_name(name), Err(Error::UnsupportedFunction(name.to_owned())));
        }
    }
}
