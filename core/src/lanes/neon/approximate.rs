//! What the approximations of the closed forms need. A quotient is a division: NEON's estimates have 8 bits.

use std::arch::aarch64::*;

use super::{F32, F64, Neon};
use crate::lanes::Lanes;

#[inline(always)]
pub(super) fn mul_add(a: F64, b: F64, c: F64) -> F64 {
    F64(neon!([vfmaq_f64(c.0[0], a.0[0], b.0[0]), vfmaq_f64(c.0[1], a.0[1], b.0[1])]))
}

#[inline(always)]
pub(super) fn neg_mul_add(a: F64, b: F64, c: F64) -> F64 {
    F64(neon!([vfmsq_f64(c.0[0], a.0[0], b.0[0]), vfmsq_f64(c.0[1], a.0[1], b.0[1])]))
}

#[inline(always)]
pub(super) fn quotient(_lanes: Neon, a: F64, b: F64) -> F64 {
    a / b
}

#[inline(always)]
pub(super) fn inverse_root(lanes: Neon, x: F32) -> F64 {
    lanes.splat_f64(1.0) / lanes.sqrt(lanes.widen(x))
}
