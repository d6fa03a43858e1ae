//! On-device images: the three files from which the silicon loads a function set (`docs/figures.md`, on-device images).
//!
//! `<set>_bkt.bin` holds sections as 32-byte records, `<set>_ctrl.bin` one word per octave, `<set>.json` (the manifest)
//! where each function's begin, with its fold, specials and thresholds. [`read`] turns the three into tables and
//! checks every relation between them; [`write()`] turns tables into the three, or says what an image cannot hold.

mod layout;
mod manifest;
mod read;
mod schema;
mod write;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Result;
use crate::function::{FunctionInfo, ProfileName};
use crate::table::Table;
use crate::{file, json, memory};

pub use layout::{RECORD, TRAINIUM_STRIDE, WITH_LN_STRIDE};
pub use read::read;
pub use write::write;

/// One function of an image.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Member {
    /// The profile function: `exp`. It need not be one the simulator computes.
    pub function: String,
    /// The budget, the N of `exp_<N>p`; 1 for a hardwired function.
    pub budget: u32,
    /// The silicon's function code; 0 where none is published.
    pub id: u32,
    /// The table.
    pub table: Arc<Table>,
}

impl Member {
    /// A member with the published function code.
    pub fn new(function: &str, budget: u32, table: Arc<Table>) -> Member {
        let id = FunctionInfo::of_profile(function).and_then(|info| info.neuron_id).unwrap_or(0);
        Member { function: function.to_owned(), budget, id, table }
    }

    /// A copy, which shares the table.
    pub(crate) fn try_clone(&self) -> memory::Result<Member> {
        let (function, table) = (memory::string(&self.function)?, Arc::clone(&self.table));
        Ok(Member { function, table, ..*self })
    }

    /// The name of the profile: `exp_400p`.
    pub fn profile_name(&self) -> ProfileName<'_> {
        ProfileName { function: &self.function, budget: self.budget }
    }
}

/// The three files of a set, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// `<set>_bkt.bin`.
    pub bkt: Vec<u8>,
    /// `<set>_ctrl.bin`.
    pub ctrl: Vec<u8>,
    /// `<set>.json`.
    pub manifest: String,
}

/// The bytes of the three files of a set, that stand elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct View<'i> {
    /// `<set>_bkt.bin`.
    pub bkt: &'i [u8],
    /// `<set>_ctrl.bin`.
    pub ctrl: &'i [u8],
    /// `<set>.json`.
    pub manifest: &'i str,
}

impl<'i> From<&'i Image> for View<'i> {
    fn from(image: &'i Image) -> View<'i> {
        View { bkt: &image.bkt, ctrl: &image.ctrl, manifest: &image.manifest }
    }
}

/// Where the three files of a set are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `<set>_bkt.bin`.
    pub bkt: PathBuf,
    /// `<set>_ctrl.bin`.
    pub ctrl: PathBuf,
    /// `<set>.json`.
    pub manifest: PathBuf,
}

impl Paths {
    /// The files of the set `name` in `dir`, by the usual names.
    pub fn of_set(dir: &Path, name: &str) -> Paths {
        Paths {
            bkt: dir.join(format!("{name}_bkt.bin")),
            ctrl: dir.join(format!("{name}_ctrl.bin")),
            manifest: dir.join(format!("{name}.json")),
        }
    }
}

impl Image {
    /// Reads the three files.
    ///
    /// # Errors
    /// [`Error::ProfileIo`](crate::Error::ProfileIo) for a file that is missing or cannot be read,
    /// [`Error::ProfileFormat`](crate::Error::ProfileFormat) for one that is too large or, the manifest, no text.
    pub fn load(paths: &Paths) -> Result<Image> {
        Ok(Image {
            bkt: file::read(&paths.bkt)?,
            ctrl: file::read(&paths.ctrl)?,
            manifest: json::read_text(&paths.manifest)?,
        })
    }

    /// The three files with their bytes, the manifest last.
    pub fn files<'a>(&'a self, paths: &'a Paths) -> [(&'a Path, &'a [u8]); 3] {
        [(&paths.bkt, &self.bkt), (&paths.ctrl, &self.ctrl), (&paths.manifest, self.manifest.as_bytes())]
    }

    /// Writes the three files whole or not at all.
    ///
    /// # Errors
    /// [`Error::NotWritten`](crate::Error::NotWritten) for a file that cannot be written; then those of before are still
    /// there.
    pub fn save(&self, paths: &Paths) -> Result<()> {
        file::write_all(&self.files(paths))
    }
}
