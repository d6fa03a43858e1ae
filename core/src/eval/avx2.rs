//! The AVX2 tier: eight elements at a time, without a branch on any of them.
//!
//! A section's row is two aligned halves of 16 bytes. Eight rows are loaded half by half and transposed in registers,
//! in two thirds of the time of eight-lane gathers (`docs/performance.md`). The
//! sum runs in double, four lanes a register. Lanes that [`guard`] refuses or no row covers go to the definition.
//! Never a fused multiply-add: each operation of the definition rounds.

use std::arch::x86_64::*;

use super::{Unhandled, by_definition, guard, guarded, scalar};
use crate::affine::Affine;
use crate::table::{Degree, Lookup, ROW_SHIFT, Row, Table};

/// Proof that the CPU has AVX2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// The tier, if this CPU has AVX2.
    pub fn new() -> Option<Avx2> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    /// Replaces every `v` of `data` by the table's value at the scaled `v`.
    #[inline]
    pub(super) fn evaluate_block(self, table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
        if data.len() < 8 {
            return guarded::evaluate_block(table, affine, data);
        }
        // SAFETY: `self` exists, so the CPU has AVX2.
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

/// Vectors whose rows are looked up before the first of them is evaluated. The way from an input to its result is some
/// hundred cycles long, more than a CPU can overlap with the next vectors'; in two loops it is two shorter ways.
const CHUNK: usize = 8;

/// One table and one scaling, broadcast. `FOLD`: whether the table is symmetric. `DEGREE`: see [`Degree`].
struct Kernel<'a, const FOLD: bool, const DEGREE: u8> {
    table: &'a Table,
    lookup: &'a Lookup,
    scale: __m256,
    bias: __m256,
    /// The sign that inputs are folded to.
    set: __m256i,
    /// Thresholds and byte offsets of the clamps' rows, positive and negative side; of a symmetric table, both are
    /// the side that inputs are folded to.
    sides: [Side; 2],
    /// Results of zero, +inf, -inf.
    specials: [__m256; 3],
    /// What undoes the fold: a sign to flip, and the symmetry point.
    flip: __m256,
    point: __m256,
}

#[derive(Clone, Copy)]
struct Side {
    high_after: __m256i,
    low_last: __m256i,
    high_row: __m256i,
    low_row: __m256i,
}

