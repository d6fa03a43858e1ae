//! Every command beside readers that go away, full disks, closed streams, and paths that are not UTF-8.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::commands::{CASES, PWP, files, run, words};

/// Commands that succeed, with one line of each subcommand; those that write files write them into a directory of their own
/// in `root`.
fn commands(root: &Path) -> Vec<Vec<OsString>> {
    let help = ["--help", "--version", "help report"].map(|line| words(line, root, &[]));
    help.into_iter().chain(CASES.iter().map(|case| words(case.good, &root.join(case.name), &[]))).collect()
}

/// A pipe whose reader has gone away.
fn closed_pipe() -> Stdio {
    std::io::pipe().unwrap().1.into()
}

fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

/// The files that all commands leave behind when nothing disturbs them.
fn undisturbed() -> &'static BTreeMap<PathBuf, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<PathBuf, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let calm = tempfile::tempdir().unwrap();
        for arguments in commands(calm.path()) {
            let output = run(&arguments, Stdio::piped(), Stdio::piped());
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        }
        let writers = CASES.iter().filter(|case| case.good.contains("{out}")).count();
        let files = files(calm.path());
        assert_eq!(files.keys().filter_map(|path| path.iter().next()).collect::<BTreeSet<_>>().len(), writers);
        files
    })
}

/// The lines of a file; those of a list of finished parts, which come as threads end, in order.
fn in_order<'a>(path: &Path, bytes: &'a [u8]) -> Vec<&'a [u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    if path.extension() == Some("jsonl".as_ref()) {
        lines.sort_unstable();
    }
    lines
}

