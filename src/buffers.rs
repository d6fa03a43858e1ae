//! A caller's two buffers, of any alignment and overlap, run through a route in blocks.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use super::pointers::{In, Out, Place};
use pwp_sim_core::engine::eval::{self, Unhandled};
use pwp_sim_core::engine::{BLOCK, Route, cold_path};
use pwp_sim_core::{Affine, Error, Function, Numerics, Result, Simulator};

/// Elements of a block that is evaluated on the stack, because the output is not aligned.
const STACK_BLOCK: usize = 256;

const SIZE: usize = size_of::<f32>();

/// A call's output and input, as the caller gave them.
#[derive(Clone, Copy)]
pub struct Buffers {
    out: *mut f32,
    input: *const f32,
    count: usize,
}

/// [`Buffers`] whose pointers can be good for their count.
pub struct Checked(Buffers);

/// Two buffers as slices.
enum Slices<'a> {
    /// One and the same.
    Same(&'a mut [f32]),
    /// The output, and the input that no part of it overlaps.
    Apart(&'a mut [f32], &'a [f32]),
}

impl Buffers {
    /// # Safety
    /// As long as this or what comes of it lives: where `count` is not 0, `input` is null or readable and `out` null or
    /// writable for `count` floats each, of any alignment and overlap, and no other thread writes to either.
    #[inline(always)]
    pub unsafe fn new(out: *mut f32, input: *const f32, count: usize) -> Buffers {
        Buffers { out, input, count }
    }

    /// The input and the place of the result, where there is one of each.
    #[inline(always)]
    pub fn only(self) -> Option<(f32, Place<f32>)> {
        let holds_one = |pointer: *const f32| pointer.addr().wrapping_sub(1) < usize::MAX - SIZE;
        if self.count != 1 {
            cold_path(); // a branch costs less than flags that are joined
            return None;
        }
        if !holds_one(self.input) {
            cold_path();
            return None;
        }
        // SAFETY: a count of 1, and pointers that are not null: good for one float each, says `new`.
        unsafe { In::new(self.input).get().zip(Out::new(self.out, "out").get()) }
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for a null pointer, or a length in bytes that does not fit the address space. With a
    /// count of 0 anything will do.
    #[inline]
    pub fn checked(self) -> Result<Checked> {
        let Buffers { out, input, count } = self;
        fits(out.cast(), count, SIZE, "out")?;
        fits(input.cast(), count, SIZE, "in")?;
        Ok(Checked(self))
    }
}

/// Whether a pointer that messages call `name` can be good for `count` elements of `size` bytes.
///
/// # Errors
/// [`Error::InvalidArgument`] for a null pointer, or a length in bytes that does not fit the address space; with a count of 0
/// for none.
pub fn fits(pointer: *const u8, count: usize, size: usize, name: &str) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    if pointer.is_null() {
        return Err(Error::InvalidArgument(format!("{name} is null and count is {count}")));
    }
    if count > isize::MAX as usize / size || pointer.addr().checked_add(count * size).is_none() {
        let what = if size == SIZE { "floats" } else { "elements" };
        return Err(Error::InvalidArgument(format!("{count} {what} at {name} do not fit the address space")));
    }
    Ok(())
}

