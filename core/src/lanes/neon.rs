//! NEON, AArch64's vectors: four elements each.

use std::arch::aarch64::*;

use super::{Lanes, Work, operators};

/// Proof that the CPU has NEON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neon(());

impl Neon {
    /// The token, if this CPU has NEON: every AArch64 that runs Linux does.
    pub fn new() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

/// Instructions that touch no memory.
macro_rules! neon {
    ($instructions:expr) => {
        // SAFETY: the token or a vector is at hand, and detection alone makes the token: the CPU has NEON.
        unsafe { $instructions }
    };
}

mod approximate;

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct F32(float32x4_t);
/// Four doubles: elements 0 and 1, 2 and 3.
#[derive(Clone, Copy)]
pub(crate) struct F64([float64x2_t; 2]);
/// Four integers of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct I32(int32x4_t);
/// Four integers of 64 bits: elements 0 and 1, 2 and 3.
#[derive(Clone, Copy)]
pub(crate) struct I64([int64x2_t; 2]);
/// All bits of a lane set for yes, none for no.
#[derive(Clone, Copy)]
pub(crate) struct M32(uint32x4_t);
/// All bits of a lane set for yes, none for no.
#[derive(Clone, Copy)]
pub(crate) struct M64([uint64x2_t; 2]);

operators!(neon, F32, one: Add add vaddq_f32, Sub sub vsubq_f32, Mul mul vmulq_f32);
operators!(neon, F64, two: Add add vaddq_f64, Sub sub vsubq_f64, Mul mul vmulq_f64, Div div vdivq_f64);
operators!(neon, I32, one: Add add vaddq_s32, Sub sub vsubq_s32);
operators!(neon, I32, one: BitAnd bitand vandq_s32, BitOr bitor vorrq_s32, BitXor bitxor veorq_s32);
operators!(neon, I64, two: Add add vaddq_s64, Sub sub vsubq_s64);
operators!(neon, I64, two: BitAnd bitand vandq_s64, BitOr bitor vorrq_s64, BitXor bitxor veorq_s64);
operators!(neon, M32, one: BitAnd bitand vandq_u32, BitOr bitor vorrq_u32);
operators!(neon, M64, two: BitAnd bitand vandq_u64, BitOr bitor vorrq_u64);

impl Lanes for Neon {
    const N: usize = 4;
    type Floats = [f32; 4];
    type F32 = F32;
    type F64 = F64;
    type I32 = I32;
    type I64 = I64;
    type M32 = M32;
    type M64 = M64;

