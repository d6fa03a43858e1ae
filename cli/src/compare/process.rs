//! A library in a process of its own, seen from the process that compares: it is started when it is needed, told what to
//! compute, and started anew when it died or hung.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use pwp_foreign::{Abi, Call};
use pwp_sim_core::Function;

use crate::interrupt;

use super::worker::{ANSWER, DONE, REFUSED, Request, UNHANDLED};

/// How often a waiting read looks at the user's wish to stop and at the clock.
const TICK: Duration = Duration::from_millis(100);

/// A library to call.
#[derive(Debug, Clone)]
pub struct Library {
    /// The file.
    pub path: PathBuf,
    /// Its symbols.
    pub abi: Abi,
    /// The directory of profiles that its simulator is built from.
    pub profiles: PathBuf,
    /// How long one call may take.
    pub timeout: Duration,
}

/// Why a call gave no results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The library said that it cannot.
    Refused(String),
    /// The process ended.
    Died(String),
    /// The call took longer than it may.
    Hung(Duration),
    /// The user wants to stop.
    Interrupted,
}

impl Failure {
    /// The failure in words, for `the library ...`.
    pub fn text(&self) -> String {
        match self {
            Failure::Refused(words) => format!("refuses: {words}"),
            Failure::Died(how) => how.clone(),
            Failure::Hung(timeout) => format!("hangs: no answer in {} s", timeout.as_secs_f64()),
            Failure::Interrupted => "was interrupted".to_owned(),
        }
    }
}

/// The process of a library.
#[derive(Debug)]
pub struct Process {
    library: Library,
    running: Option<Running>,
    /// What the library said of inputs that no section covers.
    pub notes: Vec<String>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    socket: UnixStream,
    stderr: std::fs::File,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// A process that is started by the first call.
    pub fn new(library: Library) -> Process {
        Process { library, running: None, notes: Vec::new() }
    }

    /// Starts the process if it does not run.
    ///
    /// # Errors
    /// A library that does not open, with its reason.
    pub fn start(&mut self) -> Result<()> {
        if self.running.is_some() {
            return Ok(());
        }
        let path = self.library.path.clone();
        let mut running = self.spawn().context("cannot start a process for the library")?;
        let opened = read_answer(&mut running.socket, Duration::from_secs(60).max(self.library.timeout));
        match opened {
            Ok((DONE, _)) => {
                self.running = Some(running);
                Ok(())
            }
            Ok((_, words)) => bail!("cannot open {}: {words}", path.display()),
            Err(ErrorKind::Interrupted) => bail!("interrupted"),
            Err(ErrorKind::TimedOut) => bail!("cannot open {}: it does not end loading", path.display()),
            Err(_) => bail!("cannot open {}: {}", path.display(), death(running)),
        }
    }

    fn spawn(&self) -> Result<Running> {
        let (socket, theirs) = UnixStream::pair()?;
        socket.set_read_timeout(Some(TICK))?;
        let stderr = tempfile::tempfile()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("compare-worker").arg(&self.library.path).arg(&self.library.profiles);
        if let Abi::Cxx { constructor, simulate } = &self.library.abi {
            command.args([constructor, simulate].map(|name| OsStr::from_bytes(name.as_bytes())));
        }
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).stderr(stderr.try_clone()?);
        // In a group of its own: a Ctrl-C is for the process that compares, which then ends this one.
        let child = command.process_group(0).spawn()?;
        Ok(Running { child, socket, stderr })
    }

    /// Has the library compute `function` at `input`, `block` inputs per call. Returns how many outputs were written, and
    /// why not all of them.
    ///
    /// # Errors
    /// A library that does not open.
    pub fn simulate(
        &mut self,
        (function, call): (Function, Call),
        input: &[f32],
        output: &mut [f32],
        block: usize,
    ) -> Result<(usize, Option<Failure>)> {
        self.start()?;
        let running = self.running.as_mut().context("the process has just been started")?;
        let request = Request { function, call, count: input.len() as u32, block: block as u32 };
        let mut done = 0;
        let end = match send(&mut running.socket, &request, input) {
            Err(kind) => Err(kind),
            Ok(()) => loop {
                if done == input.len() {
                    break Ok(None);
                }
                match read_answer(&mut running.socket, self.library.timeout) {
                    Ok((REFUSED, words)) => break Ok(Some(Failure::Refused(words))),
                    Ok((kind, words)) => {
                        if kind == UNHANDLED && self.notes.len() < 8 && !self.notes.contains(&words) {
                            self.notes.push(words);
                        }
                        let next = (done + block).min(output.len());
                        match read_floats(&mut running.socket, &mut output[done..next], self.library.timeout) {
                            Ok(()) => done = next,
                            Err(kind) => break Err(kind),
                        }
                    }
                    Err(kind) => break Err(kind),
                }
            },
        };
        let failure = match end {
            Ok(failure) => return Ok((done, failure)),
            Err(ErrorKind::Interrupted) => Failure::Interrupted,
            Err(ErrorKind::TimedOut) => Failure::Hung(self.library.timeout),
            Err(_) => Failure::Died(self.running.take().map(death).unwrap_or_default()),
        };
        self.running = None;
        Ok((done, Some(failure)))
    }
}

