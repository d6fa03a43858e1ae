//! The embedded tables as a catalog of on-device images, and each set's tables as profiles beside them.

use std::path::Path;

use pwp_sim_core::catalog::embedded;
use pwp_sim_core::catalog::image::{self, Member, TRAINIUM_STRIDE};
use pwp_sim_core::catalog::{Catalog, FILE_NAME, FunctionSet};
use pwp_sim_core::function::Function;
use pwp_sim_core::profile;

/// Records that a control word can address.
const MOST_RECORDS: usize = 2048;

/// Writes `<directory>/catalog`, images of sets that hold every embedded table the simulator uses, as many to a set as
/// fit, and `<directory>/profiles/<set>`, the same tables as JSON. Returns how many sets there are.
///
/// # Errors
/// When a file cannot be written, or a table does not fit an image.
pub fn write_images(directory: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let catalog = directory.join("catalog");
    std::fs::create_dir_all(&catalog)?;
    let mut sets = Vec::new();
    for members in groups() {
        let name = format!("set{}", sets.len());
        let set =
            FunctionSet::new(&name, members.iter().map(|member| (member.function.clone(), member.budget)).collect());
        image::write(&name, &members, TRAINIUM_STRIDE)?.save(&set.paths(&catalog))?;
        let profiles = directory.join("profiles").join(&name);
        std::fs::create_dir_all(&profiles)?;
        for member in &members {
            let file = profiles.join(member.profile_name().file_name());
            std::fs::write(file, profile::to_json(&member.table.to_profile(), &[]))?;
        }
        sets.push(set);
    }
    let count = sets.len();
    std::fs::write(catalog.join(FILE_NAME), Catalog::new(sets).to_json())?;
    Ok(count)
}

/// The simulator's embedded tables in groups that fit an image, first fit in the functions' order.
fn groups() -> Vec<Vec<Member>> {
    let records = |member: &Member| member.table.sections().len() + 4;
    let mut groups: Vec<Vec<Member>> = Vec::new();
    for member in Function::all().filter_map(embedded::default_member) {
        let fits = |group: &&mut Vec<Member>| group.iter().map(records).sum::<usize>() + records(member) < MOST_RECORDS;
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(member.clone()),
            None => groups.push(vec![member.clone()]),
        }
    }
    groups
}
