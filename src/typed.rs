//! A caller's two buffers of any element types, alignment and overlap, run through a route in blocks.

#![allow(non_camel_case_types, reason = "the names are C's")]

use std::ffi::{c_int, c_void};
use std::{ptr, slice};

use super::buffers::{self, Buffers, fits};
use pwp_sim_core::engine::eval::Unhandled;
use pwp_sim_core::engine::{Route, TYPED_BLOCK};
use pwp_sim_core::{Affine, Bf16, Element, Error, F16, Function, Numerics, Result, Simulator};

/// What the elements of a buffer are.
#[doc = "cbindgen:rename-all=None"]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pwp_sim_dtype {
    /// IEEE binary32, a float.
    PWP_SIM_DTYPE_F32 = 0,
    /// IEEE binary16: 1 sign, 5 exponent, 10 mantissa.
    PWP_SIM_DTYPE_F16 = 1,
    /// bfloat16, the upper half of a float.
    PWP_SIM_DTYPE_BF16 = 2,
}

/// A `pwp_sim_dtype` as a caller passes it: any integer. The header shows it as the enum.
pub type DtypeId = c_int;

impl pwp_sim_dtype {
    fn of(id: DtypeId, which: &str) -> Result<pwp_sim_dtype> {
        [Self::PWP_SIM_DTYPE_F32, Self::PWP_SIM_DTYPE_F16, Self::PWP_SIM_DTYPE_BF16]
            .into_iter()
            .find(|dtype| *dtype as DtypeId == id)
            .ok_or_else(|| Error::InvalidArgument(format!("{which} is {id}, which is no element type")))
    }

    fn size(self) -> usize {
        if self == Self::PWP_SIM_DTYPE_F32 { size_of::<f32>() } else { size_of::<u16>() }
    }
}

/// `$body` with `$Element` for the type that `$dtype` says.
macro_rules! typed {
    ($dtype:expr, $Element:ident => $body:expr) => {
        match $dtype {
            pwp_sim_dtype::PWP_SIM_DTYPE_F32 => {
                type $Element = f32;
                $body
            }
            pwp_sim_dtype::PWP_SIM_DTYPE_F16 => {
                type $Element = F16;
                $body
            }
            pwp_sim_dtype::PWP_SIM_DTYPE_BF16 => {
                type $Element = Bf16;
                $body
            }
        }
    };
}

/// A call's output and input, as the caller gave them.
pub struct TypedBuffers {
    out: *mut u8,
    out_type: DtypeId,
    input: *const u8,
    in_type: DtypeId,
    count: usize,
}

/// [`TypedBuffers`] whose types are known and whose pointers can be good for their count.
pub struct Checked {
    out: *mut u8,
    out_type: pwp_sim_dtype,
    input: *const u8,
    in_type: pwp_sim_dtype,
    count: usize,
}

impl TypedBuffers {
    /// # Safety
    /// As long as this or what comes of it lives: where `count` is not 0, `input` is null or readable for `count` elements of
    /// `in_type`, and `out` null or writable for `count` elements of `out_type`, of any alignment and overlap, and no other
    /// thread writes to either.
    pub unsafe fn new(
        out: *mut c_void,
        out_type: DtypeId,
        input: *const c_void,
        in_type: DtypeId,
        count: usize,
    ) -> TypedBuffers {
        TypedBuffers { out: out.cast(), out_type, input: input.cast(), in_type, count }
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for a type that is none, a null pointer, or a length in bytes that does not fit the address
    /// space. With a count of 0 any pointer will do.
    pub fn checked(self) -> Result<Checked> {
        let TypedBuffers { out, out_type, input, in_type, count } = self;
        let (out_type, in_type) = (pwp_sim_dtype::of(out_type, "out_type")?, pwp_sim_dtype::of(in_type, "in_type")?);
        fits(out, count, out_type.size(), "out")?;
        fits(input, count, in_type.size(), "in")?;
        Ok(Checked { out, out_type, input, in_type, count })
    }
}

// `TypedBuffers::checked` found both pointers not null, or the count 0: so `TypedBuffers::new` says they are good for
// `count` elements of their types, every pattern of which is a value. That is the promise the blocks below lean on.
impl Checked {
    /// The buffers as floats, where both are.
    pub fn floats(&self) -> Option<Result<buffers::Checked>> {
        let floats = [self.out_type, self.in_type] == [pwp_sim_dtype::PWP_SIM_DTYPE_F32; 2];
        // SAFETY: both hold floats, and are good for `count` of them, by the promise above.
        floats.then(|| unsafe { Buffers::new(self.out.cast(), self.input.cast(), self.count) }.checked())
    }

