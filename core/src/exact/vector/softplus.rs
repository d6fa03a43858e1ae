//! Softplus, and Mish, which takes its tanh. For a libm whose exp, log1p and tanh are within 4 ULP.

use std::hint::black_box;

use super::exp::{exp, exp_short, polynomial};
use super::guard::{NORMAL, between, clamped, magnitude, nan, outside, rounded, rounded_in_place, tiny_or_not_finite};
use super::log::UNITS;
use super::{AT_ONCE, Form, each};
use crate::lanes::Lanes;

/// 2 atanh(s)/s in s^2, s up to 1/3: within 2^-43.7 (`scripts/bounds`).
const LOG_1P: [f64; 8] = [
    1.9999999999998694,
    0.6666666668159107,
    0.3999999720729312,
    0.28571627128049104,
    0.22215319874148232,
    0.18311110596346813,
    0.14063733813556456,
    0.20086321773578364,
];

/// -|d|.
#[inline(always)]
fn minus_abs<L: Lanes>(lanes: L, d: L::F64) -> L::F64 {
    lanes.from_bits_64(lanes.bits_64(d) | lanes.splat_i64(i64::MIN))
}

/// `log1p(e) + max(d, 0)` for e = e^-|d|: log1p(e) is 2 atanh s for s = e/(2 + e), from 0 to 1/3. With [`LOG_1P`] it is
/// within 2^-41.8 of that, with [`LOG_1P_SHORT`] within 2^-38.3.
#[inline(always)]
fn softplus<L: Lanes, const N: usize>(lanes: L, d: L::F64, e: L::F64, log_1p: &[f64; N]) -> L::F64 {
    let s = lanes.quotient(e, e + lanes.splat_f64(2.0));
    lanes.mul_add(s, polynomial(lanes, s * s, log_1p), lanes.max_f64(lanes.splat_f64(0.0), d))
}

/// `(float)(log1p(exp(-fabs(d))) + (x <= 0 ? 0.0 : d))`. From 105 on it is the input.
#[derive(Clone, Copy)]
pub(super) struct Softplus;

impl Form for Softplus {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let d = lanes.widen(clamped(lanes, x, -105.0, 105.0));
        let (y, left) = rounded::<L, 40>(lanes, softplus(lanes, d, exp(lanes, minus_abs(lanes, d)), &LOG_1P));
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(105.0), x), x, y);
        (y, left | nan(lanes, x) | between(lanes, x, -87.0, -104.0)) // subnormal
    }
}

/// 2 atanh(s)/s in s^2, s up to 1/3: within 2^-38.5 (`scripts/bounds`).
const LOG_1P_SHORT: [f64; 7] = [
    2.000000000005031,
    0.6666666622709329,
    0.4000006256991288,
    0.28568101267787743,
    0.22305905387502958,
    0.17116271118225806,
    0.21879479268828408,
];

/// log1p(r)/r, |r| up to 1/32: within 2^-37.7 (`scripts/bounds`).
const LOG_1P_16: [f64; 6] = [
    1.000000000004201,
    -0.5000000000139702,
    0.33333325614299697,
    -0.2499998871304719,
    0.20021008270562138,
    -0.16689019847238973,
];

/// 1/t for t = 1 + j/16, to whose pattern that of t is added, so that the pattern of 2^k t taken off makes it 2^-k/t.
static INVERSES: [f64; 16] = {
    let mut inverses = [0.0; 16];
    let mut j = 0;
    while j < 16 {
        let t = 1.0 + j as f64 / 16.0;
        inverses[j] = f64::from_bits((1.0 / t).to_bits() + t.to_bits());
        j += 1;
    }
    inverses
};

/// log t - j/16 ln 2 for t = 1 + j/16, so that `16 k + j` times ln 2/16 added makes it log(2^k t).
static LOGS: [f64; 16] = [
    0.0,
    0.01730292303143826,
    0.03113963808639029,
    0.04188516057166948,
    0.04985675617422343,
    0.05532522155865885,
    0.05852353840855513,
    0.05965360219439238,
    0.05889151782819173,
    0.05639181356345027,
    0.05229082793173499,
    0.046709457129585435,
    0.0397554025154637,
    0.031525023541737224,
    0.022104876432421993,
    0.01157300047041628,
];

/// `log1p(e)` within 2^-37.6, e from 0 to e^105.
#[inline(always)]
fn log_1p<L: Lanes>(lanes: L, e: L::F64) -> L::F64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let one = lanes.splat_f64(1.0);
    // 1 + e is 2^k t (1 + r), |r| up to 1/32, and c is 1/(2^k t).
    let nearest = lanes.bits_64(e + one) + lanes.splat_i64(1 << 47);
    let steps = lanes.shr_64::<48>(nearest);
    let c = lanes.bits_64(lanes.look_up_16(&INVERSES, steps)) - (nearest & lanes.splat_i64(!0 << 48));
    let c = lanes.from_bits_64(c);
    let r = lanes.mul_add(c, e, c - one);
    let logs = lanes.look_up_16(&LOGS, steps);
    let steps = lanes.from_bits_64(steps | lanes.splat_i64(UNITS))
        - lanes.splat_f64(f64::from_bits(UNITS as u64) + (1023 << 4) as f64);
    let log = lanes.mul_add(steps, lanes.splat_f64(LN_2 / 16.0), logs);
    lanes.mul_add(r, polynomial(lanes, r, &LOG_1P_16), log)
}

