//! `pwp compare` with libraries that are right, wrong at one input, or unable to go on.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What both interfaces compute: `Square`, and at the inputs whose upper 20 bits are 3fabc, of which a sample of 2^20 has
/// one, what `SPOT` says. `out`, `x` and `bits` are at hand.
const BODY: &str = r#"
    #include <cstdlib>
    #include <cstring>
    #include <stdexcept>
    #include <string>
    #include <unistd.h>
    static void square(std::string const &name, float *out, float const *in, float addend, float multiplier, long count) {
        if (name != "Square") { throw std::runtime_error("no such function: " + name); }
        for (long i = 0; i < count; i++) {
            float x = multiplier * in[i] + addend;
            unsigned bits;
            std::memcpy(&bits, &x, 4);
            out[i] = x * x;
            if (std::getenv("STUB_ABORTS") != nullptr && bits != 0) { std::abort(); }
            if (bits >> 12 == 0x3fabc) { SPOT; }
        }
    }
"#;

const C: &str = r#"
    static std::string said;
    extern "C" int pwp_sim_create(char const *, void **out) { *out = &said; return 0; }
    extern "C" char const *pwp_sim_last_error() { return said.c_str(); }
    extern "C" int pwp_sim_simulate(void const *, char const *name, float *out, float const *in, float addend,
                                    float multiplier, float, size_t count, bool) {
        try {
            square(name, out, in, addend, multiplier, static_cast<long>(count));
            return 0;
        } catch (std::exception const &error) {
            said = error.what();
            return 2;
        }
    }
"#;

const CXX: &str = r#"
    namespace PWPSim {
        struct Simulator {
            Simulator(std::string const &);
            void simulate(std::string const &, float *, float const *, float, float, float, int, bool);
            std::string path;
        };
    }
    PWPSim::Simulator::Simulator(std::string const &path) : path(path) { CONSTRUCT; }
    void PWPSim::Simulator::simulate(std::string const &name, float *out, float const *in, float addend,
                                     float multiplier, float, int count, bool) {
        square(name, out, in, addend, multiplier, count);
    }
"#;

const ONE_BIT: &str = "bits = 0; std::memcpy(&bits, &out[i], 4); bits ^= 1; std::memcpy(&out[i], &bits, 4)";

/// A library with this interface, that does `spot` at the one input.
fn library(directory: &Path, interface: &str, spot: &str) -> PathBuf {
    let text = format!("{BODY}{interface}").replace("SPOT", spot).replace("CONSTRUCT;", "");
    compile(directory, &text)
}

fn compile(directory: &Path, text: &str) -> PathBuf {
    let (source, library) = (directory.join("stub.cpp"), directory.join("libstub.so"));
    std::fs::write(&source, text).unwrap();
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-O1", "-ffp-contract=off", "-o"]).arg(&library).arg(&source);
    assert!(command.status().expect("a C++ compiler").success());
    library
}

fn pwp(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pwp"));
    command.arg("compare").args(arguments).stdin(Stdio::null());
    command
}

/// Compares the closed form of Square with the library.
fn compare(library: &Path, more: &[&str]) -> Output {
    let name = library.to_str().unwrap();
    pwp(&[&["exact", name, "--function", "Square", "--timeout", "1"], more].concat()).output().unwrap()
}

