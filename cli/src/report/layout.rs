//! What a picture shows of the inputs: how far its axis reaches, and where the table's sections and clamps are on it.

use std::ops::RangeInclusive;

use pwp_sim_core::Table;
use pwp_sim_core::engine::eval;

use super::axis::Axis;
use super::double;
use super::sample;
use super::slot::{BINS, Bin, Part};
use super::subject::Subject;

/// The exponents shown of functions without sections.
const WITHOUT_SECTIONS: (i32, i32) = (-14, 12);

/// Section edges closer than this share of the axis are drawn as one.
const CLOSE: f64 = 1.0 / 1000.0;

/// A stretch of the axis that a clamp serves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// [`Part::LowClamp`] or [`Part::HighClamp`].
    pub part: Part,
    /// The position where it begins.
    pub from: f64,
    /// The position where it ends.
    pub to: f64,
}

/// The layout of one subject's picture along the inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The axis: two octaves more than the sections towards zero, one more away from it.
    pub axis: Axis,
    /// What the clamps serve.
    pub bands: Vec<Band>,
    /// The positions of the sections' edges.
    pub sections: Vec<f64>,
}

impl Layout {
    /// The layout for a subject.
    pub fn of(subject: &Subject) -> Layout {
        let table = subject.table();
        let exponents = table.map(served_exponents).unwrap_or_default();
        let (lowest, highest) = match (exponents.iter().min(), exponents.iter().max()) {
            (Some(first), Some(last)) => ((first - 2).max(-126), (last + 2).min(128)),
            _ => WITHOUT_SECTIONS,
        };
        let negative = !double::value(subject.curve, -1.0).is_nan() || table.is_some_and(gives_numbers_below_zero);
        let axis = Axis { lowest, highest, negative, positive: true };
        let mut layout = Layout { axis, bands: Vec::new(), sections: Vec::new() };
        if let Some(table) = table {
            layout.bands = layout.find_bands(table);
            layout.sections = layout.find_sections(table);
        }
        layout
    }

    /// The inputs at the start of every bin on the axis, from its first position to its last. The step next to zero
    /// shows the four octaves below it.
    pub fn inputs(&self) -> Vec<f32> {
        self.starts().into_iter().map(|(_, x)| x).collect()
    }

    /// The bins with their positions. Those beyond the axis, up to the infinities, are added to those at its ends;
    /// those closer to zero than it shows are together at zero.
    pub fn bins(&self, bins: &[Bin]) -> Vec<(f64, Bin)> {
        let place = |&(bin, x): &(usize, f32)| (self.axis.position(f64::from(x)), bins[bin]);
        let starts = self.starts();
        let mut placed: Vec<(f64, Bin)> = starts.iter().map(place).collect();
        let zero = starts.iter().take_while(|(_, x)| x.is_sign_negative()).count();
        placed.insert(zero, (0.0, Bin::default()));
        let (slots, last) = (self.slots(), starts.len());
        for (slot, bins) in bins.chunks_exact(BINS).enumerate() {
            let (negative, exponent) = (slot >= 256, slot as u32 & 255);
            let end = match negative {
                true if !self.axis.negative => zero,
                _ if exponent < *slots.start() => zero,
                true if exponent > *slots.end() => 0,
                false if exponent > *slots.end() => last,
                _ => continue,
            };
            bins.iter().for_each(|bin| placed[end].1.merge(bin));
        }
        placed
    }

    /// The positions where a clamp begins or ends, but for the ends of the axis and zero.
    pub fn clamp_edges(&self) -> Vec<f64> {
        let (first, last) = self.axis.range();
        let edges = self.bands.iter().flat_map(|band| [band.from, band.to]);
        edges.filter(|x| x - first > 1e-9 && last - x > 1e-9 && *x != 0.0).collect()
    }

    /// Every bin on the axis, with the input of least magnitude in it.
    fn starts(&self) -> Vec<(usize, f32)> {
        let slots = self.slots();
        let side = |sign: u32| {
            let slots = slots.clone().map(move |exponent| sign << 8 | exponent);
            slots.flat_map(|slot| (0..BINS as u32).map(move |bin| slot * BINS as u32 + bin))
        };
        let negative = side(1).rev().filter(|_| self.axis.negative);
        negative.chain(side(0)).map(|bin| (bin as usize, f32::from_bits(bin << 17))).collect()
    }

    /// The biased exponents on the axis.
    fn slots(&self) -> RangeInclusive<u32> {
        let biased = |exponent: i32| (exponent + 127).clamp(1, 254) as u32;
        biased(self.axis.lowest - 4)..=biased(self.axis.highest - 1)
    }

    fn find_bands(&self, table: &Table) -> Vec<Band> {
        let mut bands: Vec<Band> = Vec::new();
        let mut last: Option<Part> = None;
        for x in self.inputs() {
            let position = self.axis.position(f64::from(x));
            let part = Part::of(table, x);
            match bands.last_mut() {
                Some(band) if last == Some(band.part) => {
                    band.to = position;
                    if part != band.part && part != Part::Sections {
                        bands.push(Band { part, from: position, to: position });
                    }
                }
                _ if matches!(part, Part::LowClamp | Part::HighClamp) => {
                    bands.push(Band { part, from: position, to: position });
                }
                _ => {}
            }
            last = Some(part);
        }
        if let Some(band) = bands.last_mut().filter(|band| last == Some(band.part)) {
            band.to = self.axis.range().1;
        }
        bands
    }

    fn find_sections(&self, table: &Table) -> Vec<f64> {
        let (first, last) = self.axis.range();
        let mut edges = Vec::new();
        for slot in (1..255).chain(257..511) {
            let octave = table.octaves()[sample::folded(table, slot) as usize];
            let width = 1u32 << (23 - octave.extract_size);
            for index in 0..octave.stored.min(1 << octave.extract_size) {
                let x = f32::from_bits((slot << 23) + index * width);
                let position = self.axis.position(f64::from(x));
                if Part::of(table, x) == Part::Sections && position > first && position < last {
                    edges.push(position);
                }
            }
        }
        edges.sort_by(f64::total_cmp);
        edges.dedup_by(|next, kept| *next - *kept < CLOSE * (last - first));
        edges
    }
}

/// Whether a negative input gives anything but NaN.
fn gives_numbers_below_zero(table: &Table) -> bool {
    let inputs = (0..0x7f80u32).map(|high| f32::from_bits(0x8000_0001 | high << 16));
    inputs.into_iter().any(|x| eval::evaluate(table, x).is_none_or(|y| !y.is_nan()))
}

/// The exponents of the octaves that sections serve, on any side.
fn served_exponents(table: &Table) -> Vec<i32> {
    let served = (0..512u32).filter(|slot| table.octaves()[*slot as usize].stored > 0);
    served.map(|slot| (slot & 255) as i32 - 127).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::subject::subjects;

    #[test]
    fn the_axis_of_exp_shows_its_octaves_and_its_four_clamps() {
        let subject = &subjects("builtin:", &["exp".to_owned()]).unwrap()[0];
        let layout = Layout::of(subject);
        assert_eq!((layout.axis.lowest, layout.axis.highest, layout.axis.negative), (-21, 8, true));
        let parts: Vec<Part> = layout.bands.iter().map(|band| band.part).collect();
        assert_eq!(parts, [Part::HighClamp, Part::LowClamp, Part::HighClamp]);
        let low = layout.bands[1];
        assert!((low.from + 3.0).abs() < 0.1 && (low.to - 3.0).abs() < 0.1, "{low:?}");
        assert!(layout.sections.len() > 100);
    }
}
