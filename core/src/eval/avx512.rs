//! The AVX-512 tier: sixteen elements at a time; otherwise as [`super::avx2`].
//!
//! Only the words of the slots are gathered. The rows, 32 bytes each, are loaded whole and transposed: five gathers
//! would take 80 loads and not 16, and gathers are slow on CPUs patched against data sampling (Intel's INTEL-SA-00828)
//! and on AMD's. Needs no more than AVX512F. Never a fused multiply-add: each operation of the definition rounds.

use std::arch::x86_64::*;

use super::avx2::Avx2;
use super::{Unhandled, by_definition, guard, scalar};
use crate::affine::Affine;
use crate::table::{Degree, Lookup, ROW_SHIFT, Row, Table};

/// Proof that the CPU, and the operating system, have AVX-512F; and AVX2, for blocks shorter than sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The tier, if this CPU has AVX-512F.
    pub fn new() -> Option<Avx512> {
        let avx2 = Avx2::new()?;
        std::arch::is_x86_feature_detected!("avx512f").then_some(Avx512(avx2))
    }

    /// Replaces every `v` of `data` by the table's value at the scaled `v`.
    #[inline]
    pub(super) fn evaluate_block(self, table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
        if data.len() < 16 {
            return self.0.evaluate_block(table, affine, data);
        }
        // SAFETY: `self` exists, so the CPU has AVX-512F.
        unsafe {
            match (table.symmetry().enabled, table.lookup().degree()) {
                (false, Degree::Linear) => Kernel::<false, 1>::new(table, affine).run(data),
                (false, Degree::Quadratic) => Kernel::<false, 2>::new(table, affine).run(data),
                (false, Degree::Cubic) => Kernel::<false, 3>::new(table, affine).run(data),
                (true, Degree::Linear) => Kernel::<true, 1>::new(table, affine).run(data),
                (true, Degree::Quadratic) => Kernel::<true, 2>::new(table, affine).run(data),
                (true, Degree::Cubic) => Kernel::<true, 3>::new(table, affine).run(data),
            }
        }
    }
}

/// Vectors whose rows are looked up before the first of them is evaluated: see [`super::avx2`].
const CHUNK: usize = 8;

/// One table and one scaling, broadcast. `FOLD`: whether the table is symmetric. `DEGREE`: see [`Degree`].
struct Kernel<'a, const FOLD: bool, const DEGREE: u8> {
    table: &'a Table,
    lookup: &'a Lookup,
    scale: __m512,
    bias: __m512,
    /// The sign that inputs are folded to.
    set: __m512i,
    /// Thresholds and byte offsets of the clamps' rows, positive and negative side; of a symmetric table, both are
    /// the side that inputs are folded to.
    sides: [Side; 2],
    /// Results of zero, +inf, -inf.
    specials: [__m512; 3],
    /// What undoes the fold: a sign to flip, and the symmetry point.
    flip: __m512i,
    point: __m512,
}

#[derive(Clone, Copy)]
struct Side {
    high_after: __m512i,
    low_last: __m512i,
    high_row: __m512i,
    low_row: __m512i,
}

/// `d2`, then `d3`, of eight rows.
type FarHalves = (__m512d, __m512d);

impl<'a, const FOLD: bool, const DEGREE: u8> Kernel<'a, FOLD, DEGREE> {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(table: &'a Table, affine: &Affine) -> Self {
        let lookup = table.lookup();
        let (_, set) = lookup.fold_masks();
        let side = |negative: bool| {
            let side = if FOLD { set >> 31 } else { u32::from(negative) };
            let thresholds = lookup.thresholds()[side as usize];
            Side {
                high_after: _mm512_set1_epi32(thresholds.high_after),
                low_last: _mm512_set1_epi32(thresholds.low_last),
                high_row: _mm512_set1_epi32((Lookup::high_row(side) << ROW_SHIFT) as i32),
                low_row: _mm512_set1_epi32((Lookup::low_row(side) << ROW_SHIFT) as i32),
            }
        };
        let specials = table.specials();
        let symmetry = table.symmetry();
        Kernel {
            table,
            lookup,
            scale: _mm512_set1_ps(affine.scale),
            bias: _mm512_set1_ps(affine.bias),
            set: _mm512_set1_epi32(set as i32),
            sides: [side(false), side(true)],
            specials: [specials.zero, specials.pos_inf, specials.neg_inf].map(|y| _mm512_set1_ps(y)),
            flip: _mm512_set1_epi32(if symmetry.invert_sign { i32::MIN } else { 0 }),
            point: _mm512_set1_ps(symmetry.point),
        }
    }

