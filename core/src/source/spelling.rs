//! Where a simulator's tables come from, and the spellings of it that every interface takes.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::catalog::embedded;
use crate::catalog::roster::Roster;
use crate::error::{Error, Result};

/// Where a simulator's tables come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// Nowhere: every call is exact. Spelt as the empty string.
    None,
    /// The embedded tables, `builtin:`.
    Embedded,
    /// The profiles of a directory.
    Directory(PathBuf),
    /// What one load of a set makes resident, `<catalog>#<set>`.
    Set {
        /// The directory with the catalog's `act_info.json` and its images.
        catalog: PathBuf,
        /// The set, by name or by index in decimal digits.
        set: String,
    },
    /// One set of a published roster, its tables the embedded ones: `builtin:trainium#<set>`, `builtin:with_ln#<set>`.
    EmbeddedSet {
        /// The roster.
        roster: Roster,
        /// The set, by name or by index in decimal digits.
        set: String,
    },
}

impl Source {
    /// The source of this spelling. A `#` splits at its last place; a path that is a directory is one, whatever
    /// characters it has.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] for a text that begins with `builtin:` and names no embedded source.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Source> {
        let path = Path::new(text.as_ref());
        let Some(text) = path.to_str().filter(|text| !path.is_dir() && !text.is_empty()) else {
            return Ok(if path.as_os_str().is_empty() { Source::None } else { Source::Directory(path.to_owned()) });
        };
        match (text.strip_prefix(embedded::PATH), text.rsplit_once('#')) {
            (Some(""), _) => Ok(Source::Embedded),
            (Some(name), _) => match name.rsplit_once('#') {
                Some((roster, set)) => {
                    Ok(Source::EmbeddedSet { roster: Roster::embedded(roster)?, set: set.to_owned() })
                }
                None => {
                    let reason = format!("expected {0} or {0}<roster>#<set>", embedded::PATH);
                    Err(Error::ProfileIo { path: text.into(), reason })
                }
            },
            (None, Some((catalog, set))) => Ok(Source::Set { catalog: catalog.into(), set: set.to_owned() }),
            (None, None) => Ok(Source::Directory(path.to_owned())),
        }
    }
}

impl FromStr for Source {
    type Err = Error;

    fn from_str(text: &str) -> Result<Source> {
        Source::parse(text)
    }
}

/// The spelling; a path that is not UTF-8 is shown with replacement characters.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::None => Ok(()),
            Source::Embedded => f.write_str(embedded::PATH),
            Source::Directory(path) => write!(f, "{}", path.display()),
            Source::Set { catalog, set } => write!(f, "{}#{set}", catalog.display()),
            Source::EmbeddedSet { roster, set } => write!(f, "{}{}#{set}", embedded::PATH, roster.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_its_source_and_comes_back() {
        let set = |catalog: &str, set: &str| Source::Set { catalog: catalog.into(), set: set.to_owned() };
        let embedded = |roster, set: &str| Source::EmbeddedSet { roster, set: set.to_owned() };
        for (text, source) in [
            ("", Source::None),
            ("builtin:", Source::Embedded),
            ("/no/where", Source::Directory("/no/where".into())),
            ("/no/where#exp_and_others", set("/no/where", "exp_and_others")),
            ("/no#where#3", set("/no#where", "3")),
            ("builtin:trainium#small", embedded(Roster::Trainium, "small")),
            ("builtin:with_ln#0", embedded(Roster::WithLn, "0")),
        ] {
            assert_eq!(Source::parse(text).as_ref(), Ok(&source), "{text}");
            assert_eq!(source.to_string(), text);
        }
    }

    #[test]
    fn a_directory_with_a_hash_in_its_name_is_a_directory() {
        let path = std::env::temp_dir().join(format!("pwp-sim-source#{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        assert_eq!(Source::parse(&path), Ok(Source::Directory(path.clone())));
        std::fs::remove_dir(path).unwrap();
    }

    #[test]
    fn an_embedded_source_that_is_not_there_is_an_io_error() {
        for text in ["builtin:trainium", "builtin:trn9#small", "builtin:x"] {
            assert!(matches!(Source::parse(text), Err(Error::ProfileIo { .. })), "{text}");
        }
    }
}
