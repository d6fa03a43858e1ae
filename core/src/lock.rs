//! A lock that is never waited for without end. In the child of a `fork`, a thread that was left behind may hold it for
//! ever.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How long a call waits for a lock before it does without.
const PATIENCE: Duration = Duration::from_millis(200);

/// Locks `mutex`; none where that takes longer than anyone holds it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    let mut waited = Duration::ZERO;
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if waited < PATIENCE => {
                let pause = Duration::from_micros(50);
                std::thread::sleep(pause);
                waited += pause;
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}
