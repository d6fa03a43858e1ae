//! The tiers: the instruction sets that this CPU has, found by detection, one of them chosen once.

use std::ffi::CStr;

use once_cell::race::OnceBox;

#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
use super::{Lanes, Work};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// An instruction set that this CPU has. Holding a vector tier is the proof of that: only detection makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tier {
    /// One element at a time, on any CPU.
    Scalar,
    /// Four elements at a time: AArch64's.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
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
    pub const NAMES: [&str; 4] = ["scalar", "neon", "avx2", "avx512"];

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
            #[cfg(target_arch = "aarch64")]
            "neon" => Neon::new().map(Tier::Neon),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::new().map(Tier::Avx2),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::new().map(Tier::Avx512),
            _ => None,
        }
    }

    /// The tier that the environment asks for in [`Tier::VARIABLE`]; the fastest one if it asks for none, for an
    /// unknown one or for one that this CPU lacks.
    ///
    /// The environment is read at the first call in the process and never again: a later read would race with a thread
    /// that changes it.
    pub fn from_env() -> Tier {
        static TIER: OnceBox<Tier> = OnceBox::new();
        *TIER.get_or_init(|| {
            let asked = std::env::var_os(Tier::VARIABLE);
            Box::new(asked.and_then(|name| Tier::named(name.to_str()?)).unwrap_or_else(Tier::detect))
        })
    }

    /// The tier's name, one of [`Tier::NAMES`].
    pub fn name(self) -> &'static str {
        self.c_name().to_str().expect("the names are ASCII")
    }

    /// [`Tier::name`] for C.
    pub fn c_name(self) -> &'static CStr {
        match self {
            Tier::Scalar => c"scalar",
            #[cfg(target_arch = "aarch64")]
            Tier::Neon(_) => c"neon",
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2(_) => c"avx2",
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512(_) => c"avx512",
        }
    }

    /// Does `work` on `count` elements: on vectors if they fill one, on narrower ones or one by one if not.
    ///
    /// For the default floating-point environment only: a vector operation is the scalar one there, and only there.
    #[inline]
    pub(crate) fn run<W: Work>(self, count: usize, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512(avx512) if count >= 16 => avx512.enter(work),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512(avx512) if count >= 8 => avx512.avx2().enter(work),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2(avx2) if count >= 8 => avx2.enter(work),
            #[cfg(target_arch = "aarch64")]
            Tier::Neon(neon) if count >= 4 => neon.enter(work),
            _ => work.one_by_one(),
        }
    }

    /// Does `work` on this tier's vectors, whatever the number of elements. Its approximations fuse multiplication and
    /// addition where the instruction set always does, and with `fused` also where only this CPU can. For the default
    /// floating-point environment only.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only AVX2 comes with and without"))]
    #[inline]
    pub(crate) fn run_whole<W: Work>(self, fused: bool, work: W) -> W::Output {
        match self {
            Tier::Scalar => work.one_by_one(),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512(avx512) => avx512.enter(work),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2(avx2) => match avx2.fused().filter(|_| fused) {
                Some(avx2) => avx2.enter(work),
                None => avx2.enter(work),
            },
            #[cfg(target_arch = "aarch64")]
            Tier::Neon(neon) => neon.enter(work),
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
