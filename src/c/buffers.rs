//! A caller's two buffers, of any alignment and overlap, run through a route in blocks.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use pwp_sim_core::Affine;
use pwp_sim_core::engine::eval::Unhandled;
use pwp_sim_core::engine::{BLOCK, Route};
use pwp_sim_core::{Error, Result};

/// Elements of a block that is evaluated on the stack, because the output is not aligned.
const STACK_BLOCK: usize = 256;

const SIZE: usize = size_of::<f32>();

/// Checks that `count` floats at `out` and at `input` can exist.
///
/// # Errors
/// [`Error::InvalidArgument`] for a null pointer, or a length in bytes that does not fit the address space.
#[inline]
pub fn check(out: *const f32, input: *const f32, count: usize) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    for (pointer, name) in [(out, "out"), (input, "in")] {
        if pointer.is_null() {
            return Err(Error::InvalidArgument(format!("{name} is null and count is {count}")));
        }
        let fits = count <= isize::MAX as usize / SIZE && pointer.addr().checked_add(count * SIZE).is_some();
        if !fits {
            return Err(Error::InvalidArgument(format!("{count} floats at {name} do not fit the address space")));
        }
    }
    Ok(())
}

/// Whether [`check`] passes one float at this address, in one comparison.
#[inline(always)]
pub fn holds_one(pointer: *const f32) -> bool {
    pointer.addr().wrapping_sub(1) < usize::MAX - SIZE
}

/// Two buffers as slices.
pub enum Pair<'a> {
    /// One and the same.
    Same(&'a mut [f32]),
    /// The output, and the input that no part of it overlaps.
    Apart(&'a mut [f32], &'a [f32]),
}

/// The buffers as slices; none where they are not aligned, or overlap without being the same.
///
/// # Safety
/// As [`run`].
pub unsafe fn pair<'a>(out: *mut f32, input: *const f32, count: usize) -> Option<Pair<'a>> {
    if count == 0 {
        return Some(Pair::Same(&mut []));
    }
    if !out.is_aligned() || !input.is_aligned() {
        return None;
    }
    // SAFETY: aligned, and the caller's word for the rest; the slices of the second arm do not overlap.
    unsafe {
        match out.addr().abs_diff(input.addr()) {
            0 => Some(Pair::Same(slice::from_raw_parts_mut(out, count))),
            distance if distance >= count * SIZE => {
                Some(Pair::Apart(slice::from_raw_parts_mut(out, count), slice::from_raw_parts(input, count)))
            }
            _ => None,
        }
    }
}

/// Writes to `out[i]` what `route` gives for `input[i]`, as the in-order loop over the elements would, whatever the
/// overlap of the two.
///
/// # Safety
/// `input` must be readable and `out` writable for `count` floats each, of any alignment, and [`check`] must have
/// passed. No other thread may write to either meanwhile.
#[inline]
pub unsafe fn run(route: Route<'_>, affine: &Affine, out: *mut f32, input: *const f32, count: usize) -> Unhandled {
    let mut unhandled = Unhandled::default();
    // An output that starts inside the input, ahead of it, overwrites inputs that are still to come: the loop then
    // reads what it wrote. Blocks no longer than the distance keep that; all other overlaps are safe in any block,
    // since a block's inputs are copied out before its outputs are written.
    let ahead = out.addr().wrapping_sub(input.addr());
    let block = if ahead > 0 && ahead < BLOCK * SIZE { (ahead / SIZE).max(1) } else { BLOCK };
    let aligned = out.is_aligned();
    let block = if aligned { block } else { block.min(STACK_BLOCK) };
    let mut done = 0;
    while done < count {
        let len = block.min(count - done);
        // SAFETY: `done + len <= count`, so both stay within the caller's buffers.
        let (input, out) = unsafe { (input.add(done), out.add(done)) };
        let found = if aligned {
            // SAFETY: as above; `copy` allows overlap and, as bytes, any alignment. `out` is then initialised, aligned
            // and, by the caller's word, ours for the call.
            let data = unsafe {
                if ahead != 0 {
                    ptr::copy(input.cast::<u8>(), out.cast::<u8>(), len * SIZE);
                }
                slice::from_raw_parts_mut(out, len)
            };
            route.evaluate_block(affine, data)
        } else {
            // SAFETY: as above; the local block is aligned, apart from the caller's memory, and `len` fits it.
            unsafe { run_on_stack(route, affine, out, input, len) }
        };
        if found.count > 0 {
            unhandled.merge(found, done);
        }
        done += len;
    }
    unhandled
}

/// One block by way of the stack.
///
/// # Safety
/// As [`run`]; `len` is at most [`STACK_BLOCK`].
#[cold]
unsafe fn run_on_stack(route: Route<'_>, affine: &Affine, out: *mut f32, input: *const f32, len: usize) -> Unhandled {
    let mut block = [MaybeUninit::<f32>::uninit(); STACK_BLOCK];
    let local = block.as_mut_ptr().cast::<f32>();
    // SAFETY: `len` floats are copied into the block and make its first `len` elements initialised; the copies go by
    // bytes and need no alignment.
    unsafe {
        ptr::copy_nonoverlapping(input.cast::<u8>(), local.cast::<u8>(), len * SIZE);
        let found = route.evaluate_block(affine, slice::from_raw_parts_mut(local, len));
        ptr::copy_nonoverlapping(local.cast::<u8>(), out.cast::<u8>(), len * SIZE);
        found
    }
}
