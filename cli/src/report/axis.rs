//! An axis that is logarithmic on both sides of zero: one octave a step, mirrored for the negative side, and linear in
//! the step at either side of zero. A picture's inputs go along it, and its values where they span many octaves.

/// The axis. Its positions run from 0 at zero to [`Axis::length`] at the far end, negative on the negative side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// The exponent where the logarithmic part begins.
    pub lowest: i32,
    /// The exponent where the axis ends.
    pub highest: i32,
    /// Whether there is a negative side.
    pub negative: bool,
    /// Whether there is a positive side.
    pub positive: bool,
}

impl Axis {
    /// The length of one side.
    pub fn length(&self) -> f64 {
        f64::from(self.highest - self.lowest + 1)
    }

    /// The first and the last position.
    pub fn range(&self) -> (f64, f64) {
        let side = |there: bool| if there { self.length() } else { 0.0 };
        (-side(self.negative), side(self.positive))
    }

    /// The position of a value; values beyond an end are at the end.
    pub fn position(&self, value: f64) -> f64 {
        let magnitude = value.abs();
        let start = 2f64.powi(self.lowest);
        let position =
            if magnitude < start { magnitude / start } else { 1.0 + magnitude.log2() - f64::from(self.lowest) };
        let (first, last) = self.range();
        position.copysign(value).clamp(first, last)
    }

    /// The positions of the octaves' edges and of zero.
    pub fn octaves(&self) -> Vec<f64> {
        self.every(1)
    }

    /// The positions to label, about `most` on the whole axis.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let (first, last) = self.range();
        let steps = [1, 2, 4, 8, 16, 32, 64];
        let step = steps.into_iter().find(|step| (last - first) / f64::from(*step) <= most as f64).unwrap_or(128);
        self.every(step)
    }

    fn every(&self, step: i32) -> Vec<f64> {
        let mut positions = vec![0.0];
        for exponent in (self.lowest..=self.highest).filter(|exponent| exponent % step == 0) {
            let position = f64::from(exponent - self.lowest + 1);
            // Next to the label of zero there is no room.
            if position < f64::from(step) {
                continue;
            }
            positions.extend(self.negative.then_some(-position));
            positions.extend(self.positive.then_some(position));
        }
        positions.sort_by(f64::total_cmp);
        positions
    }

    /// The label of a position: `−2⁻³`.
    pub fn label(&self, position: f64) -> String {
        if position == 0.0 {
            return "0".to_owned();
        }
        let exponent = position.abs().round() as i32 - 1 + self.lowest;
        let sign = if position < 0.0 { "−" } else { "" };
        format!("{sign}2{}", superscript(exponent))
    }
}

/// A whole number in superscript digits.
pub fn superscript(number: i32) -> String {
    let digit = |character| match character {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize],
    };
    number.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: Axis = Axis { lowest: -2, highest: 3, negative: true, positive: true };

    #[test]
    fn an_octave_is_one_step_on_either_side() {
        assert_eq!(AXIS.position(0.0), 0.0);
        assert_eq!(AXIS.position(0.125), 0.5);
        assert_eq!(AXIS.position(0.25), 1.0);
        assert_eq!(AXIS.position(-1.0), -3.0);
        assert_eq!(AXIS.position(8.0), 6.0);
        assert_eq!(AXIS.position(f64::INFINITY), 6.0);
        assert_eq!(AXIS.range(), (-6.0, 6.0));
    }

    #[test]
    fn labels_are_powers_of_two() {
        assert_eq!(AXIS.label(1.0), "2⁻²");
        assert_eq!(AXIS.label(-6.0), "−2³");
        assert_eq!(AXIS.label(0.0), "0");
        assert_eq!(superscript(-120), "⁻¹²⁰");
    }

    #[test]
    fn there_are_no_more_ticks_than_wanted() {
        let axis = Axis { lowest: -60, highest: 60, ..AXIS };
        let ticks = axis.ticks(20);
        assert!(ticks.len() <= 21 && ticks.contains(&0.0));
        assert_eq!(Axis { negative: false, ..AXIS }.octaves()[..2], [0.0, 1.0]);
    }
}