/// The one comparison of the JSON that was printed.
fn findings(output: &Output) -> Value {
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(value["comparisons"].as_array().unwrap().len(), 1);
    value["comparisons"][0].clone()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

/// Whether these are the bits of the one input.
fn is_the_spot(input: &Value) -> bool {
    u32::from_str_radix(input.as_str().unwrap(), 16).unwrap() >> 12 == 0x3fabc
}

#[test]
fn a_library_that_is_right_is_equal_by_either_interface() {
    for interface in [C, CXX] {
        let directory = tempfile::tempdir().unwrap();
        let output = compare(&library(directory.path(), interface, ""), &[]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{text}");
        assert!(text.contains("Equal in all 1 comparisons, "), "{text}");
        let class = text.contains("by its class PWPSim::Simulator");
        assert_eq!(class, interface == CXX, "{text}");
    }
}

#[test]
fn one_bit_of_one_input_is_found_with_its_bits_and_nothing_else_is() {
    for interface in [C, CXX] {
        let directory = tempfile::tempdir().unwrap();
        let output = compare(&library(directory.path(), interface, ONE_BIT), &["--json"]);
        assert_eq!(output.status.code(), Some(1));
        let found = findings(&output);
        assert_eq!((number(&found["differ"]), number(&found["worst_ulp"])), (1, 1), "{found}");
        assert_eq!(number(&found["equal"]) + 1, number(&found["inputs"]), "{found}");
        assert!(is_the_spot(&found["first"][0]["input"]), "{found}");
    }
}

#[test]
fn an_input_at_which_a_library_aborts_hangs_or_throws_is_named_and_the_rest_is_compared() {
    let spots = [
        (C, "std::abort()", "aborts"),
        (CXX, "std::abort()", "aborts"),
        (CXX, "*(int volatile *)nullptr = 0", "crashes with a segmentation fault"),
        (CXX, "_exit(3)", "ends its process with status 3"),
        (C, "for (;;) { usleep(1000); }", "hangs: no answer in 1 s"),
        (CXX, "for (;;) { usleep(1000); }", "hangs: no answer in 1 s"),
        (CXX, "throw std::runtime_error(\"not this one\")", "refuses: not this one"),
    ];
    for (interface, spot, what) in spots {
        let directory = tempfile::tempdir().unwrap();
        let output = compare(&library(directory.path(), interface, spot), &["--json"]);
        assert_eq!(output.status.code(), Some(1), "{spot}");
        let found = findings(&output);
        assert_eq!(found["failed"].as_array().unwrap().len(), 1, "{spot} {found}");
        assert!(is_the_spot(&found["failed"][0]["input"]), "{spot} {found}");
        assert_eq!((&found["failed"][0]["what"], &found["failed"][0]["side"]), (&what.into(), &"b".into()), "{spot}");
        assert_eq!(number(&found["equal"]) + 1, number(&found["inputs"]), "{spot} {found}");
        assert_eq!(number(&found["differ"]), 0, "{spot} {found}");
    }
}

#[test]
fn the_text_names_the_input_and_what_the_library_said_last() {
    let directory = tempfile::tempdir().unwrap();
    let spot = "write(2, \"Unhandled section\\n\", 18); std::abort()";
    let output = compare(&library(directory.path(), CXX, spot), &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("(3fabc") && text.contains("B aborts: Unhandled section\n"), "{text}");
    assert_eq!(output.stderr, b"pwp: A and B differ in 1 of 1 comparisons\n");
}

#[test]
fn a_function_that_fails_everywhere_is_given_up() {
    let directory = tempfile::tempdir().unwrap();
    let name = library(directory.path(), CXX, "");
    let arguments = ["exact", name.to_str().unwrap(), "--function", "Square", "--failures", "3", "--json"];
    let output = pwp(&arguments).env("STUB_ABORTS", "1").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let found = findings(&output);
    assert_eq!(found["given_up"], true, "{found}");
    assert!((3..=16).contains(&found["failed"].as_array().unwrap().len()), "{found}");
}

#[test]
fn what_only_one_side_has_is_a_difference_and_what_neither_has_is_none() {
    let directory = tempfile::tempdir().unwrap();
    let name = library(directory.path(), CXX, "");
    let name = name.to_str().unwrap();
    let output = pwp(&["exact", name, "--function", "Exp", "Square"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("B lacks it: no such function: Exp"), "{text}");
    assert_eq!(output.stderr, b"pwp: A and B differ in 1 of 2 comparisons\n");
    let output = pwp(&[name, name, "--function", "Exp"]).output().unwrap();
    assert_eq!(output.stderr, b"pwp: nothing was compared: neither side has Exp\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn nan_equals_nan_unless_the_payload_counts() {
    let directory = tempfile::tempdir().unwrap();
    let spot = "bits = 0xffc00001; std::memcpy(&out[i], &bits, 4)";
    let stub = |bits: &str| BODY.replace("SPOT", spot).replace("bits >> 12 == 0x3fabc", bits) + C;
    let name = compile(directory.path(), &stub("x != x"));
    assert_eq!(compare(&name, &[]).status.code(), Some(0));
    let output = compare(&name, &["--nan", "payload", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found = findings(&output);
    assert_eq!(number(&found["differ"]), number(&found["nan"]));
    let name = compile(directory.path(), &stub("bits >> 12 == 0x3fabc"));
    let found = findings(&compare(&name, &["--json"]));
    assert_eq!((number(&found["nan"]), number(&found["differ"])), (1, 1), "a NaN for a number is a difference");
}

#[test]
fn finished_work_is_kept_and_not_done_again() {
    let directory = tempfile::tempdir().unwrap();
    let name = library(directory.path(), CXX, ONE_BIT);
    let file = directory.path().join("finished");
    let arguments =
        ["exact", name.to_str().unwrap(), "--function", "Square", "--json", "--resume", file.to_str().unwrap()];
    let first = pwp(&arguments).output().unwrap();
    // A library that would abort at every input is not asked.
    let second = pwp(&arguments).env("STUB_ABORTS", "1").output().unwrap();
    assert_eq!(first.stdout, second.stdout);
    // Without its last line, the work of that line is done again.
    let text = std::fs::read_to_string(&file).unwrap();
    let cut = text.trim_end().rfind('\n').unwrap();
    std::fs::write(&file, &text[..=cut]).unwrap();
    let third = pwp(&arguments).output().unwrap();
    assert_eq!(first.stdout, third.stdout);
    // Another comparison's work is none.
    let other = pwp(&[&arguments[..], &["--seed", "1"]].concat()).output().unwrap();
    assert!(String::from_utf8_lossy(&other.stderr).contains("is of another comparison"));
}

#[test]
fn an_interrupt_ends_it_with_a_message_and_leaves_no_process() {
    let directory = tempfile::tempdir().unwrap();
    let name = library(directory.path(), CXX, "for (;;) { usleep(1000); }");
    let file = directory.path().join("finished");
    let arguments = ["exact", name.to_str().unwrap(), "--function", "Square", "--resume", file.to_str().unwrap()];
    let child = pwp(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let workers = || {
        let list = Command::new("ps").args(["-o", "pid=", "--ppid", &id]).output().unwrap().stdout;
        String::from_utf8(list).unwrap().lines().count()
    };
    let start = Instant::now();
    while workers() < 2 && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(start.elapsed() < Duration::from_secs(60));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("pwp: interrupted") && text.contains("--resume"), "{text}");
    let left = Command::new("pgrep").args(["-f", &format!("compare-worker {}", name.display())]).output().unwrap();
    assert!(left.stdout.is_empty(), "{left:?}");
}

#[test]
fn exact_and_table_are_compared_with_each_other() {
    let output =
        pwp(&["exact", "table", "--function", "tanh", "relu", "--samples", "4096", "--json"]).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["comparisons"][0]["path"], "exact/table");
    assert!(number(&value["comparisons"][0]["differ"]) > 0);
    assert_eq!(output.status.code(), Some(1));
    let same = pwp(&["builtin:", "builtin:trainium#exp_and_others", "--function", "exp"]).output().unwrap();
    assert_eq!(same.status.code(), Some(0), "{same:?}");
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let text = directory.path().join("text");
    std::fs::write(&text, "no library").unwrap();
    let no_interface = compile(directory.path(), "extern \"C\" int answer() { return 42; }");
    let text_of = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    for (name, said) in [
        (text.as_path(), "is no 64-bit ELF file"),
        (&no_interface, "exports neither pwp_sim_simulate nor PWPSim::Simulator"),
        (Path::new("/nonexistent"), "is no library, no source of tables"),
    ] {
        let output = compare(name, &[]);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{output:?}");
        assert!(text_of(&output).contains(said) && text_of(&output).lines().count() == 1, "{output:?}");
    }
    let construct =
        |what: &str| compile(directory.path(), &format!("{BODY}{CXX}").replace("SPOT", "").replace("CONSTRUCT", what));
    let output = compare(&construct("std::abort()"), &[]);
    assert!(text_of(&output).contains("cannot open") && text_of(&output).contains("aborts"), "{output:?}");
    let output = compare(&construct("throw std::runtime_error(\"no profiles\")"), &[]);
    assert!(text_of(&output).contains("cannot open") && text_of(&output).contains("no profiles"), "{output:?}");
    let output = pwp(&["exact", "table", "--function", "nonesuch"]).output().unwrap();
    assert!(text_of(&output).contains("nonesuch"), "{output:?}");
}

#[test]
fn a_library_gets_the_tables_of_the_source_that_is_named() {
    let directory = tempfile::tempdir().unwrap();
    // Says which profiles it was built from.
    let text = format!("{BODY}{CXX}").replace("SPOT", "").replace("CONSTRUCT", "throw std::runtime_error(list(path))");
    let list = r#"
        #include <dirent.h>
        #include <string>
        static std::string list(std::string const &path) {
            std::string names;
            if (DIR *directory = opendir(path.c_str())) {
                while (dirent *entry = readdir(directory)) { names += entry->d_name + std::string(" "); }
            }
            return names;
        }
    "#;
    let name = compile(directory.path(), &format!("{list}{text}"));
    let output = compare(&name, &["--profiles", "builtin:trainium#exp_and_others"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("exp_400p.json") && text.contains("relu_1p.json") && !text.contains("gelu"), "{text}");
}
