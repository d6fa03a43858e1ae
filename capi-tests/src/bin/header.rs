//! Writes `include/pwp_sim.h`, or with `--check` says whether the committed one is what the source gives.

use std::process::ExitCode;

use capi_tests::header;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let text = header::generate()?;
    let path = header::path();
    if std::env::args().nth(1).as_deref() != Some("--check") {
        std::fs::write(&path, text)?;
        println!("wrote {}", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    let committed = std::fs::read_to_string(&path)?;
    if committed == text {
        println!("{} is current", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    let differing = committed.lines().zip(text.lines()).position(|(old, new)| old != new);
    let line = differing.unwrap_or_else(|| committed.lines().count().min(text.lines().count())) + 1;
    eprintln!("{} is not what the source gives, from line {line} on: run `make header`", path.display());
    Ok(ExitCode::FAILURE)
}
