//! Truncated power series over MPFR floats: `c[0] + c[1] e + c[2] e^2 + ...` about a point.
//!
//! A function written once over [`Jet`] gives its value (one coefficient) and its Taylor coefficients (four), each
//! accurate to nearly the full [`PRECISION`]. The recurrences are the textbook ones (Griewank and Walther,
//! *Evaluating Derivatives*, chapter 13).

use rug::Float;
use rug::float::Constant;
use rug::ops::Pow;

/// The working precision in bits. The results are floats of 24 bits; the worst cancellation in the formulas of
/// [`crate::truth`], at a zero between two neighbouring floats, costs about 30.
pub const PRECISION: u32 = 192;

/// An MPFR float of the working precision.
pub fn float(value: f64) -> Float {
    Float::with_val(PRECISION, value)
}

/// pi.
pub fn pi() -> Float {
    Float::with_val(PRECISION, Constant::Pi)
}

/// A truncated power series: coefficient `k` belongs to the `k`-th power.
#[derive(Debug, Clone)]
pub struct Jet {
    c: Vec<Float>,
}

impl Jet {
    /// The identity at `x`, with `order` coefficients.
    pub fn variable(x: f64, order: usize) -> Jet {
        let mut c = vec![float(0.0); order];
        c[0] = float(x);
        if order > 1 {
            c[1] = float(1.0);
        }
        Jet { c }
    }

    /// The constant `value` with `order` coefficients.
    pub fn constant(value: &Float, order: usize) -> Jet {
        let mut c = vec![float(0.0); order];
        c[0] = value.clone();
        Jet { c }
    }

    /// The coefficients.
    pub fn into_coefficients(self) -> Vec<Float> {
        self.c
    }

    /// The value at the point.
    pub fn head(&self) -> &Float {
        &self.c[0]
    }

    fn order(&self) -> usize {
        self.c.len()
    }

    fn map(&self, f: impl Fn(&Float) -> Float) -> Jet {
        Jet { c: self.c.iter().map(f).collect() }
    }

    /// The sum.
    pub fn add(&self, other: &Jet) -> Jet {
        Jet { c: self.c.iter().zip(&other.c).map(|(a, b)| Float::with_val(PRECISION, a + b)).collect() }
    }

    /// The series plus a constant.
    pub fn plus(&self, value: f64) -> Jet {
        let mut sum = self.clone();
        sum.c[0] += value;
        sum
    }

    /// The series times a constant.
    pub fn times(&self, factor: &Float) -> Jet {
        self.map(|a| Float::with_val(PRECISION, a * factor))
    }

    /// The series times a double.
    pub fn scale(&self, factor: f64) -> Jet {
        self.map(|a| Float::with_val(PRECISION, a * factor))
    }

    /// The negated series.
    pub fn neg(&self) -> Jet {
        self.map(|a| Float::with_val(PRECISION, -a))
    }

    /// The product.
    pub fn mul(&self, other: &Jet) -> Jet {
        let coefficient = |k: usize| {
            let mut sum = float(0.0);
            for j in 0..=k {
                sum += Float::with_val(PRECISION, &self.c[j] * &other.c[k - j]);
            }
            sum
        };
        Jet { c: (0..self.order()).map(coefficient).collect() }
    }

    /// The square.
    pub fn square(&self) -> Jet {
        self.mul(self)
    }

    /// The quotient.
    pub fn div(&self, other: &Jet) -> Jet {
        let mut c: Vec<Float> = Vec::with_capacity(self.order());
        for k in 0..self.order() {
            let mut rest = self.c[k].clone();
            for (j, done) in c.iter().enumerate() {
                rest -= Float::with_val(PRECISION, done * &other.c[k - j]);
            }
            c.push(rest / &other.c[0]);
        }
        Jet { c }
    }

    /// One over the series.
    pub fn recip(&self) -> Jet {
        Jet::constant(&float(1.0), self.order()).div(self)
    }

    /// The square root.
    pub fn sqrt(&self) -> Jet {
        let mut c = vec![self.c[0].clone().sqrt()];
        for k in 1..self.order() {
            let mut rest = self.c[k].clone();
            for j in 1..k {
                rest -= Float::with_val(PRECISION, &c[j] * &c[k - j]);
            }
            let twice = Float::with_val(PRECISION, &c[0] * 2u32);
            c.push(rest / twice);
        }
        Jet { c }
    }

