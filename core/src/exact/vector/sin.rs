//! The sine.

use super::Form;
use super::exp::polynomial;
use super::guard::{abs, large, not_normal, rounded};
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
/// 2^-50 in both ways of reduction; the sine of it is within 2^-43.8.
#[derive(Clone, Copy)]
pub(super) struct Sin;

impl Form for Sin {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let a = lanes.widen(abs(lanes, x));
        let (mut r, mut k) = near(lanes, a);
        let beyond = large(lanes, x, LARGE);
        if lanes.any(beyond) {
            let (far_r, far_k) = far(lanes, a);
            let is_near = lanes.lt_f64(a, lanes.splat_f64(f64::from(LARGE)));
            (r, k) = (lanes.select_f64(is_near, r, far_r), lanes.select_i64(is_near, k, far_k));
        }
        let y = r * polynomial(lanes, r * r, &SIN);
        let sign = lanes.shl_64::<63>(k) ^ (lanes.bits_64(lanes.widen(x)) & lanes.splat_i64(i64::MIN));
        let (y, left) = rounded::<L, 42>(lanes, lanes.from_bits_64(lanes.bits_64(y) ^ sign));
        // Zeros too: the sign of a fused product that is 0 - 0 is not the same under every emulator of the CPU.
        (y, left | not_normal(lanes, x))
    }
}

/// r, and k in the low bits, for `a` below 2^20. k has 19 bits, so that the first two products are exact, and the first two
/// differences are too, or their rounding is 2^-53 beside 1. No float up to 2^20 is nearer to a multiple of pi than
/// 2^-33, where the rounding of the third product, 2^-86, is small.
#[inline(always)]
fn near<L: Lanes>(lanes: L, a: L::F64) -> (L::F64, L::I64) {
    let (multiple, k) = lanes.round(a * lanes.splat_f64(std::f64::consts::FRAC_1_PI));
    let r = lanes.neg_mul_add(multiple, lanes.splat_f64(PI[0]), a);
    let r = lanes.neg_mul_add(multiple, lanes.splat_f64(PI[1]), r);
    (lanes.neg_mul_add(multiple, lanes.splat_f64(PI[2]), r), k)
}

/// r, and k in the low bits, for finite `a` from 2^20 on (Payne and Hanek, 1983). a is m 2^i, m an integer of 24 bits.
/// 2^i/pi without its multiples of 2, which are multiples of 2 pi in a, is the sum of three windows on the digits of 1/pi.
/// The products of m with the first two, of 29 bits each, are exact. The third has 53 bits: what is left out is
/// below 2^-110 times m, 2^-86, and a float is no nearer to a multiple of pi than 2^-33.
#[inline(always)]
fn far<L: Lanes>(lanes: L, a: L::F64) -> (L::F64, L::I64) {
    let bits = lanes.bits_64(a);
    let index = lanes.shr_64::<52>(bits) - lanes.splat_i64(1023 + 20);
    let digits = bits & lanes.splat_i64((1 << 52) - 1);
    let m = lanes.from_bits_64(digits | lanes.splat_i64((1023 + 23) << 52));
    let high = m * lanes.look_up_128(&WINDOWS[0], index);
    let middle = m * lanes.look_up_128(&WINDOWS[1], index);
    let (whole, k) = lanes.round(high + middle);
    let turns = lanes.mul_add(m, lanes.look_up_128(&WINDOWS[2], index), high - whole + middle);
    (turns * lanes.splat_f64(std::f64::consts::PI), k)
}

/// 1/pi: 320 binary digits after the point.
const ONE_OVER_PI: [u64; 5] =
    [0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820, 0xff28b1d5ef5de2b0, 0xdb92371d2126e970];

/// `count` digits of 1/pi as an integer. Digit 1 is the first after the point; those before it are 0.
const fn digits(first: i32, count: i32) -> u64 {
    let (mut value, mut digit) = (0, first);
    while digit < first + count {
        let set = digit > 0 && ONE_OVER_PI[(digit as usize - 1) / 64] >> (63 - (digit - 1) % 64) & 1 == 1;
        value = value << 1 | set as u64;
        digit += 1;
    }
    value
}

/// By the exponent of `a` less 20: three windows of 29, 29 and 53 digits on 2^(exponent - 23)/pi, from the digit of
/// weight 1 on.
static WINDOWS: [[f64; 128]; 3] = {
    const fn power(exponent: i32) -> f64 {
        f64::from_bits(((1023 + exponent) as u64) << 52)
    }
    let mut windows = [[0.0; 128]; 3];
    let mut index = 0;
    while index < 108 {
        let first = index as i32 - 3;
        windows[0][index] = digits(first, 29) as f64 * power(-28);
        windows[1][index] = digits(first + 29, 29) as f64 * power(-57);
        windows[2][index] = digits(first + 58, 53) as f64 * power(-110);
        index += 1;
    }
    windows
};
