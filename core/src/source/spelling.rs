//! Where a simulator's tables come from, and the spellings of it that every interface takes.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::catalog::embedded;
use crate::catalog::roster::Roster;
use crate::error::{Error, Result};
use crate::memory;

/// The longest spelling of a source: the longest path that the system takes.
pub const MAX_LENGTH: usize = 4096;

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
    /// [`Error::ProfileIo`] for a text that begins with `builtin:` and names no embedded source, and for one that is longer
    /// than a path can be.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Source> {
        let path = Path::new(text.as_ref());
        let bytes = path.as_os_str().as_bytes();
        if bytes.len() > MAX_LENGTH {
            let beginning = Path::new(OsStr::from_bytes(&bytes[..64]));
            return Err(Error::io(beginning, format_args!("the beginning of a source longer than {MAX_LENGTH} bytes")));
        }
        let Some(text) = path.to_str().filter(|text| !path.is_dir() && !text.is_empty()) else {
            let none = path.as_os_str().is_empty();
            return Ok(if none { Source::None } else { Source::Directory(memory::path(path)?) });
        };
        match (text.strip_prefix(embedded::PATH), text.rsplit_once('#')) {
            (Some(""), _) => Ok(Source::Embedded),
            (Some(name), _) => match name.rsplit_once('#') {
                Some((roster, set)) => {
                    Ok(Source::EmbeddedSet { roster: Roster::embedded(roster)?, set: memory::string(set)? })
                }
                None => Err(Error::io(path, format_args!("expected {0} or {0}<roster>#<set>", embedded::PATH))),
            },
            (None, Some((catalog, set))) => {
                Ok(Source::Set { catalog: memory::path(catalog.as_ref())?, set: memory::string(set)? })
            }
            (None, None) => Ok(Source::Directory(memory::path(path)?)),
        }
    }

    /// A copy.
    pub(super) fn try_clone(&self) -> memory::Result<Source> {
        Ok(match self {
            Source::None => Source::None,
            Source::Embedded => Source::Embedded,
            Source::Directory(path) => Source::Directory(memory::path(path)?),
            Source::Set { catalog, set } => Source::Set { catalog: memory::path(catalog)?, set: memory::string(set)? },
            Source::EmbeddedSet { roster, set } => Source::EmbeddedSet { roster: *roster, set: memory::string(set)? },
        })
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
    fn a_spelling_longer_than_any_path_is_an_io_error_with_its_beginning() {
        let longest = format!("/no/where{}", "/".repeat(MAX_LENGTH - 9));
        assert_eq!(Source::parse(&longest), Ok(Source::Directory(longest.clone().into())));
        for longer in [format!("{longest}/"), format!("{longest}#1")] {
            let error = Source::parse(&longer).unwrap_err();
            assert!(matches!(&error, Error::ProfileIo { path, .. } if longer.starts_with(path.to_str().unwrap())));
            assert!(error.text().ends_with("longer than 4096 bytes"), "{error}");
        }
    }

    #[test]
    fn an_embedded_source_that_is_not_there_is_an_io_error() {
        for text in ["builtin:trainium", "builtin:trn9#small", "builtin:x"] {
            assert!(matches!(Source::parse(text), Err(Error::ProfileIo { .. })), "{text}");
        }
    }
}
