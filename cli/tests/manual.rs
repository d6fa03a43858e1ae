//! The man pages and completions that `make install` installs.

use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 12] = [
    "functions",
    "eval",
    "plot",
    "inspect",
    "diff",
    "generate",
    "report",
    "sets",
    "pack",
    "unpack",
    "abi-check",
    "compare",
];

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_command_has_a_page_and_is_completed_by_every_shell() {
    let share = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_pwp")).arg("manual").arg(share.path()).status().unwrap();
    assert!(status.success());
    let completions =
        ["bash-completion/completions/pwp", "zsh/site-functions/_pwp", "fish/vendor_completions.d/pwp.fish"];
    let completions = completions.map(|file| read(&share.path().join(file)));
    assert!(read(&share.path().join("man/man1/pwp.1")).contains(".TH pwp 1"));
    for command in COMMANDS {
        let page = read(&share.path().join(format!("man/man1/pwp-{command}.1")));
        assert!(page.contains(&format!(".TH pwp-{command} 1")), "{page}");
        assert!(completions.iter().all(|text| text.contains(command)), "{command}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_pwp")).args(["manual", "/dev/null/share"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn help_is_wrapped_once() {
    for command in COMMANDS {
        let output =
            Command::new(env!("CARGO_BIN_EXE_pwp")).args(["help", command]).env("COLUMNS", "60").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let ragged = |pair: &[&str]| {
            // A line that ends early although the next word would have fitted was broken twice.
            let word = pair[1].split_whitespace().next().unwrap_or_default();
            let indent = |line: &str| line.len() - line.trim_start().len();
            let prose = indent(pair[0]) == indent(pair[1]) && !pair[0].trim().is_empty() && !word.is_empty();
            prose && indent(pair[0]) == 0 && !pair[0].ends_with(':') && pair[0].len() + 1 + word.len() <= 60
        };
        let lines: Vec<&str> = text.lines().collect();
        let broken = lines.windows(2).find(|pair| ragged(pair));
        assert!(broken.is_none() || text.contains("not in this build"), "{command}: {broken:?}");
    }
}
