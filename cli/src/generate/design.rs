//! Finds octaves, depths and clamps for a target error, and the smallest error within a number of sections.
//!
//! For a target error everything follows: the low clamp reaches up to the octave where its section gets worse than
//! the target, the high clamp down to the float where its section does, and every octave between is halved until its
//! worst section meets the target. The number of sections falls as the target rises, so the smallest error within a
//! budget is found by bisection; sections that are then left over deepen the worst octaves nearest to 1.

use std::collections::HashMap;

use pwp_sim_core::profile::Section;

use super::fit::{self, Fit};
use super::measure::Measure;
use super::shape::{Body, Shape};

/// The deepest octave: 2^11 sections are more than an on-device image can hold.
const DEEPEST: u32 = 11;

/// The most sections of one function in an on-device image, whose record numbers have 11 bits: four records are
/// saturation points.
pub const MOST_SECTIONS: usize = 2043;

/// The octaves of one side.
#[derive(Debug, Clone, PartialEq)]
pub struct SidePlan {
    /// The exponent of the first octave.
    pub first: i32,
    /// The bits of the magnitude where the high clamp begins.
    pub end: u32,
    /// `extract_size` of every octave, from the first up.
    pub depths: Vec<u32>,
}

impl SidePlan {
    /// The exponent of octave number `index`.
    pub fn exponent(&self, index: usize) -> i32 {
        self.first + index as i32
    }

    /// The sections of all octaves.
    pub fn count(&self) -> usize {
        self.depths.iter().enumerate().map(|(i, &k)| count(self.exponent(i), k, self.end) as usize).sum()
    }
}

/// The octaves of the stored sides, in the order of [`Shape::bodies`].
pub type Plan = Vec<SidePlan>;

/// The bits of `2^exponent`.
fn base(exponent: i32) -> u32 {
    ((exponent + 127) as u32) << 23
}

/// How many sections of the octave at depth `k` begin below the magnitude `end`.
pub fn count(exponent: i32, k: u32, end: u32) -> u32 {
    let inside = end.saturating_sub(base(exponent)).min(1 << 23);
    inside.div_ceil(1 << (23 - k))
}

/// Octaves from `first` that begin below `end`.
fn octave_count(first: i32, end: u32) -> usize {
    let last = (end.saturating_sub(1) >> 23) as i32 - 127;
    (last - first + 1).max(0) as usize
}

/// The search for one table; keeps what it has measured.
pub struct Design<'a> {
    shape: &'a Shape,
    fit: Fit,
    measure: Measure,
    sections: HashMap<(bool, i32, u32, u32), (Section, f64)>,
    low: HashMap<(bool, i32), f64>,
    high: HashMap<(bool, i32), Vec<f64>>,
}

/// The octaves in which the reach of a low clamp is searched, and those of a high clamp.
const LOW_REACH: std::ops::RangeInclusive<i32> = -40..=6;
const HIGH_REACH: std::ops::RangeInclusive<i32> = -12..=127;