    /// Writes to `out[i]` what `route` gives for `in[i]`, as the in-order loop over the elements would, whatever the types
    /// and the overlap of the two.
    pub fn run(&self, route: Route<'_>, affine: &Affine) -> Unhandled {
        typed!(self.in_type, I => typed!(self.out_type, O => self.blocks::<I, O>(route, affine)))
    }

    fn blocks<I: Element, O: Element>(&self, route: Route<'_>, affine: &Affine) -> Unhandled {
        let (mut from, mut to) = ([I::default(); TYPED_BLOCK], [O::default(); TYPED_BLOCK]);
        let mut floats = [0.0; TYPED_BLOCK];
        let mut unhandled = Unhandled::default();
        let mut done = 0;
        while done < self.count {
            let len = self.block(done);
            // SAFETY: `done + len <= count`: readable there, by the promise above; the block has room for them. The copy goes
            // by bytes and needs no alignment.
            unsafe {
                let input = self.input.add(done * size_of::<I>());
                ptr::copy_nonoverlapping(input, from.as_mut_ptr().cast(), len * size_of::<I>());
            }
            let floats = &mut floats[..len];
            I::widen_block(route.tier(), &from[..len], floats);
            unhandled.merge(route.evaluate_block(affine, floats), done);
            O::narrow_block(route.tier(), floats, &mut to);
            // SAFETY: as above, and writable there.
            unsafe {
                let out = self.out.add(done * size_of::<O>());
                ptr::copy_nonoverlapping(to.as_ptr().cast(), out, len * size_of::<O>());
            }
            done += len;
        }
        unhandled
    }

    /// How many elements from `done` on can be read before the first of them is written: those for which the loop reads
    /// nothing that it wrote.
    fn block(&self, done: usize) -> usize {
        let (out, input) = (self.out.addr(), self.input.addr());
        let (out_size, in_size) = (self.out_type.size(), self.in_type.size());
        let mut len = TYPED_BLOCK.min(self.count - done);
        // An output that starts no later and grows no faster never reaches an input that is still to come.
        while len > 1 && (out > input || out_size > in_size) {
            let written = (out + done * out_size, out + (done + len - 1) * out_size);
            let read = (input + (done + 1) * in_size, input + (done + len) * in_size);
            if written.1 <= read.0 || read.1 <= written.0 {
                break;
            }
            len /= 2;
        }
        len
    }

    /// Computes on several threads; none, and nothing done, where the buffers are not aligned, or overlap without being one
    /// and the same of one type.
    pub fn run_on_threads(
        &mut self,
        simulator: &Simulator,
        threads: usize,
        function: Function,
        affine: &Affine,
        numerics: Numerics,
    ) -> Option<Result<()>> {
        typed!(self.in_type, I => typed!(self.out_type, O => {
            let (out, input, count) = (self.out.cast::<O>(), self.input.cast::<I>(), self.count);
            if count == 0 || !out.is_aligned() || !input.is_aligned() {
                return None;
            }
            let (first, second) = (out.addr(), input.addr());
            if first + count * size_of::<O>() <= second || second + count * size_of::<I>() <= first {
                // SAFETY: aligned, good for `count` elements, by the promise above, and apart.
                let (out, input) =
                    unsafe { (slice::from_raw_parts_mut(out, count), slice::from_raw_parts(input, count)) };
                Some(simulator.apply_typed_on_threads(threads, function, affine, input, out, numerics))
            } else if first == second && self.in_type == self.out_type {
                // SAFETY: aligned and good for `count` elements, by the promise above; the input is the same.
                let data = unsafe { slice::from_raw_parts_mut(out, count) };
                Some(simulator.apply_typed_in_place_on_threads(threads, function, affine, data, numerics))
            } else {
                None
            }
        }))
    }
}