    /// Evaluates at least sixteen inputs. The last vector may overlap the one before it, so its inputs are read before
    /// any result is written.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn run(&self, data: &mut [f32]) -> Unhandled {
        let mut unhandled = Unhandled::default();
        let last = data.len() - 16;
        let mut ending: [[f32; 16]; 1] = [data[last..].try_into().expect("sixteen")];
        let (vectors, rest) = data.as_chunks_mut::<16>();
        for (number, chunk) in vectors.chunks_mut(CHUNK).enumerate() {
            self.chunk(chunk, 0, number * CHUNK * 16, &mut unhandled);
        }
        if !rest.is_empty() {
            let done = 16 - rest.len();
            self.chunk(&mut ending, done, last, &mut unhandled);
            rest.copy_from_slice(&ending[0][done..]);
        }
        unhandled
    }

    /// Evaluates up to [`CHUNK`] vectors in place. `index` is the place of the first element in the block. The first
    /// `done` lanes were evaluated before: their results are void.
    #[target_feature(enable = "avx512f")]
    fn chunk(&self, data: &mut [[f32; 16]], done: usize, index: usize, unhandled: &mut Unhandled) {
        let mut offsets = [[0u32; 16]; CHUNK];
        for (inputs, offsets) in data.iter_mut().zip(&mut offsets) {
            // SAFETY: reads the sixteen floats of `inputs`.
            let raw = unsafe { _mm512_loadu_ps(inputs.as_ptr()) };
            let v = _mm512_add_ps(_mm512_mul_ps(self.scale, raw), self.bias);
            let (a, sel) = self.fold(v);
            // SAFETY: writes the sixteen floats of `inputs` and the sixteen integers of `offsets`.
            unsafe {
                _mm512_storeu_ps(inputs.as_mut_ptr(), v);
                _mm512_storeu_si512(offsets.as_mut_ptr().cast(), self.row_offsets(a, sel));
            }
        }
        for (number, (values, offsets)) in data.iter_mut().zip(&offsets).enumerate() {
            // SAFETY: reads the sixteen floats of `values`.
            let v = unsafe { _mm512_loadu_ps(values.as_ptr()) };
            // SAFETY: the offsets are those of rows of this table.
            let (y, left) = unsafe { self.evaluate(v, offsets) };
            let inputs = *values;
            // SAFETY: writes the sixteen floats of `values`.
            unsafe { _mm512_storeu_ps(values.as_mut_ptr(), y) };
            if left != 0 {
                let lanes = u32::from(left) & (0xffff << done);
                by_definition(self.table, lanes, &inputs, values, index + number * 16, unhandled);
            }
        }
    }

    /// The magnitudes' bits, and the folded inputs.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn fold(&self, v: __m512) -> (__m512i, __m512i) {
        let bits = _mm512_castps_si512(v);
        let a = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MAX));
        (a, if FOLD { _mm512_or_si512(a, self.set) } else { bits })
    }

    /// The results of sixteen scaled inputs, and the lanes that must take the steps of the definition.
    ///
    /// # Safety
    /// The offsets are those of rows of `self.lookup`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn evaluate(&self, v: __m512, offset: &[u32; 16]) -> (__m512, __mmask16) {
        let (a, sel) = self.fold(v);
        // SAFETY: of the caller.
        let ([low, high], [x, d0, d1]) = unsafe { self.columns(offset) };
        let t = _mm512_sub_ps(_mm512_castsi512_ps(sel), x);
        let p = _mm512_add_ps(_mm512_mul_ps(t, d1), d0);
        // SAFETY: reads the sixteen integers of `offset`.
        let offsets = unsafe { _mm512_loadu_si512(offset.as_ptr().cast()) };
        let uncovered = _mm512_testn_epi32_mask(offsets, offsets); // the sentinel
        if DEGREE == 1 {
            // 0 * t^2 + 0 * t^3 is +0 plus a zero, or NaN where t is not finite; so is t - t.
            let y = _mm512_add_ps(p, _mm512_sub_ps(t, t));
            return (self.finish(v, a, y), uncovered);
        }
        let (q0, r0) = sum::<DEGREE>(low_half(t), low_half(p), low);
        let (q1, r1) = sum::<DEGREE>(high_half(t), high_half(p), high);
        let refused = if DEGREE == 3 { refused(q0, q1, r0, r1) } else { 0 };
        let (low, high) = (_mm512_cvtpd_ps(r0), _mm512_cvtpd_ps(r1));
        let low = _mm512_castps_pd(_mm512_castps256_ps512(low));
        let y = _mm512_castpd_ps(_mm512_insertf64x4::<1>(low, _mm256_castps_pd(high)));
        (self.finish(v, a, y), uncovered | refused)
    }

    /// The byte offsets of the rows: [`Lookup::row`], sixteen at a time.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn row_offsets(&self, a: __m512i, sel: __m512i) -> __m512i {
        let slots = _mm512_srli_epi32::<23>(sel);
        // SAFETY: `words` has 512 entries and a slot has nine bits.
        let words = unsafe { _mm512_i32gather_epi32::<4>(slots, self.lookup.words().as_ptr().cast()) };
        let mantissas = _mm512_and_si512(sel, _mm512_set1_epi32(0x7f_ffff));
        let indices = _mm512_srlv_epi32(mantissas, _mm512_srli_epi32::<27>(words));
        // Shifting to bytes drops the shift in the top five bits of the word.
        let rows = _mm512_slli_epi32::<ROW_SHIFT>(_mm512_add_epi32(words, indices));
        let [pos, neg] = self.sides;
        let negative = if FOLD { 0 } else { _mm512_cmplt_epi32_mask(sel, _mm512_setzero_si512()) };
        let pick = |pos, neg| if FOLD { pos } else { _mm512_mask_blend_epi32(negative, pos, neg) };
        let in_low = _mm512_cmple_epi32_mask(a, pick(pos.low_last, neg.low_last));
        let in_high = _mm512_cmpgt_epi32_mask(a, pick(pos.high_after, neg.high_after));
        let rows = _mm512_mask_mov_epi32(rows, in_low, pick(pos.low_row, neg.low_row));
        _mm512_mask_mov_epi32(rows, in_high, pick(pos.high_row, neg.high_row))
    }

    /// The columns of sixteen rows: the far halves of the first and the last eight; `x`, `d0`, `d1`.
    ///
    /// # Safety
    /// The offsets are those of rows of `self.lookup`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn columns(&self, offset: &[u32; 16]) -> ([FarHalves; 2], [__m512; 3]) {
        let rows = self.lookup.rows().as_ptr();
        // SAFETY: of the caller; a row is 32 bytes, aligned.
        let row = |lane: usize| unsafe { _mm256_load_pd(rows.byte_add(offset[lane] as usize).cast()) };
        let pair = |a, b| _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(row(a)), row(b));
        // A row as four doubles is (x d0) (d1 -) d2 d3. The columns of eight rows, in the order of the rows:
        let eight = |first: usize| {
            let (r02, r13) = (pair(first, first + 2), pair(first + 1, first + 3));
            let (r46, r57) = (pair(first + 4, first + 6), pair(first + 5, first + 7));
            let (even, even2) = (_mm512_unpacklo_pd(r02, r13), _mm512_unpacklo_pd(r46, r57));
            let (odd, odd2) = (_mm512_unpackhi_pd(r02, r13), _mm512_unpackhi_pd(r46, r57));
            let far = (_mm512_shuffle_f64x2::<0xdd>(even, even2), _mm512_shuffle_f64x2::<0xdd>(odd, odd2));
            let near = [_mm512_shuffle_f64x2::<0x88>(even, even2), _mm512_shuffle_f64x2::<0x88>(odd, odd2)];
            (far, near.map(|pairs| _mm512_castpd_ps(pairs)))
        };
        let ((far0, [x_d0, d1]), (far1, [x_d0b, d1b])) = (eight(0), eight(8));
        let (first, second) = (evens(), odds());
        let near = [
            _mm512_permutex2var_ps(x_d0, first, x_d0b),
            _mm512_permutex2var_ps(x_d0, second, x_d0b),
            _mm512_permutex2var_ps(d1, first, d1b),
        ];
        ([far0, far1], near)
    }

    /// Undoes the fold, replaces computed NaN, and puts the results of zeros and infinities in place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn finish(&self, v: __m512, a: __m512i, y: __m512) -> __m512 {
        let mut y = y;
        if FOLD {
            let folded = _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(v, _mm512_setzero_ps()); // negative or NaN
            let flipped = _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(y), self.flip));
            y = _mm512_mask_add_ps(y, folded, flipped, self.point);
        }
        let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(y, y);
        y = _mm512_mask_mov_ps(y, nan, _mm512_set1_ps(scalar::NAN));
        let [zero, pos_inf, neg_inf] = self.specials;
        let bits = _mm512_castps_si512(v);
        y = _mm512_mask_mov_ps(y, _mm512_cmpeq_epi32_mask(bits, _mm512_set1_epi32(0x7f80_0000)), pos_inf);
        y = _mm512_mask_mov_ps(y, _mm512_cmpeq_epi32_mask(bits, _mm512_set1_epi32(0xff80_0000_u32 as i32)), neg_inf);
        _mm512_mask_mov_ps(y, _mm512_testn_epi32_mask(a, a), zero)
    }
}

