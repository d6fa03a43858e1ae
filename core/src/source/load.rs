//! Reads profiles, on several threads where there is enough to read. The threads end before the call does, so that none
//! is there to be lost in a fork.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::Result;
use crate::memory::{self, Watch};
use crate::profile;
use crate::table::Table;
use crate::thread;

/// The bytes that are worth a thread: they take some milliseconds to read, starting the thread a tenth of one.
const BYTES_A_THREAD: u64 = 1 << 19;

/// Enough for any directory of profiles, and what a machine with many cores can spare.
const MOST_THREADS: u64 = thread::MOST as u64;

/// The tables of `files`, in their order.
///
/// # Errors
/// As [`profile::load`], of the first file that cannot be read or is no profile.
pub fn tables(files: &[&Path]) -> Result<Vec<Arc<Table>>> {
    let bytes: u64 = files.iter().filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    tables_on(files, (bytes / BYTES_A_THREAD).min(cores).min(MOST_THREADS))
}

/// [`tables`] on so many threads, the caller's among them.
fn tables_on(files: &[&Path], threads: u64) -> Result<Vec<Arc<Table>>> {
    let watch = Watch::new();
    let results: Vec<OnceLock<Result<Arc<Table>>>> = memory::collect(files.iter().map(|_| OnceLock::new()))?;
    let next = AtomicUsize::new(0);
    thread::with_helpers(threads.saturating_sub(1) as usize, &|| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(file), Some(result)) = (files.get(index), results.get(index)) else { return };
            let memory = watch.check().map_err(Into::into);
            let table = memory.and_then(|()| Table::new(&profile::load(file)?));
            let _ = result.set(table.map(Arc::new));
        }
    });
    memory::try_collect(results.into_iter().map(|result| result.into_inner().expect("every file was read")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::embedded;
    use crate::error::Error;

    #[test]
    fn any_number_of_threads_reads_every_file_in_order_and_reports_the_first_bad_one() {
        let directory = std::env::temp_dir().join(format!("pwp-sim-load-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let expected: Vec<Table> = embedded::members().iter().map(|member| (*member.table).clone()).collect();
        let write = |(index, table): (usize, &Table)| {
            let file = directory.join(format!("{index}.json"));
            std::fs::write(&file, profile::to_json(&table.to_profile(), &[])).unwrap();
            file
        };
        let mut files: Vec<_> = expected.iter().enumerate().map(write).collect();
        for threads in 0..5 {
            let paths: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
            let tables = tables_on(&paths, threads).unwrap();
            assert!(tables.iter().map(|table| &**table).eq(&expected));
        }
        for bad in [20, 7] {
            files[bad] = directory.join(format!("missing {bad}"));
            let paths: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
            for threads in [1, 2, 4] {
                let Err(Error::ProfileIo { path, .. }) = tables_on(&paths, threads) else {
                    panic!("a file is missing")
                };
                assert_eq!(path, files[bad]);
            }
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
