//! What a plot shows: the values of the closed form and of the tables over a range, and how far apart they are.

use pwp_sim_core::engine::{eval, exact};
use pwp_sim_core::{Function, Table};

use crate::compare::tally::distance;
use crate::inspect::runs;

/// Columns of samples over the range.
pub const COLUMNS: usize = 1080;

/// Samples in each column.
const SAMPLES: usize = 16;

/// A line without gaps.
pub type Line = Vec<(f64, f64)>;

/// The samples, `SAMPLES` in each column, spread evenly over the range; both ends are there.
fn samples((first, last): (f32, f32)) -> impl Iterator<Item = Vec<f32>> {
    let (from, width) = (f64::from(first), f64::from(last) - f64::from(first));
    let all = (COLUMNS * SAMPLES - 1) as f64;
    let sample = move |index: usize| (from + width * index as f64 / all) as f32;
    (0..COLUMNS).map(move |column| (column * SAMPLES..(column + 1) * SAMPLES).map(sample).collect())
}

/// The values of a function over a range: the least and the greatest of each column, so that no spike is lost. Values that
/// are no finite numbers break the line.
pub fn values(range: (f32, f32), of: impl Fn(f32) -> Option<f32>) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    for column in samples(range) {
        let finite = |x: &f32| of(*x).filter(|y| y.is_finite()).map(|y| (f64::from(*x), f64::from(y)));
        let points: Vec<(f64, f64)> = column.iter().filter_map(finite).collect();
        if points.len() < column.len() && lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(Line::new());
        }
        let least = points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
        let greatest = points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let mut ends: Line = least.into_iter().chain(greatest).collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends.dedup();
        lines.last_mut().into_iter().for_each(|line| line.extend(&ends));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// How far the table is from the closed form, the greatest distance of each column as `log10(1 + ULP)`. A column where one of
/// the two is no number breaks the line.
pub fn errors(range: (f32, f32), table: &Table, function: Function) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    for column in samples(range) {
        let apart = |x: &f32| {
            let (y, due) = (eval::evaluate(table, *x)?, exact::evaluate(function, *x, 0.0));
            (!y.is_nan() && !due.is_nan()).then(|| distance(y.to_bits(), due.to_bits()))
        };
        match column.iter().filter_map(apart).max() {
            Some(worst) => {
                let x = f64::from(column[SAMPLES / 2]);
                lines.last_mut().into_iter().for_each(|line| line.push((x, (1.0 + f64::from(worst)).log10())));
            }
            None if lines.last().is_some_and(|line| !line.is_empty()) => lines.push(Line::new()),
            None => {}
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Where places of the table meet within the range, as inputs before folding.
pub fn edges((first, last): (f32, f32), table: &Table) -> Vec<f64> {
    let mirrored = table.symmetry().enabled;
    let of_run = |run: &runs::Run| {
        let edge = f32::from_bits(run.first);
        [Some(edge), mirrored.then_some(-edge)]
    };
    let edges = runs::reachable(table).iter().flat_map(of_run).flatten().collect::<Vec<_>>();
    edges.into_iter().filter(|edge| (first..=last).contains(edge)).map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Tables;

    #[test]
    fn values_reach_from_end_to_end_and_break_where_there_is_none() {
        let line = values((-2.0, 3.0), |x| Some(x * x));
        assert_eq!(line.len(), 1);
        assert_eq!((line[0].first(), line[0].last()), (Some(&(-2.0, 4.0)), Some(&(3.0, 9.0))));
        assert_eq!(values((-1.0, 1.0), |x| (x.abs() > 0.5).then_some(x)).len(), 2);
        assert!(values((0.0, 1.0), |_| Some(f32::INFINITY)).is_empty());
    }

    #[test]
    fn a_single_wrong_sample_is_seen() {
        let wrong = 0.3f32..0.3001;
        let spike = values((0.0, 1.0), |x| Some(if wrong.contains(&x) { 9.0 } else { 0.0 }));
        assert!(spike[0].iter().any(|(_, y)| *y == 9.0));
    }

    #[test]
    fn the_edges_of_a_folded_table_are_on_both_sides() {
        let tanh = Tables::open("builtin:").unwrap().find("tanh").unwrap().1.unwrap().table().unwrap();
        let edges = edges((-1.5, 1.5), &tanh);
        assert!(edges.contains(&1.0) && edges.contains(&-1.0) && !edges.contains(&2.0));
    }
}
