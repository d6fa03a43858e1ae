//! Ctrl-C at any moment: the status is that of the signal, nothing panics, and what files there are are whole.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::commands::{CASES, PWP, files, run, words};

/// Starts the command where Ctrl-C is not ignored, as it is in what a shell has sent to the background.
fn start(line: &str, out: &Path) -> Child {
    let mut pwp = Command::new("env");
    pwp.args(["--default-signal=INT", PWP]).args(words(line, out, &[]));
    pwp.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    pwp.spawn().unwrap()
}

/// As a shell has it.
fn status(status: ExitStatus) -> i32 {
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap()
}

/// Interrupts the process, and says its status and what it printed on the standard error. Its input stays open until then.
fn interrupt(mut child: Child) -> (i32, String) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status().is_ok());
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(since.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (status(output.status), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn ctrl_c_ends_a_long_run_with_status_130_and_leaves_no_part_of_a_file() {
    for case in &CASES {
        let Some(line) = case.long else { continue };
        let directory = tempfile::tempdir().unwrap();
        let mut child = start(line, directory.path());
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "{line} is done already");
        let (status, error) = interrupt(child);
        assert_eq!(status, 130, "{line}: {error}");
        match case.name {
            "compare" => assert!(error.starts_with("pwp: interrupted") && error.lines().count() == 1, "{error}"),
            _ => assert_eq!(error, "", "{line}"),
        }
        // Only finished work is kept, line by line.
        for (file, bytes) in files(directory.path()) {
            assert!(case.name == "compare" && bytes.ends_with(b"\n"), "{line} leaves {}", file.display());
        }
    }
}

#[test]
fn ctrl_c_at_any_moment_leaves_whole_files_alone() {
    for case in &CASES {
        let calm = tempfile::tempdir().unwrap();
        let output = run(&words(case.good, calm.path(), &[]), Stdio::piped(), Stdio::piped());
        assert!(output.status.success(), "{output:?}");
        let whole = files(calm.path());
        for moment in [0, 4, 12, 30, 60, 120] {
            let rough = tempfile::tempdir().unwrap();
            let child = start(case.good, rough.path());
            std::thread::sleep(Duration::from_millis(moment));
            let (status, error) = interrupt(child);
            assert!([0, 130].contains(&status), "{} after {moment} ms: {status} {error}", case.good);
            assert!(!error.contains("panicked"), "{error}");
            for (file, bytes) in files(rough.path()) {
                let due = whole.get(&file).unwrap_or_else(|| panic!("{} leaves {}", case.good, file.display()));
                assert!(
                    *due == bytes || file.extension().is_some_and(|extension| extension == "jsonl"),
                    "{}",
                    file.display()
                );
            }
        }
    }
}