impl<'a, const FOLD: bool, const DEGREE: u8> Kernel<'a, FOLD, DEGREE> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(table: &'a Table, affine: &Affine) -> Self {
        let lookup = table.lookup();
        let (_, set) = lookup.fold_masks();
        let side = |negative: bool| {
            let side = if FOLD { set >> 31 } else { u32::from(negative) };
            let thresholds = lookup.thresholds()[side as usize];
            Side {
                high_after: _mm256_set1_epi32(thresholds.high_after),
                low_last: _mm256_set1_epi32(thresholds.low_last),
                high_row: _mm256_set1_epi32((Lookup::high_row(side) << ROW_SHIFT) as i32),
                low_row: _mm256_set1_epi32((Lookup::low_row(side) << ROW_SHIFT) as i32),
            }
        };
        let specials = table.specials();
        let symmetry = table.symmetry();
        Kernel {
            table,
            lookup,
            scale: _mm256_set1_ps(affine.scale),
            bias: _mm256_set1_ps(affine.bias),
            set: _mm256_set1_epi32(set as i32),
            sides: [side(false), side(true)],
            specials: [specials.zero, specials.pos_inf, specials.neg_inf].map(|y| _mm256_set1_ps(y)),
            flip: _mm256_set1_ps(if symmetry.invert_sign { -0.0 } else { 0.0 }),
            point: _mm256_set1_ps(symmetry.point),
        }
    }

    /// Evaluates at least eight inputs. The last vector may overlap the one before it, so its inputs are read before
    /// any result is written.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn run(&self, data: &mut [f32]) -> Unhandled {
        let mut unhandled = Unhandled::default();
        let last = data.len() - 8;
        let mut ending: [[f32; 8]; 1] = [data[last..].try_into().expect("eight")];
        let (vectors, rest) = data.as_chunks_mut::<8>();
        for (number, chunk) in vectors.chunks_mut(CHUNK).enumerate() {
            self.chunk(chunk, 0, number * CHUNK * 8, &mut unhandled);
        }
        if !rest.is_empty() {
            let done = 8 - rest.len();
            self.chunk(&mut ending, done, last, &mut unhandled);
            rest.copy_from_slice(&ending[0][done..]);
        }
        unhandled
    }

    /// Evaluates up to [`CHUNK`] vectors in place. `index` is the place of the first element in the block. The first
    /// `done` lanes were evaluated before: their results are void.
    #[target_feature(enable = "avx2")]
    fn chunk(&self, data: &mut [[f32; 8]], done: usize, index: usize, unhandled: &mut Unhandled) {
        let mut offsets = [[0u32; 8]; CHUNK];
        for (inputs, offsets) in data.iter_mut().zip(&mut offsets) {
            // SAFETY: reads the eight floats of `inputs`.
            let raw = unsafe { _mm256_loadu_ps(inputs.as_ptr()) };
            let v = _mm256_add_ps(_mm256_mul_ps(self.scale, raw), self.bias);
            let (a, sel) = self.fold(v);
            // SAFETY: writes the eight floats of `inputs` and the eight integers of `offsets`.
            unsafe {
                _mm256_storeu_ps(inputs.as_mut_ptr(), v);
                _mm256_storeu_si256(offsets.as_mut_ptr().cast(), self.row_offsets(a, sel));
            }
        }
        for (number, (values, offsets)) in data.iter_mut().zip(&offsets).enumerate() {
            // SAFETY: reads the eight floats of `values`.
            let v = unsafe { _mm256_loadu_ps(values.as_ptr()) };
            // SAFETY: the offsets are those of rows of this table.
            let (y, left) = unsafe { self.evaluate(v, offsets) };
            let inputs = *values;
            // SAFETY: writes the eight floats of `values`.
            unsafe { _mm256_storeu_ps(values.as_mut_ptr(), y) };
            if left.any() {
                let lanes = left.lanes() & (0xff << done);
                by_definition(self.table, lanes, &inputs, values, index + number * 8, unhandled);
            }
        }
    }

    /// The magnitudes' bits, and the folded inputs.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn fold(&self, v: __m256) -> (__m256i, __m256i) {
        let bits = _mm256_castps_si256(v);
        let a = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
        (a, if FOLD { _mm256_or_si256(a, self.set) } else { bits })
    }

    /// The results of eight scaled inputs, and the lanes that must take the steps of the definition.
    ///
    /// # Safety
    /// The offsets are those of rows of `self.lookup`.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn evaluate(&self, v: __m256, offset: &[u32; 8]) -> (__m256, Left) {
        let (a, sel) = self.fold(v);
        // SAFETY: of the caller.
        let (x, d0, d1) = unsafe { self.near_halves(offset) };
        let t = _mm256_sub_ps(_mm256_castsi256_ps(sel), x);
        let p = _mm256_add_ps(_mm256_mul_ps(t, d1), d0);
        // SAFETY: reads the eight integers of `offset`.
        let offsets = unsafe { _mm256_loadu_si256(offset.as_ptr().cast()) };
        let uncovered = _mm256_cmpeq_epi32(offsets, _mm256_setzero_si256()); // the sentinel
        if DEGREE == 1 {
            // 0 * t^2 + 0 * t^3 is +0 plus a zero, or NaN where t is not finite; so is t - t.
            let y = _mm256_add_ps(p, _mm256_sub_ps(t, t));
            return (self.finish(v, a, y), Left { uncovered, refused: _mm256_setzero_si256() });
        }
        // SAFETY: of the caller.
        let (low, high) = unsafe { (self.far_halves(offset, 0), self.far_halves(offset, 4)) };
        let (q0, r0) = sum::<DEGREE>(_mm256_castps256_ps128(t), _mm256_castps256_ps128(p), low);
        let (q1, r1) = sum::<DEGREE>(_mm256_extractf128_ps::<1>(t), _mm256_extractf128_ps::<1>(p), high);
        let refused = if DEGREE == 3 { refused(q0, q1, r0, r1) } else { _mm256_setzero_si256() };
        let y = _mm256_set_m128(_mm256_cvtpd_ps(r1), _mm256_cvtpd_ps(r0));
        (self.finish(v, a, y), Left { uncovered, refused })
    }

    /// The byte offsets of the rows: [`Lookup::row`], eight at a time.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn row_offsets(&self, a: __m256i, sel: __m256i) -> __m256i {
        let slots = _mm256_srli_epi32::<23>(sel);
        // SAFETY: `words` has 512 entries and a slot has nine bits.
        let words = unsafe { _mm256_i32gather_epi32::<4>(self.lookup.words().as_ptr().cast(), slots) };
        let mantissas = _mm256_and_si256(sel, _mm256_set1_epi32(0x7f_ffff));
        let indices = _mm256_srlv_epi32(mantissas, _mm256_srli_epi32::<27>(words));
        // Shifting to bytes drops the shift in the top five bits of the word.
        let rows = _mm256_slli_epi32::<{ ROW_SHIFT as i32 }>(_mm256_add_epi32(words, indices));
        let [pos, neg] = self.sides;
        let pick = |pos, neg| if FOLD { pos } else { select(sel, pos, neg) };
        let above_low = _mm256_cmpgt_epi32(a, pick(pos.low_last, neg.low_last));
        let above_high = _mm256_cmpgt_epi32(a, pick(pos.high_after, neg.high_after));
        let rows = select(above_low, pick(pos.low_row, neg.low_row), rows);
        select(above_high, rows, pick(pos.high_row, neg.high_row))
    }

    /// `x`, `d0` and `d1` of eight rows.
    ///
    /// # Safety
    /// The offsets are those of rows of `self.lookup`.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn near_halves(&self, offset: &[u32; 8]) -> (__m256, __m256, __m256) {
        let rows = self.lookup.rows().as_ptr();
        // SAFETY: of the caller; a row is 32 bytes, aligned.
        let half = |lane: usize| unsafe { _mm_load_ps(rows.byte_add(offset[lane] as usize).cast()) };
        let (a, b) = (_mm256_set_m128(half(4), half(0)), _mm256_set_m128(half(5), half(1)));
        let (c, d) = (_mm256_set_m128(half(6), half(2)), _mm256_set_m128(half(7), half(3)));
        let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
        let (ab2, cd2) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
        (_mm256_shuffle_ps::<0x44>(ab, cd), _mm256_shuffle_ps::<0xee>(ab, cd), _mm256_shuffle_ps::<0x44>(ab2, cd2))
    }

    /// `d2` and `d3` of the four rows from `first` on.
    ///
    /// # Safety
    /// The offsets are those of rows of `self.lookup`.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn far_halves(&self, offset: &[u32; 8], first: usize) -> (__m256d, __m256d) {
        let rows = self.lookup.rows().as_ptr();
        let half = |lane: usize| {
            // SAFETY: of the caller; the second half of a row is 16 bytes, aligned.
            unsafe { _mm_load_pd((&raw const (*rows.byte_add(offset[first + lane] as usize)).d2).cast()) }
        };
        let (even, odd) = (_mm256_set_m128d(half(2), half(0)), _mm256_set_m128d(half(3), half(1)));
        (_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd))
    }

    /// Undoes the fold, replaces computed NaN, and puts the results of zeros and infinities in place.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn finish(&self, v: __m256, a: __m256i, y: __m256) -> __m256 {
        let mut y = y;
        if FOLD {
            let folded = _mm256_cmp_ps::<_CMP_NGE_UQ>(v, _mm256_setzero_ps()); // negative or NaN
            let unfolded = _mm256_add_ps(_mm256_xor_ps(y, self.flip), self.point);
            y = _mm256_blendv_ps(y, unfolded, folded);
        }
        let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(y, y);
        y = _mm256_blendv_ps(y, _mm256_set1_ps(scalar::NAN), nan);
        let [zero, pos_inf, neg_inf] = self.specials;
        let infinite = _mm256_cmpeq_epi32(a, _mm256_set1_epi32(0x7f80_0000));
        y = _mm256_blendv_ps(y, _mm256_blendv_ps(pos_inf, neg_inf, v), _mm256_castsi256_ps(infinite));
        let is_zero = _mm256_cmpeq_epi32(a, _mm256_setzero_si256());
        _mm256_blendv_ps(y, zero, _mm256_castsi256_ps(is_zero))
    }
}

