//! Quotients and roots by the CPU's estimates of 14 bits, which differ between makers in their last bits but not in
//! their bound; and what else the approximations of the closed forms need.

use std::arch::x86_64::*;

use super::{Avx512, F32, F64};
use crate::lanes::Lanes;

#[inline(always)]
pub(super) fn mul_add(a: F64, b: F64, c: F64) -> F64 {
    F64(avx512!([_mm512_fmadd_pd(a.0[0], b.0[0], c.0[0]), _mm512_fmadd_pd(a.0[1], b.0[1], c.0[1])]))
}

#[inline(always)]
pub(super) fn neg_mul_add(a: F64, b: F64, c: F64) -> F64 {
    F64(avx512!([_mm512_fnmadd_pd(a.0[0], b.0[0], c.0[0]), _mm512_fnmadd_pd(a.0[1], b.0[1], c.0[1])]))
}

/// The estimate `r` of `1 / b` has `|b r - 1| <= 2^-14`. With `e = 1 - b r`, `1 / b` is `r (1 + e + e^2)` but for
/// `e^3`: `2^-42`.
#[inline(always)]
pub(super) fn quotient(lanes: Avx512, a: F64, b: F64) -> F64 {
    let r = F64(avx512!([_mm512_rcp14_pd(b.0[0]), _mm512_rcp14_pd(b.0[1])]));
    let e = neg_mul_add(b, r, lanes.splat_f64(1.0));
    let q = a * r;
    mul_add(q, mul_add(e, e, e), q)
}

/// The estimate `r` has a relative error of `2^-14`. With `e = 1 - x r^2`, at most `2^-13` and a little,
/// `1 / sqrt(x)` is `r (1 + e/2 + 3/8 e^2)` but for `5/16 e^3`: `2^-40.67`.
#[inline(always)]
pub(super) fn inverse_root(lanes: Avx512, x: F32) -> F64 {
    let x = lanes.widen(x);
    let r = F64(avx512!([_mm512_rsqrt14_pd(x.0[0]), _mm512_rsqrt14_pd(x.0[1])]));
    let e = neg_mul_add(x * r, r, lanes.splat_f64(1.0));
    let p = mul_add(e, lanes.splat_f64(0.375), lanes.splat_f64(0.5));
    mul_add(r * e, p, r)
}
