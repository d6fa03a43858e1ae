//! Writes directories of profiles for the harness.
//!
//!     profiles hand DIR            the published exp table and hardwired ones
//!     profiles builtin DIR         the embedded tables
//!     profiles images DIR          the embedded tables as a catalog of images, and as profiles set by set
//!     profiles random DIR SEED     random tables in DIR/fold0 to DIR/fold7, a directory a fold mode

use std::path::Path;
use std::process::ExitCode;

use capi_tests::profiles;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["hand", directory] => profiles::write_hand_made(Path::new(directory))?,
        ["builtin", directory] => {
            let simulator = pwp_sim_core::Simulator::open("builtin:")?;
            let written = profiles::write_tables_of(&simulator, Path::new(directory))?;
            println!("{written} embedded tables in {directory}");
        }
        ["images", directory] => {
            let sets = profiles::write_images(Path::new(directory))?;
            println!("{sets} sets in {directory}");
        }
        ["random", directory, seed] => {
            let seed = seed.parse()?;
            for fold in 0..profiles::FOLDS {
                profiles::write_random(&Path::new(directory).join(format!("fold{fold}")), fold, seed)?;
            }
        }
        _ => {
            eprintln!("usage: profiles hand|builtin|images DIR, profiles random DIR SEED");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