/// How a process ended, with the last line that it said.
fn death(mut running: Running) -> String {
    // The socket is at its end before the process is: wait, but not for ever.
    let deadline = Instant::now() + Duration::from_secs(10);
    let status = loop {
        match running.child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            _ => break None,
        }
    };
    let mut said = Vec::new();
    let _ = running.stderr.rewind().and_then(|()| running.stderr.read_to_end(&mut said));
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let how = status.map_or("closes its socket".to_owned(), end);
    if last.is_empty() { how } else { format!("{how}: {last}") }
}

fn end(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(6), _) => "aborts".to_owned(),
        (Some(11), _) => "crashes with a segmentation fault".to_owned(),
        (Some(8), _) => "crashes with an arithmetic fault".to_owned(),
        (Some(4), _) => "crashes with an illegal instruction".to_owned(),
        (Some(7), _) => "crashes with a bus error".to_owned(),
        (Some(signal), _) => format!("is ended by signal {signal}"),
        (None, code) => format!("ends its process with status {}", code.unwrap_or_default()),
    }
}

fn send(socket: &mut UnixStream, request: &Request, input: &[f32]) -> Result<(), ErrorKind> {
    let mut bytes = Vec::with_capacity(64 + 4 * input.len());
    bytes.extend(request.to_bytes());
    bytes.extend(input.iter().flat_map(|value| value.to_ne_bytes()));
    socket.write_all(&bytes).map_err(|_| ErrorKind::BrokenPipe)
}

/// Reads all of `bytes` before the deadline.
fn read(socket: &mut UnixStream, mut bytes: &mut [u8], deadline: Instant) -> Result<(), ErrorKind> {
    while !bytes.is_empty() {
        match socket.read(bytes) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof),
            Ok(count) => bytes = &mut bytes[count..],
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.kind()),
        }
        if interrupt::asked() {
            return Err(ErrorKind::Interrupted);
        }
        if !bytes.is_empty() && Instant::now() > deadline {
            return Err(ErrorKind::TimedOut);
        }
    }
    Ok(())
}

/// The kind of an answer and the library's words.
fn read_answer(socket: &mut UnixStream, timeout: Duration) -> Result<(u32, String), ErrorKind> {
    let deadline = Instant::now() + timeout;
    let mut header = [0; ANSWER];
    read(socket, &mut header, deadline)?;
    let word = |at: usize| u32::from_ne_bytes(std::array::from_fn(|byte| header[at + byte]));
    let mut words = vec![0; (word(4) as usize).min(1 << 16)];
    read(socket, &mut words, deadline)?;
    Ok((word(0), String::from_utf8_lossy(&words).into_owned()))
}

fn read_floats(socket: &mut UnixStream, output: &mut [f32], timeout: Duration) -> Result<(), ErrorKind> {
    let mut bytes = vec![0; 4 * output.len()];
    read(socket, &mut bytes, Instant::now() + timeout)?;
    output.iter_mut().zip(bytes.as_chunks().0).for_each(|(value, bytes)| *value = f32::from_ne_bytes(*bytes));
    Ok(())
}

/// What identifies a library's file for a comparison that is taken up again.
///
/// # Errors
/// A file that cannot be looked at.
pub fn identity(path: &Path) -> Result<OsString> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut text = path.as_os_str().to_owned();
    text.push(format!(", {} bytes, of {}.{:09}", metadata.len(), metadata.mtime(), metadata.mtime_nsec()));
    Ok(text)
}
