//! The sine.

use super::Form;
use super::exp::polynomial;
use super::guard::{abs, large, magnitude, rounded, zero_or_not_finite};
use crate::lanes::Lanes;

/// sin(r)/r in r^2, r up to pi/2: within 2^-43.8 (`scripts/bounds`).
const SIN: [f64; 7] = [
    0.9999999999999372,
    -0.16666666666430877,
    0.008333333318690628,
    -0.0001984126639760199,
    2.755693074596803e-06,
    -2.5029473250953023e-08,
    1.5400512236368796e-10,
];

/// pi in three parts: the products of the first two with an integer of 26 bits are exact.
const PI: [f64; 3] = [3.141592651605606, 1.9841871479187034e-09, 1.1442377452219664e-17];

/// From here on the argument is reduced by the digits of 1/pi.
const LARGE: f32 = 1048576.0; // 2^20

/// `(float)sin(d)`, for a libm within 4 ULP.
///
/// |d| is k pi + r, |r| at most pi/2 and a little, and the sine that of r, negated for odd k. r has a relative error of
/// 2^-50, of 2^-45.9 for large inputs; the sine of it is within 2^-43.8.
#[derive(Clone, Copy)]
pub(super) struct Sin;

impl Form for Sin {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (mut r, mut odd) = near(lanes, lanes.widen(abs(lanes, x)));
        let mut left = zero_or_not_finite(lanes, x);
        let beyond = large(lanes, x, LARGE);
        if lanes.any(beyond) {
            let (far_r, far_odd, close) = far(lanes, magnitude(lanes, x));
            let is_near = lanes.lt_f64(lanes.widen(abs(lanes, x)), lanes.splat_f64(f64::from(LARGE)));
            (r, odd) = (lanes.select_f64(is_near, r, far_r), lanes.select_i64(is_near, odd, far_odd));
            left = left | beyond & close;
        }
        let y = r * polynomial(lanes, r * r, &SIN);
        let sign = (odd ^ lanes.bits_64(lanes.widen(x))) & lanes.splat_i64(i64::MIN);
        let (y, ambiguous) = rounded::<L, 42>(lanes, lanes.from_bits_64(lanes.bits_64(y) ^ sign));
        // Zeros too: the sign of a fused product that is 0 - 0 is not the same under every emulator of the CPU.
        (y, left | ambiguous)
    }
}

/// r, and whether k is odd in the sign bit, for `a` below 2^20. k has 19 bits, so that the first two products are exact,
/// and the first two differences are too, or their rounding is 2^-53 beside 1. No float up to 2^20 is nearer to a multiple
/// of pi than 2^-33, where the rounding of the third product, 2^-86, is small. A subnormal input is its own r, and its sine
/// rounds to it.
#[inline(always)]
fn near<L: Lanes>(lanes: L, a: L::F64) -> (L::F64, L::I64) {
    let (multiple, k) = lanes.round(a * lanes.splat_f64(std::f64::consts::FRAC_1_PI));
    let r = lanes.neg_mul_add(multiple, lanes.splat_f64(PI[0]), a);
    let r = lanes.neg_mul_add(multiple, lanes.splat_f64(PI[1]), r);
    (lanes.neg_mul_add(multiple, lanes.splat_f64(PI[2]), r), lanes.shl_64::<63>(k))
}

/// r, whether k is odd in the sign bit, and the lanes where r is too near to 0, for the pattern of a finite float from 2^20
/// on (Payne and Hanek, 1983). The float is m 2^i, m an integer of 24 bits. 96 digits of 2^i/pi, from that of weight 1 on,
/// times m are the float as a multiple of pi but for multiples of 2. The product is taken to 63 digits after the point,
/// one unit of the last of which may be lost. That is 2^-46 of what is left past k, but for the lanes that are given back.
#[inline(always)]
fn far<L: Lanes>(lanes: L, bits: L::I32) -> (L::F64, L::I64, L::M32) {
    let place = lanes.shr::<23>(bits) - lanes.splat_i32(127 + 20);
    let bit = place & lanes.splat_i32(31);
    let above = lanes.splat_i32(31) - bit;
    let word = lanes.shr::<5>(place);
    let first = lanes.look_up_8_words(&ONE_OVER_PI, word);
    let second = lanes.look_up_8_words(&ONE_OVER_PI, word + lanes.splat_i32(1));
    let third = lanes.look_up_8_words(&ONE_OVER_PI, word + lanes.splat_i32(2));
    let fourth = lanes.look_up_8_words(&ONE_OVER_PI, word + lanes.splat_i32(3));
    let high = from_bit(lanes, first, second, bit, above);
    let middle = from_bit(lanes, second, third, bit, above);
    let low = from_bit(lanes, third, fourth, bit, above);
    let m = bits & lanes.splat_i32(0x7f_ffff) | lanes.splat_i32(0x80_0000);
    let sum = lanes.shl_64::<32>(lanes.products(m, high)) + lanes.products(m, middle);
    let turns = sum + lanes.shr_64::<32>(lanes.products(m, low));
    // Without the digit of weight 1, as a signed number, what is left is from -1/2 to 1/2. Rounding carries into the digit.
    let past = lanes.shl_64::<1>(turns);
    let odd = turns + lanes.splat_i64(1 << 62);
    let unsigned = past + lanes.splat_i64(1 << 47);
    let close = lanes.narrow_mask(lanes.eq_i64(lanes.shr_64::<48>(unsigned), lanes.splat_i64(0)));
    let unit = std::f64::consts::PI / 2.0 / (1u64 << 63) as f64;
    (double_of(lanes, past) * lanes.splat_f64(unit), odd, close)
}

/// 32 bits of two words from bit `bit` of the first on, `above` 31 less that.
#[inline(always)]
fn from_bit<L: Lanes>(lanes: L, first: L::I32, second: L::I32, bit: L::I32, above: L::I32) -> L::I32 {
    lanes.shl_each(first, bit) | lanes.shr_each(lanes.shr::<1>(second), above)
}

/// The double nearest to any integer. Beside 2^84 the high half stands in the units, beside 2^52 the low half.
#[inline(always)]
fn double_of<L: Lanes>(lanes: L, x: L::I64) -> L::F64 {
    const HIGH: u64 = 0x4530_0000_8000_0000;
    const LOW: u64 = 0x4330_0000_0000_0000;
    let high = lanes.from_bits_64(lanes.shr_64::<32>(x) ^ lanes.splat_i64(HIGH.cast_signed()));
    let low = x & lanes.splat_i64(0xffff_ffff) | lanes.splat_i64(LOW.cast_signed());
    high - lanes.splat_f64(f64::from_bits(HIGH) + f64::from_bits(LOW)) + lanes.from_bits_64(low)
}

/// 1/pi: four binary digits before the point, and the first 252 after it.
static ONE_OVER_PI: [u32; 8] = {
    const DIGITS: [u64; 4] = [0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820, 0xff28b1d5ef5de2b0];
    let mut words = [0; 8];
    let mut carried = 0;
    let mut i = 0;
    while i < 4 {
        let shifted = carried << 60 | DIGITS[i] >> 4;
        (words[2 * i], words[2 * i + 1]) = ((shifted >> 32) as u32, shifted as u32);
        carried = DIGITS[i] & 15;
        i += 1;
    }
    words
};
