//! Element types of 16 bits: IEEE binary16 and bfloat16, and their conversion from and to float.
//!
//! The engine computes in float whatever its operands are (`docs/behaviour.md`, section 5): inputs are widened, which is
//! exact, and results rounded to nearest even, beyond the largest number to infinity. The loops work on integers, and
//! where on floats exactly, so they give the same in every floating-point environment and raise no exception. They have no
//! branch and no call, so that each instruction set's [`Lanes::enter`] compiles them to its own vectors.

#[cfg(test)]
mod tests;

use crate::lanes::{Lanes, Tier, Work};

/// An IEEE binary16, by its bits: 1 sign, 5 exponent, 10 mantissa.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct F16(pub u16);

/// A bfloat16, by its bits: the upper half of a float's.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bf16(pub u16);

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for super::F16 {}
    impl Sealed for super::Bf16 {}
}

/// A type that a buffer's elements may have: `f32`, [`F16`], [`Bf16`].
pub trait Element: Copy + Default + Send + Sync + sealed::Sealed {
    /// The float of the same value. A NaN keeps its sign and payload, and is quiet; a float stays as it is.
    fn widen(self) -> f32;

    /// The nearest element, of two the one with an even mantissa; an infinity for what is half a unit or more beyond the
    /// largest. A NaN keeps its sign and the upper bits of its payload, and is quiet; a float stays as it is.
    fn narrow(x: f32) -> Self;

    /// [`Element::widen`] of each of `from`, into the first elements of `to`.
    #[doc(hidden)]
    fn widen_block(tier: Tier, from: &[Self], to: &mut [f32]) {
        tier.run(from.len(), Widen { from, to });
    }

    /// [`Element::narrow`] of each of `from`, into the first elements of `to`.
    #[doc(hidden)]
    fn narrow_block(tier: Tier, from: &[f32], to: &mut [Self]) {
        tier.run(from.len(), Narrow { from, to });
    }
}

impl Element for f32 {
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }

    #[inline(always)]
    fn narrow(x: f32) -> f32 {
        x
    }

    fn widen_block(_: Tier, from: &[f32], to: &mut [f32]) {
        to[..from.len()].copy_from_slice(from);
    }

    fn narrow_block(_: Tier, from: &[f32], to: &mut [f32]) {
        to[..from.len()].copy_from_slice(from);
    }
}

impl Element for F16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        /// From binary16's bias to float's, in place.
        const REBIAS: u32 = (127 - 15) << 23;
        /// 2^-24, the unit of a denormal.
        const UNIT: f32 = f32::from_bits((127 - 24) << 23);
        let bits = u32::from(self.0);
        let magnitude = (bits & 0x7fff) << 13;
        // Exact, and never a denormal float.
        let denormal = ((bits & 0x3ff) as i32 as f32 * UNIT).to_bits();
        let quiet = if magnitude > 0x0f80_0000 { 0x40_0000 } else { 0 };
        let wide = if magnitude >= 0x0f80_0000 { (magnitude + 2 * REBIAS) | quiet } else { magnitude + REBIAS };
        let wide = if magnitude < 0x0080_0000 { denormal } else { wide };
        f32::from_bits(wide | (bits & 0x8000) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> F16 {
        const REBIAS: u32 = (127 - 15) << 23;
        let bits = x.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        // Half a unit less a little, and that little where the last bit that stays is set: nearest even. A carry out of
        // the mantissa is the next exponent, and out of the largest number the infinity.
        let rebiased = magnitude.wrapping_sub(REBIAS);
        let normal = rebiased.wrapping_add(0xfff + (rebiased >> 13 & 1)) >> 13;
        // Below 2^-14 the mantissa counts units of 2^-24.
        let shift = 126u32.saturating_sub(magnitude >> 23).min(31);
        let mantissa = magnitude & 0x7f_ffff | 0x80_0000;
        let half = 1u32 << shift >> 1;
        let odd = mantissa >> shift & 1;
        let denormal = mantissa.wrapping_add(half).wrapping_sub(1).wrapping_add(odd) >> shift;
        let nan = 0x7e00 | magnitude >> 13 & 0x3ff;
        let narrow = if magnitude < 0x3880_0000 { denormal } else { normal };
        let narrow = if magnitude >= 0x4780_0000 { 0x7c00 } else { narrow };
        let narrow = if magnitude > 0x7f80_0000 { nan } else { narrow };
        F16((narrow | bits >> 16 & 0x8000) as u16)
    }
}

impl Element for Bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        let wide = u32::from(self.0) << 16;
        let quiet = if wide & 0x7fff_ffff > 0x7f80_0000 { 0x40_0000 } else { 0 };
        f32::from_bits(wide | quiet)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Bf16 {
        let bits = x.to_bits();
        let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
        let nan = bits >> 16 | 0x40;
        Bf16(if bits & 0x7fff_ffff > 0x7f80_0000 { nan } else { rounded } as u16)
    }
}

struct Widen<'a, T> {
    from: &'a [T],
    to: &'a mut [f32],
}

impl<T: Element> Work for Widen<'_, T> {
    type Output = ();

    #[inline(always)]
    fn on_lanes<L: Lanes>(self, _: L) {
        self.one_by_one();
    }

    #[inline(always)]
    fn one_by_one(self) {
        for (from, to) in self.from.iter().zip(self.to) {
            *to = from.widen();
        }
    }
}

struct Narrow<'a, T> {
    from: &'a [f32],
    to: &'a mut [T],
}

impl<T: Element> Work for Narrow<'_, T> {
    type Output = ();

    #[inline(always)]
    fn on_lanes<L: Lanes>(self, _: L) {
        self.one_by_one();
    }

    #[inline(always)]
    fn one_by_one(self) {
        for (from, to) in self.from.iter().zip(self.to) {
            *to = T::narrow(*from);
        }
    }
}
