//! From a target to a finished profile, and what the profile reaches.

use anyhow::{Result, bail};
use pwp_sim_core::catalog::hardwired::hardwired;
use pwp_sim_core::engine::eval::definition;
use pwp_sim_core::profile::{Profile, Region, SaturationPoint, Section};
use pwp_sim_core::table::Table;

use super::design::{Design, MOST_SECTIONS, Plan, SidePlan, count};
use super::fit::{Fit, Sample, samples};
use super::measure::{Measure, STRICT};
use super::shape::{Body, END, NAN, Shape, Side};
use crate::truth::Curve;

/// What a table is to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// The smallest error within so many sections, in the published shape where one is published.
    Published(usize),
    /// The smallest error within so many sections.
    Sections(usize),
    /// The fewest sections that keep every error below so many units in the last place.
    MaxUlp(f64),
    /// The fewest sections that keep every error below an absolute bound.
    MaxAbs(f64),
}

/// The worst error of a table and the input that has it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Worst {
    /// The error.
    pub error: f64,
    /// Where.
    pub at: f32,
}

/// A generated table.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The function.
    pub curve: Curve,
    /// The profile.
    pub profile: Profile,
    /// The stored sections.
    pub sections: usize,
    /// The stored octaves.
    pub octaves: usize,
    /// The magnitudes between which the table is meant to hold, lower and upper bits.
    pub domain: (f32, f32),
    /// What "worst" meant in the search.
    pub measure: Measure,
    /// The worst error in [`Generated::measure`] within the domain.
    pub worst: Worst,
    /// The worst error in ULP within the domain, zeros of the function included.
    pub worst_ulp: Worst,
    /// The worst absolute error within the domain.
    pub worst_abs: Worst,
}

/// Generates the table of `curve` for `target`.
///
/// # Errors
/// When the target cannot be reached in [`MOST_SECTIONS`] sections; the text says what can.
pub fn generate(curve: Curve, target: Target, fit: Fit) -> Result<Generated> {
    if let Some(profile) = hardwired(curve.name()) {
        let (measure, domain) = (STRICT, (0.0, f32::MAX));
        return Ok(finish(curve, profile, domain, measure, &[]));
    }
    let about = match target {
        Target::Published(sections) | Target::Sections(sections) => sections,
        Target::MaxUlp(_) | Target::MaxAbs(_) => 1100,
    };
    let relative = matches!(target, Target::MaxUlp(_));
    let shape = Shape::new(curve, about, relative, matches!(target, Target::Published(_)));
    let measure = if let Target::MaxAbs(_) = target { Measure::Absolute } else { shape.measure };
    let mut design = Design::new(&shape, fit, measure);
    let build = |design: &mut Design, plan: &Plan| {
        let edges = shape.bodies().zip(plan).flat_map(|(body, side)| edges(body, side)).collect::<Vec<_>>();
        finish(curve, lay_out(&shape, design, plan), domain(&shape), measure, &edges)
    };
    let (bound, mut aim) = match (target, shape.half_width) {
        (Target::Published(_), Some(half_width)) => {
            let plan = design.by_half_width(half_width);
            return Ok(build(&mut design, &plan));
        }
        (Target::Published(sections) | Target::Sections(sections), _) => {
            let Some(plan) = design.best(sections.min(MOST_SECTIONS)) else {
                bail!("{}: {sections} sections are fewer than the octaves it needs", curve.name());
            };
            return Ok(build(&mut design, &plan));
        }
        (Target::MaxUlp(bound) | Target::MaxAbs(bound), _) => (bound, bound),
    };
    // The search measures at fewer floats than the finished table is measured at: aim lower until that holds too.
    for _ in 0..8 {
        let Some(plan) = design.meet(aim, MOST_SECTIONS) else { break };
        let table = build(&mut design, &plan);
        if table.worst.error <= bound {
            return Ok(table);
        }
        aim *= 0.999 * (bound / table.worst.error).max(0.5);
    }
    bail!("{}", out_of_reach(curve, &mut design, bound, &measure))
}

fn out_of_reach(curve: Curve, design: &mut Design, bound: f64, measure: &Measure) -> String {
    let mut reached = bound;
    for _ in 0..80 {
        reached *= 2f64.sqrt();
        if let Some(plan) = design.meet(reached, MOST_SECTIONS) {
            let sections: usize = plan.iter().map(SidePlan::count).sum();
            let unit = if *measure == Measure::Absolute { "" } else { " ULP" };
            return format!(
                "{}: {bound}{unit} cannot be reached in {MOST_SECTIONS} sections; {reached:.3e}{unit} takes {sections}",
                curve.name()
            );
        }
    }
    format!("{}: {bound} is far out of reach in {MOST_SECTIONS} sections", curve.name())
}

