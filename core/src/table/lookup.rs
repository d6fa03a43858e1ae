//! The table once more, laid out for the fast evaluators: one word a slot, one padded row a section, saturation points as two
//! integers a sign. Nothing here decides a result. An input that this layout does not cover lands on the
//! [`SENTINEL`] row and takes the steps of the definition, [`crate::eval::definition`].
//!
//! A slot's word holds the octave's first row and the shift that turns a mantissa into an index, so the row of any
//! input is one load, one shift and one addition away, without a branch. That needs a row for every index an input
//! can reach. Memory stays in proportion to the profile: an octave with few sections for its `extract_size` gets no
//! rows, and neither does one where some inputs have a section and others none.

use std::mem::offset_of;
use std::ops::Range;

use super::{FoldReading, Octave, SLOTS};
use crate::memory;
use crate::profile::{Saturation, SaturationPoint, Section, Symmetry};

/// The row of inputs that take the steps of the definition.
pub const SENTINEL: u32 = 0;
/// The all-zero row of sections that a profile counts and does not give.
const ZERO: u32 = 1;
/// The rows of the four saturation points, in the order of [`Saturation`].
const SATURATION_ROWS: u32 = 2;
/// The first row of the first octave.
const OCTAVES: u32 = 6;

/// Where the shift starts in a slot's word; below it is the octave's first row.
const SHIFT_BIT: u32 = 27;
/// Rows are numbered below this, so that a word holds any of them and a byte offset fits 32 bits.
const MAX_ROWS: usize = 1 << SHIFT_BIT;
/// A slot with one row: every mantissa shifted by 31 is index 0.
const ONE_ROW: u32 = 31 << SHIFT_BIT;

/// A section as the evaluators load it: two aligned halves of 16 bytes, the terms of the double sum already widened.
#[repr(C, align(32))]
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The centre.
    pub x: f32,
    /// The value at the centre.
    pub d0: f32,
    /// The linear coefficient.
    pub d1: f32,
    /// Not 0 in rows whose inputs take the steps of the definition, on the scalar tier: [`SENTINEL`], and sections whose
    /// `d2` or `d3` is a denormal float, which a thread that takes denormals for zeros widens to 0.
    pub by_definition: u32,
    /// The quadratic coefficient.
    pub d2: f64,
    /// The cubic coefficient.
    pub d3: f64,
}

/// The size of a row, as a shift.
pub const ROW_SHIFT: u32 = size_of::<Row>().trailing_zeros();

/// What the vectors load: three floats, four bytes that they do not read, two doubles.
const _: () = assert!(size_of::<Row>() == 32 && align_of::<Row>() == 32 && offset_of!(Row, d2) == 16);

impl Row {
    fn new(s: &Section) -> Row {
        let by_definition = u32::from(s.d2.is_subnormal() || s.d3.is_subnormal());
        Row { x: s.x, d0: s.d0, d1: s.d1, by_definition, d2: widened(s.d2), d3: widened(s.d3) }
    }
}

/// `f64::from`, also on a thread that has denormals-are-zero set while it loads a table.
fn widened(d: f32) -> f64 {
    if !d.is_subnormal() {
        return f64::from(d);
    }
    let units = f64::from(d.to_bits() & 0x7f_ffff) * f64::from_bits(0x36a0_0000_0000_0000); // times 2^-149, exact
    if d.to_bits() >> 31 == 0 { units } else { -units }
}

/// The thresholds of one sign, for `a = bits(sel) & 0x7fffffff` read as a signed integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// The high saturation point applies iff `a > high_after`; -1 to `2^31 - 1`.
    pub high_after: i32,
    /// Otherwise the low saturation point applies iff `a <= low_last`; -1 to `2^31 - 1`.
    pub low_last: i32,
}

