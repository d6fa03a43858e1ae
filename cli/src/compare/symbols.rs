//! Which of a shared library's symbols `pwp compare` calls, found by looking at what it exports.

use std::ffi::CString;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};
use pwp_foreign::Abi;

/// The interface to take where a library has both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Wanted {
    /// The calls `pwp_sim_*`.
    C,
    /// The original's class `PWPSim::Simulator`.
    #[value(name = "c++")]
    Cxx,
}

/// What the C interface needs.
const C_CALLS: [&str; 3] = ["pwp_sim_create", "pwp_sim_last_error", "pwp_sim_simulate"];

const CONSTRUCTORS: [&str; 2] = ["_ZN6PWPSim9SimulatorC1E", "_ZN6PWPSim9SimulatorC2E"];
const SIMULATE: [&str; 2] = ["_ZN6PWPSim9Simulator8simulateE", "_ZNK6PWPSim9Simulator8simulateE"];
/// `std::string`, which the constructor takes by reference and `simulate` by reference or value.
const STRING: &str = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

/// The symbols of a library that a comparison calls: the C interface, or the original's, or the one that is wanted.
///
/// # Errors
/// A file that cannot be read or is no 64-bit ELF file; a library with neither interface, or not with the wanted one.
pub fn abi(path: &Path, wanted: Option<Wanted>) -> Result<Abi> {
    let data = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = ElfFile64::<Endianness>::parse(data.as_slice())
        .with_context(|| format!("{} is no 64-bit ELF file", path.display()))?;
    let defined = file.dynamic_symbols().filter(|symbol| symbol.is_definition());
    let names: Vec<&str> = defined.filter_map(|symbol| symbol.name().ok()).collect();
    let c = C_CALLS.iter().all(|call| names.contains(call));
    match (wanted, cxx(&names)) {
        (None | Some(Wanted::C), _) if c => Ok(Abi::C),
        (None | Some(Wanted::Cxx), Some(abi)) => Ok(abi),
        _ => {
            let classes: Vec<&str> = names.iter().filter(|name| name.contains("6PWPSim")).copied().collect();
            ensure!(
                classes.is_empty(),
                "{} exports no interface that can be called; of PWPSim it has {}",
                path.display(),
                classes.join(", ")
            );
            bail!("{} exports neither pwp_sim_simulate nor PWPSim::Simulator", path.display());
        }
    }
}

/// The original's constructor, and the `simulate` that takes buffers, whatever its spelling (`docs/abi.md`).
fn cxx(names: &[&str]) -> Option<Abi> {
    let constructor = CONSTRUCTORS.iter().map(|prefix| format!("{prefix}RK{STRING}"));
    let constructor = constructor.into_iter().find(|name| names.contains(&name.as_str()))?;
    let simulate = names.iter().find(|name| {
        let arguments = SIMULATE.iter().find_map(|prefix| name.strip_prefix(prefix));
        let buffers = arguments.and_then(|text| text.trim_start_matches("RK").strip_prefix(STRING));
        buffers.is_some_and(takes_buffers)
    })?;
    Some(Abi::Cxx { constructor: CString::new(constructor).ok()?, simulate: CString::new(*simulate).ok()? })
}

/// Whether these mangled arguments are two pointers to float, three floats, a count and a bool. The second pointer is `Pf`
/// again, so the mangling has a substitution for it (`S9_`, `S7_`), or `PKf`.
fn takes_buffers(arguments: &str) -> bool {
    let Some(rest) = arguments.strip_prefix("Pf") else { return false };
    let rest = rest.strip_prefix("PKf").or_else(|| {
        let (number, rest) = rest.strip_prefix('S')?.split_once('_')?;
        number.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(rest)
    });
    rest.is_some_and(|rest| ["fffib", "fffjb", "ffflb", "fffmb"].contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exported_spelling_of_simulate_with_buffers_is_found_and_the_scalar_one_is_not() {
        let exported = include_str!("../../symbols.txt").lines();
        let (mut buffers, mut scalars) = (0, 0);
        for name in exported.filter(|name| name.contains("8simulateE")) {
            let constructor = format!("{}RK{STRING}", CONSTRUCTORS[0]);
            match cxx(&[&constructor, name]) {
                Some(Abi::Cxx { simulate, .. }) => {
                    assert_eq!(simulate.to_str(), Ok(name));
                    buffers += 1;
                }
                _ => {
                    assert!(name.ends_with("ffb"), "{name}");
                    scalars += 1;
                }
            }
        }
        assert!(buffers >= 16 && scalars >= 4, "{buffers} {scalars}");
    }

    #[test]
    fn a_library_without_a_constructor_has_no_class() {
        assert_eq!(
            cxx(&["_ZN6PWPSim9Simulator8simulateERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfPKffffib"]),
            None
        );
    }
}
