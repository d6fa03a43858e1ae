//! The C ABI: the calls of `include/pwp_sim.h` whose buffers hold other elements than floats. The comments here are the
//! header's.

use std::ffi::c_void;

use super::calls::{FunctionId, pwp_sim};
use super::pwp_sim_status;
use crate::pointers::{Flag, Handle, In, numerics};
use crate::typed::{DtypeId, TypedBuffers};
use pwp_sim_core::engine::Route;
use pwp_sim_core::{Affine, Function};

/// pwp_sim_apply for buffers of any element types: `count` elements of `in_type` at `in`, and of `out_type` at `out`.
///
/// The engine computes in float whatever its operands are. Inputs are converted to float, which is exact; the scaling and
/// the function are those of pwp_sim_apply, bit for bit; and each result is converted once: to the nearest number of
/// `out_type`, of two the one with an even mantissa, whatever the rounding mode; beyond the largest to an infinity; to a
/// denormal where it is one, whatever the denormal modes; and a NaN, also that of an unhandled input, to a quiet NaN with
/// its sign and the upper bits of its payload. With two buffers of floats this is pwp_sim_apply.
///
/// `out` and `in` need no alignment and may overlap in any way: the result is that of a loop over the elements in order.
/// So a buffer can be converted in place to elements of the same size or of a smaller one. (To larger ones, elements that
/// were written are then inputs.) A `count` of 0 is a no-op, and then null pointers are fine.
///
/// Errors are those of pwp_sim_apply, and PWP_SIM_INVALID_ARGUMENT for a type that is none of the enum's.
///
/// # Safety
/// `sim` is null or live, `affine` null or readable, `in` readable and `out` writable for `count` elements of their types.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "pwp_sim_apply's, and the types")]
pub unsafe extern "C" fn pwp_sim_apply_typed(
    sim: *const pwp_sim,
    function: FunctionId,
    affine: *const Affine,
    out: *mut c_void,
    out_type: DtypeId,
    r#in: *const c_void,
    in_type: DtypeId,
    count: usize,
    use_pwp: Flag,
) -> pwp_sim_status {
    entry!(sim = Handle(sim), affine = In(affine), buffers = TypedBuffers(out, out_type, r#in, in_type, count) => {
        let function = Function::from_id(function)?;
        let route = Route::of(sim.simulator(), function, numerics(use_pwp))?;
        let affine = affine.unwrap_or(Affine::UNIT);
        match buffers.floats() {
            Some(floats) => floats?.run(route, &affine),
            None => buffers.run(route, &affine),
        }
        .result(function)
    })
}

/// pwp_sim_apply_typed on several threads; the same bits and the same errors. `threads` and what is computed on the calling
/// thread are those of pwp_sim_apply_parallel; in place is on several threads where the types are the same.
///
/// # Safety
/// As pwp_sim_apply_typed.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "pwp_sim_apply_typed's, and the threads")]
pub unsafe extern "C" fn pwp_sim_apply_typed_parallel(
    sim: *const pwp_sim,
    function: FunctionId,
    affine: *const Affine,
    out: *mut c_void,
    out_type: DtypeId,
    r#in: *const c_void,
    in_type: DtypeId,
    count: usize,
    use_pwp: Flag,
    threads: usize,
) -> pwp_sim_status {
    entry!(sim = Handle(sim), affine = In(affine), buffers = TypedBuffers(out, out_type, r#in, in_type, count) => {
        let function = Function::from_id(function)?;
        let (simulator, affine) = (sim.simulator(), affine.unwrap_or(Affine::UNIT));
        let route = Route::of(simulator, function, numerics(use_pwp))?;
        match buffers.floats() {
            Some(floats) => floats?.run_on_threads(simulator, threads, function, &affine, numerics(use_pwp)),
            None => {
                let mut buffers = buffers;
                let done = buffers.run_on_threads(simulator, threads, function, &affine, numerics(use_pwp));
                done.unwrap_or_else(|| buffers.run(route, &affine).result(function))
            }
        }
    })
}
