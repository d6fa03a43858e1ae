//! The library as a C caller sees it: every call goes through the bound header.

use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::ptr;

use ::pwp_sim::c::calls::pwp_sim;
use ::pwp_sim::c::pwp_sim_status;
use ::pwp_sim::c::types::{pwp_sim_section, pwp_sim_table_info_t};
use ::pwp_sim_core::Affine;

use crate::{calls, signatures};

pub use ::pwp_sim::c::pwp_sim_status as Status;

/// A call that failed: its status, and the thread's message right after it.
pub type Failure = (pwp_sim_status, String);

/// A simulator that came from `pwp_sim_create`.
#[derive(Debug)]
pub struct Sim(*mut pwp_sim);

// SAFETY: the header promises that a simulator can be used and destroyed on any thread.
unsafe impl Send for Sim {}
// SAFETY: the header promises that calls on one simulator from any number of threads need no lock.
unsafe impl Sync for Sim {}

/// The calling thread's last message.
pub fn last_error() -> String {
    // SAFETY: the call takes nothing and gives a string that lives until the thread's next failure.
    unsafe { CStr::from_ptr(calls::pwp_sim_last_error()) }.to_string_lossy().into_owned()
}

fn checked(status: pwp_sim_status) -> Result<(), Failure> {
    if status == Status::PWP_SIM_OK { Ok(()) } else { Err((status, last_error())) }
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("test names hold no NUL")
}

impl Sim {
    /// `pwp_sim_create`.
    ///
    /// # Errors
    /// The call's own.
    pub fn create(profile_dir: &Path) -> Result<Sim, Failure> {
        let path = c_string(profile_dir.to_str().expect("test paths are UTF-8"));
        let mut sim = ptr::dangling_mut();
        // SAFETY: a live string, and a place to write to.
        let created = checked(unsafe { calls::pwp_sim_create(path.as_ptr(), &mut sim) });
        assert_eq!(sim.is_null(), created.is_err(), "pwp_sim_create sets *out to null exactly on failure");
        created.map(|()| Sim(sim))
    }

    /// A simulator without tables.
    pub fn exact() -> Sim {
        Sim::create(Path::new("")).expect("the exact path needs no file")
    }

    /// The handle.
    pub fn handle(&self) -> *const pwp_sim {
        self.0
    }

    /// `pwp_sim_can_use_pwp_table`.
    pub fn can_use_pwp_table(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { calls::pwp_sim_can_use_pwp_table(self.0) }
    }

    /// `pwp_sim_simulate`, over `input` from the start of `output`. The two may be one memory.
    ///
    /// # Errors
    /// The call's own.
    ///
    /// # Safety
    /// `input` must be readable and `output` writable for `count` floats of any alignment.
    pub unsafe fn simulate_raw(
        &self,
        name: &str,
        output: *mut f32,
        input: *const f32,
        affine: &Affine,
        count: usize,
        use_pwp: bool,
    ) -> Result<(), Failure> {
        let name = c_string(name);
        let Affine { scale: multiplier, bias: addend, alpha } = *affine;
        // SAFETY: the handle lives as long as `self`, the name is a C string; what the call asks of the buffers, this
        // function's own section asks of its caller.
        checked(unsafe {
            calls::pwp_sim_simulate(self.0, name.as_ptr(), output, input, addend, multiplier, alpha, count, use_pwp)
        })
    }

    /// `pwp_sim_simulate` from one slice into a new vector, whatever the status.
    pub fn simulate(
        &self,
        name: &str,
        input: &[f32],
        affine: &Affine,
        use_pwp: bool,
    ) -> (Vec<f32>, Result<(), Failure>) {
        let mut output = vec![f32::from_bits(UNWRITTEN); input.len()];
        // SAFETY: both have `input.len()` floats.
        let result =
            unsafe { self.simulate_raw(name, output.as_mut_ptr(), input.as_ptr(), affine, input.len(), use_pwp) };
        (output, result)
    }

    /// `pwp_sim_simulate_scalar` on bit patterns.
    ///
    /// # Errors
    /// The call's own; then also what was written, if anything was.
    pub fn scalar(&self, name: &str, x: u32, alpha: f32, use_pwp: bool) -> Result<u32, (Failure, Option<f32>)> {
        let name = c_string(name);
        let mut y = f32::from_bits(UNWRITTEN);
        // SAFETY: live handle and name, and a place to write to.
        let status =
            unsafe { calls::pwp_sim_simulate_scalar(self.0, name.as_ptr(), f32::from_bits(x), alpha, use_pwp, &mut y) };
        let written = (y.to_bits() != UNWRITTEN).then_some(y);
        checked(status).map(|()| y.to_bits()).map_err(|failure| (failure, written))
    }

    /// `pwp_sim_table_info`.
    ///
    /// # Errors
    /// The call's own.
    pub fn table_info(&self, function: c_int) -> Result<pwp_sim_table_info_t, Failure> {
        let mut info = std::mem::MaybeUninit::uninit();
        // SAFETY: a live handle, and a place to write to.
        checked(unsafe { calls::pwp_sim_table_info(self.0, function, info.as_mut_ptr()) })?;
        // SAFETY: the call succeeded and so wrote it.
        Ok(unsafe { info.assume_init() })
    }

    /// `pwp_sim_table_section`.
    ///
    /// # Errors
    /// The call's own.
    pub fn table_section(&self, function: c_int, v: f32) -> Result<pwp_sim_section, Failure> {
        let mut section = std::mem::MaybeUninit::uninit();
        // SAFETY: a live handle, and a place to write to.
        checked(unsafe { calls::pwp_sim_table_section(self.0, function, v, section.as_mut_ptr()) })?;
        // SAFETY: the call succeeded and so wrote it.
        Ok(unsafe { section.assume_init() })
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        // SAFETY: it came from pwp_sim_create, and nobody uses it any more.
        unsafe { calls::pwp_sim_destroy(self.0) }
    }
}

/// A bit pattern that no call writes: a signalling NaN, where the library's own is quiet.
pub const UNWRITTEN: u32 = 0x7fa5_5aa5;

/// `pwp_sim_function_from_name`, with null for none; what was written is none where nothing was.
pub fn function_from_name(name: Option<&CStr>) -> (pwp_sim_status, Option<c_int>) {
    let name = name.map_or(ptr::null(), CStr::as_ptr);
    let mut function = c_int::MIN;
    // SAFETY: null or a live string, and a place to write to.
    let status = unsafe { calls::pwp_sim_function_from_name(name, &mut function) };
    (status, (function != c_int::MIN).then_some(function))
}

/// `pwp_sim_status_text`, of any integer.
pub fn status_text(status: c_int) -> Option<String> {
    // SAFETY: the call takes any integer.
    let text = unsafe { signatures::pwp_sim_status_text(status) };
    // SAFETY: not null, so a static string by the header's word.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().expect("texts are ASCII").to_owned())
}

/// `pwp_sim_function_name`.
pub fn function_name(function: c_int) -> Option<String> {
    // SAFETY: the call takes any integer.
    let name = unsafe { calls::pwp_sim_function_name(function) };
    // SAFETY: not null, so a static string by the header's word.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_str().expect("names are ASCII").to_owned())
}
