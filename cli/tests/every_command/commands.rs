//! The table of the subcommands, which must have every one that the help lists, and how they are run here.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command.
pub const PWP: &str = env!("CARGO_BIN_EXE_pwp");

/// A subcommand. In its lines `{out}` is a directory of its own, `{pwp}` the command's file.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Succeeds quickly, and writes all files that it can.
    pub good: &'static str,
    /// Arguments that are no command.
    pub wrong: &'static [&'static str],
    /// Names a file or source that is not there: `/nonexistent/x`.
    pub missing: &'static [&'static str],
    /// Cannot write: `/dev/null/x`.
    pub unwritable: &'static [&'static str],
    /// Runs for long, or waits; nothing where the command is done at once.
    pub long: Option<&'static str>,
    /// Uses the source `{source}`, which has a table of exp, and says so on the standard output or writes `exp_400p.json`
    /// or `exp_400p_bkt.bin`; nothing where it takes no source.
    pub source: Option<&'static str>,
    /// Is about the function `{name}`, which the embedded tables have; nothing where it takes no function.
    pub function: Option<&'static str>,
    /// Is about gelu by name, and a source without a table of it, or no source.
    pub without: Option<&'static str>,
}

const NONE: Case = Case {
    name: "",
    good: "",
    wrong: &[],
    missing: &[],
    unwritable: &[],
    long: None,
    source: None,
    function: None,
    without: None,
};

/// Every subcommand.
pub const CASES: [Case; 13] = [
    Case {
        name: "functions",
        good: "functions",
        wrong: &["functions --profiles", "functions x"],
        missing: &["functions --profiles /nonexistent/x"],
        source: Some("functions --profiles {source}"),
        ..NONE
    },
    Case {
        name: "eval",
        good: "eval exp 1 -2",
        wrong: &["eval", "eval exp 1 --dtype f8", "eval exp 1 --json --csv"],
        missing: &["eval exp 1 --profiles /nonexistent/x", "eval exp /nonexistent/x.npy"],
        long: Some("eval exp -"),
        source: Some("eval exp 1 --profiles {source}"),
        function: Some("eval {name} 1"),
        without: Some("eval Gelu 1 --profiles builtin:trainium#exp_and_others"),
        ..NONE
    },
    Case {
        name: "plot",
        good: "plot exp --octave 1 --out {out}/plot.svg",
        wrong: &["plot", "plot exp --out {out}/x.svg", "plot exp --octave 1000 --out {out}/x.svg"],
        missing: &["plot exp --octave 1 --out {out}/x.svg --profiles /nonexistent/x"],
        unwritable: &["plot exp --octave 1 --out /dev/null/x.svg"],
        source: Some("plot exp --octave 0 --out {out}/exp_400p.svg --profiles {source}"),
        function: Some("plot {name} --octave 0 --out {out}/x.svg"),
        without: Some("plot Gelu --octave 0 --out {out}/x.svg --profiles builtin:trainium#exp_and_others"),
        ..NONE
    },
    Case {
        name: "inspect",
        good: "inspect builtin:trainium#exp_and_others",
        wrong: &["inspect"],
        missing: &["inspect /nonexistent/x", "inspect /nonexistent/x#0"],
        source: Some("inspect {source} exp"),
        function: Some("inspect builtin: {name}"),
        without: Some("inspect builtin:trainium#exp_and_others Gelu"),
        ..NONE
    },
    Case {
        name: "diff",
        good: "diff builtin: builtin:",
        wrong: &["diff", "diff builtin:"],
        missing: &["diff builtin: /nonexistent/x", "diff /nonexistent/x builtin:"],
        source: Some("diff {source} builtin: exp"),
        function: Some("diff builtin: builtin: {name}"),
        without: Some("diff builtin:trainium#exp_and_others builtin:trainium#exp_and_others Gelu"),
        ..NONE
    },
    Case {
        name: "generate",
        good: "generate --function relu --out {out} --record {out}/record.md --images {out}/images",
        wrong: &["generate", "generate --out {out} --sections 0", "generate --out {out} --max-ulp 1 --sections 1"],
        unwritable: &["generate --function relu --out /dev/null/x"],
        long: Some("generate --out {out}"),
        function: Some("generate --function {name} --sections 4 --out {out}"),
        without: Some("generate --function Ln_prime --out {out}"),
        ..NONE
    },
    Case {
        name: "report",
        good: "report --samples 2 --function relu exp --octaves --out {out} --html {out}/page.html --bounds {out}/bounds.csv",
        wrong: &["report --samples 0", "report --exhaustive --samples 1", "report --function"],
        missing: &["report --profiles /nonexistent/x"],
        unwritable: &[
            "report --samples 1 --function relu --out /dev/null/x",
            "report --samples 1 --function relu --html /dev/null/x",
            "report --samples 1 --function relu --bounds /dev/null/x",
        ],
        long: Some("report --exhaustive --out {out} --html {out}/page.html"),
        source: Some("report --samples 1 --function exp --profiles {source}"),
        function: Some("report --samples 1 --function {name}"),
        without: Some("report --samples 1 --function Gelu --profiles builtin:trainium#exp_and_others"),
    },
    Case {
        name: "sets",
        good: "sets",
        wrong: &["sets --diff", "sets --diff trainium --function exp"],
        missing: &["sets --catalog /nonexistent/x", "sets --diff /nonexistent/x"],
        source: Some("sets --catalog {source} --function exp"),
        function: Some("sets --function {name} --catalog builtin:"),
        without: Some("sets --function Gelu --catalog builtin:trainium#exp_and_others"),
        ..NONE
    },
    Case {
        name: "pack",
        good: "pack --profiles builtin: --set small exp_and_others --out {out}",
        wrong: &["pack --out {out}", "pack --profiles builtin:", "pack --profiles builtin: --out {out} --target x"],
        missing: &[
            "pack --profiles /nonexistent/x --out {out}",
            "pack --profiles builtin: --catalog /nonexistent/x --out {out}",
        ],
        unwritable: &["pack --profiles builtin: --set small --out /dev/null/x"],
        source: Some("pack --profiles {source} --catalog {exp} --out {out}"),
        ..NONE
    },
    Case {
        name: "unpack",
        good: "unpack builtin:trainium --set small exp_and_others --out {out}",
        wrong: &["unpack --out {out}", "unpack builtin:", "unpack builtin: --images x --out {out}"],
        missing: &["unpack /nonexistent/x --out {out}", "unpack /nonexistent/x --set small --out {out}"],
        unwritable: &["unpack builtin: --out /dev/null/x"],
        source: Some("unpack {source} --out {out}"),
        ..NONE
    },
    Case {
        name: "abi-check",
        good: "abi-check {pwp}",
        wrong: &["abi-check", "abi-check {pwp} --library"],
        missing: &["abi-check /nonexistent/x", "abi-check {pwp} --library /nonexistent/x"],
        ..NONE
    },
    Case {
        name: "compare",
        good: "compare exact table --function Abs --samples 1024 --resume {out}/finished.jsonl",
        wrong: &["compare exact", "compare exact table --samples 0", "compare exact table --nan x"],
        missing: &["compare exact /nonexistent/x", "compare exact table --profiles /nonexistent/x"],
        unwritable: &["compare exact table --function Abs --samples 16 --resume /dev/null/x"],
        long: Some("compare table table --exhaustive --resume {out}/finished.jsonl"),
        source: Some("compare {source} {exp} --function exp_400p --samples 1024"),
        function: Some("compare table table --function {name} --samples 1024"),
        without: Some("compare table table --function Gelu --samples 16 --profiles builtin:trainium#exp_and_others"),
    },
    Case { name: "readings", good: "readings", wrong: &["readings x", "readings --json --markdown"], ..NONE },
];

