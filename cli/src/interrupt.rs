//! Ctrl-C, and the request to end: files are whole all the same, and the status is the shell's for that signal (130, 143).

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::{Context, Result};
use pwp_sim_core::engine::file;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// The signal that asked to stop; 0 before.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// Whether the command looks at [`asked`] and ends by itself.
static POLITE: AtomicBool = AtomicBool::new(false);

/// From now on a signal ends the program when no file is being written.
///
/// # Errors
/// When the system does not let us listen.
pub fn listen() -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen for Ctrl-C")?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let first = ASKED.swap(signal, Ordering::Relaxed) == 0;
            if first && POLITE.load(Ordering::Relaxed) {
                continue;
            }
            let _settled = file::settled();
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// From now on the first signal only asks: the command ends by itself with what it has. The second ends the program.
pub fn ask_first() {
    POLITE.store(true, Ordering::Relaxed);
}

/// Whether a signal asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// The status of a command that a signal asked to stop, as a shell gives it.
pub fn status() -> Option<u8> {
    match ASKED.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(128 + signal as u8),
    }
}
