//! Threads that help with one piece of work and end before it does. They are the system's own: a thread of the standard
//! library, at its start, allocates in ways that end the process where there is no memory.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// The most threads that work together, the caller's among them.
pub const MOST: usize = 8;

/// The stack of a helper, in bytes.
const STACK: usize = 256 << 10;

/// `pthread_t`: a word on every system that has it as a number or as a pointer.
type Thread = usize;

/// `pthread_attr_t`, or more than that.
#[repr(C, align(16))]
struct Attributes([u8; 128]);

// SAFETY: POSIX declares these so.
unsafe extern "C" {
    fn pthread_attr_init(attributes: *mut Attributes) -> c_int;
    fn pthread_attr_setstacksize(attributes: *mut Attributes, bytes: usize) -> c_int;
    fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
    fn pthread_create(
        thread: *mut Thread,
        attributes: *const Attributes,
        start: extern "C" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> c_int;
    fn pthread_join(thread: Thread, result: *mut *mut c_void) -> c_int;
}

/// What the helpers do.
type Work<'a> = &'a (dyn Fn() + Sync);

/// The threads that were started. They are waited for when this goes, also in a panic.
struct Helpers {
    threads: [Thread; MOST],
    count: usize,
    failed: bool,
}

impl Helpers {
    fn join(&mut self) {
        while self.count > 0 {
            self.count -= 1;
            let mut result = ptr::null_mut();
            // SAFETY: `with_helpers` started this thread, and this is the one place that waits for it, once.
            unsafe { pthread_join(self.threads[self.count], &mut result) };
            self.failed |= !result.is_null();
        }
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        self.join();
    }
}

/// Does `work` on the calling thread and on up to `helpers` more at once; a thread that cannot be had leaves more to the
/// others.
///
/// # Panics
/// When `work` does, on any of them.
pub fn with_helpers(helpers: usize, work: Work<'_>) {
    let mut started = Helpers { threads: [0; MOST], count: 0, failed: false };
    let mut attributes = Attributes([0; 128]);
    // SAFETY: a place that is large enough, and from `init` on an attribute object until `destroy`. The start function gets
    // a pointer to `work`, which lives until `started` has waited for the threads.
    unsafe {
        if helpers > 0 && pthread_attr_init(&mut attributes) == 0 {
            pthread_attr_setstacksize(&mut attributes, STACK);
            for _ in 0..helpers.min(MOST - 1) {
                let thread = &mut started.threads[started.count];
                if pthread_create(thread, &attributes, start, (&raw const work).cast_mut().cast()) == 0 {
                    started.count += 1;
                }
            }
            pthread_attr_destroy(&mut attributes);
        }
    }
    work();
    started.join();
    assert!(!started.failed, "a thread that helped has panicked");
}

/// Null where the work came to its end.
extern "C" fn start(work: *mut c_void) -> *mut c_void {
    // SAFETY: `with_helpers` gives a pointer to its work, and waits for this thread before that ends.
    let work = unsafe { *work.cast::<Work<'_>>() };
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => ptr::null_mut(),
        Err(panic) => {
            std::mem::forget(panic); // to drop it could panic again
            ptr::dangling_mut::<u8>().cast()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Barrier, Mutex};

    use super::*;

    #[test]
    fn each_helper_works_on_a_thread_of_its_own_and_ends_first() {
        for helpers in [0, 1, 3, MOST - 1, 100] {
            let threads = Mutex::new(HashSet::new());
            let all = Barrier::new(helpers.min(MOST - 1) + 1);
            with_helpers(helpers, &|| {
                threads.lock().unwrap().insert(std::thread::current().id());
                all.wait();
            });
            assert_eq!(threads.into_inner().unwrap().len(), helpers.min(MOST - 1) + 1);
        }
    }

    #[test]
    fn a_panic_of_a_helper_is_the_caller_s() {
        let caller = std::thread::current().id();
        let work = || assert_eq!(std::thread::current().id(), caller);
        assert!(catch_unwind(AssertUnwindSafe(|| with_helpers(1, &work))).is_err());
    }
}
