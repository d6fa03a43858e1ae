//! What the silicon can load: the functions, the sets they come in, and the sets' table images.
//!
//! The two published rosters are data here ([`roster`]), the functions in [`function`](crate::function); a user's own catalog is a
//! directory with an `act_info.json` ([`Catalog::open`]) and images ([`image`]). [`Resident`] is what one load of a set
//! makes available. Defined in `docs/behaviour.md`, section 8, and `docs/figures.md`.

mod act_info;
#[cfg(test)]
mod counts;
mod difference;
pub mod embedded;
#[cfg(test)]
mod figures;
pub mod hardwired;
pub mod image;
#[cfg(test)]
mod positions;
mod resident;
pub mod roster;
mod sequence;

pub use act_info::FILE_NAME;
pub use difference::{Difference, SetDifference};
pub use resident::Resident;
pub use sequence::Load;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::memory;
use roster::Roster;

/// A catalog: the function sets, in the order that gives them their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Catalog {
    /// The sets.
    pub sets: Vec<FunctionSet>,
}

/// What one load makes available.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionSet {
    /// The set's name: `exp_and_others`.
    pub name: String,
    /// The file with the sections, beside the `act_info.json`.
    pub bkt_bin: String,
    /// The file with the control words.
    pub ctrl_bin: String,
    /// The manifest.
    pub profile_json: String,
    /// The profile functions and their budgets, in the file's order. Budget 1 is a hardwired resident; one above names
    /// the profile, as in `exp_400p`.
    pub act: Vec<(String, u32)>,
}

impl FunctionSet {
    /// A set with the usual file names.
    pub fn new(name: &str, act: Vec<(String, u32)>) -> FunctionSet {
        FunctionSet {
            name: name.to_owned(),
            bkt_bin: format!("{name}_bkt.bin"),
            ctrl_bin: format!("{name}_ctrl.bin"),
            profile_json: format!("{name}.json"),
            act,
        }
    }

    /// [`FunctionSet::new`] where there is memory for it.
    pub(crate) fn try_new(name: &str, act: Vec<(String, u32)>) -> memory::Result<FunctionSet> {
        let of = |end: &str| {
            let mut file = memory::string(name)?;
            memory::append(&mut file, end).map(|()| file)
        };
        Ok(FunctionSet {
            name: of("")?,
            bkt_bin: of("_bkt.bin")?,
            ctrl_bin: of("_ctrl.bin")?,
            profile_json: of(".json")?,
            act,
        })
    }

    /// The budget of a profile function, none where the set does not hold it.
    pub fn budget(&self, profile: &str) -> Option<u32> {
        self.act.iter().find(|(name, _)| name == profile).map(|(_, budget)| *budget)
    }

    /// Whether the set holds a profile function.
    pub fn holds(&self, profile: &str) -> bool {
        self.budget(profile).is_some()
    }

    /// [`FunctionSet::paths`] where there is memory for them.
    pub(crate) fn try_paths(&self, dir: &Path) -> memory::Result<image::Paths> {
        Ok(image::Paths {
            bkt: memory::join(dir, &self.bkt_bin)?,
            ctrl: memory::join(dir, &self.ctrl_bin)?,
            manifest: memory::join(dir, &self.profile_json)?,
        })
    }

    /// Where the set's image is, for a catalog in `dir`.
    pub fn paths(&self, dir: &Path) -> image::Paths {
        image::Paths {
            bkt: dir.join(&self.bkt_bin),
            ctrl: dir.join(&self.ctrl_bin),
            manifest: dir.join(&self.profile_json),
        }
    }
}

impl Catalog {
    /// A catalog of these sets.
    pub fn new(sets: Vec<FunctionSet>) -> Catalog {
        Catalog { sets }
    }

    /// The catalog that `source` names: `trainium` or `with_ln` for a published roster, also with `builtin:` in front, or
    /// a directory with an `act_info.json`. (A directory of a roster's name is `./trainium`.)
    ///
    /// # Errors
    /// [`Error::ProfileIo`](crate::Error::ProfileIo) for a roster or a file that is not there,
    /// [`Error::ProfileFormat`](crate::Error::ProfileFormat) for a file that is no catalog.
    pub fn named(source: impl AsRef<OsStr>) -> Result<Catalog> {
        let path = Path::new(source.as_ref());
        let text = path.to_str().unwrap_or_default();
        match (text.strip_prefix(embedded::PATH), Roster::from_name(text)) {
            (Some(name), _) => Ok(Roster::embedded(name)?.try_catalog()?),
            (None, Some(roster)) => Ok(roster.try_catalog()?),
            (None, None) => Catalog::open(path),
        }
    }

    /// The index of the set of this name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.sets.iter().position(|set| set.name == name)
    }

    /// The index of a set given by name or, where no set has that name, by its index in decimal digits.
    pub fn find(&self, name_or_index: &str) -> Option<usize> {
        self.index(name_or_index).or_else(|| {
            let digits = name_or_index.bytes().all(|byte| byte.is_ascii_digit());
            name_or_index.parse().ok().filter(|&index: &usize| digits && index < self.sets.len())
        })
    }

    /// The indices of the sets that hold a profile function.
    pub fn sets_of(&self, profile: &str) -> Vec<usize> {
        (0..self.sets.len()).filter(|&index| self.sets[index].holds(profile)).collect()
    }

    /// The profile functions of all sets, each once, in the order in which they first appear.
    pub fn functions(&self) -> Vec<&str> {
        let mut seen = std::collections::HashSet::new();
        let all = self.sets.iter().flat_map(|set| set.act.iter().map(|(function, _)| function.as_str()));
        all.filter(|function| seen.insert(*function)).collect()
    }

    /// The image files of a catalog in `dir` that are not there.
    pub fn missing_files(&self, dir: &Path) -> Vec<PathBuf> {
        let files =
            self.sets.iter().map(|set| set.paths(dir)).flat_map(|paths| [paths.bkt, paths.ctrl, paths.manifest]);
        files.filter(|file| !file.is_file()).collect()
    }
}
