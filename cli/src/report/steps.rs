//! The steps of a picture's axis of inputs, for a page that tells what is under the pointer: which inputs a step shows,
//! and the figures of them.

use super::axis::Axis;
use super::measure::Measurement;
use super::slot::Part;
use super::tally::Tally;
use super::text;

/// One step: an octave, at the ends of the axis also all that lies beyond, and next to zero all that is closer to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Where it begins and ends on the axis.
    pub ends: (f64, f64),
    /// The inputs that it shows: `0.5 ≤ x < 1.0`.
    pub inputs: String,
    /// The octaves that it shows, by sign and biased exponent.
    slots: Vec<u32>,
}

impl Step {
    /// Every step of an axis, from its first to its last. Together they show every input but the NaN once.
    pub fn of(axis: &Axis) -> Vec<Step> {
        let last = axis.highest - axis.lowest;
        let negative = (0..=last).rev().filter(|_| axis.negative).map(|number| Step::new(axis, number, true));
        negative.chain((0..=last).map(|number| Step::new(axis, number, false))).collect()
    }

    /// The step with this number from zero outwards on one side.
    fn new(axis: &Axis, number: i32, negative: bool) -> Step {
        let biased = |exponent: i32| (exponent + 127) as u32;
        let last = number == axis.highest - axis.lowest;
        let first_slot = if number == 0 { 0 } else { biased(axis.lowest + number - 1) };
        let last_slot = if last { 255 } else { biased(axis.lowest + number - 1) };
        let (from, to) = (f32::from_bits(first_slot << 23), f32::from_bits((last_slot + 1).min(255) << 23));
        let mut slots: Vec<u32> = (first_slot..=last_slot).map(|slot| slot | u32::from(negative) << 8).collect();
        let inputs = match (negative, last) {
            (false, _) if number == 0 && !axis.negative => {
                slots.extend(256..512);
                format!("x < {to:?}")
            }
            (false, false) => format!("{from:?} ≤ x < {to:?}"),
            (false, true) => format!("{from:?} ≤ x"),
            (true, false) => format!("{:?} < x ≤ {:?}", -to, -from),
            (true, true) => format!("x ≤ {:?}", -from),
        };
        let ends = (f64::from(number), f64::from(number + 1));
        Step { ends: if negative { (-ends.1, -ends.0) } else { ends }, inputs, slots }
    }

    /// The inputs, and a line for each part that serves some of them.
    pub fn says(&self, measurement: &Measurement) -> String {
        let mut lines = vec![self.inputs.clone()];
        for part in Part::ALL {
            let mut tally = Tally::default();
            let octaves = measurement.octaves.iter().filter(|octave| octave.part == part);
            octaves.filter(|octave| self.slots.contains(&octave.slot)).for_each(|octave| tally.merge(&octave.tally));
            let name = if part == Part::Form { "closed form" } else { part.name() };
            lines.extend((tally.seen > 0).then(|| format!("{name}: {}", line(&tally))));
        }
        lines.join("\n")
    }
}

/// The figures of some inputs in a line.
fn line(tally: &Tally) -> String {
    let [ulp, at, _, _, mean, _, _, lost] = text::figures(tally);
    let worst = match (ulp.is_empty(), at.is_empty()) {
        (true, _) => None,
        (false, true) => Some("no error".to_owned()),
        (false, false) => Some(format!("worst {ulp} ULP at {at}")),
    };
    let mean = (!mean.is_empty() && !at.is_empty()).then(|| format!("mean {mean}"));
    let lost = Some(lost).filter(|lost| !lost.is_empty());
    let inputs = Some(format!("{} inputs", tally.seen));
    [worst, mean, lost, inputs].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: Axis = Axis { lowest: -2, highest: 3, negative: true, positive: true };

    #[test]
    fn the_steps_show_every_octave_of_both_signs_once_and_follow_each_other() {
        for axis in [AXIS, Axis { negative: false, ..AXIS }, Axis { lowest: -126, highest: 128, ..AXIS }] {
            let steps = Step::of(&axis);
            let mut slots: Vec<u32> = steps.iter().flat_map(|step| step.slots.clone()).collect();
            slots.sort_unstable();
            assert_eq!(slots, (0..512).collect::<Vec<u32>>(), "{axis:?}");
            assert!(steps.windows(2).all(|pair| pair[0].ends.1 == pair[1].ends.0), "{axis:?}");
            assert_eq!((steps[0].ends.0, steps[steps.len() - 1].ends.1), axis.range());
        }
    }

    #[test]
    fn a_step_names_its_inputs() {
        let inputs: Vec<String> = Step::of(&AXIS).into_iter().map(|step| step.inputs).collect();
        assert_eq!(inputs[..2], ["x ≤ -4.0", "-4.0 < x ≤ -2.0"]);
        assert_eq!(inputs[5..8], ["-0.25 < x ≤ -0.0", "0.0 ≤ x < 0.25", "0.25 ≤ x < 0.5"]);
        assert_eq!(inputs[11], "4.0 ≤ x");
        assert_eq!(Step::of(&Axis { negative: false, ..AXIS })[0].inputs, "x < 0.25");
    }

    #[test]
    fn the_position_of_an_input_is_within_the_step_that_shows_it() {
        for x in [-5.0f32, -1.5, -0.1, 0.1, 0.26, 0.9, 3.0, 1e30] {
            let slot = x.to_bits() >> 23;
            let position = AXIS.position(f64::from(x));
            let step = Step::of(&AXIS).into_iter().find(|step| step.slots.contains(&slot)).unwrap();
            assert!((step.ends.0..=step.ends.1).contains(&position), "{x}: {position} {step:?}");
        }
    }
}
