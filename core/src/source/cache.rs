//! The process's loaded sources: a directory whose files did not change gives the set it gave before.
//!
//! "Did not change" is what the file system says of each file: its device, inode, size and times. Reading the names
//! and these costs microseconds, reading the profiles milliseconds. A file that changed within the last tick of the kernel's
//! clock could change again without a trace, so the reading waits for the tick's end. The last set of each directory is held here, whether
//! or not anyone uses it ([`CAPACITY`] unused ones at most); an older content of a directory only as long as someone
//! does, so that a directory that goes back to it, or is merely touched, gives the same set again.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, SystemTime};

use super::{Source, TableSet};
use crate::error::{Error, Result};
use crate::lock;
use crate::memory::{self, Watch};

/// Directories that are held. Beyond it, one that nobody uses goes, the one that was loaded longest ago.
const CAPACITY: usize = 64;

/// Two changes of a file closer than this may leave it the same times: the kernel's clock tick, at most 10 ms, twice.
const TICK: Duration = Duration::from_millis(20);

static LOADED: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

struct Loaded {
    source: Source,
    /// None where the files' times cannot tell a further change: the set is then read again, and only its content is
    /// recognised.
    stamp: Option<Stamp>,
    tables: Arc<TableSet>,
    /// What the directory held before.
    older: Vec<Weak<TableSet>>,
}

impl Loaded {
    fn unused(&self) -> bool {
        Arc::strong_count(&self.tables) == 1 && self.older.iter().all(|set| set.strong_count() == 0)
    }
}

/// The state of a source's files, from before they were read.
#[derive(PartialEq, Eq)]
pub struct Stamp(Vec<FileStamp>);

#[derive(PartialEq, Eq)]
struct FileStamp {
    file: PathBuf,
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// The state of `files`.
    ///
    /// # Errors
    /// [`Error::ProfileIo`] when one cannot be looked at.
    pub fn of(files: Vec<PathBuf>) -> Result<Stamp> {
        let stamp = |file: PathBuf| {
            let metadata = std::fs::metadata(&file).map_err(|error| Error::system(&file, &error))?;
            Ok(FileStamp {
                file,
                device: metadata.dev(),
                inode: metadata.ino(),
                size: metadata.size(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                changed: (metadata.ctime(), metadata.ctime_nsec()),
            })
        };
        memory::try_collect(files.into_iter().map(stamp)).map(Stamp)
    }

    /// Waits until a further change of the files would show in their times: until none of them changed within the last
    /// [`TICK`]. False where that cannot be told, of a file with a time in the future: it is on another machine's clock, or
    /// the clock was set back.
    pub fn settle(&self) -> bool {
        let Some((seconds, nanoseconds)) = self.0.iter().map(|file| file.changed).max() else { return true };
        let (Ok(seconds), Ok(nanoseconds)) = (seconds.try_into(), nanoseconds.try_into()) else { return true };
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        let Ok(age) = SystemTime::now().duration_since(changed) else { return false };
        std::thread::sleep(TICK.saturating_sub(age));
        true
    }
}

/// The set of `source` in the state `stamp`, if it was loaded.
pub fn find(source: &Source, stamp: &Stamp) -> Option<Arc<TableSet>> {
    let same = |entry: &&Loaded| entry.source == *source && entry.stamp.as_ref() == Some(stamp);
    with_loaded(|loaded| loaded.iter().find(same).map(|entry| Arc::clone(&entry.tables))).flatten()
}

/// Remembers that `source` in the state `stamp` has these tables, which were made while `watch` watched. Gives the set to
/// use: an equal one where it is still alive.
///
/// # Errors
/// [`Error::NoMemory`], and the cache is as it was.
pub fn keep(source: &Source, stamp: Option<Stamp>, tables: TableSet, watch: Watch) -> Result<Arc<TableSet>> {
    let tables = Arc::new(tables);
    watch.check()?;
    let kept = with_loaded(|loaded| {
        memory::reserve(loaded, 1)?;
        let mut entry = Loaded { source: source.try_clone()?, stamp, tables: Arc::clone(&tables), older: Vec::new() };
        if let Some(at) = loaded.iter().position(|entry| entry.source == *source) {
            let before = &mut loaded[at];
            before.older.retain(|set| set.strong_count() > 0);
            memory::reserve(&mut before.older, 1)?;
            let before = loaded.remove(at);
            entry.older = before.older;
            entry.older.push(Arc::downgrade(&before.tables));
            let equal = entry.older.iter().filter_map(Weak::upgrade).find(|set| *set == tables);
            entry.tables = equal.unwrap_or(entry.tables);
        } else if loaded.len() >= CAPACITY
            && let Some(at) = loaded.iter().position(Loaded::unused)
        {
            loaded.remove(at);
        }
        let tables = Arc::clone(&entry.tables);
        loaded.push(entry);
        Ok(tables)
    });
    kept.unwrap_or(Ok(tables))
}

/// Runs `body` on the cache, or not at all where its lock cannot be had.
fn with_loaded<T>(body: impl FnOnce(&mut Vec<Loaded>) -> T) -> Option<T> {
    lock::lock(&LOADED).map(|mut loaded| body(&mut loaded))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use std::cell::Cell;
    use std::path::Path;

    use super::*;
    use crate::function::Function;
    use crate::profile::{Profile, to_json};

    /// A profile with this value at zero; all have one size.
    fn text(zero: f32) -> String {
        let mut profile = Profile::default();
        profile.specials.zero = zero;
        format!("{:4096}", to_json(&profile, &[]))
    }

    /// A directory of its own, removed at the end, with one profile whose value at zero is known.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("pwp-sim-cache-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn write(&self, zero: f32) {
            std::fs::write(self.0.join("exp_400p.json"), text(zero)).unwrap();
        }

