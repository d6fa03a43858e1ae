//! AVX-512: sixteen elements per vector. Needs no more than AVX512F.
//!
//! A row is loaded as two halves of 16 bytes, put beside those of three other rows, and transposed in registers. Gathers are
//! slow on CPUs patched against data sampling (Intel's INTEL-SA-00828) and on AMD's: only the words of the slots are
//! gathered, and those only where two registers a side cannot hold them (`docs/performance.md`).

use std::arch::x86_64::*;

use super::avx2::Avx2;
use super::{Lanes, Work, operators};

/// Proof that the CPU, and the operating system, have AVX-512F; and AVX2, for blocks shorter than sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The token, if this CPU has AVX-512F.
    pub fn new() -> Option<Avx512> {
        let avx2 = Avx2::new()?;
        std::arch::is_x86_feature_detected!("avx512f").then_some(Avx512(avx2))
    }

    /// The token of AVX2.
    pub fn avx2(self) -> Avx2 {
        self.0
    }
}

/// Instructions that touch no memory.
macro_rules! avx512 {
    ($instructions:expr) => {
        // SAFETY: the token or a vector is at hand, and detection alone makes the token: the CPU has AVX-512F.
        unsafe { $instructions }
    };
}

mod approximate;

/// Sixteen floats.
#[derive(Clone, Copy)]
pub(crate) struct F32(__m512);
/// Sixteen doubles: elements 0 to 7, 8 to 15.
#[derive(Clone, Copy)]
pub(crate) struct F64([__m512d; 2]);
/// Sixteen integers of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct I32(__m512i);
/// Sixteen integers of 64 bits: elements 0 to 7, 8 to 15.
#[derive(Clone, Copy)]
pub(crate) struct I64([__m512i; 2]);
/// A bit a lane.
#[derive(Clone, Copy)]
pub(crate) struct M32(__mmask16);
/// A bit a lane: elements 0 to 7, 8 to 15.
#[derive(Clone, Copy)]
pub(crate) struct M64([__mmask8; 2]);

operators!(avx512, F32, one: Add add _mm512_add_ps, Sub sub _mm512_sub_ps, Mul mul _mm512_mul_ps);
operators!(avx512, F64, two: Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);
operators!(avx512, I32, one: Add add _mm512_add_epi32, Sub sub _mm512_sub_epi32);
operators!(avx512, I32, one: BitAnd bitand _mm512_and_si512, BitOr bitor _mm512_or_si512, BitXor bitxor _mm512_xor_si512);
operators!(avx512, I64, two: Add add _mm512_add_epi64, Sub sub _mm512_sub_epi64);
operators!(avx512, I64, two: BitAnd bitand _mm512_and_si512, BitOr bitor _mm512_or_si512, BitXor bitxor _mm512_xor_si512);
operators!(avx512, M32, one: BitAnd bitand _mm512_kand, BitOr bitor _mm512_kor);

