//! When a result in double with an error rounds to the float that the exact one rounds to.
//!
//! Two doubles that lie on one side of every midpoint between two floats round alike. A normal double is at a midpoint
//! where its low 29 bits are 2^28: the bits that a float has not, of which a half is the first. An error of 2^-E of a
//! double is at most 2^(53-E) of its units, and a midpoint within that distance shows in the low 29 bits. Where the
//! error crosses a power of two the nearest midpoint is 2^28 units away.

use crate::lanes::Lanes;

/// The bits of a double that a float has not.
const BELOW: u32 = (1 << 29) - 1;
/// What they are at a midpoint.
const HALF: u32 = 1 << 28;

/// The lanes of `y` that may lie on another side of a midpoint than what they approximate within 2^-E. For results that
/// are normal floats, 0 or infinite.
#[inline(always)]
fn ambiguous<L: Lanes, const E: u32>(lanes: L, y: L::F64) -> L::M32 {
    let units = 1u32 << (53 - E);
    // From `HALF - units` up to `HALF + units` becomes from 0 up to `2 * units`.
    let low = lanes.low_words(y) + lanes.splat_i32(units.wrapping_sub(HALF) as i32);
    let beyond = low & lanes.splat_i32((BELOW & !(2 * units - 1)) as i32);
    lanes.in_order(lanes.eq_i32(beyond, lanes.splat_i32(0)))
}

/// `y` rounded to float, and the lanes where what `y` approximates within 2^-E may round elsewhere. For results that are
/// normal floats, 0 or infinite.
#[inline(always)]
pub(super) fn rounded<L: Lanes, const E: u32>(lanes: L, y: L::F64) -> (L::F32, L::M32) {
    (lanes.narrow(y), ambiguous::<L, E>(lanes, y))
}

/// As [`rounded`], the float as a double. For results that are normal floats or 0.
#[inline(always)]
pub(super) fn rounded_in_place<L: Lanes, const E: u32>(lanes: L, y: L::F64) -> (L::F64, L::M32) {
    // Half a unit of a float is added, and what a float has not is cut off. At a midpoint the lane is ambiguous.
    let up = lanes.bits_64(y) + lanes.splat_i64(i64::from(HALF));
    (lanes.from_bits_64(up & lanes.splat_i64(!i64::from(BELOW))), ambiguous::<L, E>(lanes, y))
}

/// What lies from `a` to `b` rounded to float, and the lanes where not all of it rounds alike. For any results but NaN.
#[inline(always)]
pub(super) fn agreed<L: Lanes>(lanes: L, a: L::F64, b: L::F64) -> (L::F32, L::M32) {
    let (a, b) = (lanes.narrow(a), lanes.narrow(b));
    let differ = lanes.bits(a) ^ lanes.bits(b);
    (a, outside(lanes, differ, 0, 0))
}

/// Whether `x`, unsigned, is below `low` or above `high`.
#[inline(always)]
pub(super) fn outside<L: Lanes>(lanes: L, x: L::I32, low: u32, high: u32) -> L::M32 {
    let shift = 0x8000_0000u32.wrapping_sub(low);
    lanes.gt_i32(x + lanes.splat_i32(shift as i32), lanes.splat_i32(high.wrapping_add(shift) as i32))
}

/// Whether `x`, unsigned, is from `low` to `high`.
#[inline(always)]
fn within<L: Lanes>(lanes: L, x: L::I32, low: u32, high: u32) -> L::M32 {
    let shift = 0x8000_0000u32.wrapping_sub(low);
    lanes.gt_i32(lanes.splat_i32(high.wrapping_add(shift).wrapping_add(1) as i32), x + lanes.splat_i32(shift as i32))
}

const INFINITY: u32 = 0x7f80_0000;
/// The least normal float, 2^-126.
pub(super) const NORMAL: u32 = 0x0080_0000;
/// 2^-125, whose half is [`NORMAL`].
pub(super) const TWICE_NORMAL: u32 = 0x0100_0000;

/// The bits of `|x|`.
#[inline(always)]
pub(super) fn magnitude<L: Lanes>(lanes: L, x: L::F32) -> L::I32 {
    lanes.bits(x) & lanes.splat_i32(i32::MAX)
}

/// `|x|`.
#[inline(always)]
pub(super) fn abs<L: Lanes>(lanes: L, x: L::F32) -> L::F32 {
    lanes.from_bits(magnitude(lanes, x))
}

/// `y`, which is positive, with the sign of `x`.
#[inline(always)]
pub(super) fn signed<L: Lanes>(lanes: L, y: L::F32, x: L::F32) -> L::F32 {
    lanes.from_bits(lanes.bits(y) | lanes.bits(x) & lanes.splat_i32(i32::MIN))
}

/// `x`, but at least `low` and at most `high`.
#[inline(always)]
pub(super) fn clamped<L: Lanes>(lanes: L, x: L::F32, low: f32, high: f32) -> L::F32 {
    lanes.max_f32(lanes.splat_f32(low), lanes.min_f32(lanes.splat_f32(high), x))
}

/// Where `x` is NaN.
#[inline(always)]
pub(super) fn nan<L: Lanes>(lanes: L, x: L::F32) -> L::M32 {
    outside(lanes, magnitude(lanes, x), 0, INFINITY)
}

/// Where `x` is NaN or infinite.
#[inline(always)]
pub(super) fn not_finite<L: Lanes>(lanes: L, x: L::F32) -> L::M32 {
    outside(lanes, magnitude(lanes, x), 0, INFINITY - 1)
}

/// Where `x` is NaN, or not 0 and of a magnitude whose bits are below `least`.
#[inline(always)]
pub(super) fn tiny_or_nan<L: Lanes>(lanes: L, x: L::F32, least: u32) -> L::M32 {
    within(lanes, magnitude(lanes, x), 1, least - 1) | nan(lanes, x)
}

/// Where `x` is NaN or infinite, or not 0 and of a magnitude whose bits are below `least`.
#[inline(always)]
pub(super) fn tiny_or_not_finite<L: Lanes>(lanes: L, x: L::F32, least: u32) -> L::M32 {
    within(lanes, magnitude(lanes, x), 1, least - 1) | not_finite(lanes, x)
}

/// Where `|x|` is not a finite normal float.
#[inline(always)]
pub(super) fn not_normal<L: Lanes>(lanes: L, x: L::F32) -> L::M32 {
    outside(lanes, magnitude(lanes, x), NORMAL, INFINITY - 1)
}

/// Where `x` is 0, infinite or NaN.
#[inline(always)]
pub(super) fn zero_or_not_finite<L: Lanes>(lanes: L, x: L::F32) -> L::M32 {
    outside(lanes, magnitude(lanes, x), 1, INFINITY - 1)
}

/// Where `|x|` is `least` or more, or NaN.
#[inline(always)]
pub(super) fn large<L: Lanes>(lanes: L, x: L::F32, least: f32) -> L::M32 {
    outside(lanes, magnitude(lanes, x), 0, least.to_bits() - 1)
}

/// Where `x` lies from `from` to `to`, which have one sign, `from` the smaller magnitude.
#[inline(always)]
pub(super) fn between<L: Lanes>(lanes: L, x: L::F32, from: f32, to: f32) -> L::M32 {
    within(lanes, lanes.bits(x), from.to_bits(), to.to_bits())
}
