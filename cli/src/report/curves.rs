//! The lines of a picture: values and errors as points of its two panels.

use pwp_sim_core::engine::eval;

use super::axis::Axis;
use super::double;
use super::layout::Layout;
use super::measure::Measurement;
use super::subject::Subject;

/// Where the axis of errors begins; smaller errors are drawn there.
pub const FLOOR: f64 = 0.01;

/// Values beyond this are drawn on a log-scaled axis.
const LINEAR: f64 = 256.0;

/// Columns of pixels in a panel, about.
const COLUMNS: f64 = 1080.0;

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
    /// The table's values.
    pub table: Vec<Line>,
    /// The table's error.
    pub table_error: Vec<Line>,
    /// The closed form's error.
    pub form_error: Vec<Line>,
    /// Positions where a NaN is met for a number, or the reverse, or an unhandled input.
    pub lost: Vec<f64>,
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
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let margin = if high > low { 0.08 * (high - low) } else { 1.0 };
        let value_range = values.map_or((low - margin, high + margin), |axis| axis.range());

        let place = |y: f64| values.map_or(y, |axis| axis.position(y));
        let line = |ys: &[f64]| {
            let points = inputs.iter().zip(ys).map(|(&x, &y)| (layout.axis.position(f64::from(x)), y));
            lines(points.map(|(x, y)| (x, (y.abs() <= f64::from(f32::MAX)).then(|| place(y)))))
        };
        let error = |bins: &[f32]| {
            let decade = |error: f32| error.is_finite().then(|| f64::from(error).max(FLOOR).log10());
            lines(columns(layout, bins).into_iter().map(|(x, error)| (x, decade(error))))
        };
        let (table_error, form_error) = (error(&measurement.table_bins), error(&measurement.exact_bins));
        let worst = table_error.iter().chain(&form_error).flatten().map(|point| point.1).fold(0.0f64, f64::max);
        let bins = layout.bins(&measurement.table_bins).chain(layout.bins(&measurement.exact_bins));
        Curves {
            values,
            value_range,
            decades: (FLOOR.log10(), (worst + 0.3).ceil()),
            truth: line(&truths),
            table: line(&tables),
            table_error,
            form_error,
            lost: bins.filter(|(_, error)| *error == f32::INFINITY).map(|(x, _)| x).collect(),
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

/// The largest error of the bins that share a column of pixels.
fn columns(layout: &Layout, bins: &[f32]) -> Vec<(f64, f32)> {
    let (first, last) = layout.axis.range();
    let mut columns: Vec<(f64, f32)> = Vec::new();
    for (x, error) in layout.bins(bins) {
        let column = ((x - first) / (last - first) * COLUMNS).floor();
        match columns.last_mut() {
            Some((last, worst)) if *last == column => *worst = worst.max(error),
            _ => columns.push((column, error)),
        }
    }
    let middle = |column: f64| (first + (column + 0.5) / COLUMNS * (last - first)).min(last);
    columns.into_iter().map(|(column, error)| (middle(column), error)).collect()
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
}
