//! The vector tiers: the definition's results, as many elements at a time as a vector holds, without a branch on any of
//! them. Written once, over [`Lanes`].
//!
//! The sum runs in double, and the cube is a product. Elements that [`guard`] refuses or no row covers go to the
//! definition. Right in the default floating-point environment only.

use super::{Unhandled, definition, guard, scalar};
use crate::affine::Affine;
use crate::float::NAN;
use crate::lanes::{Lanes, MAX_LANES, Tier, Work};
use crate::table::{Degree, Lookup, NEAR, ROW_SHIFT, Row, SLOTS, Table};

/// Replaces every `v` of `data` by the table's value at the scaled `v`, on the tier's vectors where `data` fills one.
pub fn evaluate_block(tier: Tier, table: &Table, affine: &Affine, data: &mut [f32]) -> Unhandled {
    macro_rules! run {
        ($fold:literal, $degree:literal) => {
            tier.run(data.len(), Block::<$fold, $degree> { table, affine, data })
        };
    }
    match (table.symmetry().enabled, table.lookup().degree()) {
        (false, Degree::Linear) => run!(false, 1),
        (false, Degree::Quadratic) => run!(false, 2),
        (false, Degree::Cubic) => run!(false, 3),
        (true, Degree::Linear) => run!(true, 1),
        (true, Degree::Quadratic) => run!(true, 2),
        (true, Degree::Cubic) => run!(true, 3),
    }
}

/// Vectors whose rows are looked up before the first of them is evaluated. The way from an input to its result is some
/// hundred cycles long, more than a CPU can overlap with the next vectors'; in two loops it is two shorter ways.
const CHUNK: usize = 8;

/// A call. `FOLD`: whether the table is symmetric. `DEGREE`: see [`Degree`].
struct Block<'a, const FOLD: bool, const DEGREE: u8> {
    table: &'a Table,
    affine: &'a Affine,
    data: &'a mut [f32],
}

impl<const FOLD: bool, const DEGREE: u8> Work for Block<'_, FOLD, DEGREE> {
    type Output = Unhandled;

    /// Evaluates at least a vector. The last vector may overlap the one before it, so its inputs are read before any
    /// result is written.
    #[inline(always)]
    fn on_lanes<L: Lanes>(self, l: L) -> Unhandled {
        let Block { table, affine, data } = self;
        let kernel = Kernel::<L, FOLD, DEGREE>::new(l, table, affine);
        let mut unhandled = Unhandled::default();
        let last = data.len() - L::N;
        let mut ending = [0.0; MAX_LANES];
        l.store(l.load(&data[last..]), &mut ending);
        let (vectors, rest) = l.split(data);
        let (ending, _) = l.split(&mut ending[..L::N]);
        // One loop also for the ending, so that its body is there once.
        let mut chunks = vectors.chunks_mut(CHUNK).enumerate();
        let mut left = !rest.is_empty();
        loop {
            let (data, done, index) = match chunks.next() {
                Some((number, data)) => (data, 0, number * CHUNK * L::N),
                None if left => {
                    left = false;
                    (&mut *ending, L::N - rest.len(), last)
                }
                None => break,
            };
            kernel.chunk(data, done, index, &mut unhandled);
        }
        if !rest.is_empty() {
            rest.copy_from_slice(&ending[0].as_ref()[L::N - rest.len()..]);
        }
        unhandled
    }

    #[inline]
    fn one_by_one(self) -> Unhandled {
        scalar::evaluate_block(self.table, self.affine, self.data)
    }
}

/// One table and one scaling, broadcast.
#[derive(Clone, Copy)]
struct Kernel<'a, L: Lanes, const FOLD: bool, const DEGREE: u8> {
    l: L,
    table: &'a Table,
    words: &'a [u32; SLOTS],
    /// [`Lookup::near`], positive and negative side like `sides`.
    near: Option<[&'a [u32; NEAR]; 2]>,
    rows: &'a [Row],
    columns: Option<&'a [[u32; NEAR]; 3]>,
    scale: L::F32,
    bias: L::F32,
    /// The sign that inputs are folded to.
    set: L::I32,
    /// Thresholds and byte offsets of the saturation points' rows, positive and negative side; of a symmetric table, both are
    /// the side that inputs are folded to.
    sides: [Side<L>; 2],
    /// Results of zero, +inf, -inf.
    specials: [L::F32; 3],
    /// The sign of the inputs whose results are not unfolded.
    untouched: L::I32,
    /// What undoes the fold: a sign to flip, and the symmetry point.
    flip: L::I32,
    point: L::F32,
}

#[derive(Clone, Copy)]
struct Side<L: Lanes> {
    high_after: L::I32,
    low_last: L::I32,
    high_row: L::I32,
    low_row: L::I32,
}

impl<L: Lanes> Side<L> {
    #[inline(always)]
    fn new(l: L, lookup: &Lookup, side: u32) -> Self {
        let thresholds = lookup.thresholds()[side as usize];
        Side {
            high_after: l.splat_i32(thresholds.high_after),
            low_last: l.splat_i32(thresholds.low_last),
            high_row: l.splat_i32((Lookup::high_row(side) << ROW_SHIFT) as i32),
            low_row: l.splat_i32((Lookup::low_row(side) << ROW_SHIFT) as i32),
        }
    }
}

