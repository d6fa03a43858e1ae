//! A profile directory: which file serves which function (`docs/behaviour.md`, section 3).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::function::{Function, ProfileName};

/// The profile files of a directory by function and budget, from their names alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// For each profile function, its budgets and their files in ascending order.
    files: BTreeMap<String, BTreeMap<u32, PathBuf>>,
}

impl Directory {
    /// Lists the files named `<function>_<N>p.json` in `path`.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] when `path` does not exist, is no directory or cannot be listed.
    pub fn list(path: &Path) -> Result<Directory> {
        let io = |error: std::io::Error| Error::ProfileIo { path: path.to_owned(), reason: error.to_string() };
        let mut directory = Directory::default();
        for entry in std::fs::read_dir(path).map_err(io)? {
            let name = entry.map_err(io)?.file_name();
            if let Some(profile) = name.to_str().and_then(ProfileName::of_file) {
                let budgets = directory.files.entry(profile.function.to_owned()).or_default();
                budgets.insert(profile.budget, path.join(&name));
            }
        }
        Ok(directory)
    }

    /// The file that serves a function: the one of its profile's name, else the one with the largest budget. None for a
    /// function for which no file is loaded.
    pub fn file(&self, function: Function) -> Option<&Path> {
        let ProfileName { function, budget } = function.profile_name()?;
        let budgets = self.files.get(function)?;
        let file = budgets.get(&budget).or_else(|| budgets.values().next_back())?;
        Some(file)
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
            directory.files.entry(profile.function.to_owned()).or_default().insert(profile.budget, name.into());
            directory.clone()
        };
        let file = |directory: &Directory| directory.file(Function::Exp).map(|file| file.to_owned());
        assert_eq!(file(&add("gelu_4p.json")), None);
        assert_eq!(file(&add("exp_9p.json")), Some("exp_9p.json".into()));
        assert_eq!(file(&add("exp_40p.json")), Some("exp_40p.json".into()));
        assert_eq!(file(&add("exp_4000p.json")), Some("exp_4000p.json".into()));
        assert_eq!(file(&add("exp_400p.json")), Some("exp_400p.json".into()));
    }
}