impl<'a> Design<'a> {
    /// A search for `shape` by `measure`.
    pub fn new(shape: &'a Shape, fit: Fit, measure: Measure) -> Design<'a> {
        Design { shape, fit, measure, sections: HashMap::new(), low: HashMap::new(), high: HashMap::new() }
    }

    /// The section `index` of the octave at depth `k` and its worst error below the magnitude `end`.
    pub fn section(&mut self, body: &Body, exponent: i32, k: u32, index: u32, end: u32) -> (Section, f64) {
        let key = (body.negative, exponent, k, index);
        let (first, last) = (base(exponent) + (index << (23 - k)), base(exponent) + ((index + 1) << (23 - k)) - 1);
        let whole = last < end;
        if whole && let Some(known) = self.sections.get(&key) {
            return *known;
        }
        let sign = u32::from(body.negative) << 31;
        let x = f32::from_bits(sign | (first + (last - first) / 2));
        let reached = last.min(end - 1);
        let degree = self.shape.degree;
        let found = fit::section(self.shape.curve, x, sign | first, sign | reached, degree, self.fit, &self.measure);
        if whole {
            self.sections.insert(key, found);
        }
        found
    }

    /// The worst error of an octave at depth `k`, or none when it is above `target`.
    fn octave(&mut self, body: &Body, exponent: i32, k: u32, end: u32, target: f64) -> Option<f64> {
        let n = count(exponent, k, end);
        let mut worst = 0f64;
        // The sections at the ends first: they are most often the ones that fail.
        for index in [0, n - 1].into_iter().chain(1..n.saturating_sub(1)) {
            worst = worst.max(self.section(body, exponent, k, index, end).1);
            if worst > target {
                return None;
            }
        }
        Some(worst)
    }

    /// The first octave that the low clamp cannot serve within `target`; none where it can serve nothing.
    fn first_octave(&mut self, body: &Body, target: f64) -> Option<i32> {
        if let Some(first) = body.first {
            return Some(first);
        }
        let first = LOW_REACH.into_iter().find(|&e| self.low_error(body, e) > target).unwrap_or(*LOW_REACH.end() + 1);
        (first > *LOW_REACH.start()).then_some(first)
    }

    fn low_error(&mut self, body: &Body, exponent: i32) -> f64 {
        let key = (body.negative, exponent);
        if let Some(error) = self.low.get(&key) {
            return *error;
        }
        let sign = u32::from(body.negative) << 31;
        let samples = fit::samples(self.shape.curve, sign | base(exponent), sign | base(exponent + 1), 9);
        let error = fit::worst(&body.low, &samples, &self.measure).0;
        self.low.insert(key, error);
        error
    }

    /// The magnitude's bits from which on the high clamp serves within `target`.
    fn end(&mut self, body: &Body, target: f64) -> u32 {
        if body.end_fixed {
            return body.end;
        }
        let free = self.free_end(body, target);
        match body.last {
            Some(last) if !(base(last) + 1..=base(last + 1)).contains(&free) => base(last + 1),
            _ => free,
        }
    }

    /// [`Design::end`] as the target alone has it.
    fn free_end(&mut self, body: &Body, target: f64) -> u32 {
        let (mut good, mut bad) = (body.end, base(*HIGH_REACH.start()));
        'down: for exponent in HIGH_REACH.rev() {
            let errors = self.high_errors(body, exponent);
            for part in (0..8).rev() {
                let bits = base(exponent) + (part << 20);
                if errors[part as usize] > target {
                    bad = bits;
                    break 'down;
                }
                good = good.min(bits);
            }
        }
        while good - bad > 1 {
            let middle = bad + (good - bad) / 2;
            if self.high_error(body, middle) > target { bad = middle } else { good = middle }
        }
        good
    }

    fn high_error(&self, body: &Body, bits: u32) -> f64 {
        let sign = u32::from(body.negative) << 31;
        let samples = fit::samples(self.shape.curve, sign | bits, sign | bits, 2);
        fit::worst(&body.high, &samples, &self.measure).0
    }

    fn high_errors(&mut self, body: &Body, exponent: i32) -> Vec<f64> {
        let key = (body.negative, exponent);
        if !self.high.contains_key(&key) {
            let errors = (0..8).map(|part| self.high_error(body, base(exponent) + (part << 20))).collect();
            self.high.insert(key, errors);
        }
        self.high[&key].clone()
    }

