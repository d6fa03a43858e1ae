//! Files: read whole, within a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};

/// The largest file that is read: 64 MiB.
pub const MAX_BYTES: u64 = 64 << 20;

/// The bytes of the file at `path`.
///
/// # Errors
/// [`Error::ProfileIo`] when the file cannot be read or is no regular file, [`Error::ProfileFormat`] when it is larger
/// than [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let io = |reason: String| Error::ProfileIo { path: path.to_owned(), reason };
    let metadata = std::fs::metadata(path).map_err(|error| io(error.to_string()))?;
    if !metadata.is_file() {
        return Err(io("not a regular file".to_owned())); // a pipe would block, a device never end
    }
    let mut bytes = Vec::with_capacity(metadata.len().min(MAX_BYTES) as usize + 1);
    let file = File::open(path).map_err(|error| io(error.to_string()))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| io(error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        let reason = format!("larger than {MAX_BYTES} bytes");
        return Err(Error::ProfileFormat { file: path.to_owned(), place: String::new(), reason });
    }
    Ok(bytes)
}