/// `(float)(d * tanh((double)Softplus(x)))`, Softplus rounded to float. From 105 on it is the input, below -104 it is -0.
///
/// Let s be the softplus, e^x as it is computed but log1p exact, and c what rounding log1p to float adds to it. tanh(s + c)
/// is (q - 1)/(q + 1) for q = e^(2s) e^(2c), where e^s = u = 1 + e^x, and e^(2c) is 1 + 2c but for 2^-48. So an error of
/// e^x matters for the rounding alone, which is the right one where the first guard says so. Written without cancellation,
/// that is h/(h + 2) for h = u^2 - 1 + 2c u^2, u^2 - 1 = e (e + 2), e = e^x. Without a table for the logarithm e is e^-|x|:
/// for positive inputs it is then h/(h + 2e^2) for h = 2e + 1 + 2c u^2. The error of log1p comes through as it is: 2^-37.6
/// beside the quotient's 2^-41.9.
#[derive(Clone, Copy)]
pub(super) struct Mish;

impl Mish {
    /// The input, and e. Past 105 they are clamped without a table, where e would be subnormal, which takes long. With one
    /// they go as they are: from 700 on e means nothing, and [`Mish::finish`] replaces what comes of it.
    #[inline(always)]
    fn exponential<L: Lanes>(lanes: L, x: L::F32) -> (L::F64, L::F64) {
        if L::LOOKS_UP {
            let d = lanes.widen(x);
            return (d, exp_short(lanes, d));
        }
        let d = lanes.widen(clamped(lanes, x, -105.0, 105.0));
        (d, exp_short(lanes, minus_abs(lanes, d)))
    }

    /// What rounding Softplus to float adds, and the lanes left.
    #[inline(always)]
    fn shift<L: Lanes>(lanes: L, d: L::F64, e: L::F64) -> (L::F64, L::M32) {
        let exact = if L::LOOKS_UP { log_1p(lanes, e) } else { softplus(lanes, d, e, &LOG_1P_SHORT) };
        let (float, left) = rounded_in_place::<L, 36>(lanes, exact);
        (float - exact, left)
    }

    /// The rest, for inputs from -87 to 105.
    #[inline(always)]
    fn product<L: Lanes>(lanes: L, d: L::F64, e: L::F64, c: L::F64) -> (L::F32, L::M32) {
        let (one, two) = (lanes.splat_f64(1.0), lanes.splat_f64(2.0));
        let less_one = e * (e + two); // u^2 - 1
        let (start, rest) = if L::LOOKS_UP {
            (less_one, two)
        } else {
            let negative = lanes.lt_f64(d, lanes.splat_f64(0.0));
            let twice = e + e;
            (lanes.select_f64(negative, less_one, twice + one), lanes.select_f64(negative, two, twice * e))
        };
        let numerator = lanes.mul_add(c + c, less_one + one, start);
        rounded::<L, 37>(lanes, lanes.quotient(d * numerator, numerator + rest))
    }

    /// `y`, but for the inputs that [`Mish::product`] is not for; and the lanes left.
    #[inline(always)]
    fn finish<L: Lanes>(lanes: L, x: L::F32, (y, left): (L::F32, L::M32)) -> (L::F32, L::M32) {
        let rare = outside(lanes, magnitude(lanes, x), 3 * NORMAL, 87f32.to_bits());
        if !lanes.any(rare) {
            return (y, left);
        }
        let y = lanes.select_f32(lanes.not_ge(lanes.splat_f32(105.0), x), x, y);
        let y = lanes.select_f32(lanes.not_ge(x, lanes.splat_f32(-104.0)), lanes.splat_f32(-0.0), y);
        let subnormal = between(lanes, x, -87.0, -104.0);
        (y, left | subnormal | tiny_or_not_finite(lanes, x, 3 * NORMAL)) // the slope at 0 is 0.6
    }
}

impl Form for Mish {
    #[inline(always)]
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32) {
        let (d, e) = Mish::exponential(lanes, x);
        let (shift, left) = Mish::shift(lanes, d, e);
        let (y, also) = Mish::product(lanes, d, e, shift);
        Mish::finish(lanes, x, (y, left | also))
    }

    // A CPU holds less in flight than one vector's operations. The steps' chains are short enough to overlap: where the
    // values between them go to memory (which is all that `black_box` is for), a step ends for all before the next begins.
    #[inline(always)]
    fn at_each<L: Lanes>(self, lanes: L, x: &[L::F32; AT_ONCE]) -> [(L::F32, L::M32); AT_ONCE] {
        let mut inputs = each!(i => Mish::exponential(lanes, x[i]));
        black_box(&mut inputs);
        let mut shifts = each!(i => Mish::shift(lanes, inputs[i].0, inputs[i].1));
        black_box(&mut shifts);
        each!(i => {
            let ((d, e), (shift, left)) = (inputs[i], shifts[i]);
            let (y, also) = Mish::product(lanes, d, e, shift);
            Mish::finish(lanes, x[i], (y, left | also))
        })
    }
}