/// The lanes of a vector that must take the steps of the definition.
struct Left<L: Lanes> {
    /// Those that no row covers.
    uncovered: L::M32,
    /// Those that the guard refuses, in the lanes' own order.
    refused: L::M32,
}

impl<'a, L: Lanes, const FOLD: bool, const DEGREE: u8> Kernel<'a, L, FOLD, DEGREE> {
    #[inline(always)]
    fn new(l: L, table: &'a Table, affine: &Affine) -> Self {
        let lookup = table.lookup();
        let (_, set) = lookup.fold_masks();
        let (pos, neg) = if FOLD { (set >> 31, set >> 31) } else { (0, 1) };
        let specials = table.specials();
        let symmetry = table.symmetry();
        Kernel {
            l,
            table,
            words: lookup.words(),
            near: match lookup.near() {
                Some(near) if L::LOOKS_UP_32 => Some([&near[pos as usize], &near[neg as usize]]),
                _ => None,
            },
            rows: lookup.rows(),
            columns: if L::LOOKS_UP_32 { lookup.columns() } else { None },
            scale: l.splat_f32(affine.scale),
            bias: l.splat_f32(affine.bias),
            set: l.splat_i32(set as i32),
            sides: [Side::new(l, lookup, pos), Side::new(l, lookup, neg)],
            specials: [l.splat_f32(specials.zero), l.splat_f32(specials.pos_inf), l.splat_f32(specials.neg_inf)],
            untouched: l.splat_i32(lookup.untouched() as i32),
            flip: l.splat_i32(if symmetry.invert_sign { i32::MIN } else { 0 }),
            point: l.splat_f32(symmetry.point),
        }
    }

    /// Evaluates up to [`CHUNK`] vectors in place. `index` is the place of the first element in the block. The first `done`
    /// elements were evaluated before: their results are void.
    #[inline(always)]
    fn chunk(&self, data: &mut [L::Floats], done: usize, index: usize, unhandled: &mut Unhandled) {
        let l = self.l;
        let mut offsets = [l.splat_i32(0); CHUNK];
        for (inputs, offsets) in data.iter_mut().zip(&mut offsets) {
            let v = self.scale * l.load(inputs.as_ref()) + self.bias;
            l.store(v, inputs.as_mut());
            *offsets = self.row_offsets(v);
        }
        for (number, (values, offsets)) in data.iter_mut().zip(&offsets).enumerate() {
            let v = l.load(values.as_ref());
            // SAFETY: `row_offsets` of this kernel made the offsets.
            let (y, left) = unsafe { self.evaluate(v, offsets) };
            l.store(y, values.as_mut());
            if l.any(left.uncovered | left.refused) {
                let lanes = l.lanes(left.uncovered | l.in_order(left.refused)) >> done << done;
                let mut inputs = [0.0; MAX_LANES];
                l.store(v, &mut inputs);
                by_definition(self.table, lanes, &inputs, values.as_mut(), index + number * L::N, unhandled);
            }
        }
    }

    /// The magnitudes' bits, and the bits of the folded inputs.
    #[inline(always)]
    fn fold(&self, v: L::F32) -> (L::I32, L::I32) {
        let bits = self.l.bits(v);
        let a = bits & self.l.splat_i32(i32::MAX);
        (a, if FOLD { a | self.set } else { bits })
    }

    /// The byte offsets of the rows of scaled inputs: [`Lookup::row`], a vector at a time.
    #[inline(always)]
    fn row_offsets(&self, v: L::F32) -> L::I32 {
        let l = self.l;
        let (a, sel) = self.fold(v);
        let words = self.words(sel);
        let mantissas = sel & l.splat_i32(0x7f_ffff);
        let indices = l.shr_each(mantissas, l.shr::<27>(words));
        // Shifting to bytes drops the shift in the top five bits of the word.
        let rows = l.shl::<ROW_SHIFT>(words + indices);
        let above_low = l.gt_i32(a, self.of_side(sel, self.sides[0].low_last, self.sides[1].low_last));
        let above_high = l.gt_i32(a, self.of_side(sel, self.sides[0].high_after, self.sides[1].high_after));
        let rows = l.select_i32(above_low, rows, self.of_side(sel, self.sides[0].low_row, self.sides[1].low_row));
        l.select_i32(above_high, self.of_side(sel, self.sides[0].high_row, self.sides[1].high_row), rows)
    }

    /// The words of the slots of folded inputs; of those beyond a saturation point, any.
    #[inline(always)]
    fn words(&self, sel: L::I32) -> L::I32 {
        let l = self.l;
        let Some([pos, neg]) = self.near else { return l.look_up_512(self.words, sel) };
        let exponents = l.shr::<23>(sel);
        let words = l.look_up_32(pos, exponents);
        if FOLD { words } else { l.by_sign_i32(sel, l.look_up_32(neg, exponents), words) }
    }

