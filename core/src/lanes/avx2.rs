//! AVX2: eight elements per vector.
//!
//! A row is loaded as two halves of 16 bytes and eight of them are transposed in registers, in two thirds of the time
//! of eight-lane gathers (`docs/performance.md`).

use std::arch::x86_64::*;

use super::{Lanes, Work, operators};

/// Proof that the CPU, and the operating system, have AVX2; and FMA, where `FMA` says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx2<const FMA: bool = false>(());

impl Avx2 {
    /// The token, if this CPU has AVX2.
    pub fn new() -> Option<Avx2> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    /// The token whose approximations fuse multiplication and addition, if this CPU has FMA.
    pub(crate) fn fused(self) -> Option<Avx2<true>> {
        std::arch::is_x86_feature_detected!("fma").then_some(Avx2(()))
    }
}

/// Instructions that touch no memory.
macro_rules! avx2 {
    ($instructions:expr) => {
        // SAFETY: the token or a vector is at hand, and detection alone makes the token: the CPU has AVX2.
        unsafe { $instructions }
    };
}

mod approximate;

/// Eight floats.
#[derive(Clone, Copy)]
pub(crate) struct F32(__m256);
/// Eight doubles: elements 0 to 3, 4 to 7.
#[derive(Clone, Copy)]
pub(crate) struct F64([__m256d; 2]);
/// Eight integers of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct I32(__m256i);
/// Eight integers of 64 bits: elements 0 to 3, 4 to 7.
#[derive(Clone, Copy)]
pub(crate) struct I64([__m256i; 2]);
/// All bits of a lane set for yes, none for no.
#[derive(Clone, Copy)]
pub(crate) struct M32(__m256i);
/// All bits of a lane set for yes, none for no.
#[derive(Clone, Copy)]
pub(crate) struct M64([__m256d; 2]);

operators!(avx2, F32, one: Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps);
operators!(avx2, F64, two: Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);
operators!(avx2, I32, one: Add add _mm256_add_epi32, Sub sub _mm256_sub_epi32);
operators!(avx2, I32, one: BitAnd bitand _mm256_and_si256, BitOr bitor _mm256_or_si256, BitXor bitxor _mm256_xor_si256);
operators!(avx2, I64, two: Add add _mm256_add_epi64, Sub sub _mm256_sub_epi64);
operators!(avx2, I64, two: BitAnd bitand _mm256_and_si256, BitOr bitor _mm256_or_si256, BitXor bitxor _mm256_xor_si256);
operators!(avx2, M32, one: BitAnd bitand _mm256_and_si256, BitOr bitor _mm256_or_si256);
operators!(avx2, M64, two: BitAnd bitand _mm256_and_pd, BitOr bitor _mm256_or_pd);

#[target_feature(enable = "avx2")]
fn enter<W: Work>(lanes: Avx2, work: W) -> W::Output {
    work.on_lanes(lanes)
}

#[target_feature(enable = "avx2,fma")]
fn enter_fused<W: Work>(lanes: Avx2<true>, work: W) -> W::Output {
    work.on_lanes(lanes)
}

/// The eight integers of a vector, as memory.
#[inline(always)]
fn elements(x: &I32) -> &[u32; 8] {
    // SAFETY: a register's type has the size and more than the alignment of eight integers, and any bits are integers.
    unsafe { &*(&raw const x.0).cast() }
}

impl<const FMA: bool> Lanes for Avx2<FMA> {
    const N: usize = 8;
    type Floats = [f32; 8];
    type F32 = F32;
    type F64 = F64;
    type I32 = I32;
    type I64 = I64;
    type M32 = M32;
    type M64 = M64;