/// `pos` or `neg` by the sign bits of `by`.
#[inline]
#[target_feature(enable = "avx2")]
fn select(by: __m256i, pos: __m256i, neg: __m256i) -> __m256i {
    let [by, pos, neg] = [by, pos, neg].map(|i| _mm256_castsi256_ps(i));
    _mm256_castps_si256(_mm256_blendv_ps(pos, neg, by))
}

/// The cubic term and the whole sum of four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn sum<const DEGREE: u8>(t: __m128, p: __m128, (d2, d3): (__m256d, __m256d)) -> (__m256d, __m256d) {
    let (t, p) = (_mm256_cvtps_pd(t), _mm256_cvtps_pd(p));
    let square = _mm256_mul_pd(t, t);
    let r = _mm256_add_pd(p, _mm256_mul_pd(square, d2));
    // With d3 = +0 the term is a zero of t's sign, or NaN where t is not finite; and t * 0 is that as well.
    let cube = if DEGREE == 3 { _mm256_mul_pd(square, t) } else { t };
    let d3 = if DEGREE == 3 { d3 } else { _mm256_setzero_pd() };
    let q = _mm256_mul_pd(cube, d3);
    (q, _mm256_add_pd(q, r))
}

/// The lanes of a vector that must take the steps of the definition.
#[derive(Clone, Copy)]
struct Left {
    /// A mask of the lanes that no row covers.
    uncovered: __m256i,
    /// A mask of the lanes that the guard refuses, in the order 0 1 4 5 2 3 6 7.
    refused: __m256i,
}

