//! What one load of a set makes available: `<dir>#<set>`, and `builtin:<roster>#<set>` from the embedded tables
//! (`docs/behaviour.md`, section 8).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::image::{self, Image, Member};
use super::roster::Roster;
use super::{Catalog, FILE_NAME};
use crate::catalog::embedded;
use crate::error::{Error, Result};
use crate::function::{Function, FunctionInfo};
use crate::memory::{self, text};
use crate::table::Table;

/// A loaded set.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Resident {
    /// The catalog the set is in.
    pub catalog: Catalog,
    /// The set's index in it.
    pub set: usize,
    /// The set's functions with their tables, in the image's order, those the simulator has no name for included.
    pub members: Vec<Member>,
}

impl Resident {
    /// The files that [`Resident::from_directory`] reads.
    ///
    /// # Errors
    /// As [`Resident::from_directory`], as far as the catalog goes.
    pub fn files(dir: &Path, set: &str) -> Result<Vec<PathBuf>> {
        let catalog = Catalog::open(dir)?;
        let file = memory::join(dir, FILE_NAME)?;
        let paths = catalog.sets[find(&catalog, &file, set)?].try_paths(dir)?;
        Ok(memory::collect([file, paths.bkt, paths.ctrl, paths.manifest])?)
    }

    /// Loads a set of the catalog directory `dir` from its image, the set by name or by index.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] for a directory, file or set that is not there, [`Error::ProfileFormat`] for a catalog or an
    /// image that is not valid, or that are not about the same functions.
    pub fn from_directory(dir: &Path, set: &str) -> Result<Resident> {
        let catalog = Catalog::open(dir)?;
        let file = memory::join(dir, FILE_NAME)?;
        let index = find(&catalog, &file, set)?;
        let set = &catalog.sets[index];
        let paths = set.try_paths(dir)?;
        let members = image::read(&Image::load(&paths)?, &paths)?;
        let disagree = |place: String, reason: String| {
            Error::format(&paths.manifest, format_args!("{place}"), format_args!("{reason}"))
        };
        for member in &members {
            let listed = set.budget(&member.function);
            if listed != Some(member.budget) {
                let found = listed.map_or(text!("no such function"), |budget| text!("budget {budget}"));
                let reason = text!("budget {}, and {} has {found}", member.budget, file.display());
                return Err(disagree(text!("profile_meta_data.{}", member.function), reason));
            }
        }
        if let Some((function, _)) = set.act.iter().find(|(name, _)| !members.iter().any(|m| m.function == *name)) {
            let reason = text!("no function {function}, which {} has", file.display());
            return Err(disagree(text!("func_to_bkt_start_idx"), reason));
        }
        Ok(Resident { set: index, members, catalog })
    }

    /// Loads a set of a published roster, its tables the embedded ones of the roster's budgets.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] when the roster has no such set.
    pub fn builtin(roster: Roster, set: &str) -> Result<Resident> {
        let catalog = roster.try_catalog()?;
        let place = text!("{}{}", embedded::PATH, roster.name());
        let index = find(&catalog, Path::new(&place), set)?;
        let all = embedded::try_members()?;
        let act = catalog.sets[index].act.iter();
        let members = act.filter_map(|(function, budget)| embedded::find(all, function, *budget));
        let members = memory::try_collect(members.map(Member::try_clone))?;
        Ok(Resident { set: index, members, catalog })
    }

    /// The tables of the functions the simulator knows. Prelu has none: its slope is an argument, and it is always
    /// computed exactly.
    pub fn tables(&self) -> impl Iterator<Item = (Function, &Arc<Table>)> {
        let simulated = |member: &Member| {
            FunctionInfo::of_profile(&member.function)?.function.filter(|function| *function != Function::Prelu)
        };
        self.members.iter().filter_map(move |member| Some((simulated(member)?, &member.table)))
    }

    /// The error for a function without a table here: it names the sets that hold it.
    pub fn no_profile(&self, function: Function) -> Error {
        Error::NoProfile { function: function.name().to_owned(), detail: self.why_missing(function) }
    }

    fn why_missing(&self, function: Function) -> String {
        let name = &self.catalog.sets[self.set].name;
        let sets = function.info().profile.map(|profile| self.catalog.sets_of(profile)).unwrap_or_default();
        if sets.contains(&self.set) {
            return format!("the loaded set {name} holds it without a table that can be used");
        }
        if sets.is_empty() {
            return format!("the loaded set {name} does not hold it, nor does any other set of the catalog");
        }
        let list: Vec<String> = sets.iter().map(|&set| format!("{} ({set})", self.catalog.sets[set].name)).collect();
        format!("the loaded set {name} does not hold it; sets that do: {}", list.join(", "))
    }
}

