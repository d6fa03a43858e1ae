//! The worked examples of `docs/tools.md`: what each command prints, to the letter.

use std::process::Command;

/// The commands of the page's `console` blocks, with what is printed below each.
fn examples() -> Vec<(String, String)> {
    let page = include_str!("../../docs/tools.md");
    let mut examples: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), String::new())),
                (None, Some((_, printed))) => *printed += &format!("{line}\n"),
                (None, None) => panic!("{line:?} stands before any command"),
            }
        }
    }
    examples
}

#[test]
fn every_example_prints_what_the_page_shows() {
    let directory = tempfile::tempdir().unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_pwp"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let examples = examples();
    assert!(!examples.is_empty());
    for (command, printed) in examples {
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(directory.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(text, printed, "{command}");
    }
}
