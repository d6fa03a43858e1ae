//! Vectors: one trait over the instruction sets, [`Lanes`], and one small file per instruction set that implements it.
//! What computes with vectors is written once over the trait, as a piece of [`Work`], and [`Tier::run`] runs it.
//!
//! A token (`Avx2`, `Avx512`, `Neon`) is the proof that this CPU has the instructions: only detection makes one. A
//! vector is made by a token's methods or from other vectors, so it is the same proof. That is why the methods and the
//! operators are safe to call.
//!
//! Every method is `#[inline(always)]`, and so must be whatever calls it, up to the entry: each token's
//! [`Lanes::enter`] is the one function compiled for the instruction set, and instructions outside of it would be
//! calls. Closures are not inlined for certain: use none on the way.
//!
//! Each operation rounds on its own, to nearest even: none is a fused multiply-add. The exceptions say so, and are for
//! approximations whose error is bounded and checked (`exact::vector`).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod tier;

#[cfg(test)]
mod tests;

pub use tier::Tier;

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Sub};

/// Something to compute on the lanes of an instruction set, or one element at a time where there is none.
pub(crate) trait Work {
    /// What it gives.
    type Output;

    /// Computes on vectors. Must be `#[inline(always)]`.
    fn on_lanes<L: Lanes>(self, lanes: L) -> Self::Output;

    /// Computes without vectors.
    fn one_by_one(self) -> Self::Output;
}

/// An instruction set: vectors of `N` elements and what can be done with them.
///
/// Lane `i` of every vector belongs to element `i`, but where a method says otherwise. A comparison with NaN is false,
/// but where its name says otherwise.
#[cfg_attr(not(test), allow(dead_code))] // the tests use all of it
#[allow(clippy::wrong_self_convention, reason = "self is the proof that the CPU has the instructions")]
pub(crate) trait Lanes: Copy {
    /// Elements per vector, a power of two up to [`MAX_LANES`].
    const N: usize;

    /// `[f32; N]`: what a vector is loaded from.
    type Floats: Copy + AsRef<[f32]> + AsMut<[f32]>;
    /// `N` floats.
    type F32: Copy + Add<Output = Self::F32> + Sub<Output = Self::F32> + Mul<Output = Self::F32>;
    /// `N` doubles, as two registers.
    type F64: Copy
        + Add<Output = Self::F64>
        + Sub<Output = Self::F64>
        + Mul<Output = Self::F64>
        + Div<Output = Self::F64>;
    /// `N` integers of 32 bits. Sums wrap.
    type I32: Copy
        + Add<Output = Self::I32>
        + Sub<Output = Self::I32>
        + BitAnd<Output = Self::I32>
        + BitOr<Output = Self::I32>
        + BitXor<Output = Self::I32>;
    /// `N` integers of 64 bits, as two registers. Sums wrap.
    type I64: Copy
        + Add<Output = Self::I64>
        + Sub<Output = Self::I64>
        + BitAnd<Output = Self::I64>
        + BitOr<Output = Self::I64>
        + BitXor<Output = Self::I64>;
    /// Yes or no for each element, beside vectors of 32 bits.
    type M32: Copy + BitAnd<Output = Self::M32> + BitOr<Output = Self::M32>;
    /// Yes or no for each element, beside vectors of 64 bits.
    type M64: Copy + BitAnd<Output = Self::M64> + BitOr<Output = Self::M64>;

    /// Does `work` in a function compiled for this instruction set.
    fn enter<W: Work>(self, work: W) -> W::Output;

    // Making vectors, and storing them.

    /// `x` in every lane.
    fn splat_f32(self, x: f32) -> Self::F32;
    /// `x` in every lane.
    fn splat_f64(self, x: f64) -> Self::F64;
    /// `x` in every lane.
    fn splat_i32(self, x: i32) -> Self::I32;
    /// `x` in every lane.
    fn splat_i64(self, x: i64) -> Self::I64;
    /// `data` as whole vectors, and the rest.
    fn split(self, data: &mut [f32]) -> (&mut [Self::Floats], &mut [f32]);
    /// The first `N` floats of `from`. Panics if there are fewer.
    fn load(self, from: &[f32]) -> Self::F32;
    /// Writes the first `N` floats of `to`. Panics if there are fewer.
    fn store(self, x: Self::F32, to: &mut [f32]);

    // Floats and integers of 32 bits.