        fn open(&self) -> Arc<TableSet> {
            open(&self.0)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn open(directory: &Path) -> Arc<TableSet> {
        TableSet::open(&Source::Directory(directory.to_owned())).unwrap().unwrap()
    }

    fn zero(tables: &TableSet) -> f32 {
        tables.table(Function::Exp).unwrap().specials().zero
    }

    #[test]
    fn an_unchanged_directory_gives_the_same_set_also_after_its_last_user_went() {
        let scratch = Scratch::new("same");
        scratch.write(1.0);
        let first = Arc::downgrade(&scratch.open());
        assert!(std::ptr::eq(first.as_ptr(), Arc::as_ptr(&scratch.open())));
        let with_slash = format!("{}/", scratch.0.display());
        assert!(std::ptr::eq(first.as_ptr(), Arc::as_ptr(&open(with_slash.as_ref()))));
    }

    #[test]
    fn a_change_is_seen_at_once_and_earlier_sets_keep_their_content() {
        let scratch = Scratch::new("changed");
        let sets: Vec<_> = (0..8)
            .map(|round| {
                scratch.write(round as f32); // the same size, within one tick of the clock
                scratch.open()
            })
            .collect();
        for (round, set) in sets.iter().enumerate() {
            assert_eq!(zero(set), round as f32);
        }
    }

    #[test]
    fn the_same_content_gives_the_same_set_after_a_touch_and_after_a_detour() {
        let scratch = Scratch::new("back");
        scratch.write(1.0);
        let first = scratch.open();
        scratch.write(1.0);
        assert!(Arc::ptr_eq(&first, &scratch.open()));
        scratch.write(2.0);
        assert_eq!(zero(&scratch.open()), 2.0);
        scratch.write(1.0);
        assert!(Arc::ptr_eq(&first, &scratch.open()));
    }

    #[test]
    fn a_new_or_a_missing_file_is_a_change() {
        let scratch = Scratch::new("files");
        scratch.write(1.0);
        scratch.open();
        std::fs::copy(scratch.0.join("exp_400p.json"), scratch.0.join("tanh_4p.json")).unwrap();
        assert!(scratch.open().table(Function::Tanh).is_ok());
        std::fs::remove_file(scratch.0.join("exp_400p.json")).unwrap();
        assert!(scratch.open().table(Function::Exp).is_err());
    }

    /// The profile again with another value at zero, in a file of the same size and with the same time of modification.
    fn rewrite(file: &Path, zero: f32, into: impl FnOnce(&Path, &str)) {
        let before = std::fs::metadata(file).unwrap();
        into(file, &text(zero));
        let times = std::fs::FileTimes::new().set_modified(before.modified().unwrap());
        std::fs::File::options().write(true).open(file).unwrap().set_times(times).unwrap();
        let after = std::fs::metadata(file).unwrap();
        assert_eq!((before.len(), before.modified().unwrap()), (after.len(), after.modified().unwrap()));
    }

    #[test]
    fn a_change_that_leaves_size_and_time_of_modification_is_seen() {
        let scratch = Scratch::new("times");
        scratch.write(1.0);
        let file = scratch.0.join("exp_400p.json");
        let in_place = |file: &Path, text: &str| std::fs::write(file, text).unwrap();
        let renamed_over = |file: &Path, text: &str| {
            let other = file.with_extension("new");
            std::fs::write(&other, text).unwrap();
            std::fs::rename(&other, file).unwrap();
        };
        for value in [2.0, 3.0, 4.0, 5.0] {
            assert_eq!(zero(&scratch.open()), value - 1.0);
            match value {
                2.0 | 3.0 => rewrite(&file, value, in_place),
                _ => rewrite(&file, value, renamed_over),
            }
        }
        assert_eq!(zero(&scratch.open()), 5.0);
    }

    #[test]
    fn what_changed_while_it_was_read_is_read_again() {
        let scratch = Scratch::new("mixed");
        scratch.write(1.0);
        let (path, file) = (scratch.0.clone(), scratch.0.join("exp_400p.json"));
        let reads = Cell::new(0);
        let load = || {
            // The first reading finds the file as it was, or half of it; then it changes.
            let directory = crate::profile::Directory::list(&path)?;
            let tables = TableSet::load(&path, &directory);
            reads.set(reads.get() + 1);
            if reads.get() < 4 {
                rewrite(&file, 1.0 + reads.get() as f32, |file, text| std::fs::write(file, text).unwrap());
            }
            if reads.get() == 2 { TableSet::load(&path.join("nowhere"), &directory) } else { tables }
        };
        let source = Source::Directory(path.clone());
        let tables = TableSet::cached(&source, &path, || Ok(vec![file.clone()]), load).unwrap();
        assert_eq!((zero(&tables), reads.get()), (4.0, 4));
        assert!(Arc::ptr_eq(&tables, &scratch.open()));
    }

    #[test]
    fn a_source_that_never_rests_is_an_error_and_not_a_mixture() {
        let scratch = Scratch::new("restless");
        scratch.write(1.0);
        let (path, file) = (scratch.0.clone(), scratch.0.join("exp_400p.json"));
        let load = || {
            let tables = TableSet::load(&path, &crate::profile::Directory::list(&path)?);
            std::fs::write(&file, "{}").unwrap();
            tables
        };
        let source = Source::Directory(path.clone());
        let text = TableSet::cached(&source, &path, || Ok(vec![file.clone()]), load).unwrap_err().to_string();
        assert!(text.contains("it changes while it is read"), "{text}");
    }
}
