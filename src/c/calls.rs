//! The C ABI: the calls of `include/pwp_sim.h` that make a simulator and compute (`docs/behaviour.md`, section 6).
//! cbindgen makes the header from this file, so the comments here are the header's.

#![allow(non_camel_case_types, reason = "the names are C's")]

use std::ffi::{OsStr, c_char, c_int};
use std::os::unix::ffi::OsStrExt;

use super::pwp_sim_status;
use crate::buffers::Buffers;
use crate::one;
use crate::pointers::{Flag, Handle, In, Name, Object, Out, Owned, Path, Text, into_handle, numerics};
use pwp_sim_core::engine::{Route, cold_path};
use pwp_sim_core::{Affine, Error, Function, Result, Simulator, Tier};

/// A simulator: built once by pwp_sim_create, never changed after, shared by any number of threads without a lock.
pub struct pwp_sim(Simulator);

impl Object for pwp_sim {
    const WHAT: &str = "the simulator";
}

impl pwp_sim {
    /// A handle, to be destroyed.
    fn create(simulator: Simulator) -> Result<*mut pwp_sim> {
        into_handle(pwp_sim(simulator))
    }

    /// The simulator.
    #[inline(always)]
    pub(super) fn simulator(&self) -> &Simulator {
        &self.0
    }
}

impl<'a> Handle<'a, pwp_sim> {
    /// The simulator, if there is one.
    #[inline(always)]
    fn simulator(self) -> Option<&'a Simulator> {
        self.get().map(pwp_sim::simulator)
    }
}

/// A `pwp_sim_function` as a caller passes it: any integer. The header shows it as the enum.
pub type FunctionId = c_int;

/// Builds a simulator.
///
/// `profile_dir` is a directory of profiles, `<function>_<N>p.json`, read once and whole, on several threads where there
/// is enough to read, which end before the call does; or `"builtin:"`, the tables that come with the library; or null
/// or `""`, no tables: every call takes the exact path.
///
/// `"<dir>#<set>"` is what one load of a set makes resident, the set by name or index, where `<dir>` holds a catalog
/// (act_info.json) with its images; `"builtin:trainium#<set>"` and `"builtin:with_ln#<set>"` take the published rosters
/// and the embedded tables. Only that set's functions then have tables.
///
/// On success `*out` is a new simulator, to be given to pwp_sim_destroy. On failure it is null:
/// PWP_SIM_PROFILE_IO where the path does not exist, is no directory, has no profile in it or cannot be read, and where
/// `profile_dir` is longer than 4096 bytes; PWP_SIM_PROFILE_FORMAT where a file in it is no valid profile,
/// PWP_SIM_NO_MEMORY where there is not enough memory for the tables; pwp_sim_last_error names the file, the field and the
/// reason.
///
/// # Safety
/// `profile_dir` is null or NUL-terminated; `out` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_create(profile_dir: *const c_char, out: *mut *mut pwp_sim) -> pwp_sim_status {
    entry!(out = Out(out, "out"), profile_dir = Path(profile_dir) => {
        out.put(std::ptr::null_mut());
        out.put(pwp_sim::create(open(profile_dir)?)?);
        Ok(())
    })
}

/// pwp_sim_create with the tier of the table path: one of pwp_sim_tier's names. All tiers give the same bits; this is for
/// tests and measurements. PWP_SIM_INVALID_ARGUMENT where `tier` is null or no tier that this CPU has.
///
/// # Safety
/// `profile_dir` is null or NUL-terminated, `tier` null (an error) or NUL-terminated; `out` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_create_on_tier(
    profile_dir: *const c_char,
    tier: *const c_char,
    out: *mut *mut pwp_sim,
) -> pwp_sim_status {
    entry!(out = Out(out, "out"), tier = Text(tier, "the tier"), profile_dir = Path(profile_dir) => {
        out.put(std::ptr::null_mut());
        let chosen = Tier::named(tier).ok_or_else(|| Error::InvalidArgument(format!("this CPU has no tier {tier:?}")))?;
        out.put(pwp_sim::create(open(profile_dir)?.with_tier(chosen))?);
        Ok(())
    })
}

/// The simulator of a path; without one, the simulator without tables.
fn open(profile_dir: Option<&[u8]>) -> Result<Simulator> {
    profile_dir.map_or_else(|| Ok(Simulator::exact()), |path| Simulator::open(OsStr::from_bytes(path)))
}

/// Frees a simulator. Null is allowed. No call on it may be under way, and none may follow.
///
/// # Safety
/// `sim` is null or came from pwp_sim_create and was not destroyed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_destroy(sim: *mut pwp_sim) {
    entry!(sim = Owned(sim) => {
        drop(sim);
        Ok(())
    }, or ())
}