    /// The bit patterns.
    fn bits(self, x: Self::F32) -> Self::I32;
    /// The floats of those bit patterns.
    fn from_bits(self, x: Self::I32) -> Self::F32;
    /// `x << K`, `K` below 32.
    fn shl<const K: u32>(self, x: Self::I32) -> Self::I32;
    /// `x >> K`, zeros shifted in, `K` below 32.
    fn shr<const K: u32>(self, x: Self::I32) -> Self::I32;
    /// `x << by`, lane by lane; every `by` is 0 to 31.
    fn shl_each(self, x: Self::I32, by: Self::I32) -> Self::I32;
    /// `x >> by`, lane by lane, zeros shifted in; every `by` is 0 to 31.
    fn shr_each(self, x: Self::I32, by: Self::I32) -> Self::I32;
    /// Whether `a == b`.
    fn eq_i32(self, a: Self::I32, b: Self::I32) -> Self::M32;
    /// Whether `a > b`, signed.
    fn gt_i32(self, a: Self::I32, b: Self::I32) -> Self::M32;
    /// Whether `a < b` or one of them is NaN.
    fn not_ge(self, a: Self::F32, b: Self::F32) -> Self::M32;
    /// Whether `x` is NaN.
    fn is_nan(self, x: Self::F32) -> Self::M32;
    /// `yes` or `no` by the mask.
    fn select_f32(self, mask: Self::M32, yes: Self::F32, no: Self::F32) -> Self::F32;
    /// `yes` or `no` by the mask.
    fn select_i32(self, mask: Self::M32, yes: Self::I32, no: Self::I32) -> Self::I32;
    /// `negative` where the sign bit of `by` is set, else `positive`.
    fn by_sign_f32(self, by: Self::I32, negative: Self::F32, positive: Self::F32) -> Self::F32;
    /// `negative` where the sign bit of `by` is set, else `positive`.
    fn by_sign_i32(self, by: Self::I32, negative: Self::I32, positive: Self::I32) -> Self::I32;
    /// 0 by the mask, else `x`.
    fn zero_if(self, mask: Self::M32, x: Self::I32) -> Self::I32;
    /// The entry of `table` that the top nine bits of `x` number: for a float, its sign and exponent.
    fn look_up_512(self, table: &[u32; 512], x: Self::I32) -> Self::I32;
    /// Whether [`Lanes::look_up_32`] takes a few instructions and no memory.
    const LOOKS_UP_32: bool;
    /// The entry of `table` that the low five bits of `x` number.
    fn look_up_32(self, table: &[u32; 32], x: Self::I32) -> Self::I32;

    /// The entry of `table` that the low three bits of `x` number.
    fn look_up_8_words(self, table: &[u32; 8], x: Self::I32) -> Self::I32;
    /// `a * b`, both unsigned, in whole.
    fn products(self, a: Self::I32, b: Self::I32) -> Self::I64;

    // Doubles and integers of 64 bits.

    /// Exact.
    fn widen(self, x: Self::F32) -> Self::F64;
    /// Rounded once.
    fn narrow(self, x: Self::F64) -> Self::F32;
    /// The bit patterns.
    fn bits_64(self, x: Self::F64) -> Self::I64;
    /// The doubles of those bit patterns.
    fn from_bits_64(self, x: Self::I64) -> Self::F64;
    /// The sign bit cleared.
    #[inline(always)]
    fn abs(self, x: Self::F64) -> Self::F64 {
        self.from_bits_64(self.bits_64(x) & self.splat_i64(i64::MAX))
    }
    /// The sign bit flipped.
    #[inline(always)]
    fn neg(self, x: Self::F64) -> Self::F64 {
        self.from_bits_64(self.bits_64(x) ^ self.splat_i64(i64::MIN))
    }
    /// The magnitude of `x` with the sign of `sign`.
    #[inline(always)]
    fn copysign(self, x: Self::F64, sign: Self::F64) -> Self::F64 {
        let signs = self.bits_64(sign) & self.splat_i64(i64::MIN);
        self.from_bits_64(self.bits_64(self.abs(x)) | signs)
    }
    /// The correctly rounded square root.
    fn sqrt(self, x: Self::F64) -> Self::F64;
    /// `x << K`, `K` below 64.
    fn shl_64<const K: u32>(self, x: Self::I64) -> Self::I64;
    /// `x >> K`, zeros shifted in, `K` below 64.
    fn shr_64<const K: u32>(self, x: Self::I64) -> Self::I64;
    /// Whether `a == b`.
    fn eq_i64(self, a: Self::I64, b: Self::I64) -> Self::M64;
    /// Whether `a > b`, signed.
    fn gt_i64(self, a: Self::I64, b: Self::I64) -> Self::M64;
    /// Whether `a == b`.
    fn eq_f64(self, a: Self::F64, b: Self::F64) -> Self::M64;
    /// Whether `a < b`.
    fn lt_f64(self, a: Self::F64, b: Self::F64) -> Self::M64;
    /// Whether `a <= b`.
    fn le_f64(self, a: Self::F64, b: Self::F64) -> Self::M64;
    /// Whether `a < b` or one of them is NaN.
    fn not_ge_f64(self, a: Self::F64, b: Self::F64) -> Self::M64;
    /// `yes` or `no` by the mask.
    fn select_f64(self, mask: Self::M64, yes: Self::F64, no: Self::F64) -> Self::F64;
    /// `yes` or `no` by the mask.
    fn select_i64(self, mask: Self::M64, yes: Self::I64, no: Self::I64) -> Self::I64;
    /// `x` to the nearest integer, as a double and as an integer; `|x|` up to `2^51`. Adding `1.5 * 2^52` leaves no
    /// bits below the units.
    #[inline(always)]
    fn round(self, x: Self::F64) -> (Self::F64, Self::I64) {
        let shift = self.splat_f64(SHIFT);
        let shifted = x + shift;
        (shifted - shift, self.bits_64(shifted) - self.bits_64(shift))
    }
    /// The double of an integer, `|x|` up to `2^51`.
    #[inline(always)]
    fn double_of(self, x: Self::I64) -> Self::F64 {
        let shift = self.splat_f64(SHIFT);
        self.from_bits_64(x + self.bits_64(shift)) - shift
    }
    /// The entry of `table` that the low three bits of `x` number.
    fn look_up_8(self, table: &[f64; 8], x: Self::I64) -> Self::F64;
    /// The entry of `table` that the low four bits of `x` number.
    fn look_up_16(self, table: &[f64; 16], x: Self::I64) -> Self::F64;
    /// The low 32 bits of each double's pattern. In the lanes' own order: see [`Lanes::in_order`].
    fn low_words(self, x: Self::F64) -> Self::I32;
    /// The high 32 bits of each double's pattern. In the lanes' own order: see [`Lanes::in_order`].
    fn high_words(self, x: Self::F64) -> Self::I32;
    /// A mask that came of [`Lanes::low_words`] and [`Lanes::high_words`], in the order of the elements.
    fn in_order(self, mask: Self::M32) -> Self::M32;

