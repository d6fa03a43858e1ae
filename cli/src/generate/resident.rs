//! The functions that the engine computes without sections: profiles of four clamps and nothing else.

use pwp_sim::profile::{Profile, Region, SaturationPoint, Section, Symmetry};

use super::shape::specials;
use crate::truth::Curve;

/// The budget in a resident's file name, `identity_<1>p`.
pub const BUDGET: u32 = 1;

/// What serves the positive and the negative inputs; none for the negative side where the function is folded.
fn sections(curve: Curve) -> Option<(Section, Option<Section>, bool)> {
    use Curve as C;
    let value = |d0: f32| Section { d0, ..Section::default() };
    let slope = |d1: f32| Section { d1, ..Section::default() };
    let square = Section { d2: 1.0, ..Section::default() };
    let both = |positive, negative| Some((positive, Some(negative), false));
    let folded = |positive, odd| Some((positive, None, odd));
    match curve {
        // The engine multiplies the negative side of parametric_relu by its alpha.
        C::Identity | C::Copy | C::Prelu { .. } => both(slope(1.0), slope(1.0)),
        C::Square => folded(square, false),
        C::Relu => both(slope(1.0), slope(0.0)),
        C::LeakyRelu => both(slope(1.0), slope(0.01)),
        C::Abs => both(slope(1.0), slope(-1.0)),
        C::Sign => folded(value(1.0), true),
        C::MemsetZero => folded(value(0.0), false),
        C::IsFinite => folded(value(1.0), false),
        C::DerivativeRelu => both(value(1.0), value(0.0)),
        C::DerivativeLeakyRelu => both(value(1.0), value(0.01)),
        C::DerivativeIdentity => both(value(1.0), value(1.0)),
        _ => None,
    }
}

/// The profile of a function without sections; none for a function with sections.
pub fn profile(curve: Curve) -> Option<Profile> {
    let (positive, negative, odd) = sections(curve)?;
    // At exponent 0 and mantissa 0 the high clamp serves every input.
    let point = |section| SaturationPoint { sat_point: 0, mantissa_point: 0, section };
    let empty = || vec![Region { exponent: -127, ..Region::default() }];
    let folded = negative.is_none();
    let other = negative.unwrap_or(positive);
    let regions = |stored: bool| if stored && !matches!(curve, Curve::Prelu { .. }) { empty() } else { Vec::new() };
    Some(Profile {
        symmetry: Symmetry { enabled: folded, invert_sign: odd, use_neg_region: false, point: 0.0 },
        specials: specials(curve),
        pos: regions(true),
        neg: regions(!folded),
        clamps: [point(positive), point(positive), point(other), point(other)],
    })
}