impl Thresholds {
    /// The pairs (exponent, mantissa) are ordered as the bit patterns they make up, so each comparison of the
    /// definition with any pair of 32-bit integers is one comparison with a bit pattern.
    fn new(high: &SaturationPoint, low: &SaturationPoint) -> Thresholds {
        // Patterns below the least that is beyond the threshold: (sat, mantissa) <= a.
        let high_from = match (high.sat_point, high.mantissa_point) {
            (i32::MIN..=-1, _) => 0,
            (256.., _) => 1 << 31,
            (sat, mantissa) => (i64::from(sat) << 23) + i64::from(mantissa.clamp(0, 1 << 23)),
        };
        // Patterns in all that the threshold covers: (sat, mantissa) >= a.
        let low_below = match (low.sat_point, low.mantissa_point) {
            (i32::MIN..=-1, _) => 0,
            (256.., _) => 1 << 31,
            (sat, mantissa) => (i64::from(sat) << 23) + i64::from(mantissa.clamp(-1, (1 << 23) - 1)) + 1,
        };
        Thresholds { high_after: (high_from - 1) as i32, low_last: (low_below - 1) as i32 }
    }

    /// The mantissas of the octave with this biased exponent that no saturation point takes.
    fn between(&self, exponent: usize) -> Range<i64> {
        let start = (exponent as i64) << 23;
        let from = (i64::from(self.low_last) + 1).max(start) - start;
        let to = (i64::from(self.high_after) + 1).min(start + (1 << 23)) - start;
        from..to
    }
}

/// How much of the cubic a table uses, over all rows an input can land on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degree {
    /// Every `d2` and `d3` is +0.
    Linear,
    /// Every `d3` is +0.
    Quadratic,
    /// Anything else.
    Cubic,
}

/// The layout. Any input's row number is within `rows`, see [`Lookup::row`].
#[derive(Debug, Clone)]
pub struct Lookup {
    /// By slot: `first row | shift << 27`.
    words: Box<[u32; SLOTS]>,
    rows: Vec<Row>,
    thresholds: [Thresholds; 2],
    /// `bits(sel) = bits(v) & keep | set`.
    keep: u32,
    set: u32,
    untouched: u32,
    degree: Degree,
    near: Option<Box<[[u32; NEAR]; 2]>>,
    columns: Option<Box<[[u32; NEAR]; 3]>>,
}

/// Entries that an instruction set may hold in registers.
pub const NEAR: usize = 32;

/// A look-up is a function of the table's other fields and adds nothing to their equality.
impl PartialEq for Lookup {
    fn eq(&self, _: &Lookup) -> bool {
        true
    }
}