    // Approximations: their last bits differ between instruction sets.

    /// Whether [`Lanes::look_up_16`] is one instruction a register.
    const LOOKS_UP: bool;
    /// `a * b + c`, rounded once or twice.
    fn mul_add(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    /// `c - a * b`, rounded once or twice.
    fn neg_mul_add(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    /// `a / b` within `2^-41.9` of it, for `b` from `2^-1000` to `2^1000`.
    fn quotient(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `1 / sqrt(x)` within `2^-40.6` of it, for `x` normal, positive and finite.
    fn inverse_root(self, x: Self::F32) -> Self::F64;

    // The lesser and the greater: `b` if `b` is NaN.

    /// The lesser.
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The greater.
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The greater.
    fn max_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;

    // Masks.

    /// Yes nowhere.
    fn nowhere(self) -> Self::M32;
    /// Whether any lane says yes, in whatever order.
    fn any(self, mask: Self::M32) -> bool;
    /// Bit `i` of the result is lane `i`'s.
    fn lanes(self, mask: Self::M32) -> u32;
    /// A mask of 64-bit lanes for 32-bit lanes.
    fn narrow_mask(self, mask: Self::M64) -> Self::M32;

    // Rows of a table: three floats, four bytes that are not read, two doubles.

    /// The three floats of the rows at these byte offsets from `rows`.
    ///
    /// # Safety
    /// Each offset is that of a row within the memory at `rows`: 32 bytes, aligned to 32, as above.
    unsafe fn row_floats(self, rows: *const u8, offsets: &Self::I32) -> [Self::F32; 3];
    /// The two doubles of the rows at these byte offsets from `rows`.
    ///
    /// # Safety
    /// As of [`Lanes::row_floats`].
    unsafe fn row_doubles(self, rows: *const u8, offsets: &Self::I32) -> [Self::F64; 2];
}

/// The most elements per vector of any instruction set.
pub(crate) const MAX_LANES: usize = 16;

/// `1.5 * 2^52`.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// Implements operators of a vector type, lane by lane, by what the instruction set has for one register.
macro_rules! operators {
    ($call:ident, $vector:ident, one: $($op:ident $method:ident $intrinsic:ident),*) => {
        $(impl std::ops::$op for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $method(self, other: $vector) -> $vector {
                $vector($call!($intrinsic(self.0, other.0)))
            }
        })*
    };
    ($call:ident, $vector:ident, two: $($op:ident $method:ident $intrinsic:ident),*) => {
        $(impl std::ops::$op for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $method(self, other: $vector) -> $vector {
                $vector($call!([$intrinsic(self.0[0], other.0[0]), $intrinsic(self.0[1], other.0[1])]))
            }
        })*
    };
}
use operators;