/// The magnitudes within which the errors of a table count.
fn domain(shape: &Shape) -> (f32, f32) {
    let Some(body) = shape.bodies().next().filter(|_| shape.bounded) else { return (0.0, f32::MAX) };
    // A low clamp with a slope is the function's own line.
    let first = body.first.filter(|_| body.low.d1 == 0.0 || shape.curve == Curve::Sqrt);
    let low = first.map_or(0.0, |first| 2f64.powi(first) as f32);
    (low, if body.end < END { f32::from_bits(body.end - 1) } else { f32::MAX })
}

fn lay_out(shape: &Shape, design: &mut Design, plan: &Plan) -> Profile {
    let mut profile = Profile { symmetry: shape.symmetry, specials: shape.specials, ..Profile::default() };
    let mut plans = plan.iter();
    let mut stored = None;
    for (side, negative) in shape.sides.iter().zip([false, true]) {
        let saturation_points = match side {
            Side::Folded => continue,
            Side::Nan => {
                let point =
                    SaturationPoint { section: Section { d0: NAN, ..Section::default() }, ..Default::default() };
                [point, point]
            }
            Side::Body(body) => {
                let side = plans.next().expect("the plan has a side for every body");
                let regions = regions(body, design, side);
                if negative {
                    profile.neg = regions
                } else {
                    profile.pos = regions
                }
                let high = SaturationPoint {
                    sat_point: (side.end >> 23) as i32,
                    mantissa_point: (side.end & 0x7f_ffff) as i32,
                    section: body.high,
                };
                let low = SaturationPoint { sat_point: side.first + 127, mantissa_point: 0, section: body.low };
                stored = Some([high, low]);
                [high, low]
            }
        };
        profile.saturation_points[if negative { 2..4 } else { 0..2 }].copy_from_slice(&saturation_points);
    }
    // The side that the fold never reaches repeats the clamps of the other.
    for (side, place) in shape.sides.iter().zip([0..2, 2..4]) {
        if let (Side::Folded, Some(saturation_points)) = (side, stored) {
            profile.saturation_points[place].copy_from_slice(&saturation_points);
        }
    }
    profile
}

fn regions(body: &Body, design: &mut Design, side: &SidePlan) -> Vec<Region> {
    let region = |(index, &k): (usize, &u32)| {
        let exponent = side.exponent(index);
        let n = count(exponent, k, side.end);
        let sections = (0..n).map(|i| design.section(body, exponent, k, i, side.end).0).collect();
        Region { exponent, num_sections: 1 << k, extract_size: k, sections }
    };
    side.depths.iter().enumerate().map(region).collect()
}

/// The bit intervals of a side's sections and clamps, with the sign.
fn edges(body: &Body, side: &SidePlan) -> Vec<(u32, u32, bool)> {
    let mut edges = vec![(1, ((side.first + 127) as u32) << 23, body.negative)];
    for (index, &k) in side.depths.iter().enumerate() {
        let start = ((side.exponent(index) + 127) as u32) << 23;
        for i in 0..count(side.exponent(index), k, side.end) {
            let first = start + (i << (23 - k));
            edges.push((first, (first + (1 << (23 - k)) - 1).min(side.end - 1), body.negative));
        }
    }
    if side.end < END {
        edges.push((side.end, END - 1, body.negative));
    }
    edges
}

/// Measures the finished table over its domain: at seventeen floats of every section, and of its mirror image where
/// the table is folded; residents at every float whose low 16 bits are zero.
fn finish(
    curve: Curve,
    profile: Profile,
    domain: (f32, f32),
    measure: Measure,
    edges: &[(u32, u32, bool)],
) -> Generated {
    let table = Table::new(&profile).expect("a generated profile is within its ranges");
    let mut result = Generated {
        curve,
        sections: profile.section_count(),
        octaves: profile.pos.len() + profile.neg.len(),
        profile,
        domain,
        measure,
        worst: Worst::default(),
        worst_ulp: Worst::default(),
        worst_abs: Worst::default(),
    };
    let mut take = |samples: Vec<Sample>| {
        for Sample { v, truth } in samples {
            if v.abs() < domain.0 || v.abs() > domain.1 {
                continue;
            }
            let got = definition::evaluate(&table, v).unwrap_or(NAN);
            let measures = [measure, STRICT, Measure::Absolute];
            for (measure, worst) in
                measures.iter().zip([&mut result.worst, &mut result.worst_ulp, &mut result.worst_abs])
            {
                // The measure's places are on the stored side; a true zero has no unit in the last place.
                let strict = *measure == STRICT;
                let error = measure.error(table.fold(v), got, truth);
                if strict && truth == 0.0 {
                    continue;
                }
                if error > worst.error {
                    *worst = Worst { error, at: v };
                }
            }
        }
    };
    for &(first, last, negative) in edges {
        for mirrored in [false, true] {
            if !mirrored || table.symmetry().enabled {
                let sign = u32::from(negative != mirrored) << 31;
                take(samples(curve, sign | first, sign | last, 17));
            }
        }
    }
    if edges.is_empty() {
        for sign in [0, 1 << 31] {
            for start in (0..END).step_by(1 << 16) {
                take(samples(curve, sign | start.max(1), sign | start.max(1), 2));
            }
        }
    }
    result
}
