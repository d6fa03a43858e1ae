//! `pwp plot`.

use std::path::Path;
use std::process::{Command, Output};

fn plot(arguments: &[&str], out: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pwp")).arg("plot").args(arguments).arg("--out").arg(out).output().unwrap()
}

fn svg(arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("plot.svg");
    let output = plot(arguments, &file);
    assert!(output.status.success(), "{output:?}");
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn a_picture_has_the_closed_form_and_each_table() {
    let one = svg(&["gelu", "--range", "-4", "4"]);
    for said in ["Gelu from -4.0 to 4.0", "closed form", "gelu_4p (marks", "ULP from the closed form"] {
        assert!(one.contains(said), "{said}");
    }
    let two = svg(&["exp", "--octave", "-1", "--profiles", "builtin:", "builtin:trainium#exp_and_others"]);
    for said in ["Exp from 0.5 to 1.0", "exp_400p of builtin: (", "exp_400p of builtin:trainium#exp_and_others ("] {
        assert!(two.contains(said), "{said}");
    }
}

#[test]
fn what_has_no_table_or_no_closed_form_is_drawn_by_what_it_has() {
    let closed = svg(&["Prelu", "--range", "1", "2"]);
    assert!(closed.contains("closed form") && !closed.contains("ULP"));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("plot.svg");
    let output = plot(&["Ln_prime", "--range", "1", "2"], &file);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("pwp: Ln_prime has no profile and so no table anywhere"), "{text}");
    assert!(std::fs::read_to_string(file).unwrap().contains("closed form"));
    let table = svg(&["derivative_tanh", "--range", "-2", "2"]);
    assert!(!table.contains("closed form") && table.contains("derivative_tanh_400p"));
}

#[test]
fn a_png_is_one() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("plot.png");
    assert!(plot(&["sqrt", "--range", "0", "0x1p100"], &file).status.success());
    let decoder = png::Decoder::new(std::io::Cursor::new(std::fs::read(file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.chunks(3).any(|pixel| pixel == [0, 0, 0]) && pixels.chunks(3).any(|pixel| pixel == [230, 120, 20]));
}

#[test]
fn wrong_arguments_are_told_and_no_file_is_left() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, name, status, said) in [
        (&["exp", "--range", "2", "1"][..], "x.svg", 1, "the range is empty"),
        (&["exp", "--range", "0", "inf"], "x.svg", 2, "a finite number is due"),
        (&["exp", "--octave", "127"], "x.svg", 2, "an exponent from -126 to 126 is due"),
        (&["exp", "--octave", "1"], "x.pdf", 1, "neither .svg nor .png"),
        (&["exp"], "x.svg", 2, "--range"),
        (&["nonesuch", "--octave", "1"], "x.svg", 1, "nonesuch"),
        (
            &["gelu", "--octave", "1", "--profiles", "builtin:trainium#exp_and_others"],
            "x.svg",
            1,
            "has no table for Gelu",
        ),
    ] {
        let output = plot(arguments, &directory.path().join(name));
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{output:?}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