/// The cubic term and the whole sum of eight lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum<const DEGREE: u8>(t: __m256, p: __m256, (d2, d3): FarHalves) -> (__m512d, __m512d) {
    let (t, p) = (_mm512_cvtps_pd(t), _mm512_cvtps_pd(p));
    let square = _mm512_mul_pd(t, t);
    let r = _mm512_add_pd(p, _mm512_mul_pd(square, d2));
    // With d3 = +0 the term is a zero of t's sign, or NaN where t is not finite; and t * 0 is that as well.
    let cube = if DEGREE == 3 { _mm512_mul_pd(square, t) } else { t };
    let d3 = if DEGREE == 3 { d3 } else { _mm512_setzero_pd() };
    let q = _mm512_mul_pd(cube, d3);
    (q, _mm512_add_pd(q, r))
}

/// [`guard::accepts`], sixteen times, as the lanes that it refuses.
#[inline]
#[target_feature(enable = "avx512f")]
fn refused(q0: __m512d, q1: __m512d, r0: __m512d, r1: __m512d) -> __mmask16 {
    let words = |which, a, b| _mm512_permutex2var_epi32(_mm512_castpd_si512(a), which, _mm512_castpd_si512(b));
    let high = |a, b| _mm512_and_si512(words(odds(), a, b), _mm512_set1_epi32(i32::MAX));
    let from_half =
        _mm512_add_epi32(_mm512_slli_epi32::<3>(words(evens(), r0, r1)), _mm512_set1_epi32(8 * guard::MARGIN));
    let near = _mm512_cmplt_epi32_mask(from_half, _mm512_set1_epi32(guard::FAR));
    let sum = high(r0, r1);
    let normal = _mm512_cmpge_epi32_mask(sum, _mm512_set1_epi32(guard::LEAST_SUM));
    let product = _mm512_sub_epi32(high(q0, q1), _mm512_set1_epi32(guard::EXCESS));
    near | _mm512_cmpgt_epi32_mask(product, _mm512_maskz_mov_epi32(normal, sum))
}

/// The places of the even 32-bit lanes of two registers in a row.
#[inline]
#[target_feature(enable = "avx512f")]
fn evens() -> __m512i {
    _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
}

/// The places of the odd 32-bit lanes of two registers in a row.
#[inline]
#[target_feature(enable = "avx512f")]
fn odds() -> __m512i {
    _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn low_half(v: __m512) -> __m256 {
    _mm512_castps512_ps256(v)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn high_half(v: __m512) -> __m256 {
    _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(v)))
}

const _: () = assert!(size_of::<Row>() == 32 && std::mem::offset_of!(Row, d2) == 16);
