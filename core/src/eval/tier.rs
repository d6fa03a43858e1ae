//! The tiers: one evaluator an instruction set, chosen once.

use std::ffi::CStr;

use super::{Unhandled, guarded};
use crate::affine::Affine;
use crate::table::Table;

#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// An evaluator that this CPU can run. Holding a vector tier is the proof that the CPU has its instructions: only
/// detection makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tier {
    /// One element at a time, on any CPU.
    Scalar,
    /// Eight elements at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Sixteen elements at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Tier {
    /// The environment variable that forces a tier.
    pub const VARIABLE: &str = "PWP_SIM_TIER";

    /// The names of all tiers, from the slowest to the fastest, whether or not this CPU has them.
    pub const NAMES: [&str; 3] = ["scalar", "avx2", "avx512"];

    /// The fastest tier of this CPU.
    pub fn detect() -> Tier {
        Tier::NAMES.iter().rev().find_map(|name| Tier::named(name)).unwrap_or(Tier::Scalar)
    }

    /// The tiers of this CPU, from the slowest to the fastest.
    pub fn available() -> impl Iterator<Item = Tier> {
        Tier::NAMES.iter().filter_map(|name| Tier::named(name))
    }

    /// The tier of that name, if it is one of [`Tier::NAMES`] and this CPU has it.
    pub fn named(name: &str) -> Option<Tier> {
        match name {
            "scalar" => Some(Tier::Scalar),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::new().map(Tier::Avx2),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::new().map(Tier::Avx512),
            _ => None,
        }
    }

    /// The tier that the environment asks for in [`Tier::VARIABLE`]; the fastest one if it asks for none, for an
    /// unknown one or for one that this CPU lacks.
    pub fn from_env() -> Tier {
        let asked = std::env::var_os(Tier::VARIABLE);
        asked.and_then(|name| Tier::named(name.to_str()?)).unwrap_or_else(Tier::detect)
    }

    /// The tier's name, one of [`Tier::NAMES`].
    pub fn name(self) -> &'static str {
        self.c_name().to_str().expect("the names are ASCII")
    }

    /// [`Tier::name`] for C.
    pub fn c_name(self) -> &'static CStr {
        match self {
            Tier::Scalar => c"scalar",
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2(_) => c"avx2",
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512(_) => c"avx512",
        }
    }

    /// Runs the tier. For the default floating-point environment only.
    #[inline]
    pub(super) fn evaluate_block(self, table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
        match self {
            Tier::Scalar => guarded::evaluate_block(table, affine, data),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2(avx2) => avx2.evaluate_block(table, affine, data),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512(avx512) => avx512.evaluate_block(table, affine, data),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_found_by_name_has_that_name() {
        for name in Tier::NAMES {
            match Tier::named(name) {
                Some(tier) => assert_eq!(tier.name(), name),
                None => eprintln!("skipped: this CPU has no {name}"),
            }
        }
        assert_eq!(Tier::named("sse9"), None);
        assert_eq!(Tier::named(""), None);
    }

    #[test]
    fn the_detected_tier_is_the_last_available_one() {
        assert_eq!(Tier::available().last(), Some(Tier::detect()));
        assert_eq!(Tier::available().next(), Some(Tier::Scalar));
    }
}
