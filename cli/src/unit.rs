//! The measure of error: what one ULP is, and how one result is compared with the truth. `docs/report.md` says it in
//! words.

use rug::Float;

use crate::truth::Curve;

/// 2^128, the float that would come after the largest. It stands for infinity: a result that overflows where the truth
/// does not, or the reverse, has a finite error.
pub const BEYOND: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

/// 2^-300, next to nothing beside the unit of zero: a truth below it counts as zero.
pub const TINY: f64 = f64::from_bits((1023 - 300) << 52);

/// The true value of a function at one input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truth {
    /// The value, rounded to double; at most 2^128 in magnitude, and zero below 2^-300. NaN where the function has none.
    pub value: f64,
    /// The value correctly rounded to float; an infinity where that overflows.
    pub rounded: f32,
    /// One ULP here.
    pub unit: f64,
    /// Whether the input is a pole at which both infinities are right: a table has one result for either zero.
    pub pole: bool,
}

/// One result against the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// Both are numbers, or both are NaN and the error is 0.
    Error {
        /// The error in ULP.
        ulp: f64,
        /// The error itself.
        abs: f64,
        /// Whether the result is the correctly rounded one. The zeros are equal.
        exact: bool,
    },
    /// The result is NaN and the truth is not.
    Nan,
    /// The result is a number, or infinite, where the function has no value.
    Number,
}

/// One unit in the last place of a float: the distance from it to the next larger magnitude, 2^-149 for zero and the
/// denormals. That of an infinity is the unit of the largest floats, 2^104.
pub fn ulp(rounded: f32) -> f64 {
    let exponent = ((rounded.to_bits() >> 23) & 255) as i32;
    2f64.powi(exponent.clamp(1, 254) - 127 - 23)
}

impl Truth {
    /// The truth in MPFR.
    pub fn high(curve: Curve, x: f32) -> Truth {
        let high: Float = curve.high(x);
        Truth::of(curve, x, &high)
    }

    /// The truth whose value is `high`, or anything that rounds like it.
    pub(crate) fn of(curve: Curve, x: f32, high: &Float) -> Truth {
        Truth::new(curve, x, high.to_f64(), high.to_f32())
    }

    fn new(curve: Curve, x: f32, value: f64, rounded: f32) -> Truth {
        // At an isolated zero the unit is that of the neighbouring inputs. ln(1) is the only one at a float other
        // than 0: its neighbour's value is about -2^-24.
        let isolated = curve == Curve::Ln && x == 1.0;
        let unit = if isolated { ulp(f32::EPSILON / 2.0) } else { ulp(rounded) };
        let value = if value.is_nan() { value } else { value.clamp(-BEYOND, BEYOND) };
        let value = if value.abs() < TINY { 0f64.copysign(value) } else { value };
        let pole = x == 0.0 && matches!(curve, Curve::Reciprocal | Curve::Rsqrt);
        if pole {
            Truth { value: BEYOND, rounded: f32::INFINITY, unit, pole }
        } else {
            Truth { value, rounded, unit, pole }
        }
    }

    /// Compares the result `y`.
    pub fn compare(&self, y: f32) -> Outcome {
        let y = if self.pole { y.abs() } else { y };
        Apart::new(y, self.value, self.rounded, self.unit.recip()).outcome()
    }
}

/// How far a result is from the truth, without branches; [`Apart::outcome`] says it as an [`Outcome`].
#[derive(Debug, Clone, Copy)]
pub struct Apart {
    /// The error in ULP; 0 where one of the two is NaN.
    pub ulp: f64,
    /// The error itself; 0 likewise.
    pub abs: f64,
    /// Whether the result is the correctly rounded one.
    pub exact: bool,
    /// Whether the result is NaN and the truth is not.
    pub nan: bool,
    /// Whether the truth is NaN and the result is not.
    pub number: bool,
}

impl Apart {
    /// The result `y` against a truth: its value, its correctly rounded float and one over its unit, a power of two.
    #[inline(always)]
    pub fn new(y: f32, value: f64, rounded: f32, per_unit: f64) -> Apart {
        let (y_nan, truth_nan) = (y.is_nan(), rounded.is_nan());
        let same = y == rounded;
        let (nan, number, exact) = (y_nan & !truth_nan, truth_nan & !y_nan, same | (y_nan & truth_nan));
        let d = f64::from(y);
        let d = if d > BEYOND { BEYOND } else { d };
        let d = if d < -BEYOND { -BEYOND } else { d };
        let none = y_nan | truth_nan | (same & y.is_infinite());
        let abs = if none { 0.0 } else { (d - value).abs() };
        Apart { ulp: abs * per_unit, abs, exact, nan, number }
    }

    /// The same as an outcome.
    pub fn outcome(self) -> Outcome {
        let Apart { ulp, abs, exact, nan, number } = self;
        match (nan, number) {
            (true, _) => Outcome::Nan,
            (_, true) => Outcome::Number,
            _ => Outcome::Error { ulp, abs, exact },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ulps(curve: Curve, x: f32, y: f32) -> f64 {
        match Truth::high(curve, x).compare(y) {
            Outcome::Error { ulp, .. } => ulp,
            Outcome::Nan | Outcome::Number => f64::NAN,
        }
    }

    #[test]
    fn a_neighbour_of_an_exact_value_is_one_ulp_away() {
        assert_eq!(ulps(Curve::Copy, 1.5, 1.5), 0.0);
        assert_eq!(ulps(Curve::Copy, 1.5, 1.5f32.next_up()), 1.0);
        assert_eq!(ulps(Curve::Copy, 1.0, 1.0f32.next_down()), 0.5);
        assert_eq!(ulps(Curve::Copy, f32::from_bits(3), f32::from_bits(5)), 2.0);
        assert_eq!(ulps(Curve::Copy, f32::MAX, f32::INFINITY), 1.0);
        assert_eq!(ulps(Curve::Exp, 100.0, f32::INFINITY), 0.0);
        assert_eq!(ulps(Curve::Exp, 100.0, f32::MAX), 1.0);
        assert_eq!(ulps(Curve::Exp, -1000.0, -0.0), 0.0);
    }

    #[test]
    fn nan_agrees_with_nan_alone() {
        assert_eq!(
            Truth::high(Curve::Sqrt, -1.0).compare(f32::NAN),
            Outcome::Error { ulp: 0.0, abs: 0.0, exact: true }
        );
        assert_eq!(Truth::high(Curve::Sqrt, -1.0).compare(0.0), Outcome::Number);
        assert_eq!(Truth::high(Curve::Exp, 1.0).compare(f32::NAN), Outcome::Nan);
    }

    #[test]
    fn either_infinity_is_right_at_a_pole() {
        assert_eq!(ulps(Curve::Reciprocal, -0.0, f32::INFINITY), 0.0);
        assert_eq!(ulps(Curve::Rsqrt, 0.0, f32::NEG_INFINITY), 0.0);
        assert_eq!(ulps(Curve::Reciprocal, 0.0, f32::MAX), 1.0);
        assert_eq!(ulps(Curve::Ln, 0.0, f32::INFINITY), 2f64.powi(25));
    }

    #[test]
    fn at_the_zero_of_ln_the_unit_is_the_neighbours() {
        assert_eq!(ulps(Curve::Ln, 1.0, 0.0), 0.0);
        assert_eq!(ulps(Curve::Ln, 1.0, 2f32.powi(-47)), 1.0);
    }
}
