//! The thirteen hardwired functions as profiles: no body, four saturation sections (`docs/figures.md`, other shapes).
//!
//! The high thresholds stand at exponent 0, mantissa 0, so every finite input that is not a zero goes to the high
//! saturation section of its side; the low sections repeat the high ones and are never reached.

use crate::profile::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};

/// A cubic about 0.
const fn about_zero(d0: f32, d1: f32, d2: f32) -> Section {
    Section { x: 0.0, d0, d1, d2, d3: 0.0 }
}

const ZERO: Section = about_zero(0.0, 0.0, 0.0);
const ONE: Section = about_zero(1.0, 0.0, 0.0);
const INPUT: Section = about_zero(0.0, 1.0, 0.0);

/// Which regions a hardwired function stores, one empty octave each.
#[derive(Clone, Copy, PartialEq)]
enum Stored {
    /// Both.
    Both,
    /// The positive one, to which the input folds; the flag is `symmetry_invert_sign_opt`.
    Folded(bool),
    /// Neither: no control word at all.
    Neither,
}

/// The profile of a hardwired function, none for any other. The parameter of `parametric_relu` is not in its table:
/// there, the slope below zero is 0.
pub fn hardwired(profile: &str) -> Option<Profile> {
    use Stored::{Both, Folded, Neither};
    const INF: f32 = f32::INFINITY;
    const SLOPE: f32 = 0.01; // 3c23d70a
    let negated = about_zero(0.0, -1.0, 0.0);
    let leaky = about_zero(0.0, SLOPE, 0.0);
    let square = about_zero(0.0, 0.0, 1.0);
    // The sections below and above zero, then the results for 0, +inf and -inf.
    let (stored, neg, pos, [zero, pos_inf, neg_inf]) = match profile {
        "identity" | "copy" => (Both, INPUT, INPUT, [0.0, INF, -INF]),
        "relu" => (Both, ZERO, INPUT, [0.0, INF, 0.0]),
        "leaky_relu" => (Both, leaky, INPUT, [0.0, INF, -INF]),
        "parametric_relu" => (Neither, ZERO, INPUT, [0.0, INF, 0.0]),
        "abs" => (Both, negated, INPUT, [0.0, INF, INF]),
        "square" => (Folded(false), square, square, [0.0, INF, INF]),
        "sign" => (Folded(true), ONE, ONE, [0.0, 1.0, -1.0]),
        "memset_zero" => (Folded(false), ZERO, ZERO, [0.0, 0.0, 0.0]),
        "is_finite" => (Folded(false), ONE, ONE, [1.0, 0.0, 0.0]),
        "derivative_identity" => (Both, ONE, ONE, [1.0, 1.0, 1.0]),
        "derivative_relu" => (Both, ZERO, ONE, [0.0, 1.0, 0.0]),
        "derivative_leaky_relu" => (Both, about_zero(SLOPE, 0.0, 0.0), ONE, [SLOPE, 1.0, SLOPE]),
        _ => return None,
    };
    let empty = |present: bool| {
        let region = Region { exponent: -127, ..Region::default() };
        if present { vec![region] } else { Vec::new() }
    };
    let mut saturation_points = [SaturationPoint::default(); 4];
    for (saturation, section) in
        [(Saturation::PosHigh, pos), (Saturation::PosLow, pos), (Saturation::NegHigh, neg), (Saturation::NegLow, neg)]
    {
        saturation_points[saturation as usize].section = section;
    }
    let nan = if matches!(profile, "memset_zero" | "is_finite") { 0.0 } else { f32::from_bits(0x7fc0_0000) };
    Some(Profile {
        symmetry: Symmetry {
            enabled: matches!(stored, Folded(_)),
            invert_sign: stored == Folded(true),
            use_neg_region: false,
            point: 0.0,
        },
        specials: Specials { zero, nan, pos_inf, neg_inf },
        pos: empty(stored != Neither),
        neg: empty(stored == Both),
        saturation_points,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::Affine;
    use crate::eval::definition;
    use crate::exact::evaluate;
    use crate::function::{Class, Function, FunctionInfo};
    use crate::table::Table;

    #[test]
    fn exactly_the_hardwired_functions_have_a_profile() {
        for info in FunctionInfo::with_profile() {
            let profile = info.profile.unwrap();
            assert_eq!(hardwired(profile).is_some(), info.class() == Class::Hardwired, "{profile}");
        }
    }

    #[test]
    fn the_tables_give_the_exact_functions_bits_but_for_zeros_and_nans() {
        for function in Function::all().filter(|function| *function != Function::Prelu) {
            let Some(profile) = function.info().profile.and_then(hardwired) else { continue };
            let table = Table::new(&profile).unwrap();
            for high in 0..=u16::MAX {
                let v = f32::from_bits(u32::from(high) << 16 | 0x1234);
                if v.is_nan() || v == 0.0 {
                    continue;
                }
                let exact = evaluate(function, v, Affine::UNIT.alpha);
                let got = definition::evaluate(&table, v).unwrap();
                // The leaky slope is a float in a table and a double in the closed form.
                let close =
                    function == Function::Lrelu && v < 0.0 && (got - exact).abs() <= exact.abs() * 2.0e-7 + 1e-45;
                assert!(got == exact || close, "{} of {v:e}: {got:e}, not {exact:e}", function.name());
            }
        }
    }
}
