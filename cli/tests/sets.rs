//! `pwp sets` as it is run: tables and JSON, loads, differences, and what is refused.

use std::process::{Command, Output};

fn pwp(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pwp")).args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = pwp(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = pwp(arguments);
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// The cells of the row that has `set` in its second column.
fn row(text: &str, set: &str) -> Vec<String> {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    text.lines().map(cells).find(|cells| cells.get(2).is_some_and(|cell| cell == set)).unwrap()
}

#[test]
fn every_set_has_a_row_and_pipes_get_no_colours() {
    let text = printed(&["sets"]);
    assert!(text.starts_with("21 sets, 36 functions\n") && !text.contains('\x1b'), "{text}");
    assert_eq!(row(&text, "exp_and_others")[1..5], ["0", "exp_and_others", "exp 400, tanh 4", "13"]);
    assert_eq!(row(&text, "small")[1..5], ["4", "small", "", "13"]);
    let text = printed(&["sets", "--catalog", "with_ln"]);
    assert_eq!(row(&text, "natural_log")[1..5], ["5", "natural_log", "ln 40", "1"]);
}

#[test]
fn json_has_the_sets_with_their_budgets_in_order() {
    let json = json(&["sets", "--json", "--catalog", "builtin:trainium"]);
    assert_eq!(json["sets"].as_array().unwrap().len(), 21);
    let act = json["sets"][0]["act"].as_array().unwrap();
    assert_eq!(act.len(), 15);
    assert_eq!(act[0], serde_json::json!({"function": "exp", "budget": 400}));
}

#[test]
fn functions_show_their_sets_and_the_loads_they_take() {
    let text = printed(&["sets", "--function", "Exp", "relu", "log"]);
    assert!(text.contains("exp_and_others (0), natural_log_exp_and_others (6)"), "{text}");
    assert!(text.contains("all 21") && text.contains("natural_log (5), natural_log_exp_and_others (6)"), "{text}");
    assert!(text.ends_with("1. natural_log_exp_and_others (6): Exp, relu, log\n"), "{text}");
    let json = json(&["sets", "--json", "--function", "Exp,relu", "--function", "sqrt"]);
    assert_eq!(json["functions"][0]["profile"], "exp");
    let second = serde_json::json!({"index": 3, "name": "sqrt_and_others", "first": 2, "functions": ["sqrt"]});
    assert_eq!(json["loads"][1], second);
}

#[test]
fn the_difference_of_the_rosters_is_told() {
    let text = printed(&["sets", "--catalog", "with_ln", "--diff", "trainium"]);
    assert!(text.contains("functions added (14): ") && text.contains("sets added (10): "), "{text}");
    assert!(text.contains("sets removed (3): softplus_tanh_and_others, mish_and_small, erf_and_others"), "{text}");
    assert!(printed(&["sets", "--diff", "trainium"]).starts_with("No difference"));
    let json = json(&["sets", "--catalog", "with_ln", "--diff", "trainium", "--json"]);
    assert_eq!(json["changed_sets"].as_array().unwrap().len(), 11);
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    assert!(refused(&["sets", "--function", "Exp2"]).contains("no function is named Exp2"));
    let text = refused(&["sets", "--catalog", "with_ln", "--function", "silu"]);
    assert!(text.contains("silu: no set of the catalog holds it"), "{text}");
    assert!(refused(&["sets", "--catalog", "/nonexistent"]).contains("cannot read /nonexistent: "));
    assert!(refused(&["sets", "--catalog", "builtin:trn9"]).contains("the embedded catalogs are"));
}