fn find(catalog: &Catalog, path: &Path, set: &str) -> Result<usize> {
    catalog.find(set).ok_or_else(|| Error::io(path, format_args!("no set {set:?} among its {}", catalog.sets.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A catalog directory that goes away with its owner.
    struct Dir(std::path::PathBuf);

    impl Dir {
        fn new(name: &str) -> Dir {
            let dir = std::env::temp_dir().join(format!("pwp-sim-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&dir).unwrap();
            Dir(dir)
        }

        fn load(&self, set: &str) -> Result<Resident> {
            Resident::from_directory(&self.0, set)
        }
    }

    impl Drop for Dir {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// The roster's sets that need no table but exp's, written as a catalog directory.
    fn exp_catalog(name: &str, roster: Roster) -> Dir {
        let dir = Dir::new(name);
        let mut catalog = roster.catalog();
        catalog.sets.retain(|set| set.act.iter().all(|(function, budget)| *budget == 1 || function == "exp"));
        let mut exp = catalog.sets[0].clone();
        exp = super::super::FunctionSet::new("exp_only", {
            exp.act.push(("exp".to_owned(), 400));
            exp.act
        });
        catalog.sets.push(exp);
        std::fs::write(dir.0.join(FILE_NAME), catalog.to_json()).unwrap();
        for set in &catalog.sets {
            let members: Vec<Member> =
                set.act.iter().map(|(function, budget)| embedded::member(function, *budget).unwrap().clone()).collect();
            image::write(&set.name, &members, roster.stride()).unwrap().save(&set.paths(&dir.0)).unwrap();
        }
        dir
    }

    #[test]
    fn a_set_of_a_directory_loads_by_name_and_by_index_with_the_same_tables() {
        for roster in Roster::ALL {
            let dir = exp_catalog(&format!("load#{}", roster.name()), roster); // the directory has a # of its own
            let resident = dir.load("exp_only").unwrap();
            assert_eq!(resident.set, 1);
            let (_, exp) = resident.tables().find(|(function, _)| *function == Function::Exp).unwrap();
            assert_eq!(exp, &embedded::member("exp", 400).unwrap().table);
            assert_eq!(dir.load("1").unwrap().members, resident.members);
            assert_eq!(resident.catalog.missing_files(&dir.0), Vec::<std::path::PathBuf>::new());
        }
    }

    #[test]
    fn only_the_set_s_functions_are_resident_and_the_others_are_said_to_be_elsewhere() {
        let dir = exp_catalog("missing", Roster::Trainium);
        let resident = dir.load("small").unwrap();
        assert!(resident.tables().all(|(function, _)| function != Function::Exp && function != Function::Prelu));
        let text = resident.no_profile(Function::Exp).to_string();
        assert!(
            text.contains("Exp") && text.contains("set small does not hold it; sets that do: exp_only (1)"),
            "{text}"
        );
        assert!(resident.no_profile(Function::Tanh).to_string().contains("nor does any other set"));
        assert!(resident.no_profile(Function::LnPrime).to_string().contains("nor does any other set"));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let dir = exp_catalog("absent", Roster::Trainium);
        let fails = |set: &str| dir.load(set).unwrap_err().to_string();
        assert!(fails("tiny").contains("no set \"tiny\" among its 2"));
        assert!(fails("2").contains("no set \"2\""));
        assert!(fails("+1").contains("no set \"+1\""));
        let nowhere = Resident::from_directory(Path::new("/nonexistent"), "0").unwrap_err().to_string();
        assert!(nowhere.contains("/nonexistent/act_info.json"));
        assert!(Roster::embedded("trn9").unwrap_err().to_string().contains("builtin:trn9: the embedded catalogs are"));
        let tiny = Resident::builtin(Roster::Trainium, "tiny").unwrap_err().to_string();
        assert!(tiny.contains("no set \"tiny\" among its 21"));
        std::fs::remove_file(dir.0.join("small_ctrl.bin")).unwrap();
        assert!(fails("small").contains("small_ctrl.bin"));
        assert!(dir.load("exp_only").is_ok());
    }

    #[test]
    fn a_catalog_and_an_image_of_other_functions_do_not_load() {
        let dir = exp_catalog("other", Roster::Trainium);
        let file = dir.0.join(FILE_NAME);
        let text = std::fs::read_to_string(&file).unwrap();
        let fails = |from: &str, to: &str| {
            std::fs::write(&file, text.replace(from, to)).unwrap();
            dir.load("exp_only").unwrap_err().to_string()
        };
        let wrong = fails("\"exp\": 400", "\"exp\": 40");
        assert!(wrong.contains("profile_meta_data.exp: budget 400") && wrong.contains("has budget 40"), "{wrong}");
        let wrong = fails("\"exp\": 400", "\"exp\": 400, \"tanh\": 4");
        assert!(wrong.contains("no function tanh"), "{wrong}");
        let wrong = fails("\"relu\": 1,", "");
        assert!(wrong.contains("profile_meta_data.relu") && wrong.contains("has no such function"), "{wrong}");
    }

    #[test]
    fn the_embedded_tables_come_as_both_rosters() {
        for roster in Roster::ALL {
            for (index, set) in roster.catalog().sets.iter().enumerate() {
                let resident = Resident::builtin(roster, &set.name).unwrap();
                assert_eq!(resident.set, index);
                assert!(resident.members.iter().all(|member| set.budget(&member.function) == Some(member.budget)));
            }
        }
    }
}
