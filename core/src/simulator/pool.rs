//! The threads that calls share whose callers have no pool of their own: one a core, started at the first such call.

use std::sync::{Arc, Mutex};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::lock;

struct Shared {
    /// The process that has the threads. A child of it has a copy of this and none of them.
    process: u32,
    pool: Arc<ThreadPool>,
}

static SHARED: Mutex<Option<Shared>> = Mutex::new(None);

/// The shared pool; none on a machine with one core, or where threads cannot be had.
pub(super) fn shared() -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut shared = lock::lock(&SHARED)?;
    if shared.as_ref().is_some_and(|shared| shared.process != process) {
        // Forgotten and not dropped: that would wait for threads which stayed behind in the parent.
        std::mem::forget(shared.take());
    }
    if shared.is_none() {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        *shared = start(cores).map(|pool| Shared { process, pool: Arc::new(pool) });
    }
    shared.as_ref().map(|shared| Arc::clone(&shared.pool))
}

/// A pool of as many threads as can be had: `most`, or half as many, and so on. One thread is none: the caller has that.
fn start(most: usize) -> Option<ThreadPool> {
    let counts = std::iter::successors(Some(most), |count| Some(count / 2)).take_while(|&count| count > 1);
    let build =
        |count| ThreadPoolBuilder::new().num_threads(count).thread_name(|index| format!("pwp_sim {index}")).build();
    counts.map(build).find_map(Result::ok)
}