/// The arguments of a line; `out` is made.
pub fn words(line: &str, out: &Path, others: &[(&str, &OsStr)]) -> Vec<OsString> {
    std::fs::create_dir_all(out).unwrap();
    let word = |word: &str| {
        if let Some((_, value)) = others.iter().find(|(name, _)| *name == word) {
            return value.to_os_string();
        }
        match word.strip_prefix("{out}") {
            Some(rest) => [out.as_os_str(), OsStr::new(rest)].concat(),
            None if word == "{pwp}" => PWP.into(),
            None => word.into(),
        }
    };
    line.split(' ').map(word).collect()
}

trait Concat {
    fn concat(&self) -> OsString;
}

impl Concat for [&OsStr; 2] {
    fn concat(&self) -> OsString {
        let mut text = self[0].to_os_string();
        text.push(self[1]);
        text
    }
}

/// Runs the command.
pub fn run(arguments: &[OsString], stdout: impl Into<Stdio>, stderr: impl Into<Stdio>) -> Output {
    Command::new(PWP).args(arguments).stdin(Stdio::null()).stdout(stdout).stderr(stderr).output().unwrap()
}

/// What a run says: its status, and both streams as text.
pub fn told(arguments: &[OsString]) -> (Option<i32>, String, String) {
    let output = run(arguments, Stdio::piped(), Stdio::piped());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The files of a directory and of those in it, with what is in them.
pub fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        match std::fs::read(entry.path()) {
            Ok(bytes) => drop(files.insert(entry.file_name().into(), bytes)),
            Err(_) => {
                let within = self::files(&entry.path()).into_iter();
                files.extend(within.map(|(path, bytes)| (Path::new(&entry.file_name()).join(path), bytes)));
            }
        }
    }
    files
}

#[test]
fn every_subcommand_of_the_help_is_in_the_table() {
    let (_, help, _) = told(&["help".into()]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let listed = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let listed = listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    assert_eq!(listed.collect::<Vec<_>>(), CASES.map(|case| case.name));
}

#[test]
fn a_subcommand_that_takes_a_source_or_a_function_by_its_help_has_a_line_for_it() {
    for case in &CASES {
        let (_, help, _) = told(&["help".into(), case.name.into()]);
        let says = |words: &[&str]| words.iter().any(|word| help.contains(word));
        assert_eq!(says(&["SOURCE", "CATALOG", "<A>", "IMAGES"]), case.source.is_some(), "{}: {help}", case.name);
        assert_eq!(says(&["--function", "FUNCTION"]), case.function.is_some(), "{}: {help}", case.name);
        assert_eq!(case.function.is_some(), case.without.is_some(), "{}", case.name);
        assert_eq!(says(&["--out", "--resume"]), !case.unwritable.is_empty(), "{}", case.name);
        assert!(case.source.is_none() || !case.missing.is_empty(), "{}", case.name);
    }
}
