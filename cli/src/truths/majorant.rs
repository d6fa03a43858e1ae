//! How large a function gets on a disc of the complex plane, which bounds what Taylor's series leaves out.
//!
//! If `f` is analytic and at most `M` in magnitude on the disc of radius `R` about `x`, its Taylor coefficients there are at
//! most `M / R^k` (Cauchy), and the terms from the `n`-th on are together at most `M (h/R)^n / (1 - h/R)` within `h` of `x`.
//!
//! With z = a + ib on the disc, `l` and `u` the ends of its real part and `|b| <= R`:
//!
//! - `|e^z| = e^a <= e^u`. Where `|b| <= pi/2`, `e^-z` has no negative real part, so `|1 + e^-z|` is at least 1 and at least
//!   `e^-a`: the logistic function is at most `min(1, e^u)`, and `|ln(1 + e^z)| <= e^u`, since `|1 + t e^z| >= 1` for t
//!   from 0 to 1. Likewise `|w / (w + 2)| <= min(1, |w|/2)` where w has no negative real part.
//! - `erfc(z) = 2/sqrt(pi) * integral of e^-(z+t)^2, t >= 0`, so `|erfc(z)| <= e^(b^2) erfc(a) <= e^(R^2) erfc(l)`. For the normal
//!   distribution function that is `e^(R^2/2) Phi(u)`.
//! - `|e^-z^2| = e^(b^2 - a^2)`. `|sin z| <= cosh(b)` and `<= sinh|z|`.
//! - A function with derivative `g` is within `R max|g|` of its value at x.
//!
//! A constant or a line that is taken off changes the first two coefficients only. Right of zero these functions tend to
//! one, and what is left is small there: `f(z) = z + f(-z)` for softplus, silu, gelu and its approximations, `f(z) =
//! 1 - f(-z)` for the logistic function and the derivatives of those, `1 - tanh z = 2 s(-2z)`, `1 - erf = erfc`, and mish,
//! `z - 2z / (e^2z + 2 e^z + 2)`.

use crate::truth::Curve;
use Curve as C;
use std::f64::consts::{FRAC_2_SQRT_PI, FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};

/// More than the rounding of these formulas in double precision.
const SLACK: f64 = 1.01;

/// The radii that are tried about `x`.
fn radii(x: f64) -> impl Iterator<Item = f64> {
    let shrinking = (0..8).map(|k| 0.75 / f64::from(1 << k));
    shrinking.chain([0.75 * x.abs(), 0.375 * x.abs()])
}

/// A bound on what the first `terms` terms, two or more, of the Taylor series of `curve` at `x` leave out within `h` of it.
pub fn remainder(curve: Curve, x: f64, h: f64, terms: i32) -> f64 {
    debug_assert!(terms >= 2);
    least(curve, x, h, terms)
}

/// How large `curve` is within `h` of `x`, at most.
pub fn magnitude(curve: Curve, x: f64, h: f64) -> f64 {
    let line = match curve {
        C::Ln => x.ln().abs(),
        C::Arctan => x.atan().abs(),
        C::Tanh | C::Erf if x.abs() >= 0.5 => 1.0,
        _ if x < 0.0 => 0.0,
        C::Softplus | C::Silu | C::Gelu | C::GeluApprxTanh | C::GeluApprxSigmoid | C::Mish => x + h,
        C::Sigmoid | C::DerivativeGelu | C::DerivativeSilu | C::DerivativeGeluApprxSigmoid => 1.0,
        _ => 0.0,
    };
    line + least(curve, x, h, 0)
}

/// The bound on the terms from number `terms` on, by the best of the radii.
fn least(curve: Curve, x: f64, h: f64, terms: i32) -> f64 {
    let left_out = |radius: f64| {
        let ratio = h / radius;
        if ratio > 0.25 {
            return f64::INFINITY;
        }
        bound(curve, x, radius).map_or(f64::INFINITY, |m| SLACK * m * ratio.powi(terms) / (1.0 - ratio))
    };
    radii(x).map(left_out).fold(f64::INFINITY, f64::min)
}

