//! The lines of a picture: values and errors as points of its two panels.

use pwp_sim_core::engine::eval;

use super::axis::Axis;
use super::double;
use super::layout::Layout;
use super::measure::Measurement;
use super::slot::Bin;
use super::subject::Subject;
use super::tally::Loss;

/// Where the axis of errors begins; smaller errors are drawn there.
pub const FLOOR: f64 = 0.01;

/// The share of a linear axis of the values that is left free at either end; half of it where it is log-scaled.
const MARGIN: f64 = 0.08;

/// The height of a row of marks, as a share of the lower panel's.
pub const MARK: f64 = 0.04;

/// Values beyond this are drawn on a log-scaled axis.
const LINEAR: f64 = 256.0;

/// Columns of pixels in a panel, about.
pub const COLUMNS: f64 = 1080.0;

/// Points that are joined.
pub type Line = Vec<(f64, f64)>;

/// The lines, with the ranges of the two vertical axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The log-scaled axis of the values; none where they are drawn to a linear one.
    pub values: Option<Axis>,
    /// The ends of the axis of the values.
    pub value_range: (f64, f64),
    /// The ends of the axis of the errors, as decimal exponents.
    pub decades: (f64, f64),
    /// The true function.
    pub truth: Vec<Line>,
    /// The table's values; an infinite one is at the end of the axis.
    pub table: Vec<Line>,
    /// The table's error.
    pub table_error: Vec<Line>,
    /// The closed form's error.
    pub form_error: Vec<Line>,
    /// Positions where inputs without an error are met, in the order of [`Loss::ALL`].
    pub lost: [Vec<f64>; 3],
}

impl Curves {
    /// The lines for a subject.
    pub fn of(subject: &Subject, measurement: &Measurement, layout: &Layout) -> Curves {
        let inputs = layout.inputs();
        let truths: Vec<f64> = inputs.iter().map(|&x| double::value(subject.curve, x)).collect();
        let look_up = |x: f32| subject.table().and_then(|table| eval::evaluate(table, x)).map_or(f64::NAN, f64::from);
        let tables: Vec<f64> = inputs.iter().map(|&x| look_up(x)).collect();

        let shown = truths.iter().chain(&tables).copied().filter(|y| y.abs() <= f64::from(f32::MAX));
        let values = value_axis(shown.clone());
        let (low, high) = match values {
            Some(axis) => axis.range(),
            None => shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y))),
        };
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let share = if values.is_some() { MARGIN / 2.0 } else { MARGIN };
        let margin = if high > low { share * (high - low) } else { 1.0 };
        let value_range = (low - margin, high + margin);

        let place = |y: f64| match values {
            _ if y.abs() > f64::from(f32::MAX) => {
                if y > 0.0 {
                    value_range.1
                } else {
                    value_range.0
                }
            }
            Some(axis) => axis.position(y),
            None => y,
        };
        let line = |ys: &[f64]| {
            let points = inputs.iter().zip(ys).map(|(&x, &y)| (layout.axis.position(f64::from(x)), y));
            lines(points.map(|(x, y)| (x, (!y.is_nan()).then(|| place(y)))))
        };
        let [table_bins, exact_bins] =
            [&measurement.table_bins, &measurement.exact_bins].map(|bins| columns(layout, layout.bins(bins)));
        let error = |bins: &[(f64, Bin)]| {
            let decade = |error: f64| error.max(FLOOR).log10();
            lines(bins.iter().map(|(x, bin)| (*x, bin.error.map(decade))))
        };
        let (table_error, form_error) = (error(&table_bins), error(&exact_bins));
        let worst = table_error.iter().chain(&form_error).flatten().map(|point| point.1).fold(0.0f64, f64::max);
        let lost = Loss::ALL.map(|loss| {
            let bins = table_bins.iter().chain(&exact_bins);
            bins.filter(|(_, bin)| bin.lost[loss as usize]).map(|(x, _)| *x).collect()
        });
        let marks = lost.iter().filter(|positions: &&Vec<f64>| !positions.is_empty()).count() as f64 * MARK;
        let (floor, top) = (FLOOR.log10(), (worst + 0.3).ceil());
        Curves {
            values,
            value_range,
            // The rows of marks are above the lines.
            decades: (floor, floor + (top - floor) / (1.0 - marks)),
            truth: line(&truths),
            table: line(&tables),
            table_error,
            form_error,
            lost,
        }
    }

    /// Where the axis of the values has labels.
    pub fn value_ticks(&self) -> Vec<f64> {
        if let Some(axis) = self.values {
            return axis.ticks(12);
        }
        let (low, high) = self.value_range;
        let decade = 10f64.powf((high - low).log10().floor());
        let steps = [0.1, 0.2, 0.5, 1.0].map(|step| step * decade);
        let step = steps.into_iter().find(|step| (high - low) / step <= 9.0).unwrap_or(decade);
        ((low / step).ceil() as i32..=(high / step).floor() as i32).map(|index| f64::from(index) * step).collect()
    }

    /// The label of a position on the axis of the values.
    pub fn value_label(&self, position: f64) -> String {
        match self.values {
            Some(axis) => axis.label(position),
            // Ticks are multiples of a step with one digit; the sum's last bits are not.
            None => format!("{}", (position * 1e6).round() / 1e6).replace('-', "−"),
        }
    }
}