impl Left {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn any(self) -> bool {
        let both = _mm256_or_si256(self.uncovered, self.refused);
        _mm256_testz_si256(both, both) == 0
    }

    /// One bit a lane.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn lanes(self) -> u32 {
        let refused = _mm256_permute4x64_epi64::<0b11_01_10_00>(self.refused);
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(self.uncovered, refused))) as u32
    }
}

/// [`guard::accepts`], eight times, as a mask of those it refuses, in the order 0 1 4 5 2 3 6 7.
#[inline]
#[target_feature(enable = "avx2")]
fn refused(q0: __m256d, q1: __m256d, r0: __m256d, r1: __m256d) -> __m256i {
    let low = |a, b| _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(_mm256_castpd_ps(a), _mm256_castpd_ps(b)));
    let high = |a, b| {
        let high = _mm256_shuffle_ps::<0xdd>(_mm256_castpd_ps(a), _mm256_castpd_ps(b));
        _mm256_and_si256(_mm256_castps_si256(high), _mm256_set1_epi32(i32::MAX))
    };
    let from_half = _mm256_add_epi32(_mm256_slli_epi32::<3>(low(r0, r1)), _mm256_set1_epi32(8 * guard::MARGIN));
    let near = _mm256_cmpgt_epi32(_mm256_set1_epi32(guard::FAR), from_half);
    let sum = high(r0, r1);
    let tiny = _mm256_cmpgt_epi32(_mm256_set1_epi32(guard::LEAST_SUM), sum);
    let product = _mm256_sub_epi32(high(q0, q1), _mm256_set1_epi32(guard::EXCESS));
    let cancels = _mm256_cmpgt_epi32(product, _mm256_andnot_si256(tiny, sum));
    _mm256_or_si256(near, cancels)
}

const _: () = assert!(size_of::<Row>() == 32 && std::mem::offset_of!(Row, d2) == 16);
