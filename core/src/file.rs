//! Files: read whole, within a limit; written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::memory;

/// The largest file that is read: 64 MiB.
pub const MAX_BYTES: u64 = 64 << 20;

/// The bytes of the file at `path`.
///
/// # Errors
/// [`Error::ProfileIo`] when the file cannot be read or is no regular file, [`Error::ProfileFormat`] when it is larger
/// than [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let system = |error| Error::system(path, &error);
    let metadata = std::fs::metadata(path).map_err(system)?;
    if !metadata.is_file() {
        return Err(Error::io(path, format_args!("not a regular file"))); // a pipe would block, a device never end
    }
    let too_large = || Error::format(path, format_args!(""), format_args!("larger than {MAX_BYTES} bytes"));
    if metadata.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    memory::reserve(&mut bytes, metadata.len() as usize + 1)?;
    let file = File::open(path).map_err(system)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(system)?; // it may grow meanwhile
    if bytes.len() as u64 > MAX_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// Taken by whoever writes.
static WRITING: Mutex<()> = Mutex::new(());

/// While the result is kept, no file is being written here. A process that ends then leaves no file that is half written.
pub fn settled() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file whole or not at all: to a file beside it, which then takes its name. What is no regular file, such as
/// `/dev/stdout`, is written to as it is.
///
/// # Errors
/// [`Error::NotWritten`]; then what stood there before still does.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_all(&[(path, bytes)])
}

/// [`write()`], for files that belong together: none takes its name before all are on the disk.
///
/// # Errors
/// [`Error::NotWritten`], of the first file that cannot be written; then all are as before. Where one fails only when it
/// takes its name, those after it are.
pub fn write_all(files: &[(&Path, &[u8])]) -> Result<()> {
    let _writing = settled();
    let failed = |path: &Path, error: io::Error| Error::NotWritten { path: path.to_owned(), reason: error.to_string() };
    let stage = |&(path, bytes)| Staged::new(path, bytes).map_err(|error| failed(path, error));
    let staged = files.iter().map(stage).collect::<Result<Vec<Staged>>>()?;
    for (staged, &(path, bytes)) in staged.into_iter().zip(files) {
        staged.commit(bytes).map_err(|error| failed(path, error))?;
    }
    Ok(())
}

/// A file that does not have its name yet.
struct Staged {
    /// Where the bytes are. It is removed when this goes; none where the target takes the bytes itself.
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl Staged {
    fn new(path: &Path, bytes: &[u8]) -> io::Result<Staged> {
        // Through a symbolic link, so that the link stays one.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&target).ok();
        if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            if target.is_dir() {
                OpenOptions::new().write(true).open(&target)?; // the system's reason; a pipe must not be opened twice
            }
            return Ok(Staged { temporary: None, target });
        }
        let (mut file, temporary) = create_beside(&target)?;
        let staged = Staged { temporary: Some(temporary), target };
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        file.write_all(bytes)?;
        Ok(staged)
    }

    fn commit(mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return fs::write(&self.target, bytes) };
        fs::rename(temporary, &self.target)?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// A new file in the directory of `target`, of a name that no other has.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    if target.file_name().is_none() {
        return Err(ErrorKind::InvalidInput.into());
    }
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!(".pwp-{}-{number}", std::process::id()));
        let path = target.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {} // of a process that was killed
            file => return Ok((file?, path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A directory of its own, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("pwp-sim-file-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn names(&self) -> Vec<OsString> {
            let mut names: Vec<OsString> =
                fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_replaced_by_another_one_with_its_permissions_and_its_links() {
        let scratch = Scratch::new("replace");
        let [file, link, kept] = ["file", "link", "kept"].map(|name| scratch.0.join(name));
        write(&file, b"first").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        fs::hard_link(&file, &kept).unwrap();
        write(&link, b"second").unwrap();
        assert_eq!((fs::read(&file).unwrap(), fs::read(&kept).unwrap()), (b"second".to_vec(), b"first".to_vec()));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(scratch.names(), ["file", "kept", "link"]);
    }

    #[test]
    fn of_files_that_belong_together_none_is_written_where_one_cannot_be() {
        let scratch = Scratch::new("together");
        let [one, two] = ["one", "two"].map(|name| scratch.0.join(name));
        write(&one, b"old").unwrap();
        for (bad, reason) in [
            (scratch.0.join("none/file"), "No such file or directory"),
            (scratch.0.clone(), "Is a directory"),
            (one.join("file"), "Not a directory"),
        ] {
            let error = write_all(&[(&one, b"new"), (&two, b"new"), (&bad, b"new")]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot write {}: {reason}", bad.display())), "{error}");
            assert_eq!(fs::read(&one).unwrap(), b"old");
            assert_eq!(scratch.names(), ["one"]);
        }
        write_all(&[(&one, b"new"), (&two, b"new")]).unwrap();
        assert_eq!((fs::read(&one).unwrap(), scratch.names().len()), (b"new".to_vec(), 2));
    }

    #[test]
    fn what_is_no_regular_file_is_written_to_and_stays() {
        write(Path::new("/dev/null"), b"text").unwrap();
        let error = write(Path::new("/dev/full"), b"text").unwrap_err().to_string();
        assert!(error.starts_with("cannot write /dev/full: No space left on device"), "{error}");
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