impl Lookup {
    pub(super) fn new(
        symmetry: &Symmetry,
        reading: FoldReading,
        saturation_points: &[SaturationPoint; 4],
        octaves: &[Octave; SLOTS],
        sections: &[Section],
    ) -> memory::Result<Lookup> {
        let side = |high: Saturation, low: Saturation| {
            Thresholds::new(&saturation_points[high as usize], &saturation_points[low as usize])
        };
        let thresholds = [side(Saturation::PosHigh, Saturation::PosLow), side(Saturation::NegHigh, Saturation::NegLow)];
        let sides = match (symmetry.enabled, symmetry.use_neg_region) {
            (false, _) => 0..512,
            (true, false) => 0..256,
            (true, true) => 256..512,
        };
        let mut words = memory::array(ONE_ROW | SENTINEL)?;
        // The rows of each slot's sections: how many there are, and how many inputs reach.
        let mut next = OCTAVES as usize;
        for slot in sides.clone() {
            let reached = thresholds[slot >> 8].between(slot & 255);
            let octave = &octaves[slot];
            if reached.is_empty() || octave.num_sections == 0 {
                continue;
            }
            let shift = 23 - octave.extract_size;
            let last = ((reached.end - 1) >> shift) as usize;
            if last >= octave.num_sections as usize {
                continue; // some of its inputs are unhandled
            }
            if octave.stored == 0 {
                words[slot] = ONE_ROW | ZERO;
                continue;
            }
            let stored = octave.stored as usize;
            if last >= 4 * stored + 16 || next + last >= MAX_ROWS {
                continue;
            }
            words[slot] = next as u32 | shift << SHIFT_BIT;
            next += last + 1;
        }
        let zero = Row::new(&Section::default());
        let mut rows = Vec::new();
        memory::reserve(&mut rows, next)?;
        rows.extend([Row { by_definition: 1, ..zero }, zero]);
        rows.extend(saturation_points.iter().map(|saturation| Row::new(&saturation.section)));
        for slot in sides {
            let (octave, word) = (&octaves[slot], words[slot]);
            if (word & (MAX_ROWS as u32 - 1)) < OCTAVES {
                continue;
            }
            let last = ((thresholds[slot >> 8].between(slot & 255).end - 1) >> (word >> SHIFT_BIT)) as usize;
            let given = &sections[octave.first as usize..][..(octave.stored as usize).min(last + 1)];
            rows.extend(given.iter().map(Row::new));
            rows.resize(rows.len() + last + 1 - given.len(), zero);
        }
        let all_zero = |d: fn(&Row) -> f64| rows.iter().all(|row| d(row).to_bits() == 0);
        let degree = match (all_zero(|row| row.d3), all_zero(|row| row.d2)) {
            (true, true) => Degree::Linear,
            (true, false) => Degree::Quadratic,
            (false, _) => Degree::Cubic,
        };
        let sign = u32::from(symmetry.use_neg_region) << 31;
        let (keep, set) = if symmetry.enabled { (0x7fff_ffff, sign) } else { (u32::MAX, 0) };
        let untouched = reading.untouched(symmetry);
        let near = near(&words, &thresholds)?;
        let columns = columns(&rows, degree)?;
        Ok(Lookup { words, rows, thresholds, keep, set, untouched, degree, near, columns })
    }

    /// The words of either side by the low five bits of the biased exponent, where the saturation points leave no more
    /// than 32 octaves a side: all that inputs between those need.
    #[inline]
    pub fn near(&self) -> Option<&[[u32; NEAR]; 2]> {
        self.near.as_deref()
    }

    /// The bits of `x`, `d0` and `d1` by row number, of a table of [`Degree::Linear`] with no more than 32 rows.
    #[inline]
    pub fn columns(&self) -> Option<&[[u32; NEAR]; 3]> {
        self.columns.as_deref()
    }

    /// The slots' words: a slot's first row in bits 0 to 26, the shift of its mantissas in bits 27 to 31.
    #[inline]
    pub fn words(&self) -> &[u32; SLOTS] {
        &self.words
    }

    /// The rows.
    #[inline]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The thresholds of the positive and of the negative side.
    #[inline]
    pub fn thresholds(&self) -> &[Thresholds; 2] {
        &self.thresholds
    }

    /// The fold as two masks: `bits(sel) = bits(v) & masks.0 | masks.1`.
    #[inline]
    pub fn fold_masks(&self) -> (u32, u32) {
        (self.keep, self.set)
    }

    /// Which results of a symmetric table are unfolded: those where `bits(v) ^ untouched` has its sign bit set.
    #[inline]
    pub fn untouched(&self) -> u32 {
        self.untouched
    }

    /// How much of the cubic the rows use.
    #[inline]
    pub fn degree(&self) -> Degree {
        self.degree
    }

    /// The row number of the high saturation point of a side, 0 positive, 1 negative.
    #[inline]
    pub const fn high_row(side: u32) -> u32 {
        SATURATION_ROWS + 2 * side
    }

    /// The row number of the low saturation point of a side, 0 positive, 1 negative.
    #[inline]
    pub const fn low_row(side: u32) -> u32 {
        SATURATION_ROWS + 2 * side + 1
    }

