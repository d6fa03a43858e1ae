//! Profiles to test with: the published exp table and simple hardwired ones, random but fully covered tables, and the
//! freedoms the schema leaves to whoever writes a file.

mod hand;
mod images;
mod random;
mod spelling;

use std::io;
use std::path::Path;

use pwp_sim_core::Function;
use pwp_sim_core::profile::to_json;

pub use hand::{exp, hardwired};
pub use images::write_images;
pub use random::{FOLDS, Random, random, symmetry_of_fold};
pub use spelling::Spelling;

/// The functions that can have a profile, 29 of the 31, with the name of its file.
pub fn files() -> impl Iterator<Item = (Function, String)> {
    Function::all().filter_map(|function| Some((function, function.profile_name()?.file_name())))
}

/// Writes the published exp table and the hardwired ones into `directory`.
///
/// # Errors
/// When the directory cannot be written.
pub fn write_hand_made(directory: &Path) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (function, file) in files() {
        let profile = if function == Function::Exp { Some(exp()) } else { hardwired(function) };
        if let Some(profile) = profile {
            std::fs::write(directory.join(file), to_json(&profile, &[]))?;
        }
    }
    Ok(())
}

/// Writes the tables of a simulator, such as the embedded ones, as profiles into `directory`. Gives how many.
///
/// # Errors
/// When the directory cannot be written.
pub fn write_tables_of(simulator: &pwp_sim_core::Simulator, directory: &Path) -> io::Result<usize> {
    std::fs::create_dir_all(directory)?;
    let mut written = 0;
    for (function, file) in files() {
        if let Ok(table) = simulator.table(function) {
            std::fs::write(directory.join(file), to_json(&table.to_profile(), &[]))?;
            written += 1;
        }
    }
    Ok(written)
}

/// Fills `directory` with random tables of one fold mode, 0 to 7, one table for every function that can have one.
///
/// # Errors
/// When the directory cannot be written.
pub fn write_random(directory: &Path, fold: u32, seed: u64) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    let mut rng = Random::new(seed ^ u64::from(fold) << 32);
    for (_, file) in files() {
        let profile = random(&mut rng, fold);
        std::fs::write(directory.join(file), Spelling::random(&mut rng).text(&profile))?;
    }
    Ok(())
}
