//! The worked examples of `docs/tools.md`: what each command prints, to the letter.
//!
//! With `PWP_WRITE_EXAMPLES` in the environment the page is written anew instead: look at what changed.

use std::path::Path;
use std::process::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tools.md");

/// What the command prints, the standard error after the standard output.
fn printed(command: &str, directory: &Path) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_pwp")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&others))).unwrap();
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", command]).current_dir(directory).env("PATH", path).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// The page with the output of each command of its `console` blocks as it is now.
fn page_of_now(page: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let mut blocks = page.split("```console\n");
    let mut now = blocks.next().unwrap().to_owned();
    for block in blocks {
        let (commands, rest) = block.split_once("```").unwrap();
        now += "```console\n";
        for command in commands.lines().filter_map(|line| line.strip_prefix("$ ")) {
            now += &format!("$ {command}\n{}", printed(command, directory.path()));
        }
        now += &format!("```{rest}");
    }
    now
}

#[test]
fn every_subcommand_has_an_example() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let help = String::from_utf8(Command::new(env!("CARGO_BIN_EXE_pwp")).arg("help").output().unwrap().stdout).unwrap();
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 12 && names.contains(&"help"), "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let shown = page.lines().filter_map(|line| line.strip_prefix("$ "));
        let mut shown = shown.flat_map(|line| line.split("&& ")).map(|line| format!("{line} "));
        assert!(shown.any(|line| line.starts_with(&format!("pwp {name} "))), "{name} has no example");
    }
}

#[test]
fn every_example_prints_what_the_page_shows() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let now = page_of_now(&page);
    assert!(page.matches("\n$ pwp ").count() > 2);
    if std::env::var_os("PWP_WRITE_EXAMPLES").is_some() {
        return std::fs::write(PAGE, now).unwrap();
    }
    for (line, (now, page)) in now.lines().zip(page.lines()).enumerate() {
        assert_eq!(now, page, "line {}", line + 1);
    }
    assert_eq!(now.lines().count(), page.lines().count());
}