/// Whether the simulator has tables, so that calls with `use_pwp` take the table path. False for null.
///
/// # Safety
/// `sim` is null or a live simulator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_can_use_pwp_table(sim: *const pwp_sim) -> bool {
    entry!(sim = Handle(sim) => { Ok(sim.simulator().has_tables()) }, or false)
}

/// Computes `out[i] = f(multiplier * in[i] + addend)` for `count` floats. The product is rounded to float before the
/// sum.
///
/// THE TRAP. The first float is ADDED and the second MULTIPLIES. The original library declares its two floats as
/// `scale, bias` and its machine code does the opposite of those names: it multiplies by the second and adds the
/// first. This call keeps the original's order under names that are true. For `exp(0.5f * x - 3.0f)` the addend, -3,
/// comes before the multiplier, 0.5:
/// `pwp_sim_simulate(sim, "Exp", out, in, -3.0f, 0.5f, 0.0f, n, true)`.
///
/// pwp_sim_apply takes the same numbers under their natural names.
///
/// `name` is exact and case-sensitive: "Gelu", "Exp". `alpha` is the slope of "Prelu"; nothing else reads it.
/// `use_pwp` asks for the table path, which is taken when the simulator has tables ("Prelu" never takes it).
///
/// `out` and `in` need no alignment and may overlap in any way: the result is that of a loop over the elements in
/// order. A `count` of 0 is a no-op, and then null pointers are fine.
///
/// Errors: PWP_SIM_UNSUPPORTED_FUNCTION for an unknown name; PWP_SIM_NO_PROFILE where the table path is due and the
/// function has no table; PWP_SIM_UNHANDLED_SECTION where no section covers some inputs: all others are written, those
/// become NaN, and pwp_sim_last_error gives their count and the index of the first; PWP_SIM_INVALID_ARGUMENT for null
/// pointers, a name that is not UTF-8 and a `count` whose bytes do not fit the address space. Nothing is written on
/// any error but PWP_SIM_UNHANDLED_SECTION.
///
/// # Safety
/// `sim` is null or live, `name` null or NUL-terminated, `in` readable and `out` writable for `count` floats.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the original's signature")]
pub unsafe extern "C" fn pwp_sim_simulate(
    sim: *const pwp_sim,
    name: *const c_char,
    out: *mut f32,
    r#in: *const f32,
    addend: f32,
    multiplier: f32,
    alpha: f32,
    count: usize,
    use_pwp: Flag,
) -> pwp_sim_status {
    // SAFETY: what the section above asks of the pointers is what their types ask.
    let (handle, function, buffers) = unsafe { (Handle::new(sim), Name::new(name), Buffers::new(out, r#in, count)) };
    if let Some((x, place)) = buffers.only() {
        let v = Affine { scale: multiplier, bias: addend, alpha }.scaled(x);
        if let Some(status) = one::by_table(handle.simulator(), function.value(), v, place, numerics(use_pwp)) {
            return status;
        }
    }
    cold_path(); // so that the tests above are branches: they cost less than flags that are joined
    // SAFETY: the same arguments, of which the same is asked.
    unsafe { simulate(sim, name, out, r#in, addend, multiplier, alpha, count, use_pwp) }
}

/// pwp_sim_simulate for all but one element by a table, which this way has no stack frame.
///
/// # Safety
/// As pwp_sim_simulate.
#[inline(never)]
#[allow(clippy::too_many_arguments, reason = "the original's signature")]
unsafe extern "C" fn simulate(
    sim: *const pwp_sim,
    name: *const c_char,
    out: *mut f32,
    input: *const f32,
    addend: f32,
    multiplier: f32,
    alpha: f32,
    count: usize,
    use_pwp: Flag,
) -> pwp_sim_status {
    let affine = Affine { scale: multiplier, bias: addend, alpha };
    // SAFETY: what pwp_sim_simulate asks of the pointers is what their types ask.
    let (handle, function, buffers) = unsafe { (Handle::new(sim), Name::new(name), Buffers::new(out, input, count)) };
    if let Some((x, place)) = buffers.only() {
        let v = affine.scaled(x);
        if let Some(status) = one::by_form(handle.simulator(), function.value(), v, alpha, place, numerics(use_pwp)) {
            return status;
        }
    }
    entry!(sim = Handle(sim), name = Name(name), buffers = Buffers(out, input, count) => {
        let function = name.function()?;
        buffers.run(Route::of(sim.simulator(), function, numerics(use_pwp))?, &affine).result(function)
    })
}

/// Computes `*out = f(x)`, without scaling. `name`, `alpha`, `use_pwp` and the errors are those of pwp_sim_simulate;
/// on PWP_SIM_UNHANDLED_SECTION `*out` is NaN.
///
/// # Safety
/// `sim` is null or live, `name` null or NUL-terminated, `out` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_simulate_scalar(
    sim: *const pwp_sim,
    name: *const c_char,
    x: f32,
    alpha: f32,
    use_pwp: Flag,
    out: *mut f32,
) -> pwp_sim_status {
    // SAFETY: what the section above asks of the pointers is what their types ask.
    let (handle, function, place) = unsafe { (Handle::new(sim), Name::new(name), Out::new(out, "out")) };
    if let Some(place) = place.get() {
        let (simulator, value) = (handle.simulator(), function.value());
        let status = one::by_table(simulator, value, x, place, numerics(use_pwp))
            .or_else(|| one::by_form(simulator, value, x, alpha, place, numerics(use_pwp)));
        if let Some(status) = status {
            return status;
        }
    }
    entry!(sim = Handle(sim), name = Name(name), out = Out(out, "out") => {
        let function = name.function()?;
        out.put(sim.simulator().evaluate(function, x, alpha, numerics(use_pwp))?);
        Ok(())
    })
}

/// Computes `out[i] = f(scale * in[i] + bias)` for `count` floats, with no look-up of a name. Null for `affine` means
/// scale 1, bias 0, alpha 0 (so that -0 becomes +0 before `f`). Everything else, and the errors, are those of
/// pwp_sim_simulate; an integer that is none of the enum's is PWP_SIM_UNSUPPORTED_FUNCTION.
///
/// # Safety
/// `sim` is null or live, `affine` null or readable, `in` readable and `out` writable for `count` floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_apply(
    sim: *const pwp_sim,
    function: FunctionId,
    affine: *const Affine,
    out: *mut f32,
    r#in: *const f32,
    count: usize,
    use_pwp: Flag,
) -> pwp_sim_status {
    // SAFETY: what the section above asks of the pointers is what their types ask.
    let (handle, scaling, buffers) = unsafe { (Handle::new(sim), In::new(affine), Buffers::new(out, r#in, count)) };
    if let Some((x, place)) = buffers.only() {
        let v = scaling.get().unwrap_or(Affine::UNIT).scaled(x);
        if let Some(status) = one::by_table(handle.simulator(), function, v, place, numerics(use_pwp)) {
            return status;
        }
    }
    cold_path(); // as in pwp_sim_simulate
    // SAFETY: the same arguments, of which the same is asked.
    unsafe { apply(sim, function, affine, out, r#in, count, use_pwp) }
}

/// pwp_sim_apply for all but one element by a table, which this way has no stack frame.
///
/// # Safety
/// As pwp_sim_apply.
#[inline(never)]
unsafe extern "C" fn apply(
    sim: *const pwp_sim,
    function: FunctionId,
    affine: *const Affine,
    out: *mut f32,
    input: *const f32,
    count: usize,
    use_pwp: Flag,
) -> pwp_sim_status {
    // SAFETY: what pwp_sim_apply asks of the pointers is what their types ask.
    let (handle, scaling, buffers) = unsafe { (Handle::new(sim), In::new(affine), Buffers::new(out, input, count)) };
    if let Some((x, place)) = buffers.only() {
        let affine = scaling.get().unwrap_or(Affine::UNIT);
        let v = affine.scaled(x);
        if let Some(status) = one::by_form(handle.simulator(), function, v, affine.alpha, place, numerics(use_pwp)) {
            return status;
        }
    }
    entry!(sim = Handle(sim), affine = In(affine), buffers = Buffers(out, input, count) => {
        let function = Function::from_id(function)?;
        let route = Route::of(sim.simulator(), function, numerics(use_pwp))?;
        buffers.run(route, &affine.unwrap_or(Affine::UNIT)).result(function)
    })
}

/// pwp_sim_apply on several threads, for large buffers and callers without a pool of their own; the same bits and the
/// same errors. `threads` is how many may compute at a time; 0 is one a core, and more than that is no more. They are
/// threads of the process's, started at the first call that needs them and kept; the child of a fork starts its own. Where
/// the system gives no threads, for a small buffer, and for a caller that changed its floating-point environment, the
/// calling thread computes alone. No other call computes on a thread that it starts.
///
/// Buffers that overlap without being the same, or are not aligned, are computed on the calling thread.
///
/// # Safety
/// As pwp_sim_apply.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "pwp_sim_apply's, and the threads")]
pub unsafe extern "C" fn pwp_sim_apply_parallel(
    sim: *const pwp_sim,
    function: FunctionId,
    affine: *const Affine,
    out: *mut f32,
    r#in: *const f32,
    count: usize,
    use_pwp: Flag,
    threads: usize,
) -> pwp_sim_status {
    entry!(sim = Handle(sim), affine = In(affine), buffers = Buffers(out, r#in, count) => {
        let function = Function::from_id(function)?;
        let affine = affine.unwrap_or(Affine::UNIT);
        buffers.run_on_threads(sim.simulator(), threads, function, &affine, numerics(use_pwp))
    })
}