/// The bins by columns of pixels: one for all that share a column.
fn columns(layout: &Layout, bins: Vec<(f64, Bin)>) -> Vec<(f64, Bin)> {
    let (first, last) = layout.axis.range();
    let mut columns: Vec<(f64, Bin)> = Vec::new();
    for (x, bin) in bins {
        let column = ((x - first) / (last - first) * COLUMNS).floor().min(COLUMNS - 1.0);
        match columns.last_mut() {
            Some((last, merged)) if *last == column => merged.merge(&bin),
            _ => columns.push((column, bin)),
        }
    }
    let middle = |column: f64| first + (column + 0.5) / COLUMNS * (last - first);
    columns.into_iter().map(|(column, bin)| (middle(column), bin)).collect()
}

/// The surface that a square brush covers whose middle follows `line`, in columns of pixels, as the outline of each
/// connected part. The brush reaches `reach` columns and the height `above` to every side, but not out of the panel with
/// these ranges: it draws a thick line without corners that stick out.
pub fn brush(line: &Line, (left, right): (f64, f64), (bottom, top): (f64, f64), reach: usize, above: f64) -> Line {
    let column = |x: f64| ((x - left) / (right - left) * COLUMNS).clamp(0.0, COLUMNS - 1.0);
    let mut covered: Vec<Option<(f64, f64)>> = vec![None; COLUMNS as usize];
    let mut cover = |index: usize, y: f64| {
        for column in &mut covered[index.saturating_sub(reach)..(index + reach + 1).min(COLUMNS as usize)] {
            let (low, high) = column.unwrap_or((y, y));
            *column = Some((low.min(y), high.max(y)));
        }
    };
    for pair in line.windows(2) {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]].map(|(x, y)| (column(x), y));
        for index in x0 as usize..=x1 as usize {
            // Where the piece enters and leaves the column.
            for x in [(index as f64).max(x0), (index as f64 + 1.0).min(x1)] {
                cover(index, if x1 > x0 { y0 + (x - x0) / (x1 - x0) * (y1 - y0) } else { y1 });
            }
            if x1 <= x0 {
                cover(index, y0);
            }
        }
    }
    if let [(x, y)] = line[..] {
        cover(column(x) as usize, y);
    }
    let middle = |index: usize| left + (index as f64 + 0.5) / COLUMNS * (right - left);
    let covered = covered.iter().enumerate().filter_map(|(index, ends)| ends.map(|ends| (middle(index), ends)));
    let lower = covered.clone().map(|(x, (low, _))| (x, (low - above).max(bottom)));
    let upper = covered.map(|(x, (_, high))| (x, (high + above).min(top)));
    lower.chain(upper.collect::<Line>().into_iter().rev()).collect()
}

/// A log-scaled axis where values span many octaves.
fn value_axis(values: impl Iterator<Item = f64> + Clone) -> Option<Axis> {
    let largest = values.clone().map(f64::abs).fold(0.0, f64::max);
    if largest <= LINEAR {
        return None;
    }
    let smallest = values.clone().map(f64::abs).filter(|y| *y > 0.0).fold(largest, f64::min);
    let highest = largest.log2().ceil() as i32;
    let lowest = (smallest.log2().floor() as i32).clamp(-150, highest - 1);
    let negative = values.clone().any(|y| y < 0.0);
    Some(Axis { lowest, highest, negative, positive: values.clone().any(|y| y > 0.0) })
}

/// Splits points into lines where there is no value.
fn lines(points: impl Iterator<Item = (f64, Option<f64>)>) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    for (x, y) in points {
        match (y, lines.last_mut()) {
            (Some(y), Some(line)) => line.push((x, y)),
            (None, Some(line)) if !line.is_empty() => lines.push(Line::new()),
            _ => {}
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_there_is_no_value() {
        let points = [(0.0, None), (1.0, Some(5.0)), (2.0, Some(6.0)), (3.0, None), (4.0, None), (5.0, Some(7.0))];
        assert_eq!(lines(points.into_iter()), [vec![(1.0, 5.0), (2.0, 6.0)], vec![(5.0, 7.0)]]);
    }

    const WIDTH: f64 = 1.0 / COLUMNS;

    #[test]
    fn a_brush_stays_inside_its_panel() {
        let line = vec![(0.0, 0.0), (0.5, 1.0), (0.5, 0.0), (1.0, 1.0)];
        let outline = brush(&line, (0.0, 1.0), (0.0, 1.0), 2, 0.1);
        assert!(outline.iter().all(|(x, y)| (0.0..=1.0).contains(x) && (0.0..=1.0).contains(y)));
        let (lower, upper) = outline.split_at(outline.len() / 2);
        assert_eq!((lower.len(), upper.len()), (COLUMNS as usize, COLUMNS as usize));
        // In the middle the line goes from one end to the other.
        let at = |side: &[(f64, f64)], x: f64| side.iter().find(|point| (point.0 - x).abs() < WIDTH).unwrap().1;
        assert_eq!((at(lower, 0.5), at(upper, 0.5)), (0.0, 1.0));
        assert!((at(upper, 0.25) - 0.6).abs() < 0.01 && (at(lower, 0.25) - 0.4).abs() < 0.01);
    }

    #[test]
    fn a_brush_on_one_point_is_its_own_width() {
        let outline = brush(&vec![(0.5, 0.5)], (0.0, 1.0), (0.0, 1.0), 2, 0.1);
        let (low, high) = (outline[0].0, outline[4].0);
        assert!(outline.len() == 10 && (high - low - 4.0 * WIDTH).abs() < 1e-9, "{outline:?}");
        assert!((outline[0].1 - 0.4).abs() < 1e-9 && (outline[5].1 - 0.6).abs() < 1e-9);
    }
}
