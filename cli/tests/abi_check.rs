//! `pwp abi-check` on programs that a C++ compiler makes here.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pwp_cli::abi_check::{exported, imports};

const CLASS: &str = r#"
#include <string>
namespace PWPSim {
extern int DEBUG;
struct Simulator {
    Simulator(std::string const &);
    float simulate(std::string const &, float, float, bool);
    float no_such_member(float);
};
}
"#;

const CLIENT: &str = r#"
int main()
{
    PWPSim::DEBUG = 0;
    alignas(8) char memory[96];
    PWPSim::Simulator *simulator = new (memory) PWPSim::Simulator("");
    return simulator->simulate("Exp", 0, 0, false) == 1 ? 0 : 1;
}
"#;

const CONSTRUCTOR: &str = "_ZN6PWPSim9SimulatorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
const SCALAR: &str = "_ZN6PWPSim9Simulator8simulateERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEffb";
const DEBUG: &str = "_ZN6PWPSim5DEBUGE";
const NO_SUCH_MEMBER: &str = "_ZN6PWPSim9Simulator14no_such_memberEf";

/// A directory of its own with a library in the original's name, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let scratch = Scratch(std::env::temp_dir().join(format!("pwp-abi-check-{name}-{}", std::process::id())));
        std::fs::create_dir_all(&scratch.0).unwrap();
        let library = r#"
            int PWPSim::DEBUG = 0;
            PWPSim::Simulator::Simulator(std::string const &) {}
            float PWPSim::Simulator::simulate(std::string const &, float, float, bool) { return 1; }
            float PWPSim::Simulator::no_such_member(float) { return 1; }
        "#;
        scratch.compile(library, "libpwp_sim.so", &["-shared", "-fPIC", "-Wl,-soname,libpwp_sim.so"]);
        scratch
    }

    /// Compiles the class and `source` to a file.
    fn compile(&self, source: &str, output: &str, options: &[&str]) -> PathBuf {
        let path = self.0.join(format!("{output}.cpp"));
        std::fs::write(&path, format!("#include <new>\n{CLASS}{source}")).unwrap();
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        let output = self.0.join(output);
        let status = Command::new(compiler).arg(path).arg("-o").arg(&output).args(options).status();
        assert!(status.expect("a C++ compiler").success());
        output
    }

    /// Compiles a program that uses the library.
    fn program(&self, source: &str, name: &str, options: &[&str]) -> PathBuf {
        let directory = format!("-L{}", self.0.display());
        self.compile(source, name, &[options, &[&directory, "-lpwp_sim"]].concat())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn names(file: &Path) -> Vec<String> {
    imports(&std::fs::read(file).unwrap()).unwrap().symbols.into_keys().collect()
}

fn pwp(files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pwp")).arg("abi-check").args(files).output().unwrap()
}

#[test]
fn a_program_s_functions_and_copied_variables_are_imports() {
    let scratch = Scratch::new("imports");
    for (name, options) in [("pie", &["-pie", "-fPIE"][..]), ("fixed", &["-no-pie", "-fno-pie"]), ("pic", &["-fPIC"])] {
        let program = scratch.program(CLIENT, name, options);
        assert_eq!(names(&program), [DEBUG, SCALAR, CONSTRUCTOR], "{name}");
        assert!(imports(&std::fs::read(program).unwrap()).unwrap().needs_library);
    }
    let object = scratch.compile(CLIENT, "client.o", &["-c"]);
    assert_eq!(names(&object), [DEBUG, SCALAR, CONSTRUCTOR]);
    assert!(!imports(&std::fs::read(object).unwrap()).unwrap().needs_library);
    assert_eq!(names(&scratch.0.join("libpwp_sim.so")), [""; 0]);
}

#[test]
fn every_symbol_is_looked_up_and_a_missing_one_fails() {
    let scratch = Scratch::new("missing");
    let good = scratch.program(CLIENT, "good", &[]);
    let output = pwp(&[&good]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("good: 3 PWPSim symbols, needs libpwp_sim.so\n"), "{text}");
    for name in [DEBUG, SCALAR, CONSTRUCTOR] {
        assert!(exported(name) && text.contains(&format!("  exported       {name}\n")), "{text}");
    }

    let more = CLIENT.replace("return", "simulator->no_such_member(1); return");
    let bad = scratch.program(&more, "bad", &[]);
    let output = pwp(&[&good, &bad]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(&format!("  MISSING        {NO_SUCH_MEMBER}\n")), "{text}");
    assert_eq!(text.matches("MISSING").count(), 1, "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 symbol(s) are missing"));
}

#[test]
fn what_is_no_elf_file_is_refused() {
    let scratch = Scratch::new("no-elf");
    let text = scratch.0.join("text");
    std::fs::write(&text, "\x7fELF, it says").unwrap();
    for file in [&text, &scratch.0, &scratch.0.join("absent")] {
        let output = pwp(&[file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(&file.display().to_string()));
    }
}

#[test]
fn a_real_library_is_looked_into_where_one_is_named() {
    let scratch = Scratch::new("library");
    let more = CLIENT.replace("return", "simulator->no_such_member(1); return");
    let program = scratch.program(&more, "program", &[]);
    // The scratch library has the member that ours has not.
    let library = scratch.0.join("libpwp_sim.so");
    let output = pwp(&[&program, Path::new("--library"), &library]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains(&format!("  exported       {NO_SUCH_MEMBER}\n")), "{text}");
    assert!(text.ends_with(&format!("{} has what is needed.\n", library.display())), "{text}");

    let empty = scratch.compile("", "libempty.so", &["-shared", "-fPIC"]);
    let output = pwp(&[&program, Path::new("--library"), &empty]);
    assert_eq!(output.status.code(), Some(1));
    let said = format!("4 symbol(s) are missing from {}", empty.display());
    assert!(String::from_utf8_lossy(&output.stderr).contains(&said), "{output:?}");

    let object = scratch.compile(CLIENT, "client.o", &["-c"]);
    for wrong in [&object, &scratch.0.join("absent")] {
        let output = pwp(&[&program, Path::new("--library"), wrong]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(&wrong.display().to_string()), "{output:?}");
    }
}
