//! `act_info.json`: a catalog as its file has it (`docs/figures.md`, act_info.json).

use std::path::Path;

use super::{Catalog, FunctionSet};
use crate::error::Result;
use crate::json::{
    self, Array, Checked, FileName, Integer, Map, Mistake, Node, Read, Reader, Text, Token, Value, fields, required,
    wrong,
};
use crate::memory::{self, text};

/// The catalog's file in its directory.
pub const FILE_NAME: &str = "act_info.json";

/// What `pwp_file_keys` must be: the keys of a set that name its files.
const FILE_KEYS: [&str; 3] = ["bkt_bin", "ctrl_bin", "profile_json"];

impl Catalog {
    /// Reads the `act_info.json` of the directory `dir`. The images are not looked at.
    ///
    /// # Errors
    /// [`Error::ProfileIo`](crate::Error::ProfileIo) when the file cannot be read,
    /// [`Error::ProfileFormat`](crate::Error::ProfileFormat) when it is no catalog: file, place and what was expected.
    pub fn open(dir: &Path) -> Result<Catalog> {
        json::load(&memory::join(dir, FILE_NAME)?)
    }

    /// Reads `text` as an `act_info.json`; `file` is for messages.
    ///
    /// # Errors
    /// [`Error::ProfileFormat`](crate::Error::ProfileFormat), as [`Catalog::open`].
    pub fn parse(text: &str, file: &Path) -> Result<Catalog> {
        json::parse(text, file)
    }

    /// The catalog as the text of an `act_info.json`.
    pub fn to_json(&self) -> String {
        let budgets = |set: &FunctionSet| -> Node {
            set.act.iter().map(|(function, budget)| (function.as_str(), (*budget).into())).collect()
        };
        let set = |set: &FunctionSet| -> Node {
            [
                ("name", Node::from(set.name.as_str())),
                ("bkt_bin", set.bkt_bin.as_str().into()),
                ("ctrl_bin", set.ctrl_bin.as_str().into()),
                ("profile_json", set.profile_json.as_str().into()),
                ("act", budgets(set)),
            ]
            .into_iter()
            .collect()
        };
        let root: Node = [
            ("act_func_sets", Node::Array(self.sets.iter().map(set).collect())),
            ("pwp_file_keys", Node::Array(FILE_KEYS.map(Node::from).to_vec())),
        ]
        .into_iter()
        .collect();
        root.to_text()
    }
}

fields!(CatalogFields::catalog -> Catalog { act_func_sets: Sets, pwp_file_keys: FileKeys });

impl CatalogFields {
    fn catalog(self) -> Checked<Catalog> {
        required!(self, pwp_file_keys);
        let Sets(sets) = required!(self, act_func_sets);
        Ok(Catalog { sets })
    }
}

/// The three of [`FILE_KEYS`], in their order. Others are compared and not kept: there may be any number of them.
struct FileKeys;

impl Value for FileKeys {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        if !matches!(token, Token::Array) {
            return wrong(reader, token, "an array");
        }
        let (mut count, mut right) = (0, true);
        reader.items(|reader| {
            let token = reader.token()?;
            let expected = FILE_KEYS.get(count);
            right &= expected.is_some_and(|expected| matches!(token, Token::String(key) if key.is(expected)));
            count += 1;
            reader.skip(token)
        })?;
        let mistake = || Mistake::new(text!("expected {FILE_KEYS:?}, found other values"));
        Ok((right && count == FILE_KEYS.len()).then_some(FileKeys).ok_or_else(mistake))
    }
}

/// The sets, no name twice.
struct Sets(Vec<FunctionSet>);

impl Value for Sets {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let sets = match Array::<FunctionSet>::read(reader, token)? {
            Ok(Array(sets)) => sets,
            Err(mistake) => return Ok(Err(mistake)),
        };
        let mut names = memory::collect(sets.iter().enumerate().map(|(place, set)| (set.name.as_str(), place)))?;
        names.sort_unstable();
        let seconds = names.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
        match seconds.min_by_key(|second| second.1) {
            Some((name, place)) => {
                let mistake = Mistake::new(text!("a second set {name:?}"));
                Ok(Err(mistake.in_key("name").in_index(place)))
            }
            None => Ok(Ok(Sets(sets))),
        }
    }
}

/// What a set holds, in the order of the file.
struct Act(Vec<(String, u32)>);

impl Value for Act {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let act = match Map::<Integer<1, { u32::MAX as i64 }>>::read(reader, token)? {
            Ok(Map(act)) => act,
            Err(mistake) => return Ok(Err(mistake)),
        };
        if let Some((function, _)) = act.iter().find(|(function, _)| function.contains('\0')) {
            return Ok(Err(Mistake::new(text!("a function with a NUL in its name, {function:?}"))));
        }
        Ok(Ok(Act(memory::collect(act.into_iter().map(|(function, budget)| (function, budget.0 as u32)))?)))
    }
}