    /// The series of `f(self)` from its value and the series `slope` of `f'(self)`. `slope` needs one coefficient
    /// less than the result.
    fn integrate(&self, value: Float, slope: &[Float]) -> Jet {
        let mut c = vec![value];
        for k in 1..self.order() {
            let mut sum = float(0.0);
            for j in 1..=k {
                sum += Float::with_val(PRECISION, &self.c[j] * &slope[k - j]) * j as u32;
            }
            c.push(sum / k as u32);
        }
        Jet { c }
    }

    /// The exponential.
    pub fn exp(&self) -> Jet {
        let mut c = vec![self.c[0].clone().exp()];
        for k in 1..self.order() {
            let mut sum = float(0.0);
            for j in 1..=k {
                sum += Float::with_val(PRECISION, &self.c[j] * &c[k - j]) * j as u32;
            }
            c.push(sum / k as u32);
        }
        Jet { c }
    }

    /// The natural logarithm.
    pub fn ln(&self) -> Jet {
        let value = self.c[0].clone().ln();
        if self.order() == 1 { Jet { c: vec![value] } } else { self.integrate(value, &self.recip().c) }
    }

    /// `ln(1 + self)`, accurate near 0.
    pub fn ln_1p(&self) -> Jet {
        let value = self.c[0].clone().ln_1p();
        if self.order() == 1 { Jet { c: vec![value] } } else { self.integrate(value, &self.plus(1.0).recip().c) }
    }

    /// The arc tangent.
    pub fn atan(&self) -> Jet {
        let value = self.c[0].clone().atan();
        if self.order() == 1 {
            Jet { c: vec![value] }
        } else {
            self.integrate(value, &self.square().plus(1.0).recip().c)
        }
    }

    /// The sine.
    pub fn sin(&self) -> Jet {
        let (value, cosine) = self.c[0].clone().sin_cos(float(0.0));
        let (mut s, mut c) = (vec![value], vec![cosine]);
        for k in 1..self.order() {
            let (mut up, mut down) = (float(0.0), float(0.0));
            for j in 1..=k {
                up += Float::with_val(PRECISION, &self.c[j] * &c[k - j]) * j as u32;
                down -= Float::with_val(PRECISION, &self.c[j] * &s[k - j]) * j as u32;
            }
            s.push(up / k as u32);
            c.push(down / k as u32);
        }
        Jet { c: s }
    }

    /// `1 - tanh^2`, without cancellation.
    pub fn sech_squared(&self) -> Jet {
        let falling = if self.c[0].is_sign_negative() { self.scale(2.0) } else { self.scale(-2.0) };
        let e = falling.exp();
        e.scale(4.0).div(&e.plus(1.0).square())
    }

    /// The hyperbolic tangent.
    pub fn tanh(&self) -> Jet {
        let value = self.c[0].clone().tanh();
        if self.order() == 1 { Jet { c: vec![value] } } else { self.integrate(value, &self.sech_squared().c) }
    }

    /// The logistic function `1 / (1 + exp(-self))`.
    pub fn sigmoid(&self) -> Jet {
        self.neg().exp().plus(1.0).recip()
    }

    /// `2/sqrt(pi) exp(-self^2)`, the derivative of erf.
    pub fn erf_slope(&self) -> Jet {
        let factor = float(2.0) / pi().sqrt();
        self.square().neg().exp().times(&factor)
    }

    /// The error function.
    pub fn erf(&self) -> Jet {
        let value = self.c[0].clone().erf();
        if self.order() == 1 { Jet { c: vec![value] } } else { self.integrate(value, &self.erf_slope().c) }
    }

    /// The complementary error function.
    pub fn erfc(&self) -> Jet {
        let value = self.c[0].clone().erfc();
        if self.order() == 1 { Jet { c: vec![value] } } else { self.integrate(value, &self.erf_slope().neg().c) }
    }

    /// A small whole power of a constant's root: `sqrt(base)^exponent`, for the constants of the formulas.
    pub fn root_power(base: f64, exponent: i32) -> Float {
        float(base).sqrt().pow(exponent)
    }
}