/// A bound on `|f - g|` on the disc of that radius about `x`, with some polynomial `g` of degree 1 or 0; none where none is
/// known.
fn bound(curve: Curve, x: f64, radius: f64) -> Option<f64> {
    let mirrored = matches!(
        curve,
        C::Softplus
            | C::Silu
            | C::Gelu
            | C::GeluApprxTanh
            | C::GeluApprxSigmoid
            | C::Sigmoid
            | C::DerivativeGelu
            | C::DerivativeSilu
            | C::DerivativeGeluApprxSigmoid
    );
    let x = if mirrored { -x.abs() } else { x };
    let (l, u, most) = (x - radius, x + radius, x.abs() + radius);
    let least = (x.abs() - radius).max(0.0);
    // The logistic function of s z, for |s b| up to pi/2.
    let within = |slope: f64| slope * radius <= FRAC_PI_2;
    let rising = |slope: f64| (slope * u).exp().min(1.0);
    let falling = |slope: f64| (-slope * l).exp().min(1.0);
    let normal = || (radius * radius / 2.0).exp() * 0.5 * libm::erfc(-u / SQRT_2);
    let bell = |factor: f64| (factor * (radius * radius - least * least)).exp();
    match curve {
        C::Sigmoid => within(1.0).then(|| rising(1.0)),
        C::DerivativeSigmoid => within(1.0).then(|| rising(1.0) * falling(1.0)),
        C::DerivativeTanh => within(2.0).then(|| 4.0 * rising(2.0) * falling(2.0)),
        // |tanh z| <= tan|z| <= 4/pi |z| near 0.
        C::Tanh => {
            within(2.0).then(|| if most <= FRAC_PI_4 { 4.0 / PI * most } else { 2.0 * (-2.0 * least).exp().min(1.0) })
        }
        C::Exp => Some(u.exp()),
        C::Softplus => within(1.0).then(|| u.exp().min(most + (-l).exp())),
        C::Rsqrt | C::AbsReciprocalSqrt => (least > 0.0).then(|| least.sqrt().recip()),
        C::Ln => (least > 0.0).then(|| radius / least),
        // By the power series near 0; 1 - erfc elsewhere, and erf is odd.
        C::Erf => Some(if most <= 1.0 {
            FRAC_2_SQRT_PI * most * (most * most).exp()
        } else {
            (radius * radius).exp() * libm::erfc(x.abs() - radius)
        }),
        C::Sin => Some(if most <= 1.0 { most.sinh() } else { radius.cosh() }),
        // |1 + z^2| is the product of the distances to i and -i.
        C::Arctan => {
            let distance = x.hypot(1.0) - radius;
            let near = if most <= 0.75 { most / (1.0 - most * most) } else { f64::INFINITY };
            (distance > 0.0).then(|| near.min(x.atan().abs() + radius / (distance * distance)))
        }
        C::Gelu => Some(most * normal()),
        C::DerivativeGelu => Some(normal() + most * 0.4 * bell(0.5)),
        C::DerivativeErf => Some(FRAC_2_SQRT_PI * bell(1.0)),
        C::Mish => {
            // tanh(ln(1 + e)) = w / (w + 2), w = e^2 + 2e, e = e^z; 1 - 2 / (e^2 (1 + 2/e + 2/e^2)) right of zero.
            let e = u.exp();
            within(2.0).then(|| most * (e * (e + 2.0) / 2.0).min(1.0).min(2.0 * (-2.0 * l).exp()))
        }
        C::GeluApprxTanh => {
            // The logistic function of w = 2 sqrt(2/pi) (z + 0.044715 z^3). The real part of z^3 is a^3 - 3 a b^2, its
            // imaginary part 3 a^2 b - b^3.
            let factor = 2.0 * (2.0 / PI).sqrt();
            let real = factor * (u + 0.044715 * (u.powi(3) + 3.0 * most * radius * radius));
            let imaginary = factor * radius * (1.0 + 0.044715 * (3.0 * most * most + radius * radius));
            (imaginary <= FRAC_PI_2).then(|| most * real.exp().min(1.0))
        }
        C::GeluApprxSigmoid => within(1.702).then(|| most * rising(1.702)),
        // s(u) (1 + u s(-u)).
        C::DerivativeSilu => within(1.0).then(|| rising(1.0) * (1.0 + most * falling(1.0))),
        C::DerivativeGeluApprxSigmoid => within(1.702).then(|| rising(1.702) * (1.0 + 1.702 * most * falling(1.702))),
        C::Silu => within(1.0).then(|| most * rising(1.0)),
        _ => None,
    }
}
