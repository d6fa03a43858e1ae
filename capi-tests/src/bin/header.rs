//! Writes `include/pwp_sim.h` and `include/pwp_sim.cffi.h`, or with `--check` says whether the committed ones are what the
//! source gives.

use std::process::ExitCode;

use capi_tests::header::{self, Header};

/// Whether the committed header is the one that the source gives; says so.
fn is_current(header: &Header) -> Result<bool, std::io::Error> {
    let Header { path, text } = header;
    let committed = std::fs::read_to_string(path)?;
    if committed == *text {
        println!("{} is current", path.display());
        return Ok(true);
    }
    let differing = committed.lines().zip(text.lines()).position(|(old, new)| old != new);
    let line = differing.unwrap_or_else(|| committed.lines().count().min(text.lines().count())) + 1;
    eprintln!("{} is not what the source gives, from line {line} on: run `make header`", path.display());
    Ok(false)
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let check = std::env::args().nth(1).as_deref() == Some("--check");
    let mut current = true;
    for header in header::all()? {
        if check {
            current &= is_current(&header)?;
        } else {
            std::fs::write(&header.path, &header.text)?;
            println!("wrote {}", header.path.display());
        }
    }
    Ok(if current { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