fields!(SetFields::set -> FunctionSet {
    name: Text,
    bkt_bin: FileName,
    ctrl_bin: FileName,
    profile_json: FileName,
    act: Act,
});

impl SetFields {
    fn set(self) -> Checked<FunctionSet> {
        let name = required!(self, name).0;
        if name.contains('\0') {
            return Err(Mistake::new(text!("a name with a NUL")).in_key("name"));
        }
        let act = required!(self, act).0;
        Ok(FunctionSet {
            name,
            bkt_bin: required!(self, bkt_bin).0,
            ctrl_bin: required!(self, ctrl_bin).0,
            profile_json: required!(self, profile_json).0,
            act,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::roster::Roster;

    fn parse(text: &str) -> Result<Catalog> {
        Catalog::parse(text, Path::new("/c/act_info.json"))
    }

    #[test]
    fn both_rosters_read_back_as_written() {
        for roster in Roster::ALL {
            let catalog = roster.catalog();
            assert_eq!(parse(&catalog.to_json()), Ok(catalog));
        }
    }

    #[test]
    fn sets_and_budgets_keep_the_order_of_the_file() {
        let set = |name: &str, act: &str| {
            format!(r#"{{"name":"{name}","bkt_bin":"a","ctrl_bin":"b","profile_json":"c","act":{{{act}}}}}"#)
        };
        let sets = [set("z", r#""tanh":4,"exp":400,"abs":1"#), set("a", "")].join(",");
        let keys = r#"["bkt_bin","ctrl_bin","profile_json"]"#;
        let catalog = parse(&format!(r#"{{"act_func_sets":[{sets}],"pwp_file_keys":{keys}}}"#)).unwrap();
        let names: Vec<&str> = catalog.sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["z", "a"]);
        assert_eq!(catalog.functions(), ["tanh", "exp", "abs"]);
        assert_eq!((catalog.sets[0].budget("exp"), catalog.sets[0].budget("ln")), (Some(400), None));
    }

    #[test]
    fn mistakes_are_refused_with_their_place() {
        let good = Roster::WithLn.catalog().to_json();
        let edited = |from: &str, to: &str| {
            assert!(good.contains(from), "{from}");
            parse(&good.replacen(from, to, 1)).unwrap_err().to_string()
        };
        for (from, to, expected) in [
            ("\"act_func_sets\"", "\"sets\"", "act_func_sets: missing"),
            ("\"pwp_file_keys\"", "\"keys\"", "pwp_file_keys: missing"),
            ("\"exp\": 400", "\"exp\": 400.0", "act_func_sets[0].act.exp: expected an integer in 1..=4294967295"),
            ("\"exp\": 400", "\"exp\": 0", "act_func_sets[0].act.exp: expected an integer"),
            ("\"small.json\"", "\"../small.json\"", "act_func_sets[4].profile_json: expected a plain file name"),
            ("\"name\": \"small\"", "\"name\": \"natural_log\"", "act_func_sets[5].name: a second set \"natural_log\""),
            ("\"name\": \"small\"", "\"name\": \"sm\\u0000all\"", "act_func_sets[4].name: a name with a NUL"),
            ("\"exp\": 400", "\"e\\u0000xp\": 400", "act_func_sets[0].act: a function with a NUL"),
            ("\"name\": \"small\",", "", "act_func_sets[4].name: missing"),
            ("        \"ctrl_bin\",\n", "", "pwp_file_keys: expected [\"bkt_bin\""),
        ] {
            let text = edited(from, to);
            assert!(text.contains(&format!("/c/act_info.json: {expected}")), "{text}");
        }
    }

    #[test]
    fn what_is_not_read_may_be_what_other_writers_make() {
        let catalog = Roster::WithLn.catalog();
        let unread = r#"{"\ud800": NaN, "notes": [1e400, "\udc00", {"\ud800": -Infinity}],"#;
        assert_eq!(parse(&catalog.to_json().replacen('{', unread, 1)), Ok(catalog));
    }

    #[test]
    fn every_cut_is_refused() {
        let good = Roster::WithLn.catalog().to_json();
        for length in 0..good.len() {
            assert!(parse(&good[..length]).is_err());
        }
    }

    #[test]
    fn a_directory_without_the_file_is_named() {
        let text = Catalog::open(Path::new("/nonexistent/c")).unwrap_err().to_string();
        assert!(text.contains("/nonexistent/c/act_info.json"), "{text}");
    }
}
