//! A profile directory: which file serves which function (`docs/behaviour.md`, section 3).

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::function::{Function, ID_END, ProfileName};
use crate::memory::{self, Watch};

/// The profile files of a directory that serve the functions, from their names alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// By the function's value: the budget, and the file.
    files: [Option<(u32, PathBuf)>; ID_END],
}

impl Default for Directory {
    /// One without files.
    fn default() -> Directory {
        Directory { files: [const { None }; ID_END] }
    }
}

impl Directory {
    /// Lists the files named `<function>_<N>p.json` in `path`.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] when `path` does not exist, is no directory or cannot be listed.
    pub fn list(path: &Path) -> Result<Directory> {
        let system = |error| Error::system(path, &error);
        let watch = Watch::new();
        let mut directory = Directory::default();
        for entry in std::fs::read_dir(path).map_err(system)? {
            let name = entry.map_err(system)?.file_name();
            if let Some(profile) = name.to_str().and_then(ProfileName::of_file) {
                directory.add(profile, || memory::join(path, &name))?;
            }
            watch.check()?; // a directory may have any number of entries
        }
        Ok(directory)
    }

    /// Takes the file of a profile where it is a better one than that which is there.
    fn add(&mut self, profile: ProfileName<'_>, path: impl Fn() -> memory::Result<PathBuf>) -> memory::Result<()> {
        for function in Function::all() {
            let Some(due) = function.profile_name().filter(|due| due.function == profile.function) else { continue };
            let rank = |budget: u32| (budget == due.budget, budget);
            let file = &mut self.files[function as usize];
            if file.as_ref().is_none_or(|(budget, _)| rank(*budget) < rank(profile.budget)) {
                *file = Some((profile.budget, path()?));
            }
        }
        Ok(())
    }

    /// The file that serves a function: the one of its profile's name, else the one with the largest budget. None for a
    /// function for which no file is loaded.
    pub fn file(&self, function: Function) -> Option<&Path> {
        self.files[function as usize].as_ref().map(|(_, file)| file.as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_s_own_file_counts_and_else_the_largest() {
        let mut directory = Directory::default();
        let mut add = |name: &str| {
            let profile = ProfileName::of_file(name).unwrap();
            directory.add(profile, || Ok(name.into())).unwrap();
            directory.clone()
        };
        let file = |directory: &Directory| directory.file(Function::Exp).map(|file| file.to_owned());
        assert_eq!(file(&add("gelu_4p.json")), None);
        assert_eq!(file(&add("exp_9p.json")), Some("exp_9p.json".into()));
        assert_eq!(file(&add("exp_40p.json")), Some("exp_40p.json".into()));
        assert_eq!(file(&add("exp_4000p.json")), Some("exp_4000p.json".into()));
        assert_eq!(file(&add("exp_400p.json")), Some("exp_400p.json".into()));
        assert_eq!(file(&add("exp_5000p.json")), Some("exp_400p.json".into()));
    }
}