    /// `pos` or `neg` by the sign of the folded input.
    #[inline(always)]
    fn of_side(&self, sel: L::I32, pos: L::I32, neg: L::I32) -> L::I32 {
        if FOLD { pos } else { self.l.by_sign_i32(sel, neg, pos) }
    }

    /// The results of scaled inputs, and those that must take the steps of the definition.
    ///
    /// # Safety
    /// The offsets came of [`Kernel::row_offsets`] of this kernel.
    #[inline(always)]
    unsafe fn evaluate(&self, v: L::F32, offsets: &L::I32) -> (L::F32, Left<L>) {
        let l = self.l;
        let rows = self.rows.as_ptr().cast();
        let (a, sel) = self.fold(v);
        let [x, d0, d1] = match self.columns {
            Some(columns) if DEGREE == 1 => {
                let numbers = l.shr::<ROW_SHIFT>(*offsets);
                [
                    l.from_bits(l.look_up_32(&columns[0], numbers)),
                    l.from_bits(l.look_up_32(&columns[1], numbers)),
                    l.from_bits(l.look_up_32(&columns[2], numbers)),
                ]
            }
            // SAFETY: the caller promises offsets of `row_offsets`: those of the saturation points' rows, or of the row that a
            // slot's word gives to a mantissa that no saturation point takes, and `Lookup::new` lays out a row for each of those.
            _ => unsafe { l.row_floats(rows, offsets) },
        };
        let t = l.from_bits(sel) - x;
        let p = t * d1 + d0;
        let uncovered = l.eq_i32(*offsets, l.splat_i32(0)); // the sentinel's row
        if DEGREE == 1 {
            // 0 * t^2 + 0 * t^3 is +0 plus a zero, or NaN where t is not finite; so is t - t.
            #[allow(clippy::eq_op, reason = "NaN for an infinity")]
            let y = p + (t - t);
            return (self.finish(v, a, y), Left { uncovered, refused: l.nowhere() });
        }
        // SAFETY: a laid out row at each offset, as for the floats above.
        let [d2, d3] = unsafe { l.row_doubles(rows, offsets) };
        let (t, p) = (l.widen(t), l.widen(p));
        let square = t * t;
        let r = p + square * d2;
        // With d3 = +0 the term is a zero of t's sign, or NaN where t is not finite; and t * 0 is that as well.
        let q = if DEGREE == 3 { square * t * d3 } else { t * l.splat_f64(0.0) };
        let sum = q + r;
        let refused = if DEGREE == 3 { self.refused(q, sum) } else { l.nowhere() };
        (self.finish(v, a, l.narrow(sum)), Left { uncovered, refused })
    }

    /// Where not [`guard::accepts`], in the lanes' own order.
    #[inline(always)]
    fn refused(&self, product: L::F64, sum: L::F64) -> L::M32 {
        let l = self.l;
        let magnitude = l.splat_i32(i32::MAX);
        let from_half = l.shl::<3>(l.low_words(sum)) + l.splat_i32(8 * guard::MARGIN);
        let near = l.gt_i32(l.splat_i32(guard::FAR), from_half);
        let sum = l.high_words(sum) & magnitude;
        let tiny = l.gt_i32(l.splat_i32(guard::LEAST_SUM), sum);
        let product = (l.high_words(product) & magnitude) - l.splat_i32(guard::EXCESS);
        near | l.gt_i32(product, l.zero_if(tiny, sum))
    }

    /// Undoes the fold (step 6), replaces computed NaN, and puts the results of zeros and infinities (step 1) in place.
    #[inline(always)]
    fn finish(&self, v: L::F32, a: L::I32, y: L::F32) -> L::F32 {
        let l = self.l;
        let mut y = y;
        if FOLD {
            // A NaN stays one, unfolded or not.
            let unfolded = l.from_bits(l.bits(y) ^ self.flip) + self.point;
            y = l.by_sign_f32(l.bits(v) ^ self.untouched, unfolded, y);
        }
        y = l.select_f32(l.is_nan(y), l.splat_f32(NAN), y);
        let [zero, pos_inf, neg_inf] = self.specials;
        let infinite = l.eq_i32(a, l.splat_i32(0x7f80_0000));
        y = l.select_f32(infinite, l.by_sign_f32(l.bits(v), neg_inf, pos_inf), y);
        l.select_f32(l.eq_i32(a, l.splat_i32(0)), zero, y)
    }
}

/// Evaluates the elements of a vector that the kernel left to the definition: those whose bit in `lanes` is set.
/// `scaled` holds their scaled inputs, `index` is the place of lane 0 in the block.
#[cold]
fn by_definition(
    table: &Table,
    mut lanes: u32,
    scaled: &[f32; MAX_LANES],
    results: &mut [f32],
    index: usize,
    unhandled: &mut Unhandled,
) {
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        results[lane] = definition::evaluate(table, scaled[lane]).unwrap_or_else(|| {
            unhandled.add(index + lane);
            NAN
        });
    }
}