impl std::ops::BitAnd for M64 {
    type Output = M64;
    #[inline(always)]
    fn bitand(self, other: M64) -> M64 {
        M64([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl std::ops::BitOr for M64 {
    type Output = M64;
    #[inline(always)]
    fn bitor(self, other: M64) -> M64 {
        M64([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

#[target_feature(enable = "avx512f")]
fn enter<W: Work>(lanes: Avx512, work: W) -> W::Output {
    work.on_lanes(lanes)
}

/// The sixteen integers of a vector, as memory.
#[inline(always)]
fn elements(x: &I32) -> &[u32; 16] {
    // SAFETY: a register's type has the size and more than the alignment of sixteen integers, and any bits are integers.
    unsafe { &*(&raw const x.0).cast() }
}

impl Lanes for Avx512 {
    const N: usize = 16;
    type Floats = [f32; 16];
    type F32 = F32;
    type F64 = F64;
    type I32 = I32;
    type I64 = I64;
    type M32 = M32;
    type M64 = M64;

    #[inline(always)]
    fn enter<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists, so the CPU has AVX-512F.
        unsafe { enter(self, work) }
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> F32 {
        F32(avx512!(_mm512_set1_ps(x)))
    }
    #[inline(always)]
    fn splat_f64(self, x: f64) -> F64 {
        F64([avx512!(_mm512_set1_pd(x)); 2])
    }
    #[inline(always)]
    fn splat_i32(self, x: i32) -> I32 {
        I32(avx512!(_mm512_set1_epi32(x)))
    }
    #[inline(always)]
    fn splat_i64(self, x: i64) -> I64 {
        I64([avx512!(_mm512_set1_epi64(x)); 2])
    }
    #[inline(always)]
    fn split(self, data: &mut [f32]) -> (&mut [[f32; 16]], &mut [f32]) {
        data.as_chunks_mut()
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> F32 {
        let from: &[f32; 16] = from.first_chunk().expect("sixteen floats");
        // SAFETY: `self` exists, so the CPU has AVX-512F; reads the sixteen floats of `from`.
        F32(unsafe { _mm512_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, x: F32, to: &mut [f32]) {
        let to: &mut [f32; 16] = to.first_chunk_mut().expect("sixteen floats");
        // SAFETY: `self` exists, so the CPU has AVX-512F; writes the sixteen floats of `to`.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), x.0) }
    }

    #[inline(always)]
    fn bits(self, x: F32) -> I32 {
        I32(avx512!(_mm512_castps_si512(x.0)))
    }
    #[inline(always)]
    fn from_bits(self, x: I32) -> F32 {
        F32(avx512!(_mm512_castsi512_ps(x.0)))
    }
    #[inline(always)]
    fn shl<const K: u32>(self, x: I32) -> I32 {
        I32(avx512!(_mm512_slli_epi32::<K>(x.0)))
    }
    #[inline(always)]
    fn shr<const K: u32>(self, x: I32) -> I32 {
        I32(avx512!(_mm512_srli_epi32::<K>(x.0)))
    }
    #[inline(always)]
    fn shl_each(self, x: I32, by: I32) -> I32 {
        I32(avx512!(_mm512_sllv_epi32(x.0, by.0)))
    }
    #[inline(always)]
    fn shr_each(self, x: I32, by: I32) -> I32 {
        I32(avx512!(_mm512_srlv_epi32(x.0, by.0)))
    }
    #[inline(always)]
    fn eq_i32(self, a: I32, b: I32) -> M32 {
        M32(avx512!(_mm512_cmpeq_epi32_mask(a.0, b.0)))
    }
    #[inline(always)]
    fn gt_i32(self, a: I32, b: I32) -> M32 {
        M32(avx512!(_mm512_cmpgt_epi32_mask(a.0, b.0)))
    }
    #[inline(always)]
    fn not_ge(self, a: F32, b: F32) -> M32 {
        M32(avx512!(_mm512_cmp_ps_mask::<_CMP_NGE_UQ>(a.0, b.0)))
    }
    #[inline(always)]
    fn is_nan(self, x: F32) -> M32 {
        M32(avx512!(_mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x.0, x.0)))
    }
    #[inline(always)]
    fn select_f32(self, mask: M32, yes: F32, no: F32) -> F32 {
        F32(avx512!(_mm512_mask_blend_ps(mask.0, no.0, yes.0)))
    }
    #[inline(always)]
    fn select_i32(self, mask: M32, yes: I32, no: I32) -> I32 {
        I32(avx512!(_mm512_mask_blend_epi32(mask.0, no.0, yes.0)))
    }
    #[inline(always)]
    fn by_sign_f32(self, by: I32, negative: F32, positive: F32) -> F32 {
        self.select_f32(self.gt_i32(self.splat_i32(0), by), negative, positive)
    }
    #[inline(always)]
    fn by_sign_i32(self, by: I32, negative: I32, positive: I32) -> I32 {
        self.select_i32(self.gt_i32(self.splat_i32(0), by), negative, positive)
    }
    #[inline(always)]
    fn zero_if(self, mask: M32, x: I32) -> I32 {
        I32(avx512!(_mm512_maskz_mov_epi32(!mask.0, x.0)))
    }
    #[inline(always)]
    fn look_up_512(self, table: &[u32; 512], x: I32) -> I32 {
        // SAFETY: `self` exists, so the CPU has AVX-512F; a number of nine bits is below 512.
        I32(unsafe { _mm512_i32gather_epi32::<4>(_mm512_srli_epi32::<23>(x.0), table.as_ptr().cast()) })
    }
    // The permutation reads no more of an index than the five bits that number an entry.
    const LOOKS_UP_32: bool = true;
    #[inline(always)]
    fn look_up_32(self, table: &[u32; 32], x: I32) -> I32 {
        // SAFETY: `self` exists, so the CPU has AVX-512F; reads the two times sixteen integers of `table`.
        let (a, b) =
            unsafe { (_mm512_loadu_epi32(table.as_ptr().cast()), _mm512_loadu_epi32(table[16..].as_ptr().cast())) };
        I32(avx512!(_mm512_permutex2var_epi32(a, x.0, b)))
    }
    // It reads four bits of an index: the table stands twice.
    #[inline(always)]
    fn look_up_8_words(self, table: &[u32; 8], x: I32) -> I32 {
        // SAFETY: `self` exists, so the CPU has AVX-512F and AVX; reads the eight integers of `table`.
        let table = unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(table.as_ptr().cast())) };
        I32(avx512!(_mm512_permutexvar_epi32(x.0, table)))
    }
    #[inline(always)]
    fn products(self, a: I32, b: I32) -> I64 {
        let (low_a, low_b) = avx512!((_mm512_castsi512_si256(a.0), _mm512_castsi512_si256(b.0)));
        let (high_a, high_b) = avx512!((_mm512_extracti64x4_epi64::<1>(a.0), _mm512_extracti64x4_epi64::<1>(b.0)));
        I64(avx512!([
            _mm512_mul_epu32(_mm512_cvtepu32_epi64(low_a), _mm512_cvtepu32_epi64(low_b)),
            _mm512_mul_epu32(_mm512_cvtepu32_epi64(high_a), _mm512_cvtepu32_epi64(high_b))
        ]))
    }

    #[inline(always)]
    fn widen(self, x: F32) -> F64 {
        let high = avx512!(_mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(x.0))));
        F64(avx512!([_mm512_cvtps_pd(_mm512_castps512_ps256(x.0)), _mm512_cvtps_pd(high)]))
    }
    #[inline(always)]
    fn narrow(self, x: F64) -> F32 {
        let (low, high) = avx512!((_mm512_cvtpd_ps(x.0[0]), _mm512_cvtpd_ps(x.0[1])));
        let low = avx512!(_mm512_castps_pd(_mm512_castps256_ps512(low)));
        F32(avx512!(_mm512_castpd_ps(_mm512_insertf64x4::<1>(low, _mm256_castps_pd(high)))))
    }
    #[inline(always)]
    fn bits_64(self, x: F64) -> I64 {
        I64(avx512!([_mm512_castpd_si512(x.0[0]), _mm512_castpd_si512(x.0[1])]))
    }
    #[inline(always)]
    fn from_bits_64(self, x: I64) -> F64 {
        F64(avx512!([_mm512_castsi512_pd(x.0[0]), _mm512_castsi512_pd(x.0[1])]))
    }
    #[inline(always)]
    fn sqrt(self, x: F64) -> F64 {
        F64(avx512!([_mm512_sqrt_pd(x.0[0]), _mm512_sqrt_pd(x.0[1])]))
    }
    #[inline(always)]
    fn shl_64<const K: u32>(self, x: I64) -> I64 {
        I64(avx512!([_mm512_slli_epi64::<K>(x.0[0]), _mm512_slli_epi64::<K>(x.0[1])]))
    }
    #[inline(always)]
    fn shr_64<const K: u32>(self, x: I64) -> I64 {
        I64(avx512!([_mm512_srli_epi64::<K>(x.0[0]), _mm512_srli_epi64::<K>(x.0[1])]))
    }
    #[inline(always)]
    fn eq_i64(self, a: I64, b: I64) -> M64 {
        M64(avx512!([_mm512_cmpeq_epi64_mask(a.0[0], b.0[0]), _mm512_cmpeq_epi64_mask(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn gt_i64(self, a: I64, b: I64) -> M64 {
        M64(avx512!([_mm512_cmpgt_epi64_mask(a.0[0], b.0[0]), _mm512_cmpgt_epi64_mask(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn eq_f64(self, a: F64, b: F64) -> M64 {
        compare::<_CMP_EQ_OQ>(a, b)
    }
    #[inline(always)]
    fn lt_f64(self, a: F64, b: F64) -> M64 {
        compare::<_CMP_LT_OQ>(a, b)
    }
    #[inline(always)]
    fn le_f64(self, a: F64, b: F64) -> M64 {
        compare::<_CMP_LE_OQ>(a, b)
    }
    #[inline(always)]
    fn not_ge_f64(self, a: F64, b: F64) -> M64 {
        compare::<_CMP_NGE_UQ>(a, b)
    }
    #[inline(always)]
    fn select_f64(self, mask: M64, yes: F64, no: F64) -> F64 {
        F64(avx512!([
            _mm512_mask_blend_pd(mask.0[0], no.0[0], yes.0[0]),
            _mm512_mask_blend_pd(mask.0[1], no.0[1], yes.0[1])
        ]))
    }
    #[inline(always)]
    fn select_i64(self, mask: M64, yes: I64, no: I64) -> I64 {
        I64(avx512!([
            _mm512_mask_blend_epi64(mask.0[0], no.0[0], yes.0[0]),
            _mm512_mask_blend_epi64(mask.0[1], no.0[1], yes.0[1])
        ]))
    }
    // The permutations read no more of an index than the bits that number an entry.
    #[inline(always)]
    fn look_up_8(self, table: &[f64; 8], x: I64) -> F64 {
        // SAFETY: `self` exists, so the CPU has AVX-512F; reads the eight doubles of `table`.
        let table = unsafe { _mm512_loadu_pd(table.as_ptr()) };
        F64(avx512!([_mm512_permutexvar_pd(x.0[0], table), _mm512_permutexvar_pd(x.0[1], table)]))
    }
    #[inline(always)]
    fn look_up_16(self, table: &[f64; 16], x: I64) -> F64 {
        // SAFETY: `self` exists, so the CPU has AVX-512F; reads the two times eight doubles of `table`.
        let (a, b) = unsafe { (_mm512_loadu_pd(table.as_ptr()), _mm512_loadu_pd(table[8..].as_ptr())) };
        F64(avx512!([_mm512_permutex2var_pd(a, x.0[0], b), _mm512_permutex2var_pd(a, x.0[1], b)]))
    }
    // Within 128 bits, which leaves the multipliers' ports alone: in each quarter two elements of the lower half, then two of
    // the upper.
    #[inline(always)]
    fn low_words(self, x: F64) -> I32 {
        let x = avx512!((_mm512_castpd_ps(x.0[0]), _mm512_castpd_ps(x.0[1])));
        I32(avx512!(_mm512_castps_si512(_mm512_shuffle_ps::<0x88>(x.0, x.1))))
    }
    #[inline(always)]
    fn high_words(self, x: F64) -> I32 {
        let x = avx512!((_mm512_castpd_ps(x.0[0]), _mm512_castpd_ps(x.0[1])));
        I32(avx512!(_mm512_castps_si512(_mm512_shuffle_ps::<0xdd>(x.0, x.1))))
    }
    #[inline(always)]
    fn in_order(self, mask: M32) -> M32 {
        if mask.0 == 0 { mask } else { M32(pairs(mask.0) | pairs(mask.0 >> 2) << 8) }
    }

    const LOOKS_UP: bool = true;
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
        F32(avx512!(_mm512_min_ps(a.0, b.0)))
    }
    #[inline(always)]
    fn max_f32(self, a: F32, b: F32) -> F32 {
        F32(avx512!(_mm512_max_ps(a.0, b.0)))
    }
    #[inline(always)]
    fn max_f64(self, a: F64, b: F64) -> F64 {
        F64(avx512!([_mm512_max_pd(a.0[0], b.0[0]), _mm512_max_pd(a.0[1], b.0[1])]))
    }

    #[inline(always)]
    fn nowhere(self) -> M32 {
        M32(0)
    }
    #[inline(always)]
    fn any(self, mask: M32) -> bool {
        mask.0 != 0
    }
    #[inline(always)]
    fn lanes(self, mask: M32) -> u32 {
        u32::from(mask.0)
    }
    #[inline(always)]
    fn narrow_mask(self, mask: M64) -> M32 {
        M32(u16::from(mask.0[0]) | u16::from(mask.0[1]) << 8)
    }

    #[inline(always)]
    unsafe fn row_floats(self, rows: *const u8, offsets: &I32) -> [F32; 3] {
        let at = elements(offsets);
        macro_rules! four {
            ($a:literal, $b:literal, $c:literal, $d:literal) => {
                // SAFETY: `self` exists, so the CPU has AVX-512F; the caller promises a whole, aligned row at each offset.
                unsafe {
                    let a = _mm512_castps128_ps512(_mm_load_ps(rows.byte_add(at[$a] as usize).cast()));
                    let b = _mm512_insertf32x4::<1>(a, _mm_load_ps(rows.byte_add(at[$b] as usize).cast()));
                    let c = _mm512_insertf32x4::<2>(b, _mm_load_ps(rows.byte_add(at[$c] as usize).cast()));
                    _mm512_insertf32x4::<3>(c, _mm_load_ps(rows.byte_add(at[$d] as usize).cast()))
                }
            };
        }
        let (a, b, c, d) = (four!(0, 4, 8, 12), four!(1, 5, 9, 13), four!(2, 6, 10, 14), four!(3, 7, 11, 15));
        let (ab, cd) = avx512!((_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d)));
        let (ab2, cd2) = avx512!((_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d)));
        [
            F32(avx512!(_mm512_shuffle_ps::<0x44>(ab, cd))),
            F32(avx512!(_mm512_shuffle_ps::<0xee>(ab, cd))),
            F32(avx512!(_mm512_shuffle_ps::<0x44>(ab2, cd2))),
        ]
    }
    #[inline(always)]
    unsafe fn row_doubles(self, rows: *const u8, offsets: &I32) -> [F64; 2] {
        let at = elements(offsets);
        macro_rules! four {
            ($a:literal, $b:literal, $c:literal, $d:literal) => {
                // SAFETY: `self` exists, so the CPU has AVX-512F; the caller promises a whole, aligned row at each offset.
                unsafe {
                    let a = _mm512_castps128_ps512(_mm_load_ps(rows.byte_add(at[$a] as usize + 16).cast()));
                    let b = _mm512_insertf32x4::<1>(a, _mm_load_ps(rows.byte_add(at[$b] as usize + 16).cast()));
                    let c = _mm512_insertf32x4::<2>(b, _mm_load_ps(rows.byte_add(at[$c] as usize + 16).cast()));
                    _mm512_castps_pd(_mm512_insertf32x4::<3>(c, _mm_load_ps(rows.byte_add(at[$d] as usize + 16).cast())))
                }
            };
        }
        let (even, odd, even2, odd2) =
            (four!(0, 2, 4, 6), four!(1, 3, 5, 7), four!(8, 10, 12, 14), four!(9, 11, 13, 15));
        [
            F64(avx512!([_mm512_unpacklo_pd(even, odd), _mm512_unpacklo_pd(even2, odd2)])),
            F64(avx512!([_mm512_unpackhi_pd(even, odd), _mm512_unpackhi_pd(even2, odd2)])),
        ]
    }
}

#[inline(always)]
fn compare<const PREDICATE: i32>(a: F64, b: F64) -> M64 {
    M64(avx512!([_mm512_cmp_pd_mask::<PREDICATE>(a.0[0], b.0[0]), _mm512_cmp_pd_mask::<PREDICATE>(a.0[1], b.0[1])]))
}

/// The lower two of every four bits, side by side.
#[inline(always)]
fn pairs(x: u16) -> u16 {
    let x = x & 0x3333;
    let x = (x | x >> 2) & 0x0f0f;
    (x | x >> 4) & 0x00ff
}