/// Runs every command by `disturbed`, and compares the files that it leaves behind with those of an undisturbed run.
fn each(disturbed: impl Fn(&[OsString])) {
    let rough = tempfile::tempdir().unwrap();
    commands(rough.path()).iter().for_each(|arguments| disturbed(arguments));
    let (rough, calm) = (files(rough.path()), undisturbed());
    assert_eq!(rough.keys().collect::<Vec<_>>(), calm.keys().collect::<Vec<_>>());
    for (path, bytes) in &rough {
        assert!(in_order(path, bytes) == in_order(path, &calm[path]), "{}", path.display());
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_command_quietly_and_the_files_are_whole() {
    each(|arguments| {
        let output = run(arguments, closed_pipe(), Stdio::piped());
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    });
}

#[test]
fn a_full_disk_is_told_in_one_line_with_status_1_and_the_files_are_whole() {
    each(|arguments| {
        let output = run(arguments, full(), Stdio::piped());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(text, "pwp: cannot write to the standard output: No space left on device (os error 28)\n");
    });
}

#[test]
fn closed_streams_are_no_failure() {
    for redirection in [">&-", "2>&-", "<&-", ">&- 2>&- <&-"] {
        each(|arguments| {
            let script = format!("exec \"$@\" {redirection}");
            let status = Command::new("sh").args(["-c", &script, "sh", PWP]).args(arguments).output().unwrap().status;
            assert_eq!(status.code(), Some(0), "{redirection} {arguments:?}");
        });
    }
}

#[test]
fn a_failure_that_cannot_be_told_keeps_its_status() {
    let wrong: [(&[&str], i32); 6] = [
        (&["report", "--profiles", "/nonexistent"], 1),
        (&["generate", "--out", "/dev/null/x"], 1),
        (&["sets", "--catalog", "/nonexistent"], 1),
        (&["pack", "--profiles", "/nonexistent", "--out", "/dev/null/x"], 1),
        (&["unpack", "/nonexistent", "--out", "/dev/null/x"], 1),
        (&["abi-check"], 2),
    ];
    for (arguments, status) in wrong {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        assert_eq!(run(&arguments, Stdio::piped(), full()).status.code(), Some(status), "{arguments:?}");
        assert_eq!(run(&arguments, Stdio::piped(), closed_pipe()).status.code(), Some(status), "{arguments:?}");
        assert_eq!(run(&arguments, full(), full()).status.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_does_not_hide_a_missing_symbol() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("client.cpp");
    std::fs::write(&source, "namespace PWPSim { void nonesuch(); } void client() { PWPSim::nonesuch(); }").unwrap();
    let object = directory.path().join("client.o");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    assert!(Command::new(compiler).arg("-c").arg(&source).arg("-o").arg(&object).status().unwrap().success());
    let output = run(&["abi-check".into(), object.into()], closed_pipe(), Stdio::piped());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"pwp: 1 symbol(s) are missing from our library\n");
}

#[test]
fn paths_need_not_be_utf_8() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &[u8]| directory.path().join(OsStr::from_bytes(name));
    let [profiles, made, images, report] =
        [&b"profiles \xff"[..], b"made \xff", b"images \xff", b"report \xff"].map(path);
    let bounds = report.join(OsStr::from_bytes(b"bounds \xff.csv"));
    let word = |word: &str| OsString::from(word);
    let succeed = |arguments: &[OsString]| {
        let output = run(arguments, Stdio::piped(), Stdio::piped());
        assert!(output.status.success(), "{output:?}");
    };
    let out = word("--out");
    succeed(&[word("unpack"), word("builtin:"), out.clone(), profiles.clone().into()]);
    succeed(&[
        word("pack"),
        word("--profiles"),
        profiles.clone().into(),
        word("--set"),
        word("exp_and_others"),
        out.clone(),
        images.clone().into(),
    ]);
    succeed(&[word("sets"), word("--catalog"), images.clone().into()]);
    succeed(&[word("unpack"), word("--images"), images.into(), out.clone(), path(b"unpacked \xff").into()]);
    succeed(&[
        word("report"),
        word("--profiles"),
        profiles.into(),
        word("--function"),
        word("relu"),
        out.clone(),
        report.clone().into(),
        word("--bounds"),
        bounds.clone().into(),
    ]);
    succeed(&[word("generate"), word("--function"), word("relu"), out, made.into()]);
    let program = path(b"program \xff");
    std::fs::copy(PWP, &program).unwrap();
    succeed(&[word("abi-check"), program.into()]);
    assert!(report.join("relu_1p.png").exists() && bounds.exists());
}

#[test]
fn a_report_on_a_full_disk_leaves_the_old_file() {
    for (option, name) in [("--bounds", "bounds.csv"), ("--html", "report.html")] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(name);
        std::fs::write(&file, "old").unwrap();
        // No file may grow past no bytes at all, and the signal that says so is ignored: writing fails.
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
        let report = ["report", "--function", "relu", option];
        let output = Command::new("sh").args(["-c", script, "sh", PWP]).args(report).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        let told = text.starts_with(&format!("pwp: cannot write {}: ", file.display()));
        assert!(told && text.lines().count() == 1, "{text}");
        assert_eq!(files(directory.path()), BTreeMap::from([(name.into(), b"old".to_vec())]));
    }
}

#[test]
fn a_file_that_is_written_anew_keeps_its_link_and_its_permissions_and_a_device_stays_one() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    let directory = tempfile::tempdir().unwrap();
    let [file, link] = ["file", "link"].map(|name| directory.path().join(name));
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let bounds = |path: &Path| {
        let arguments = ["report", "--function", "relu", "--bounds"].map(OsString::from);
        run(&[&arguments[..], &[path.into()]].concat(), Stdio::piped(), Stdio::piped())
    };
    assert!(bounds(&link).status.success());
    assert!(link.is_symlink() && std::fs::read(&file).unwrap().starts_with(b"profile,part"));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let output = bounds(Path::new("/dev/stdout"));
    assert!(output.status.success() && String::from_utf8(output.stdout).unwrap().contains("profile,part,ulp"));
    assert_eq!(bounds(Path::new("/dev/full")).status.code(), Some(1));
    assert!(std::fs::metadata("/dev/full").unwrap().file_type().is_char_device());
}
