//! The polynomial of one section: the Taylor coefficients at its centre, or the best found for the evaluator itself.

use pwp_sim_core::engine::eval::definition::cubic;
use pwp_sim_core::profile::Section;

use super::measure::Measure;
use super::shape;
use crate::truth::Curve;

/// How a section's coefficients are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Fit {
    /// The Taylor coefficients at the section's centre, each rounded once: how the shipped tables are made.
    #[default]
    Taylor,
    /// The smallest worst error over the section, measured in the evaluator's own arithmetic.
    Minimax,
}

/// A float of a section with the function's true value there.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The input.
    pub v: f32,
    /// The true value.
    pub truth: f64,
}

/// The worst error of `section` over `samples`, and the first input that has it.
pub fn worst(section: &Section, samples: &[Sample], measure: &Measure) -> (f64, f32) {
    let mut worst = (0.0, samples.first().map_or(0.0, |s| s.v));
    for sample in samples {
        let error = measure.error(sample.v, cubic(section, sample.v), sample.truth);
        if error > worst.0 {
            worst = (error, sample.v);
        }
    }
    worst
}

/// The floats of the bit patterns `first..=last` at which a section is measured: `count` of them, spread like the
/// extrema of a Chebyshev polynomial, both ends included.
pub fn samples(curve: Curve, first: u32, last: u32, count: u32) -> Vec<Sample> {
    let place = |i: u32| {
        let part = 0.5 - 0.5 * (std::f64::consts::PI * f64::from(i) / f64::from(count - 1)).cos();
        first + (f64::from(last - first) * part).round() as u32
    };
    let mut bits: Vec<u32> = (0..count).map(place).collect();
    bits.dedup();
    let sample = |bits: u32| {
        let v = f32::from_bits(bits);
        Sample { v, truth: shape::truth(curve, v) }
    };
    bits.into_iter().map(sample).collect()
}

/// A section of `curve` about `x`, of degree 1 or 3, and its worst error over the bit patterns `first..=last`.
pub fn section(
    curve: Curve,
    x: f32,
    first: u32,
    last: u32,
    degree: usize,
    fit: Fit,
    measure: &Measure,
) -> (Section, f64) {
    let mut taylor = shape::section(curve, x);
    if degree == 1 {
        (taylor.d2, taylor.d3) = (0.0, 0.0);
    }
    match fit {
        Fit::Taylor => {
            let samples = samples(curve, first, last, 5);
            (taylor, worst(&taylor, &samples, measure).0)
        }
        Fit::Minimax => minimax(taylor, &samples(curve, first, last, 33), degree, measure),
    }
}

/// Improves `taylor` over `samples`: solves for the weighted minimax polynomial, rounds it, then tries the neighbours
/// of the two leading coefficients in the evaluator's arithmetic.
fn minimax(taylor: Section, samples: &[Sample], degree: usize, measure: &Measure) -> (Section, f64) {
    let mut best = (taylor, worst(&taylor, samples, measure).0);
    let Some(corrections) = remez(&taylor, samples, degree, measure) else { return best };
    let [d0, d1, d2, d3] = [(taylor.d0, 0), (taylor.d1, 1), (taylor.d2, 2), (taylor.d3, 3)]
        .map(|(d, power): (f32, usize)| (f64::from(d) + corrections.get(power).copied().unwrap_or(0.0)) as f32);
    let solved = Section { x: taylor.x, d0, d1, d2, d3 };
    for step0 in -1..=1 {
        for step1 in -1..=1 {
            let near = Section { d0: neighbour(solved.d0, step0), d1: neighbour(solved.d1, step1), ..solved };
            let error = worst(&near, samples, measure).0;
            if error < best.1 {
                best = (near, error);
            }
        }
    }
    best
}

fn neighbour(value: f32, step: i32) -> f32 {
    match step {
        -1 => value.next_down(),
        1 => value.next_up(),
        _ => value,
    }
}

/// What to add to the coefficients of `start`, lowest first, for the smallest worst weighted error over `samples`: a
/// discrete Remez exchange in double. None where there are too few samples or the exchange fails.
fn remez(start: &Section, samples: &[Sample], degree: usize, measure: &Measure) -> Option<Vec<f64>> {
    let (terms, count) = (degree + 1, samples.len());
    if count < terms + 2 {
        return None;
    }
    let scale = samples.iter().map(|s| (f64::from(s.v) - f64::from(start.x)).abs()).fold(0.0, f64::max);
    let at: Vec<f64> = samples.iter().map(|s| (f64::from(s.v) - f64::from(start.x)) / scale).collect();
    let unit: Vec<f64> = samples.iter().map(|s| measure.unit(s.v, s.truth)).collect();
    let rest: Vec<f64> = samples.iter().zip(&at).map(|(s, u)| s.truth - polynomial(start, u * scale)).collect();
    let mut reference: Vec<usize> = (0..=terms).map(|i| i * (count - 1) / terms).collect();
    let mut solution = Vec::new();
    for _ in 0..40 {
        let rows = reference.iter().enumerate().map(|(i, &point)| {
            let mut row: Vec<f64> = (0..terms as i32).map(|power| at[point].powi(power)).collect();
            row.push(if i % 2 == 0 { unit[point] } else { -unit[point] });
            row.push(rest[point]);
            row
        });
        solution = solve(rows.collect())?;
        let error = |i: usize| {
            let fitted: f64 = (0..terms).map(|power| solution[power] * at[i].powi(power as i32)).sum();
            (rest[i] - fitted) / unit[i]
        };
        let errors: Vec<f64> = (0..count).map(error).collect();
        let next = alternation(&errors, terms + 1)?;
        if next == reference {
            break;
        }
        reference = next;
    }
    Some((0..terms).map(|power| solution[power] / scale.powi(power as i32)).collect())
}

fn polynomial(section: &Section, t: f64) -> f64 {
    let [_, d0, d1, d2, d3] = section.bits().map(|bits| f64::from(f32::from_bits(bits)));
    ((d3 * t + d2) * t + d1) * t + d0
}

/// The places of `wanted` extrema of alternating sign, the largest that lie side by side.
fn alternation(errors: &[f64], wanted: usize) -> Option<Vec<usize>> {
    let mut extrema: Vec<usize> = Vec::new();
    for (i, error) in errors.iter().enumerate() {
        match extrema.last_mut() {
            Some(last) if (errors[*last] < 0.0) == (*error < 0.0) => {
                if error.abs() > errors[*last].abs() {
                    *last = i;
                }
            }
            _ => extrema.push(i),
        }
    }
    while extrema.len() > wanted {
        let (front, back) = (extrema[0], extrema[extrema.len() - 1]);
        if errors[front].abs() < errors[back].abs() {
            extrema.remove(0);
        } else {
            extrema.pop();
        }
    }
    (extrema.len() == wanted).then_some(extrema)
}

/// Gaussian elimination with row pivoting; the last column is the right-hand side.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column] == 0.0 || !rows[column][column].is_finite() {
            return None;
        }
        let head = rows[column].clone();
        for row in rows.iter_mut().skip(column + 1) {
            let factor = row[column] / head[column];
            for (cell, value) in row.iter_mut().zip(&head).skip(column) {
                *cell -= factor * value;
            }
        }
    }
    let mut solution = vec![0.0; size];
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][size] - known) / rows[i][i];
    }
    solution.iter().all(|value: &f64| value.is_finite()).then_some(solution)
}