    /// The row number of a folded input: what the vector evaluators do with 8 or 16 at a time.
    #[inline(always)]
    pub fn row(&self, sel: u32) -> u32 {
        let side = sel >> 31;
        let a = (sel & 0x7fff_ffff) as i32;
        let thresholds = &self.thresholds[side as usize];
        if a > thresholds.high_after {
            return Lookup::high_row(side);
        }
        if a <= thresholds.low_last {
            return Lookup::low_row(side);
        }
        let word = self.words[(sel >> 23) as usize];
        (word & (MAX_ROWS as u32 - 1)) + ((sel & 0x7f_ffff) >> (word >> SHIFT_BIT))
    }
}

/// What [`Lookup::near`] gives. Of an octave that a saturation point takes whole, any word will do: it is not used.
fn near(words: &[u32; SLOTS], thresholds: &[Thresholds; 2]) -> memory::Result<Option<Box<[[u32; NEAR]; 2]>>> {
    let mut near: Box<[[u32; NEAR]; 2]> = memory::array([0; NEAR])?;
    for (side, thresholds) in thresholds.iter().enumerate() {
        let mut octaves = (0..256).filter(|&exponent| !thresholds.between(exponent).is_empty());
        let Some(first) = octaves.next() else { continue };
        let last = octaves.next_back().unwrap_or(first);
        if last - first >= NEAR {
            return Ok(None);
        }
        for exponent in first..=last {
            near[side][exponent % NEAR] = words[side << 8 | exponent];
        }
    }
    Ok(Some(near))
}

