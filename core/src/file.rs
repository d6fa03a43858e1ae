//! Files: read whole, within a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

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
    let mut bytes = Vec::new();
    memory::reserve(&mut bytes, metadata.len().min(MAX_BYTES) as usize + 1)?;
    let file = File::open(path).map_err(system)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(system)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::format(path, format_args!(""), format_args!("larger than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}
