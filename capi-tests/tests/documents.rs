//! The documents name files that exist: every link, and every path between backticks.

use std::path::{Path, PathBuf};

/// What a path of this repository, between backticks, begins with.
const FOLDERS: [&str; 10] =
    ["core", "src", "cli", "capi-tests", "docs", "include", "cmake", "python", "scripts", ".ci"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The documents: what is on top, and what is in `docs`.
fn documents() -> Vec<PathBuf> {
    let files = |directory: PathBuf| std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let all = files(root()).chain(files(root().join("docs")));
    all.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The parts of `text` between `open` and `close`, on one line each.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.lines().flat_map(move |line| line.split(open).skip(1).filter_map(move |rest| Some(rest.split_once(close)?.0)))
}

/// The text without its blocks of code, whose backticks and brackets mean other things.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// Words between backticks that are paths from the repository's root.
fn paths(text: &str) -> Vec<&str> {
    let spans = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |span: &&str| {
        let first = span.split_once('/').map(|(first, _)| first);
        let plain = !span.contains(['*', ' ', '<', '$', '{']);
        plain && (first.is_some_and(|first| FOLDERS.contains(&first)) || (first.is_none() && span.ends_with(".md")))
    };
    spans.filter(is_path).collect()
}

/// What `text`, a document in `directory`, names and does not exist.
fn missing(text: &str, directory: &Path) -> Vec<String> {
    let text = prose(text);
    let links = between(&text, "](", ')').filter(|link| !link.contains("://") && !link.starts_with('#'));
    let links = links.map(|link| (link, directory.join(link.split_once('#').map_or(link, |(file, _)| file))));
    // A name without a folder may stand for a file beside the document, or be meant from the root.
    let paths = paths(&text).into_iter().map(|path| (path, root().join(path)));
    let gone = |(name, path): &(&str, PathBuf)| !path.exists() && !directory.join(name).exists();
    links.chain(paths).filter(gone).map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn every_file_that_a_document_names_exists() {
    let documents = documents();
    assert!(documents.len() > 10, "{documents:?}");
    let gone = documents.iter().map(|document| {
        let text = std::fs::read_to_string(document).unwrap();
        (document, missing(&text, document.parent().unwrap()))
    });
    let gone: Vec<_> = gone.filter(|(_, names)| !names.is_empty()).collect();
    assert!(gone.is_empty(), "{gone:#?}");
}

#[test]
fn a_file_that_does_not_exist_is_found_in_links_and_between_backticks() {
    let text = "[a](docs/gone.md#part), `src/gone.rs`, `gone.md`, [b](README.md), `core/src/lib.rs`, `Cargo.toml`, `exp/x`, \
                [c](https://example.org/gone.md)\n```\n`src/code.rs`\n```\n`src`/`gone`";
    assert_eq!(missing(text, &root()), ["docs/gone.md#part", "src/gone.rs", "gone.md"]);
}