/// What [`Lookup::columns`] gives.
fn columns(rows: &[Row], degree: Degree) -> memory::Result<Option<Box<[[u32; NEAR]; 3]>>> {
    if degree != Degree::Linear || rows.len() > NEAR {
        return Ok(None);
    }
    let mut columns: Box<[[u32; NEAR]; 3]> = memory::array([0; NEAR])?;
    for (number, row) in rows.iter().enumerate() {
        for (column, value) in columns.iter_mut().zip([row.x, row.d0, row.d1]) {
            column[number] = value.to_bits();
        }
    }
    Ok(Some(columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::samples::{Rng, random_table, small_straight_table};
    use crate::table::{Place, Table};

    /// Every slot's first, last and threshold-next inputs: the extremes of its row numbers.
    fn probes(table: &Table, rng: &mut Rng) -> Vec<u32> {
        let mut probes = Vec::new();
        for slot in 0..512u32 {
            probes.extend([slot << 23, slot << 23 | 0x7f_ffff, slot << 23 | rng.next() as u32 & 0x7f_ffff]);
        }
        for (side, t) in table.lookup().thresholds().iter().enumerate() {
            for key in [t.high_after, t.low_last] {
                let around = [key.wrapping_sub(1), key, key.wrapping_add(1)];
                probes.extend(around.map(|a| a as u32 & 0x7fff_ffff | (side as u32) << 31));
            }
        }
        probes
    }

    #[test]
    fn every_row_is_the_section_that_the_table_locates_or_the_sentinel() {
        let mut rng = Rng(1);
        for _ in 0..400 {
            let table = random_table(&mut rng);
            let lookup = table.lookup();
            for probe in probes(&table, &mut rng) {
                let sel = table.fold(f32::from_bits(probe));
                let number = lookup.row(sel.to_bits());
                let row = &lookup.rows()[number as usize];
                let place = table.locate(sel);
                if number == SENTINEL {
                    assert!(!matches!(place, Some(Place::Saturated(_))), "{probe:08x}");
                    continue;
                }
                let section = table.section(place.expect("a row of its own"));
                let expected = Row::new(section);
                let bits = |r: &Row| ([r.x, r.d0, r.d1].map(f32::to_bits), [r.d2, r.d3].map(f64::to_bits));
                assert_eq!(bits(row), bits(&expected), "{probe:08x}");
                if let Some(Place::Saturated(saturation)) = place {
                    assert_eq!(number, SATURATION_ROWS + saturation as u32);
                } else {
                    assert!(number == ZERO || number >= OCTAVES);
                }
            }
        }
    }

    #[test]
    fn the_words_held_by_exponent_are_those_of_the_slots_between_the_saturation_points() {
        let (mut rng, mut held) = (Rng(3), 0);
        for _ in 0..400 {
            let table = random_table(&mut rng);
            let lookup = table.lookup();
            let Some(near) = lookup.near() else { continue };
            held += 1;
            for slot in 0..SLOTS {
                if !lookup.thresholds()[slot >> 8].between(slot & 255).is_empty() {
                    assert_eq!(near[slot >> 8][slot & 31], lookup.words()[slot], "{slot}");
                }
            }
        }
        assert!((100..400).contains(&held), "the test must reach tables with and without: {held}");
    }

    #[test]
    fn the_columns_of_a_small_straight_table_are_those_of_its_rows() {
        let mut rng = Rng(4);
        for flags in 0..8 {
            let table = small_straight_table(&mut rng, flags);
            let lookup = table.lookup();
            let columns = lookup.columns().expect("few rows, and straight");
            for (number, row) in lookup.rows().iter().enumerate() {
                assert_eq!(columns.map(|column| column[number]), [row.x, row.d0, row.d1].map(f32::to_bits));
            }
        }
    }

    #[test]
    fn a_threshold_is_one_comparison_of_bit_patterns_whatever_its_integers() {
        let mut rng = Rng(2);
        let extremes = [i32::MIN, -1, 0, 1, 254, 255, 256, 0x7f_fffe, 0x7f_ffff, 0x80_0000, 0x80_0001, i32::MAX];
        let integer = |rng: &mut Rng, below: u64| match rng.below(3) {
            0 => extremes[rng.below(extremes.len() as u64) as usize],
            _ => rng.below(below) as i32,
        };
        for _ in 0..20_000 {
            let mut point = || SaturationPoint {
                sat_point: integer(&mut rng, 256),
                mantissa_point: integer(&mut rng, 1 << 23),
                section: Section::default(),
            };
            let (h, l) = (point(), point());
            let t = Thresholds::new(&h, &l);
            let mut keys: Vec<i32> =
                (-2..=2).flat_map(|d| [t.high_after, t.low_last].map(|k| k.wrapping_add(d))).collect();
            keys.extend([0, i32::MAX, rng.next() as i32, rng.next() as i32]);
            for a in keys.into_iter().map(|a| a & i32::MAX) {
                let (exponent, mantissa) = (a >> 23, a & 0x7f_ffff);
                let high = h.sat_point < exponent || (h.sat_point == exponent && h.mantissa_point <= mantissa);
                let low = l.sat_point > exponent || (l.sat_point == exponent && l.mantissa_point >= mantissa);
                assert_eq!(a > t.high_after, high, "{a:08x} {h:?}");
                assert_eq!(a <= t.low_last, low, "{a:08x} {l:?}");
            }
        }
    }

    #[test]
    fn widening_is_exact_for_denormals_of_both_signs() {
        for bits in [1, 0x8000_0001, 0x7f_ffff, 0x807f_ffff, 0x8000_0000, 0, 0x3f80_0000, 0xff80_0000] {
            let d = f32::from_bits(bits);
            assert_eq!(widened(d).to_bits(), f64::from(d).to_bits());
        }
    }

    #[test]
    fn memory_stays_in_proportion_to_the_sections_given() {
        use crate::profile::{Profile, Region};
        let sparse =
            |exponent| Region { exponent, num_sections: 1 << 23, extract_size: 23, sections: vec![Section::default()] };
        let table = Table::new(&Profile { pos: (-127..=128).map(sparse).collect(), ..Profile::default() }).unwrap();
        assert!(table.lookup().rows().len() < 10_000);
    }
}