// `Buffers::checked` found both pointers not null, or the count 0: so `Buffers::new` says they are good for `count`
// floats. That is the promise the blocks below lean on.
impl Checked {
    /// The buffers as slices; none where they are not aligned, or overlap without being the same.
    fn slices(&mut self) -> Option<Slices<'_>> {
        let Buffers { out, input, count } = self.0;
        if count == 0 {
            return Some(Slices::Same(&mut []));
        }
        if !out.is_aligned() || !input.is_aligned() {
            return None;
        }
        // SAFETY: aligned, and good for `count` floats, by the promise above; apart where there are two slices.
        unsafe {
            match out.addr().abs_diff(input.addr()) {
                0 => Some(Slices::Same(slice::from_raw_parts_mut(out, count))),
                distance if distance >= count * SIZE => {
                    Some(Slices::Apart(slice::from_raw_parts_mut(out, count), slice::from_raw_parts(input, count)))
                }
                _ => None,
            }
        }
    }

    /// Computes on several threads, or on this one where the buffers are not aligned, or overlap without being the same.
    ///
    /// # Errors
    /// As [`Simulator::apply`].
    pub fn run_on_threads(
        mut self,
        simulator: &Simulator,
        threads: usize,
        function: Function,
        affine: &Affine,
        numerics: Numerics,
    ) -> Result<()> {
        match self.slices() {
            Some(Slices::Same(data)) => simulator.apply_in_place_on_threads(threads, function, affine, data, numerics),
            Some(Slices::Apart(out, input)) => {
                simulator.apply_on_threads(threads, function, affine, input, out, numerics)
            }
            None => self.run(Route::of(simulator, function, numerics)?, affine).result(function),
        }
    }

    /// Writes to `out[i]` what `evaluate` gives for `in[i]`, one by one; unhandled inputs become NaN.
    pub fn each(self, evaluate: impl Fn(f32) -> Option<f32>) -> Unhandled {
        let Buffers { out, input, count } = self.0;
        let mut unhandled = Unhandled::default();
        for index in 0..count {
            // SAFETY: `index < count`: both are good there, by the promise above.
            let (x, out) = unsafe { (input.add(index).read_unaligned(), out.add(index)) };
            let y = evaluate(x).unwrap_or_else(|| {
                unhandled.add(index);
                eval::NAN
            });
            // SAFETY: `out` is good at `index`, by the promise above; nobody else uses it while the call lasts.
            unsafe { out.write_unaligned(y) };
        }
        unhandled
    }

    /// Writes to `out[i]` what `route` gives for `in[i]`, as the in-order loop over the elements would, whatever the
    /// overlap of the two.
    #[inline]
    pub fn run(self, route: Route<'_>, affine: &Affine) -> Unhandled {
        let Buffers { out, input, count } = self.0;
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
            // SAFETY: `done + len <= count`: both are good there, by the promise above.
            let (input, out) = unsafe { (input.add(done), out.add(done)) };
            let found = if aligned {
                // SAFETY: `len` floats each, as above. The copy goes by bytes: any alignment, any overlap. `out` is then
                // initialised, aligned, and nobody else's while the call lasts.
                let data = unsafe {
                    if ahead != 0 {
                        ptr::copy(input.cast::<u8>(), out.cast::<u8>(), len * SIZE);
                    }
                    slice::from_raw_parts_mut(out, len)
                };
                route.evaluate_block(affine, data)
            } else {
                // SAFETY: `len` floats each, as above, and at most a stack block.
                unsafe { run_on_stack(route, affine, out, input, len) }
            };
            if found.count > 0 {
                unhandled.merge(found, done);
            }
            done += len;
        }
        unhandled
    }
}

/// One block by way of the stack.
///
/// # Safety
/// `input` is readable and `out` writable for `len` floats, of any alignment; `len` is at most [`STACK_BLOCK`].
#[cold]
unsafe fn run_on_stack(route: Route<'_>, affine: &Affine, out: *mut f32, input: *const f32, len: usize) -> Unhandled {
    let mut block = [MaybeUninit::<f32>::uninit(); STACK_BLOCK];
    let local = block.as_mut_ptr().cast::<f32>();
    // SAFETY: `len` floats, which the section above says are there and fit, are copied into the block and make its first
    // `len` elements initialised; the copies go by bytes and need no alignment.
    unsafe {
        ptr::copy_nonoverlapping(input.cast::<u8>(), local.cast::<u8>(), len * SIZE);
        let found = route.evaluate_block(affine, slice::from_raw_parts_mut(local, len));
        ptr::copy_nonoverlapping(local.cast::<u8>(), out.cast::<u8>(), len * SIZE);
        found
    }
}
