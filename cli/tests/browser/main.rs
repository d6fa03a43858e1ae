//! The page of `pwp report --html` in headless Chromium, used as a person would: `make test-html`.

mod devtools;

use std::path::{Path, PathBuf};
use std::process::Command;

use devtools::Browser;
use serde_json::{Value, json};

fn page(directory: &Path) -> PathBuf {
    let file = directory.join("report.html");
    let mut pwp = Command::new(env!("CARGO_BIN_EXE_pwp"));
    let arguments = ["report", "--samples", "8", "--function", "gelu", "exp", "relu", "Prelu", "--html"];
    let output = pwp.args(arguments).arg(&file).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    file
}

/// The functions from the first row to the last.
const NAMES: &str = "[...document.querySelectorAll('#summary tbody tr')].map(row => row.cells[0].textContent)";

/// The middle of the element that an expression gives, in pixels of the window.
fn middle(browser: &mut Browser, element: &str) -> (f64, f64) {
    let place = browser.evaluate(&format!(
        "(() => {{ const e = {element}; e.scrollIntoView({{block: 'center', inline: 'center'}}); \
         const box = e.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    ));
    (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
}

fn click(browser: &mut Browser, column: &str) {
    let head =
        format!("[...document.querySelectorAll('#summary th')].find(th => th.textContent === '{column}').firstChild");
    let (x, y) = middle(browser, &head);
    for kind in ["mousePressed", "mouseReleased"] {
        browser
            .call("Input.dispatchMouseEvent", json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}));
    }
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn a_click_on_a_column_s_head_sorts_by_it_and_a_second_one_the_other_way() {
    let directory = tempfile::tempdir().unwrap();
    let mut browser = Browser::open(&page(directory.path()));
    assert_eq!(browser.evaluate(NAMES), json!(["Gelu", "Exp", "Relu", "Prelu"]));
    click(&mut browser, "worst ULP, sections");
    // Relu and Prelu have no sections, and stay where they were.
    assert_eq!(browser.evaluate(NAMES), json!(["Exp", "Gelu", "Relu", "Prelu"]));
    click(&mut browser, "worst ULP, sections");
    assert_eq!(browser.evaluate(NAMES), json!(["Gelu", "Exp", "Relu", "Prelu"]));
    click(&mut browser, "function");
    assert_eq!(browser.evaluate(NAMES), json!(["Exp", "Gelu", "Prelu", "Relu"]));
    let sorted =
        browser.evaluate("[...document.querySelectorAll('th[aria-sort]')].map(th => [th.textContent, th.ariaSort])");
    assert_eq!(sorted, json!([["function", "ascending"]]));
    browser.end();
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn the_pointer_over_a_picture_shows_the_inputs_and_errors_of_its_octave() {
    let directory = tempfile::tempdir().unwrap();
    let mut browser = Browser::open(&page(directory.path()));
    let step = "[...document.querySelectorAll('#gelu_4p .steps rect')].find(step => step.dataset.says.startsWith('1.0 ≤ x < 2.0'))";
    let (x, y) = middle(&mut browser, step);
    browser.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}));
    let shown = browser.evaluate(
        "document.getElementById('tip').checkVisibility() ? document.getElementById('tip').textContent : null",
    );
    let shown = shown.as_str().expect("something is shown");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "1.0 ≤ x < 2.0");
    assert!(lines[1].starts_with("sections: worst ") && lines[1].contains(" ULP at 1."), "{shown}");
    // The step is where the picture's own axis has the octave: between the labels of its ends.
    let label = |text: &str| {
        format!(
            "(() => {{ const t = [...document.querySelectorAll('#gelu_4p .picture text')].find(t => t.textContent.trim() === '{text}'); \
         const box = t.getBoundingClientRect(); return box.x + box.width / 2; }})()"
        )
    };
    let edges = [label("2⁰"), label("2²")].map(|label| browser.evaluate(&label).as_f64().unwrap());
    let (from, to) = (edges[0], (edges[0] + edges[1]) / 2.0);
    assert!((x - (from + to) / 2.0).abs() < 0.1 * (to - from), "{x} is not in the middle of {from} to {to}");
    browser.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": 1, "y": 1}));
    assert_eq!(browser.evaluate("document.getElementById('tip').hidden"), json!(true));
    browser.end();
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn without_javascript_all_is_there_to_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let mut browser = Browser::new();
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.go(&page(directory.path()));
    let text = browser.text();
    for said in ["Exp", "exp_400p", "189.874", "table, sections", "Gelu: table gelu_4p, 504 sections"] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    browser.end();
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn light_and_dark_follow_the_reader_s_wish_and_text_stands_out_in_both() {
    let directory = tempfile::tempdir().unwrap();
    let mut browser = Browser::open(&page(directory.path()));
    let lightness = |browser: &mut Browser, property: &str| -> f64 {
        let color = browser
            .evaluate(&format!("getComputedStyle(document.body).{property}.match(/\\d+/g).slice(0, 3).map(Number)"));
        color.as_array().unwrap().iter().filter_map(Value::as_f64).sum::<f64>() / 3.0
    };
    for (scheme, paper) in [("light", 200.0..256.0), ("dark", 0.0..60.0)] {
        let wish = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.call("Emulation.setEmulatedMedia", wish);
        let (ground, ink) = (lightness(&mut browser, "backgroundColor"), lightness(&mut browser, "color"));
        assert!(paper.contains(&ground) && (ground - ink).abs() > 128.0, "{scheme}: {ink} on {ground}");
        if let Some(folder) = std::env::var_os("PWP_SCREENSHOTS") {
            browser.screenshot(&Path::new(&folder).join(format!("{scheme}.png")));
        }
    }
    browser.end();
}