    #[inline(always)]
    fn enter<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists, so the CPU has AVX2, and FMA where `FMA` says so.
        unsafe { if FMA { enter_fused(Avx2(()), work) } else { enter(Avx2(()), work) } }
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> F32 {
        F32(avx2!(_mm256_set1_ps(x)))
    }
    #[inline(always)]
    fn splat_f64(self, x: f64) -> F64 {
        F64([avx2!(_mm256_set1_pd(x)); 2])
    }
    #[inline(always)]
    fn splat_i32(self, x: i32) -> I32 {
        I32(avx2!(_mm256_set1_epi32(x)))
    }
    #[inline(always)]
    fn splat_i64(self, x: i64) -> I64 {
        I64([avx2!(_mm256_set1_epi64x(x)); 2])
    }
    #[inline(always)]
    fn split(self, data: &mut [f32]) -> (&mut [[f32; 8]], &mut [f32]) {
        data.as_chunks_mut()
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> F32 {
        let from: &[f32; 8] = from.first_chunk().expect("eight floats");
        // SAFETY: `self` exists, so the CPU has AVX2; reads the eight floats of `from`.
        F32(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, x: F32, to: &mut [f32]) {
        let to: &mut [f32; 8] = to.first_chunk_mut().expect("eight floats");
        // SAFETY: `self` exists, so the CPU has AVX2; writes the eight floats of `to`.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), x.0) }
    }

    #[inline(always)]
    fn bits(self, x: F32) -> I32 {
        I32(avx2!(_mm256_castps_si256(x.0)))
    }
    #[inline(always)]
    fn from_bits(self, x: I32) -> F32 {
        F32(avx2!(_mm256_castsi256_ps(x.0)))
    }
    #[inline(always)]
    fn shl<const K: u32>(self, x: I32) -> I32 {
        I32(avx2!(_mm256_sll_epi32(x.0, _mm_cvtsi32_si128(K as i32))))
    }
    #[inline(always)]
    fn shr<const K: u32>(self, x: I32) -> I32 {
        I32(avx2!(_mm256_srl_epi32(x.0, _mm_cvtsi32_si128(K as i32))))
    }
    #[inline(always)]
    fn shl_each(self, x: I32, by: I32) -> I32 {
        I32(avx2!(_mm256_sllv_epi32(x.0, by.0)))
    }
    #[inline(always)]
    fn shr_each(self, x: I32, by: I32) -> I32 {
        I32(avx2!(_mm256_srlv_epi32(x.0, by.0)))
    }
    #[inline(always)]
    fn eq_i32(self, a: I32, b: I32) -> M32 {
        M32(avx2!(_mm256_cmpeq_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn gt_i32(self, a: I32, b: I32) -> M32 {
        M32(avx2!(_mm256_cmpgt_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn not_ge(self, a: F32, b: F32) -> M32 {
        M32(avx2!(_mm256_castps_si256(_mm256_cmp_ps::<_CMP_NGE_UQ>(a.0, b.0))))
    }
    #[inline(always)]
    fn is_nan(self, x: F32) -> M32 {
        M32(avx2!(_mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(x.0, x.0))))
    }
    #[inline(always)]
    fn select_f32(self, mask: M32, yes: F32, no: F32) -> F32 {
        self.by_sign_f32(I32(mask.0), yes, no)
    }
    #[inline(always)]
    fn select_i32(self, mask: M32, yes: I32, no: I32) -> I32 {
        self.by_sign_i32(I32(mask.0), yes, no)
    }
    #[inline(always)]
    fn by_sign_f32(self, by: I32, negative: F32, positive: F32) -> F32 {
        F32(avx2!(_mm256_blendv_ps(positive.0, negative.0, _mm256_castsi256_ps(by.0))))
    }
    #[inline(always)]
    fn by_sign_i32(self, by: I32, negative: I32, positive: I32) -> I32 {
        self.bits(self.by_sign_f32(by, self.from_bits(negative), self.from_bits(positive)))
    }
    #[inline(always)]
    fn zero_if(self, mask: M32, x: I32) -> I32 {
        I32(avx2!(_mm256_andnot_si256(mask.0, x.0)))
    }
    #[inline(always)]
    fn look_up_512(self, table: &[u32; 512], x: I32) -> I32 {
        // SAFETY: `self` exists, so the CPU has AVX2; a number of nine bits is below 512.
        I32(unsafe { _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), _mm256_srli_epi32::<23>(x.0)) })
    }
    const LOOKS_UP_32: bool = false;
    #[inline(always)]
    fn look_up_32(self, table: &[u32; 32], x: I32) -> I32 {
        let index = x & self.splat_i32(31);
        // SAFETY: `self` exists, so the CPU has AVX2; the indices are 0 to 31.
        I32(unsafe { _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), index.0) })
    }
    // The permutation reads no more of an index than the three bits that number an entry.
    #[inline(always)]
    fn look_up_8_words(self, table: &[u32; 8], x: I32) -> I32 {
        // SAFETY: `self` exists, so the CPU has AVX2; reads the eight integers of `table`.
        let table = unsafe { _mm256_loadu_si256(table.as_ptr().cast()) };
        I32(avx2!(_mm256_permutevar8x32_epi32(table, x.0)))
    }
    #[inline(always)]
    fn products(self, a: I32, b: I32) -> I64 {
        let (low_a, low_b) = avx2!((_mm256_castsi256_si128(a.0), _mm256_castsi256_si128(b.0)));
        let (high_a, high_b) = avx2!((_mm256_extracti128_si256::<1>(a.0), _mm256_extracti128_si256::<1>(b.0)));
        I64(avx2!([
            _mm256_mul_epu32(_mm256_cvtepu32_epi64(low_a), _mm256_cvtepu32_epi64(low_b)),
            _mm256_mul_epu32(_mm256_cvtepu32_epi64(high_a), _mm256_cvtepu32_epi64(high_b))
        ]))
    }

    #[inline(always)]
    fn widen(self, x: F32) -> F64 {
        F64(avx2!([_mm256_cvtps_pd(_mm256_castps256_ps128(x.0)), _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(x.0))]))
    }
    #[inline(always)]
    fn narrow(self, x: F64) -> F32 {
        F32(avx2!(_mm256_set_m128(_mm256_cvtpd_ps(x.0[1]), _mm256_cvtpd_ps(x.0[0]))))
    }
    #[inline(always)]
    fn bits_64(self, x: F64) -> I64 {
        I64(avx2!([_mm256_castpd_si256(x.0[0]), _mm256_castpd_si256(x.0[1])]))
    }
    #[inline(always)]
    fn from_bits_64(self, x: I64) -> F64 {
        F64(avx2!([_mm256_castsi256_pd(x.0[0]), _mm256_castsi256_pd(x.0[1])]))
    }
    #[inline(always)]
    fn sqrt(self, x: F64) -> F64 {
        F64(avx2!([_mm256_sqrt_pd(x.0[0]), _mm256_sqrt_pd(x.0[1])]))
    }
    #[inline(always)]
    fn shl_64<const K: u32>(self, x: I64) -> I64 {
        let by = avx2!(_mm_cvtsi32_si128(K as i32));
        I64(avx2!([_mm256_sll_epi64(x.0[0], by), _mm256_sll_epi64(x.0[1], by)]))
    }
    #[inline(always)]
    fn shr_64<const K: u32>(self, x: I64) -> I64 {
        let by = avx2!(_mm_cvtsi32_si128(K as i32));
        I64(avx2!([_mm256_srl_epi64(x.0[0], by), _mm256_srl_epi64(x.0[1], by)]))
    }
    #[inline(always)]
    fn eq_i64(self, a: I64, b: I64) -> M64 {
        mask_64(avx2!([_mm256_cmpeq_epi64(a.0[0], b.0[0]), _mm256_cmpeq_epi64(a.0[1], b.0[1])]))
    }
    #[inline(always)]
    fn gt_i64(self, a: I64, b: I64) -> M64 {
        mask_64(avx2!([_mm256_cmpgt_epi64(a.0[0], b.0[0]), _mm256_cmpgt_epi64(a.0[1], b.0[1])]))
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
        F64(avx2!([_mm256_blendv_pd(no.0[0], yes.0[0], mask.0[0]), _mm256_blendv_pd(no.0[1], yes.0[1], mask.0[1])]))
    }
    #[inline(always)]
    fn select_i64(self, mask: M64, yes: I64, no: I64) -> I64 {
        self.bits_64(self.select_f64(mask, self.from_bits_64(yes), self.from_bits_64(no)))
    }
    #[inline(always)]
    fn look_up_8(self, table: &[f64; 8], x: I64) -> F64 {
        let index = x & self.splat_i64(7);
        // SAFETY: `self` exists, so the CPU has AVX2; the indices are 0 to 7.
        F64(unsafe {
            [_mm256_i64gather_pd::<8>(table.as_ptr(), index.0[0]), _mm256_i64gather_pd::<8>(table.as_ptr(), index.0[1])]
        })
    }
    #[inline(always)]
    fn look_up_16(self, table: &[f64; 16], x: I64) -> F64 {
        let index = x & self.splat_i64(15);
        // SAFETY: `self` exists, so the CPU has AVX2; the indices are 0 to 15.
        F64(unsafe {
            [_mm256_i64gather_pd::<8>(table.as_ptr(), index.0[0]), _mm256_i64gather_pd::<8>(table.as_ptr(), index.0[1])]
        })
    }
    // Within each half of 16 bytes the words of both registers: the elements' order is 0 1 4 5 2 3 6 7.
    #[inline(always)]
    fn low_words(self, x: F64) -> I32 {
        let words = avx2!(_mm256_shuffle_ps::<0x88>(_mm256_castpd_ps(x.0[0]), _mm256_castpd_ps(x.0[1])));
        self.bits(F32(words))
    }
    #[inline(always)]
    fn high_words(self, x: F64) -> I32 {
        let words = avx2!(_mm256_shuffle_ps::<0xdd>(_mm256_castpd_ps(x.0[0]), _mm256_castpd_ps(x.0[1])));
        self.bits(F32(words))
    }
    #[inline(always)]
    fn in_order(self, mask: M32) -> M32 {
        M32(avx2!(_mm256_permute4x64_epi64::<0b11_01_10_00>(mask.0)))
    }

    const LOOKS_UP: bool = false;
    #[inline(always)]
    fn mul_add(self, a: F64, b: F64, c: F64) -> F64 {
        approximate::mul_add::<FMA>(a, b, c)
    }
    #[inline(always)]
    fn neg_mul_add(self, a: F64, b: F64, c: F64) -> F64 {
        approximate::neg_mul_add::<FMA>(a, b, c)
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
        F32(avx2!(_mm256_min_ps(a.0, b.0)))
    }
    #[inline(always)]
    fn max_f32(self, a: F32, b: F32) -> F32 {
        F32(avx2!(_mm256_max_ps(a.0, b.0)))
    }
    #[inline(always)]
    fn max_f64(self, a: F64, b: F64) -> F64 {
        F64(avx2!([_mm256_max_pd(a.0[0], b.0[0]), _mm256_max_pd(a.0[1], b.0[1])]))
    }

    #[inline(always)]
    fn nowhere(self) -> M32 {
        M32(avx2!(_mm256_setzero_si256()))
    }
    #[inline(always)]
    fn any(self, mask: M32) -> bool {
        avx2!(_mm256_testz_si256(mask.0, mask.0)) == 0
    }
    #[inline(always)]
    fn lanes(self, mask: M32) -> u32 {
        avx2!(_mm256_movemask_ps(_mm256_castsi256_ps(mask.0))) as u32
    }
    #[inline(always)]
    fn narrow_mask(self, mask: M64) -> M32 {
        self.in_order(M32(self.low_words(F64(mask.0)).0))
    }

    #[inline(always)]
    unsafe fn row_floats(self, rows: *const u8, offsets: &I32) -> [F32; 3] {
        let at = elements(offsets);
        macro_rules! pair {
            ($low:literal, $high:literal) => {
                // SAFETY: `self` exists, so the CPU has AVX2; the caller promises a whole, aligned row at each offset.
                unsafe {
                    _mm256_set_m128(
                        _mm_load_ps(rows.byte_add(at[$high] as usize).cast()),
                        _mm_load_ps(rows.byte_add(at[$low] as usize).cast()),
                    )
                }
            };
        }
        let (a, b, c, d) = (pair!(0, 4), pair!(1, 5), pair!(2, 6), pair!(3, 7));
        let (ab, cd) = avx2!((_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d)));
        let (ab2, cd2) = avx2!((_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d)));
        [
            F32(avx2!(_mm256_shuffle_ps::<0x44>(ab, cd))),
            F32(avx2!(_mm256_shuffle_ps::<0xee>(ab, cd))),
            F32(avx2!(_mm256_shuffle_ps::<0x44>(ab2, cd2))),
        ]
    }
    #[inline(always)]
    unsafe fn row_doubles(self, rows: *const u8, offsets: &I32) -> [F64; 2] {
        let at = elements(offsets);
        macro_rules! pair {
            ($low:literal, $high:literal) => {
                // SAFETY: `self` exists, so the CPU has AVX2; the caller promises a whole, aligned row at each offset.
                unsafe {
                    _mm256_set_m128d(
                        _mm_load_pd(rows.byte_add(at[$high] as usize + 16).cast()),
                        _mm_load_pd(rows.byte_add(at[$low] as usize + 16).cast()),
                    )
                }
            };
        }
        let (even, odd, even2, odd2) = (pair!(0, 2), pair!(1, 3), pair!(4, 6), pair!(5, 7));
        [
            F64(avx2!([_mm256_unpacklo_pd(even, odd), _mm256_unpacklo_pd(even2, odd2)])),
            F64(avx2!([_mm256_unpackhi_pd(even, odd), _mm256_unpackhi_pd(even2, odd2)])),
        ]
    }
}

#[inline(always)]
fn mask_64(lanes: [__m256i; 2]) -> M64 {
    M64(avx2!([_mm256_castsi256_pd(lanes[0]), _mm256_castsi256_pd(lanes[1])]))
}

#[inline(always)]
fn compare<const PREDICATE: i32>(a: F64, b: F64) -> M64 {
    M64(avx2!([_mm256_cmp_pd::<PREDICATE>(a.0[0], b.0[0]), _mm256_cmp_pd::<PREDICATE>(a.0[1], b.0[1])]))
}
