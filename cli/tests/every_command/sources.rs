//! Every kind of source is taken by every subcommand that takes any.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;

use crate::commands::{CASES, files, run, words};

fn make(line: &str, out: &Path) {
    let output = run(&words(line, out, &[]), Stdio::piped(), Stdio::piped());
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn every_kind_of_source_is_taken_by_every_subcommand() {
    let directory = tempfile::tempdir().unwrap();
    let [profiles, images] = ["profiles", "images"].map(|name| directory.path().join(name));
    make("unpack builtin:trainium --set exp_and_others --out {out}", &profiles);
    make("pack --profiles builtin: --set exp_and_others small --out {out}", &images);
    let file = profiles.join("exp_400p.json");
    let set = |name: &str| {
        let mut set = images.clone().into_os_string();
        set.push(name);
        set
    };
    let mut sources: Vec<OsString> =
        ["builtin:", "builtin:trainium", "builtin:trainium#0", "builtin:with_ln#exp_and_others"]
            .map(OsString::from)
            .into();
    sources.extend([profiles.into(), file.clone().into(), images.clone().into(), set("#0"), set("#exp_and_others")]);
    for (number, case) in CASES.iter().enumerate() {
        let Some(line) = case.source else { continue };
        for (index, source) in sources.iter().enumerate() {
            let out = directory.path().join(format!("out{number}_{index}"));
            let others: [(&str, &OsStr); 2] = [("{source}", source), ("{exp}", file.as_os_str())];
            let output = run(&words(line, &out, &others), Stdio::piped(), Stdio::piped());
            assert!(output.status.success(), "{line} {}: {output:?}", source.display());
            let written = files(&out).keys().any(|file| file.to_string_lossy().contains("exp_400p"));
            let text = String::from_utf8(output.stdout).unwrap();
            let said = ["exp_400p", "| exp ", "1 the same, 0 not", "Equal in all 1 comparisons"];
            assert!(written || said.iter().any(|said| text.contains(said)), "{line} {}: {text}", source.display());
        }
    }
}
