//! Chromium, driven by its DevTools protocol through a pair of pipes: JSON texts, each with a zero byte at its end.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser with one page.
pub struct Browser {
    child: Child,
    into: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    /// What the page reported on its console, and the addresses that it asked for.
    complaints: Vec<String>,
    asked: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// A browser with an empty page.
    pub fn new() -> Browser {
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let profile = tempfile::tempdir().unwrap();
        // The pipes of the protocol are the file descriptors 3 and 4; as root Chromium has no sandbox.
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --no-first-run --remote-debugging-pipe \
                      --window-size=1440,1000 --user-data-dir=\"$1\" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, &program]).arg(profile.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        let into = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let (session, complaints, asked) = (None, Vec::new(), Vec::new());
        let mut browser = Browser { child, into, from, session, calls: 0, complaints, asked, _profile: profile };
        let targets = browser.call("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().unwrap().clone();
        let page = targets.iter().find(|target| target["type"] == "page").expect("a page is open");
        let attached = browser.call("Target.attachToTarget", json!({"targetId": page["targetId"], "flatten": true}));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// A browser that shows a file.
    pub fn open(file: &Path) -> Browser {
        let mut browser = Browser::new();
        browser.go(file);
        browser
    }

    /// Shows a file, and waits until it is loaded.
    pub fn go(&mut self, file: &Path) {
        let address = format!("file://{}", file.display());
        self.call("Page.navigate", json!({"url": address}));
        while self.message()["method"] != "Page.loadEventFired" {}
    }

    /// Calls a method and returns its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let number = self.calls;
        let mut message = json!({"id": number, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.into.write_all(format!("{message}\0").as_bytes()).expect("Chromium runs: apt-get install chromium");
        loop {
            let answer = self.message();
            if answer["id"] == number {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let result = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// All text of the document, from its markup.
    pub fn text(&mut self) -> String {
        let root = self.call("DOM.getDocument", json!({}));
        let html = self.call("DOM.getOuterHTML", json!({"nodeId": root["root"]["nodeId"]}));
        html["outerHTML"].as_str().unwrap().to_owned()
    }

    /// Writes what the window shows, as PNG.
    pub fn screenshot(&mut self, file: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({}));
        std::fs::write(file.with_extension("base64"), shot["data"].as_str().unwrap()).unwrap();
        let decoded = std::fs::File::create(file).unwrap();
        Command::new("base64").arg("-d").arg(file.with_extension("base64")).stdout(decoded).status().unwrap();
        std::fs::remove_file(file.with_extension("base64")).unwrap();
    }

    /// Ends the browser. Nothing may have been complained of, and nothing asked for but the page.
    pub fn end(mut self) {
        self.call("Page.bringToFront", json!({})); // what was reported before is there when this is answered
        assert!(self.complaints.is_empty(), "{:?}", self.complaints);
        assert!(self.asked.len() == 1 && self.asked[0].ends_with("/report.html"), "{:?}", self.asked);
    }

    fn message(&mut self) -> Value {
        let mut text = Vec::new();
        self.from.read_until(0, &mut text).unwrap();
        assert_eq!(text.pop(), Some(0), "Chromium has ended: is it installed?");
        let message: Value = serde_json::from_slice(&text).unwrap();
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled") => {
                self.complaints.push(parameters.to_string())
            }
            Some("Log.entryAdded") => self.complaints.push(parameters["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                self.asked.push(parameters["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
        message
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
