//! What the approximations of the closed forms need. AVX2 has no estimate of a double's reciprocal, so quotients are
//! divisions.

use std::arch::x86_64::*;

use super::{Avx2, F32, F64};
use crate::lanes::Lanes;

#[inline(always)]
pub(super) fn mul_add<const FMA: bool>(a: F64, b: F64, c: F64) -> F64 {
    if FMA {
        F64(avx2!([_mm256_fmadd_pd(a.0[0], b.0[0], c.0[0]), _mm256_fmadd_pd(a.0[1], b.0[1], c.0[1])]))
    } else {
        a * b + c
    }
}

#[inline(always)]
pub(super) fn neg_mul_add<const FMA: bool>(a: F64, b: F64, c: F64) -> F64 {
    if FMA {
        F64(avx2!([_mm256_fnmadd_pd(a.0[0], b.0[0], c.0[0]), _mm256_fnmadd_pd(a.0[1], b.0[1], c.0[1])]))
    } else {
        c - a * b
    }
}

#[inline(always)]
pub(super) fn quotient<const FMA: bool>(_lanes: Avx2<FMA>, a: F64, b: F64) -> F64 {
    a / b
}

/// The estimate `r` has a relative error of `1.5 * 2^-12`. With `e = 1 - x r^2`, at most `2^-10.4`, `1 / sqrt(x)` is
/// `r (1 + e/2 + 3/8 e^2 + 5/16 e^3)` but for `35/128 e^4`: `2^-43.5`.
#[inline(always)]
pub(super) fn inverse_root<const FMA: bool>(lanes: Avx2<FMA>, x: F32) -> F64 {
    let r = lanes.widen(F32(avx2!(_mm256_rsqrt_ps(x.0))));
    let e = lanes.neg_mul_add(lanes.widen(x) * r, r, lanes.splat_f64(1.0));
    let p = lanes.mul_add(e, lanes.splat_f64(0.3125), lanes.splat_f64(0.375));
    let p = lanes.mul_add(e, p, lanes.splat_f64(0.5));
    lanes.mul_add(r * e, p, r)
}
