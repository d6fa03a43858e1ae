//! A profile directory: which file serves which function (`docs/behaviour.md`, section 3).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::function::Row;

/// The profile files of a directory by function and budget, from their names alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// For each profile function, its budgets and their files in ascending order.
    files: BTreeMap<String, BTreeMap<u64, PathBuf>>,
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
            if let Some((function, budget)) = name.to_str().and_then(split_name) {
                let budgets = directory.files.entry(function.to_owned()).or_default();
                // Two spellings of one number, `exp_4p` and `exp_04p`: the plain one counts.
                let file = path.join(&name);
                match budgets.get(&budget) {
                    Some(known) if known.as_os_str().len() <= file.as_os_str().len() => {}
                    _ => drop(budgets.insert(budget, file)),
                }
            }
        }
        Ok(directory)
    }

    /// The file that serves a function: the one named for its budget, else the one with the largest. None for a function
    /// without a budget: the library loads no file for it.
    pub fn file(&self, row: &Row) -> Option<&Path> {
        let budgets = self.files.get(row.profile.filter(|_| row.budget > 0)?)?;
        let file = budgets.get(&u64::from(row.budget)).or_else(|| budgets.values().next_back())?;
        Some(file)
    }
}

/// `exp_400p.json` is function `exp` with budget 400.
fn split_name(name: &str) -> Option<(&str, u64)> {
    let (function, budget) = name.strip_suffix("p.json")?.rsplit_once('_')?;
    if !budget.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((function, budget.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Function;

    #[test]
    fn names_split_at_the_last_underscore_before_digits() {
        assert_eq!(split_name("exp_400p.json"), Some(("exp", 400)));
        assert_eq!(split_name("gelu_apprx_tanh_40p.json"), Some(("gelu_apprx_tanh", 40)));
        for name in ["ln_4p_0mp.json", "exp_p.json", "exp_+4p.json", "exp_4p.json~", "exp.json", "p.json", "_4p"] {
            assert_eq!(split_name(name), None, "{name}");
        }
    }

    #[test]
    fn the_budget_s_own_file_counts_and_else_the_largest() {
        let mut directory = Directory::default();
        let mut add = |name: &str| {
            let (function, budget) = split_name(name).unwrap();
            directory.files.entry(function.to_owned()).or_default().insert(budget, name.into());
            directory.clone()
        };
        let file = |directory: &Directory| directory.file(Function::Exp.row()).map(|file| file.to_owned());
        assert_eq!(file(&add("gelu_4p.json")), None);
        assert_eq!(file(&add("exp_9p.json")), Some("exp_9p.json".into()));
        assert_eq!(file(&add("exp_40p.json")), Some("exp_40p.json".into()));
        assert_eq!(file(&add("exp_4000p.json")), Some("exp_4000p.json".into()));
        assert_eq!(file(&add("exp_400p.json")), Some("exp_400p.json".into()));
    }
}
