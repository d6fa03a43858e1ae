//! `pwp abi-check`: would a program that was built for the original library find what it needs in ours?
//!
//! A program or library that uses the original imports symbols of the namespace `PWPSim`. They are read from the ELF
//! file's dynamic symbols, and looked up in the list that our library is held to, `capi-tests/symbols.txt`, or in a real
//! library.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use object::read::elf::{Dyn, ElfFile64, SectionHeader};
use object::{Endianness, Object, ObjectKind, ObjectSymbol, ObjectSymbolTable, RelocationFlags, RelocationTarget, elf};

use crate::output;

/// What our library exports, one name a line, sorted.
const EXPORTED: &str = include_str!("../symbols.txt");

/// The options of `pwp abi-check`.
#[derive(Args, Debug)]
pub struct Options {
    /// Programs, shared libraries or object files (64-bit ELF)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Look in this library, whichever it is, and not in the list of what ours exports
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

/// What an ELF file asks of a libpwp_sim.so.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Imports {
    /// Its `PWPSim` symbols by mangled name; whether the file can do without it (a weak reference).
    pub symbols: BTreeMap<String, bool>,
    /// Whether it names `libpwp_sim.so` among the libraries to load.
    pub needs_library: bool,
}

/// Where symbols are looked up.
struct Exports {
    /// What it is, for the last line.
    name: String,
    symbols: BTreeSet<String>,
}

impl Exports {
    fn of(options: &Options) -> Result<Exports> {
        let Some(file) = &options.library else {
            return Ok(Exports {
                name: "our library".to_owned(),
                symbols: EXPORTED.lines().map(str::to_owned).collect(),
            });
        };
        let data = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let elf = ElfFile64::<Endianness>::parse(data.as_slice());
        let elf = elf.with_context(|| format!("{} is no 64-bit ELF file", file.display()))?;
        ensure!(elf.kind() == ObjectKind::Dynamic, "{} is no shared library", file.display());
        let defined = elf.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
        let symbols = defined.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect();
        Ok(Exports { name: file.display().to_string(), symbols })
    }
}

/// Lists the `PWPSim` symbols of every file, and says of each whether the library exports it.
///
/// # Errors
/// When a file cannot be read or is no 64-bit ELF file, and when a symbol that a file cannot do without is missing.
pub fn run(options: &Options) -> Result<()> {
    let exports = Exports::of(options)?;
    let (mut asked, mut missing) = (0, 0);
    for file in &options.files {
        let data = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let imports = imports(&data).with_context(|| format!("{} is no 64-bit ELF file", file.display()))?;
        let (text, count) = report(file, &imports, &exports);
        output::print(&text)?;
        asked += imports.symbols.len();
        missing += count;
    }
    ensure!(missing == 0, "{missing} symbol(s) are missing from {}", exports.name);
    output::print(&match asked {
        0 => "No file imports a symbol of PWPSim.\n".to_owned(),
        _ => format!("{} has what is needed.\n", exports.name),
    })
}

/// Whether our library exports the symbol of this mangled name.
pub fn exported(name: &str) -> bool {
    EXPORTED.lines().any(|line| line == name)
}

/// Reads what the ELF file asks for. In an executable or a shared library the dynamic symbols count; in an object file
/// all that it leaves undefined.
///
/// # Errors
/// When `data` is no 64-bit ELF file.
pub fn imports(data: &[u8]) -> Result<Imports> {
    let file = ElfFile64::<Endianness>::parse(data)?;
    let mut imports = Imports { needs_library: needs_library(&file)?, ..Imports::default() };
    let mut add = |name: &str, weak: bool| {
        if name.contains("6PWPSim") {
            imports.symbols.insert(name.to_owned(), weak);
        }
    };
    if file.kind() == ObjectKind::Relocatable {
        for symbol in file.symbols().filter(|symbol| symbol.is_undefined()) {
            add(symbol.name()?, symbol.is_weak());
        }
        return Ok(imports);
    }
    for symbol in file.dynamic_symbols().filter(|symbol| symbol.is_undefined()) {
        add(symbol.name()?, symbol.is_weak());
    }
    // A variable that an executable imports may be given room in the executable itself, filled from the library when it
    // is loaded: it then counts as defined, and only a copy relocation tells.
    let (Some(relocations), Some(symbols)) = (file.dynamic_relocations(), file.dynamic_symbol_table()) else {
        return Ok(imports);
    };
    for (_, relocation) in relocations {
        if let (RelocationTarget::Symbol(index), RelocationFlags::Elf { r_type: elf::R_X86_64_COPY }) =
            (relocation.target(), relocation.flags())
        {
            add(symbols.symbol_by_index(index)?.name()?, false);
        }
    }
    Ok(imports)
}

fn needs_library(file: &ElfFile64<'_, Endianness>) -> Result<bool> {
    let endian = file.endian();
    for section in file.elf_section_table().iter() {
        let Some((entries, strings)) = section.dynamic(endian, file.data())? else { continue };
        let strings = file.elf_section_table().strings(endian, file.data(), strings)?;
        for entry in entries.iter().filter(|entry| entry.tag(endian) == elf::DT_NEEDED) {
            if entry.string(endian, strings).ok() == Some(b"libpwp_sim.so".as_slice()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// What was found, as text, and how many symbols are missing.
fn report(file: &Path, imports: &Imports, exports: &Exports) -> (String, usize) {
    let mut text = String::new();
    let needs = if imports.needs_library { "needs libpwp_sim.so" } else { "does not name libpwp_sim.so" };
    let _ = writeln!(text, "{}: {} PWPSim symbols, {needs}", file.display(), imports.symbols.len());
    let mut missing = 0;
    for (name, weak) in &imports.symbols {
        let verdict = match (exports.symbols.contains(name), weak) {
            (true, _) => "exported",
            (false, true) => "missing, weak",
            (false, false) => "MISSING",
        };
        missing += usize::from(verdict == "MISSING");
        let _ = writeln!(text, "  {verdict:<13}  {name}");
    }
    (text, missing)
}
