//! `pwp readings` and the page that shows the list.

use std::process::Command;

use serde_json::Value;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/differences.md");

/// What stands around the list on the page.
const BEGIN: &str = "<!-- pwp readings --markdown -->\n";
const END: &str = "<!-- end -->\n";

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pwp")).arg("readings").args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// With `PWP_WRITE_EXAMPLES` in the environment the page is written anew instead.
#[test]
fn the_page_has_the_list() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (list, after) = rest.split_once(END).unwrap();
    let now = printed(&["--markdown"]);
    if std::env::var_os("PWP_WRITE_EXAMPLES").is_some() {
        return std::fs::write(PAGE, format!("{before}{BEGIN}{now}{END}{after}")).unwrap();
    }
    assert_eq!(list, now, "PWP_WRITE_EXAMPLES=1 cargo test -p pwp --test readings writes it anew");
}

#[test]
fn the_json_has_every_reading_with_a_call_a_field_or_why_there_is_none() {
    let list: Value = serde_json::from_str(&printed(&["--json"])).unwrap();
    let readings = list["readings"].as_array().unwrap();
    let text = printed(&[]);
    for reading in readings {
        let id = reading["id"].as_str().unwrap();
        assert!(text.contains(&format!("\n{id} (")), "{id}");
        let keys: Vec<&str> = ["call", "field", "nothing"].into_iter().filter(|key| !reading[key].is_null()).collect();
        assert_eq!(keys.len(), 1, "{id}: {keys:?}");
        for key in ["topic", "ours", "alternative", "where"] {
            assert!(!reading[key].as_str().unwrap().is_empty(), "{id}: {key}");
        }
        let bits = |key: &str| u32::from_str_radix(reading["call"][key].as_str().unwrap(), 16).unwrap();
        if keys == ["call"] {
            assert_ne!(bits("ours"), bits("alternative"), "{id}");
            let _input = bits("input");
        }
    }
    assert!(readings.len() > 25);
}