    /// NEON is part of the target: any function is compiled for it.
    #[inline]
    fn enter<W: Work>(self, work: W) -> W::Output {
        work.on_lanes(self)
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> F32 {
        neon!(F32(vdupq_n_f32(x)))
    }
    #[inline(always)]
    fn splat_f64(self, x: f64) -> F64 {
        neon!(F64([vdupq_n_f64(x); 2]))
    }
    #[inline(always)]
    fn splat_i32(self, x: i32) -> I32 {
        neon!(I32(vdupq_n_s32(x)))
    }
    #[inline(always)]
    fn splat_i64(self, x: i64) -> I64 {
        neon!(I64([vdupq_n_s64(x); 2]))
    }
    #[inline(always)]
    fn split(self, data: &mut [f32]) -> (&mut [[f32; 4]], &mut [f32]) {
        data.as_chunks_mut()
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> F32 {
        let from: &[f32; 4] = from.first_chunk().expect("four floats");
        // SAFETY: `self` exists, so the CPU has NEON; reads the four floats of `from`.
        F32(unsafe { vld1q_f32(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, x: F32, to: &mut [f32]) {
        let to: &mut [f32; 4] = to.first_chunk_mut().expect("four floats");
        // SAFETY: `self` exists, so the CPU has NEON; writes the four floats of `to`.
        unsafe { vst1q_f32(to.as_mut_ptr(), x.0) }
    }

    #[inline(always)]
    fn bits(self, x: F32) -> I32 {
        neon!(I32(vreinterpretq_s32_f32(x.0)))
    }
    #[inline(always)]
    fn from_bits(self, x: I32) -> F32 {
        neon!(F32(vreinterpretq_f32_s32(x.0)))
    }
    // A shift by a negative count is one to the right.
    #[inline(always)]
    fn shl<const K: u32>(self, x: I32) -> I32 {
        neon!(I32(vshlq_s32(x.0, vdupq_n_s32(K as i32))))
    }
    #[inline(always)]
    fn shr<const K: u32>(self, x: I32) -> I32 {
        self.shr_each(x, self.splat_i32(K as i32))
    }
    #[inline(always)]
    fn shl_each(self, x: I32, by: I32) -> I32 {
        neon!(I32(vshlq_s32(x.0, by.0)))
    }
    #[inline(always)]
    fn shr_each(self, x: I32, by: I32) -> I32 {
        neon!(I32(vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(x.0), vnegq_s32(by.0)))))
    }
    #[inline(always)]
    fn eq_i32(self, a: I32, b: I32) -> M32 {
        neon!(M32(vceqq_s32(a.0, b.0)))
    }
    #[inline(always)]
    fn gt_i32(self, a: I32, b: I32) -> M32 {
        neon!(M32(vcgtq_s32(a.0, b.0)))
    }
    #[inline(always)]
    fn not_ge(self, a: F32, b: F32) -> M32 {
        neon!(M32(vmvnq_u32(vcgeq_f32(a.0, b.0))))
    }
    #[inline(always)]
    fn is_nan(self, x: F32) -> M32 {
        neon!(M32(vmvnq_u32(vceqq_f32(x.0, x.0))))
    }
    #[inline(always)]
    fn select_f32(self, mask: M32, yes: F32, no: F32) -> F32 {
        neon!(F32(vbslq_f32(mask.0, yes.0, no.0)))
    }
    #[inline(always)]
    fn select_i32(self, mask: M32, yes: I32, no: I32) -> I32 {
        neon!(I32(vbslq_s32(mask.0, yes.0, no.0)))
    }
    #[inline(always)]
    fn by_sign_f32(self, by: I32, negative: F32, positive: F32) -> F32 {
        neon!(self.select_f32(M32(vcltzq_s32(by.0)), negative, positive))
    }
    #[inline(always)]
    fn by_sign_i32(self, by: I32, negative: I32, positive: I32) -> I32 {
        neon!(self.select_i32(M32(vcltzq_s32(by.0)), negative, positive))
    }
    #[inline(always)]
    fn zero_if(self, mask: M32, x: I32) -> I32 {
        neon!(I32(vbicq_s32(x.0, vreinterpretq_s32_u32(mask.0))))
    }
    #[inline(always)]
    fn look_up_512(self, table: &[u32; 512], x: I32) -> I32 {
        self.words(table, self.shr::<23>(x))
    }
    const LOOKS_UP_32: bool = false;
    #[inline(always)]
    fn look_up_32(self, table: &[u32; 32], x: I32) -> I32 {
        self.words(table, x)
    }
    #[inline(always)]
    fn look_up_8_words(self, table: &[u32; 8], x: I32) -> I32 {
        self.words(table, x)
    }
    #[inline(always)]
    fn products(self, a: I32, b: I32) -> I64 {
        let (a, b) = neon!((vreinterpretq_u32_s32(a.0), vreinterpretq_u32_s32(b.0)));
        let (low, high) = neon!((vmull_u32(vget_low_u32(a), vget_low_u32(b)), vmull_high_u32(a, b)));
        neon!(I64([vreinterpretq_s64_u64(low), vreinterpretq_s64_u64(high)]))
    }

    #[inline(always)]
    fn widen(self, x: F32) -> F64 {
        neon!(F64([vcvt_f64_f32(vget_low_f32(x.0)), vcvt_high_f64_f32(x.0)]))
    }
    #[inline(always)]
    fn narrow(self, x: F64) -> F32 {
        neon!(F32(vcvt_high_f32_f64(vcvt_f32_f64(x.0[0]), x.0[1])))
    }
    #[inline(always)]
    fn bits_64(self, x: F64) -> I64 {
        neon!(I64([vreinterpretq_s64_f64(x.0[0]), vreinterpretq_s64_f64(x.0[1])]))
    }
    #[inline(always)]
    fn from_bits_64(self, x: I64) -> F64 {
        neon!(F64([vreinterpretq_f64_s64(x.0[0]), vreinterpretq_f64_s64(x.0[1])]))
    }
    #[inline(always)]
    fn sqrt(self, x: F64) -> F64 {
        neon!(F64([vsqrtq_f64(x.0[0]), vsqrtq_f64(x.0[1])]))
    }
    #[inline(always)]
    fn shl_64<const K: u32>(self, x: I64) -> I64 {
        let by = neon!(vdupq_n_s64(i64::from(K)));
        neon!(I64([vshlq_s64(x.0[0], by), vshlq_s64(x.0[1], by)]))
    }
    #[inline(always)]
    fn shr_64<const K: u32>(self, x: I64) -> I64 {
        let (a, b) = neon!((vreinterpretq_u64_s64(x.0[0]), vreinterpretq_u64_s64(x.0[1])));
        let by = neon!(vdupq_n_s64(-i64::from(K)));
        neon!(I64([vreinterpretq_s64_u64(vshlq_u64(a, by)), vreinterpretq_s64_u64(vshlq_u64(b, by))]))
    }
    #[inline(always)]
    fn eq_i64(self, a: I64, b: I64) -> M64 {
        neon!(M64([vceqq_s64(a.0[0], b.0[0]), vceqq_s64(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn gt_i64(self, a: I64, b: I64) -> M64 {
        neon!(M64([vcgtq_s64(a.0[0], b.0[0]), vcgtq_s64(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn eq_f64(self, a: F64, b: F64) -> M64 {
        neon!(M64([vceqq_f64(a.0[0], b.0[0]), vceqq_f64(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn lt_f64(self, a: F64, b: F64) -> M64 {
        neon!(M64([vcltq_f64(a.0[0], b.0[0]), vcltq_f64(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn le_f64(self, a: F64, b: F64) -> M64 {
        neon!(M64([vcleq_f64(a.0[0], b.0[0]), vcleq_f64(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn not_ge_f64(self, a: F64, b: F64) -> M64 {
        neon!(M64([not_64(vcgeq_f64(a.0[0], b.0[0])), not_64(vcgeq_f64(a.0[1], b.0[1]))]))
    }
    #[inline(always)]
    fn select_f64(self, mask: M64, yes: F64, no: F64) -> F64 {
        neon!(F64([vbslq_f64(mask.0[0], yes.0[0], no.0[0]), vbslq_f64(mask.0[1], yes.0[1], no.0[1])]))
    }
    #[inline(always)]
    fn select_i64(self, mask: M64, yes: I64, no: I64) -> I64 {
        neon!(I64([vbslq_s64(mask.0[0], yes.0[0], no.0[0]), vbslq_s64(mask.0[1], yes.0[1], no.0[1])]))
    }
    #[inline(always)]
    fn look_up_8(self, table: &[f64; 8], x: I64) -> F64 {
        self.doubles(table, x)
    }
    #[inline(always)]
    fn look_up_16(self, table: &[f64; 16], x: I64) -> F64 {
        self.doubles(table, x)
    }
    #[inline(always)]
    fn low_words(self, x: F64) -> I32 {
        neon!(I32(vuzp1q_s32(vreinterpretq_s32_f64(x.0[0]), vreinterpretq_s32_f64(x.0[1]))))
    }
    #[inline(always)]
    fn high_words(self, x: F64) -> I32 {
        neon!(I32(vuzp2q_s32(vreinterpretq_s32_f64(x.0[0]), vreinterpretq_s32_f64(x.0[1]))))
    }
    #[inline(always)]
    fn in_order(self, mask: M32) -> M32 {
        mask
    }

    const LOOKS_UP: bool = false;
    #[inline(always)]
    fn mul_add(self, a: F64, b: F64, c: F64) -> F64 {
        approximate::mul_add(a, b, c)
    }
    #[inline(always)]
    fn neg_mul_add(self, a: F64, b: F64, c: F64) -> F64 {
        approximate::neg_mul_add(a, b, c)
    }
    #[inline(always)]
    fn quotient(self, a: F64, b: F64) -> F64 {
        approximate::quotient(self, a, b)
    }
    #[inline(always)]
    fn inverse_root(self, x: F32) -> F64 {
        approximate::inverse_root(self, x)
    }
    #[inline(always)]
    fn min_f32(self, a: F32, b: F32) -> F32 {
        F32(neon!(vminq_f32(a.0, b.0)))
    }
    #[inline(always)]
    fn max_f32(self, a: F32, b: F32) -> F32 {
        F32(neon!(vmaxq_f32(a.0, b.0)))
    }
    #[inline(always)]
    fn max_f64(self, a: F64, b: F64) -> F64 {
        F64(neon!([vmaxq_f64(a.0[0], b.0[0]), vmaxq_f64(a.0[1], b.0[1])]))
    }

    #[inline(always)]
    fn nowhere(self) -> M32 {
        neon!(M32(vdupq_n_u32(0)))
    }
    #[inline(always)]
    fn any(self, mask: M32) -> bool {
        neon!(vmaxvq_u32(mask.0) != 0)
    }
    #[inline(always)]
    fn lanes(self, mask: M32) -> u32 {
        let places = [1u32, 2, 4, 8];
        // SAFETY: `self` exists, so the CPU has NEON; reads the four integers of `places`.
        unsafe { vaddvq_u32(vandq_u32(mask.0, vld1q_u32(places.as_ptr()))) }
    }
    #[inline(always)]
    fn narrow_mask(self, mask: M64) -> M32 {
        neon!(M32(vuzp1q_u32(vreinterpretq_u32_u64(mask.0[0]), vreinterpretq_u32_u64(mask.0[1]))))
    }

    #[inline(always)]
    unsafe fn row_floats(self, rows: *const u8, offsets: &I32) -> [F32; 3] {
        let at = elements(offsets);
        // SAFETY: `self` exists, so the CPU has NEON; the caller promises a whole, aligned row at each offset.
        let [a, b, c, d] = unsafe {
            [
                vld1q_f32(rows.byte_add(at[0] as usize).cast()),
                vld1q_f32(rows.byte_add(at[1] as usize).cast()),
                vld1q_f32(rows.byte_add(at[2] as usize).cast()),
                vld1q_f32(rows.byte_add(at[3] as usize).cast()),
            ]
        };
        // The first and third floats of two rows beside each other, and the second ones.
        let (ab, cd) = neon!((vreinterpretq_f64_f32(vtrn1q_f32(a, b)), vreinterpretq_f64_f32(vtrn1q_f32(c, d))));
        let (ab2, cd2) = neon!((vreinterpretq_f64_f32(vtrn2q_f32(a, b)), vreinterpretq_f64_f32(vtrn2q_f32(c, d))));
        [
            neon!(F32(vreinterpretq_f32_f64(vtrn1q_f64(ab, cd)))),
            neon!(F32(vreinterpretq_f32_f64(vtrn1q_f64(ab2, cd2)))),
            neon!(F32(vreinterpretq_f32_f64(vtrn2q_f64(ab, cd)))),
        ]
    }
    #[inline(always)]
    unsafe fn row_doubles(self, rows: *const u8, offsets: &I32) -> [F64; 2] {
        let at = elements(offsets);
        // SAFETY: `self` exists, so the CPU has NEON; the caller promises a whole, aligned row at each offset; its second half is two doubles.
        let [a, b, c, d] = unsafe {
            [
                vld1q_f64(rows.byte_add(at[0] as usize + 16).cast()),
                vld1q_f64(rows.byte_add(at[1] as usize + 16).cast()),
                vld1q_f64(rows.byte_add(at[2] as usize + 16).cast()),
                vld1q_f64(rows.byte_add(at[3] as usize + 16).cast()),
            ]
        };
        neon!([F64([vtrn1q_f64(a, b), vtrn1q_f64(c, d)]), F64([vtrn2q_f64(a, b), vtrn2q_f64(c, d)])])
    }
}

/// The four integers of a vector, as memory.
#[inline(always)]
fn elements(x: &I32) -> &[u32; 4] {
    // SAFETY: a register's type has the size and more than the alignment of four integers, and any bits are integers.
    unsafe { &*(&raw const x.0).cast() }
}

/// The four integers of two registers, as memory.
#[inline(always)]
fn elements_64(x: &I64) -> &[u64; 4] {
    // SAFETY: two registers have the size and more than the alignment of four integers, and any bits are integers.
    unsafe { &*(&raw const x.0).cast() }
}

impl Neon {
    /// The entries of `table` that the low bits of `x` number; `N` is a power of two.
    #[inline(always)]
    fn words<const N: usize>(self, table: &[u32; N], x: I32) -> I32 {
        let at = elements(&x);
        let entries = [
            table[at[0] as usize & (N - 1)],
            table[at[1] as usize & (N - 1)],
            table[at[2] as usize & (N - 1)],
            table[at[3] as usize & (N - 1)],
        ];
        // SAFETY: `self` exists, so the CPU has NEON; reads the four integers of `entries`.
        I32(unsafe { vreinterpretq_s32_u32(vld1q_u32(entries.as_ptr())) })
    }

    /// The entries of `table` that the low bits of `x` number; `N` is a power of two.
    #[inline(always)]
    fn doubles<const N: usize>(self, table: &[f64; N], x: I64) -> F64 {
        let at = elements_64(&x);
        let entries = [
            table[at[0] as usize & (N - 1)],
            table[at[1] as usize & (N - 1)],
            table[at[2] as usize & (N - 1)],
            table[at[3] as usize & (N - 1)],
        ];
        // SAFETY: `self` exists, so the CPU has NEON; reads the four doubles of `entries`.
        F64(unsafe { [vld1q_f64(entries.as_ptr()), vld1q_f64(entries[2..].as_ptr())] })
    }
}

#[inline(always)]
fn not_64(mask: uint64x2_t) -> uint64x2_t {
    neon!(vreinterpretq_u64_u32(vmvnq_u32(vreinterpretq_u32_u64(mask))))
}
