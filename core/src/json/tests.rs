//! The rules that every file of JSON is read by.

use std::path::Path;

use super::reader::MAX_NESTING;
use super::*;

/// What is read of the texts below.
#[derive(Debug, PartialEq)]
struct Sample {
    number: i64,
    names: Vec<(String, i64)>,
}

fields!(SampleFields::sample -> Sample { number: Integer<{ i64::MIN }, { i64::MAX }>, names: Map<Integer<0, 9>> });

impl SampleFields {
    fn sample(self) -> Checked<Sample> {
        let names = self.names.unwrap_or(Ok(Map(Vec::new())))?.0;
        Ok(Sample { number: required!(self, number).0, names: names.into_iter().map(|(key, n)| (key, n.0)).collect() })
    }
}

fn sample(text: &str) -> Result<Sample> {
    parse(text, Path::new("t.json"))
}

/// Place and reason.
fn refused<T: Value>(text: &str) -> (String, String) {
    match parse::<T>(text, Path::new("t.json")) {
        Err(Error::ProfileFormat { file, place, reason }) if file == Path::new("t.json") => (place, reason),
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("{text} was read"),
    }
}

fn number(text: &str) -> Result<i64> {
    sample(text).map(|sample| sample.number)
}

#[test]
fn what_is_not_read_may_be_any_value_of_the_grammar() {
    for unread in [
        "1e400",
        "-1E+999999",
        "123456789012345678901234567890",
        "0.1",
        "-0",
        "NaN",
        "Infinity",
        "-Infinity",
        "null",
        r#""\ud800""#,
        r#""\udc00\ud800 \u0000""#,
        "[NaN, [Infinity, 1e400]]",
        r#"{"\ud800": [], "": {"a": -Infinity}}"#,
    ] {
        assert_eq!(number(&format!(r#"{{"unread": {unread}, "number": 1}}"#)), Ok(1), "{unread}");
        assert_eq!(number(&format!(r#"{{"number": {unread}, "number": 1}}"#)), Ok(1), "{unread}");
        assert_eq!(number(&format!(r#"{{"number": 1, "\ud800": {unread}}}"#)), Ok(1), "{unread}");
    }
}

#[test]
fn where_an_integer_is_due_anything_else_is_a_mistake_with_its_place() {
    for (text, found) in [
        ("NaN", "NaN, which is not JSON"),
        ("Infinity", "Infinity, which is not JSON"),
        ("-Infinity", "-Infinity, which is not JSON"),
        ("1e400", "the number 1e400"),
        ("1e0", "the number 1e0"),
        ("1.0", "the number 1.0"),
        ("9223372036854775808", "the number 9223372036854775808"),
        ("\"1\"", "a string"),
        ("[1]", "an array"),
        ("{}", "an object"),
        ("null", "null"),
        ("true", "true"),
    ] {
        let (place, reason) = refused::<Sample>(&format!(r#"{{"number": {text}}}"#));
        assert_eq!(place, "number");
        assert!(
            reason.starts_with("expected an integer in") && reason.ends_with(&format!("found {found}")),
            "{reason}"
        );
    }
    let long = "7".repeat(100);
    assert!(refused::<Sample>(&format!(r#"{{"number": {long}}}"#)).1.ends_with(&format!("{}...", "7".repeat(40))));
}

#[test]
fn what_breaks_the_grammar_is_refused_wherever_it_stands() {
    for bad in [
        "",
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "1e+",
        "-",
        "--1",
        "nan",
        "infinity",
        "-NaN",
        "Inf",
        "+Infinity",
        "nul",
        "True",
        "'a'",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123\"",
        "\"a",
        "\"a\nb\"",
        "\"\u{1}\"",
        "[1,]",
        "[1 2]",
        "[",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":1 \"b\":2}",
        "1 1",
        "]",
        "}",
        "/**/1",
        "0x1",
        "1_0",
        "\u{a0}1",
    ] {
        let (place, reason) = refused::<Sample>(&format!(r#"{{"number": 1, "unread": {bad}}}"#));
        assert!(place.is_empty() && reason.starts_with("not JSON: "), "{bad}: {reason}");
    }
    for text in ["", " ", "{} {}", "[]]", "\u{feff}\u{feff}{}"] {
        assert!(refused::<Sample>(text).1.starts_with("not JSON: "), "{text:?}");
    }
}

#[test]
fn a_breach_of_the_grammar_names_line_and_column() {
    assert_eq!(refused::<Sample>("{\n \"a\": 1,\n  x}").1, "not JSON: expected a key in quotes at line 3 column 3");
    assert_eq!(refused::<Sample>("{\"a\":}").1, "not JSON: expected value at line 1 column 6");
    assert_eq!(refused::<Sample>("\u{feff}{\"a\":}").1, "not JSON: expected value at line 1 column 6");
    assert!(refused::<Sample>("{\"a\": 1").1.ends_with("at line 1 column 8, where the text ends"));
}

#[test]
fn white_space_and_a_byte_order_mark_play_no_part() {
    assert_eq!(number("\u{feff}\t\r\n {\n\"number\"\t: 1 \r}\n "), Ok(1));
}

#[test]
fn a_key_is_known_by_what_its_escapes_mean() {
    assert_eq!(number(r#"{"n\u0075mber": 1}"#), Ok(1));
    assert_eq!(number(r#"{"number": 1, "number\u0000": 2, "n\\umber": 3}"#), Ok(1));
}

#[test]
fn of_two_equal_keys_the_last_counts_also_after_a_mistake() {
    assert_eq!(number(r#"{"number": "no", "number": 2}"#), Ok(2));
    assert_eq!(refused::<Sample>(r#"{"number": 2, "number": "no"}"#).0, "number");
    let names = |text: &str| sample(&format!(r#"{{"number": 0, "names": {text}}}"#)).map(|sample| sample.names);
    let expected = vec![("z".to_owned(), 4), ("a".to_owned(), 5), ("k".to_owned(), 1)];
    assert_eq!(names(r#"{"z": 1, "a": "no", "z": true, "k": 1, "a": 5, "\u007a": 4}"#), Ok(expected));
}

#[test]
fn text_is_read_by_its_escapes_and_half_a_pair_is_a_mistake() {
    let text = |text: &str| parse::<Text>(text, Path::new("t.json")).map(|text| text.0);
    assert_eq!(text(r#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00é""#).unwrap(), "\"\\/\u{8}\u{c}\n\r\tAé\u{1f600}é");
    for half in [r#""\ud800""#, r#""\udc00""#, r#""\ud800x""#, r#""\ud800A""#, r#""\ud800\ud800""#, r#""a\ud8""#] {
        let (_, reason) = refused::<Text>(half);
        assert!(reason.contains("surrogate") || half.len() < 8 && reason.contains("escape"), "{half}: {reason}");
    }
    assert_eq!(refused::<Map<Text>>(r#"{"a": "b", "\ud800": "c"}"#).0, "");
}

#[test]
fn nesting_is_limited_wherever_it_stands() {
    let nested = |depth: usize| format!("{{\"unread\": {}{}, \"number\": 1}}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(number(&nested(MAX_NESTING - 1)), Ok(1));
    assert_eq!(refused::<Sample>(&nested(MAX_NESTING)).1, "nested more than 64 deep at byte 74");
    assert!(refused::<Sample>(&"{\"a\":".repeat(100_000)).1.starts_with("nested more than 64 deep"));
    let side_by_side = format!("{{\"unread\": [{}[]], \"number\": 1}}", "[{}],".repeat(1000));
    assert_eq!(number(&side_by_side), Ok(1));
}

#[test]
fn file_names_are_plain() {
    for name in ["../a", "", "..", ".", "a/b", "a\\\\b", "a\\u0000"] {
        assert!(refused::<FileName>(&format!("\"{name}\"")).1.starts_with("expected a plain file name"), "{name}");
    }
    assert_eq!(parse::<FileName>("\"a.bin\"", Path::new("")).unwrap().0, "a.bin");
}

#[test]
fn a_tree_is_written_in_its_order_and_reads_back() {
    let node: Node = [("z", Node::from(3)), ("a", Node::from(9)), ("\u{0}\"é", Node::from(0))].into_iter().collect();
    let Map(read) = parse::<Map<Integer<0, 9>>>(&node.to_text(), Path::new("")).unwrap();
    let read: Vec<(&str, i64)> = read.iter().map(|(key, value)| (key.as_str(), value.0)).collect();
    assert_eq!(read, [("z", 3), ("a", 9), ("\u{0}\"é", 0)]);
}