    /// The plan that meets `target` within `most` sections, or none.
    pub fn meet(&mut self, target: f64, most: usize) -> Option<Plan> {
        let shape = self.shape;
        let mut plan = Plan::new();
        let mut left = most;
        // Both sides begin with the same octave: an on-device image has one first exponent a function.
        let firsts = shape.bodies().map(|body| self.first_octave(body, target)).collect::<Option<Vec<_>>>()?;
        let first = firsts.into_iter().min()?;
        for body in shape.bodies() {
            let end = self.end(body, target);
            let mut side = SidePlan { first, end, depths: Vec::new() };
            for exponent in (first..).take(octave_count(first, end)) {
                let fits = |k: u32| count(exponent, k, end) as usize <= left;
                let k = match body.fixed_depth(exponent) {
                    Some(k) => fits(k).then_some(k),
                    None => (0..=DEEPEST).find(|&k| fits(k) && self.octave(body, exponent, k, end, target).is_some()),
                }?;
                left -= count(exponent, k, end) as usize;
                side.depths.push(k);
            }
            plan.push(side);
        }
        Some(plan)
    }

    /// The plan with the smallest worst error within `most` sections, or none where even one section an octave is
    /// too many.
    pub fn best(&mut self, most: usize) -> Option<Plan> {
        // Errors in ULP or absolute: 2^-30 to 2^40 holds them all.
        let (mut low, mut high) = (-30.0f64, 40.0f64);
        let mut best = self.meet(high.exp2(), most)?;
        while high - low > 0.005 {
            let middle = (low + high) / 2.0;
            match self.meet(middle.exp2(), most) {
                Some(plan) => (best, high) = (plan, middle),
                None => low = middle,
            }
        }
        self.spend(&mut best, most);
        Some(best)
    }

    /// Deepens octaves while sections are left: among those within a factor of two of the worst, the one nearest to
    /// 1, as long as it gains.
    fn spend(&mut self, plan: &mut Plan, most: usize) {
        let shape = self.shape;
        let mut left = most - plan.iter().map(SidePlan::count).sum::<usize>();
        let mut open: Vec<(usize, usize, f64)> = Vec::new();
        for (which, body) in shape.bodies().enumerate() {
            let side = plan[which].clone();
            for (index, &k) in side.depths.iter().enumerate() {
                if body.fixed_depth(side.exponent(index)).is_some() {
                    continue;
                }
                let error = self.octave(body, side.exponent(index), k, side.end, f64::INFINITY);
                open.push((which, index, error.unwrap_or(f64::INFINITY)));
            }
        }
        while let Some(worst) = open.iter().map(|o| o.2).max_by(f64::total_cmp) {
            let near = |o: &&(usize, usize, f64)| plan[o.0].exponent(o.1).abs();
            let next = *open.iter().filter(|o| o.2 * 2.0 >= worst).min_by_key(near).expect("the worst is one of them");
            let (which, index, error) = next;
            let body = shape.bodies().nth(which).expect("the plan has a side for every body");
            let (exponent, k, end) = (plan[which].exponent(index), plan[which].depths[index], plan[which].end);
            let cost = (count(exponent, k + 1, end) - count(exponent, k, end)) as usize;
            let deeper =
                (k < DEEPEST && cost <= left).then(|| self.octave(body, exponent, k + 1, end, error * 0.9)).flatten();
            let place = open.iter().position(|o| (o.0, o.1) == (which, index)).expect("it was found there");
            match deeper {
                Some(gained) => {
                    left -= cost;
                    plan[which].depths[index] = k + 1;
                    open[place].2 = gained;
                }
                None => {
                    open.swap_remove(place);
                }
            }
        }
    }

    /// The plan of a shape whose depths follow from the half-width of its sections, as those of the published exp.
    pub fn by_half_width(&self, half_width: f64) -> Plan {
        let side = |body: &Body| {
            let (first, end) = (body.first.expect("such a shape has a first octave"), body.end);
            let depth = |e: i32| (0..=DEEPEST).find(|&k| 2f64.powi(e - 1 - k as i32) <= half_width).unwrap_or(DEEPEST);
            SidePlan { first, end, depths: (first..).take(octave_count(first, end)).map(depth).collect() }
        };
        self.shape.bodies().map(side).collect()
    }
}
