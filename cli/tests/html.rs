//! The page of `pwp report --html`: what is in it, without a browser. `tests/browser` uses it in one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use roxmltree::{Document, Node, ParsingOptions};

fn report(file: &Path, arguments: &[&str]) -> Output {
    let mut pwp = Command::new(env!("CARGO_BIN_EXE_pwp"));
    pwp.args(["report", "--samples", "4", "--html"]).arg(file).args(arguments).output().unwrap()
}

/// The text of a page about two functions, one of them hardwired.
fn page() -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("report.html");
    let output = report(&file, &["--function", "gelu", "relu"]);
    assert!(output.status.success(), "{output:?}");
    std::fs::read_to_string(file).unwrap()
}

/// The page is written as XML too, so that a parser finds what is not closed or not escaped.
fn parsed(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap()
}

fn elements<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.has_tag_name(("http://www.w3.org/1999/xhtml", name)))
}

fn text(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

#[test]
fn the_table_has_a_row_for_each_function_with_a_value_for_each_column() {
    let page = page();
    let document = parsed(&page);
    let table = elements(&document, "table").find(|table| table.attribute("id") == Some("summary")).unwrap();
    let within = |node: Node| node.ancestors().any(|above| above == table);
    let columns: Vec<String> = elements(&document, "th").filter(|node| within(*node)).map(text).collect();
    let cells: Vec<Node> = elements(&document, "td").filter(|node| within(*node)).collect();
    assert_eq!(cells.len(), 2 * columns.len());
    let value = |row: usize, column: &str| {
        let index = columns.iter().position(|name| name == column).unwrap_or_else(|| panic!("{columns:?}"));
        cells[row * columns.len() + index].attribute("data-value").unwrap().to_owned()
    };
    assert_eq!((value(0, "function"), value(1, "function")), ("gelu".to_owned(), "relu".to_owned()));
    assert_eq!((value(0, "sections"), value(1, "worst ULP, sections")), ("504".to_owned(), String::new()));
    let worst: f64 = value(0, "worst ULP, sections").parse().unwrap();
    assert!((15.0..25.0).contains(&worst), "{worst}");
    assert_eq!((value(0, "NaN mismatches, closed form"), value(0, "unhandled")), ("1".to_owned(), "0".to_owned()));
}

#[test]
fn each_picture_has_the_inputs_and_errors_of_its_octaves_for_the_pointer() {
    let page = page();
    let document = parsed(&page);
    let sections: Vec<Node> = elements(&document, "section").collect();
    let ids: BTreeSet<&str> = sections.iter().filter_map(|section| section.attribute("id")).collect();
    assert_eq!(ids, BTreeSet::from(["gelu_4p", "relu_1p"]));
    for section in sections {
        let pictures = section.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
        assert_eq!(pictures.count(), 2, "the picture and what lies over it");
        let titles = section.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
        let says: Vec<String> = titles.map(text).collect();
        assert!(says.len() > 20 && says.iter().all(|says| says.contains('x') && says.contains(" inputs")), "{says:?}");
    }
    let octave = document.descendants().filter_map(|node| node.text()).find(|text| text.starts_with("1.0 ≤ x < 2.0\n"));
    let octave = octave.unwrap();
    assert!(
        octave.contains("\nsections: worst ")
            && octave.contains("\nclosed form: worst ")
            && octave.contains(" ULP at 1.")
    );
}

#[test]
fn the_page_asks_for_nothing_else() {
    let page = page();
    let document = parsed(&page);
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["link", "img", "iframe", "object", "base"].contains(&node.tag_name().name()), "{node:?}");
        for attribute in node.attributes() {
            let local = attribute.name() != "href" || attribute.value().starts_with('#');
            assert!(local && attribute.name() != "src" && !attribute.value().contains("url("), "{node:?}");
        }
    }
    let styles: String = elements(&document, "style").map(text).collect();
    assert!(!styles.contains("url(") && !styles.contains("@import"));
    let policy =
        elements(&document, "meta").find(|meta| meta.attribute("http-equiv") == Some("Content-Security-Policy"));
    assert!(policy.unwrap().attribute("content").unwrap().starts_with("default-src 'none'"));
}

#[test]
fn the_name_of_a_source_is_text_and_no_markup() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("<script>alert(1)</script>&");
    std::fs::create_dir_all(&source).unwrap();
    let file = directory.path().join("report.html");
    let output = report(&file, &["--function", "relu", "--profiles", source.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "there is no table: {output:?}");
    let page = std::fs::read_to_string(file).unwrap();
    assert_eq!(elements(&parsed(&page), "script").count(), 1);
    assert!(elements(&parsed(&page), "b").any(|node| text(node) == source.to_str().unwrap()));
}
