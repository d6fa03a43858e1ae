//! The shape of each function's table: fold, sides, clamps and measure, as far as the function alone decides them.
//!
//! `docs/figures.md` has what is published of the shipped tables' shapes. What depends on the target (how many
//! octaves, how deep, where the clamps begin) is found by [`super::design`].

use pwp_sim_core::profile::{Section, Specials, Symmetry};

use super::measure::{Crossing, LEAST, Measure};
use crate::truth::Curve;

/// The bits of +inf: the end of the floats' magnitudes.
pub const END: u32 = 0x7f80_0000;

/// The NaN that tables hold.
pub const NAN: f32 = f32::from_bits(0x7fc0_0000);

/// What serves one sign of the input.
#[derive(Debug, Clone)]
pub enum Side {
    /// Never reached: the fold leads to the other side.
    Folded,
    /// Outside the function's domain: both clamps give NaN.
    Nan,
    /// Sections between two clamps.
    Body(Body),
}

/// One sign's sections, as far as they are the same for every target.
#[derive(Debug, Clone)]
pub struct Body {
    /// Whether this is the negative side.
    pub negative: bool,
    /// The section of the low clamp.
    pub low: Section,
    /// The section of the high clamp.
    pub high: Section,
    /// The first octave where it is fixed; otherwise the low clamp reaches as far as the target allows.
    pub first: Option<i32>,
    /// The last octave where it is fixed: the high clamp begins in it, or at its end.
    pub last: Option<i32>,
    /// The magnitude's bits where the high clamp begins at the latest.
    pub end: u32,
    /// Whether it begins exactly there.
    pub end_fixed: bool,
    /// Octaves whose depth is fixed: what is searched is the rest.
    pub fixed: Vec<Depth>,
}

/// Octaves with one `extract_size`, whatever their error.
#[derive(Debug, Clone, PartialEq)]
pub struct Depth {
    /// The exponents.
    pub octaves: std::ops::RangeInclusive<i32>,
    /// `extract_size`.
    pub extract_size: u32,
}

impl Body {
    /// The fixed depth of an octave, where it has one.
    pub fn fixed_depth(&self, exponent: i32) -> Option<u32> {
        self.fixed.iter().find(|depth| depth.octaves.contains(&exponent)).map(|depth| depth.extract_size)
    }
}

/// The shape of one function's table.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The function.
    pub curve: Curve,
    /// The fold.
    pub symmetry: Symmetry,
    /// The results that need no section.
    pub specials: Specials,
    /// The positive and the negative side.
    pub sides: [Side; 2],
    /// What "worst" means for the function.
    pub measure: Measure,
    /// The degree of the sections' polynomials, 1 or 3.
    pub degree: usize,
    /// Whether the table is meant to hold only between its first octave and its end.
    pub bounded: bool,
    /// Where sections are as deep as their half-width says and not as a target asks: the largest half-width.
    pub half_width: Option<f64>,
}

const ODD: Symmetry = Symmetry { enabled: true, invert_sign: true, use_neg_region: false, point: 0.0 };
const EVEN: Symmetry = Symmetry { enabled: true, invert_sign: false, use_neg_region: false, point: 0.0 };
/// `f(v) = 1 - f(-v)`, the negative side stored.
const COMPLEMENT: Symmetry = Symmetry { enabled: true, invert_sign: true, use_neg_region: true, point: 1.0 };
const NONE: Symmetry = Symmetry { enabled: false, invert_sign: false, use_neg_region: false, point: 0.0 };

fn constant(d0: f32) -> Section {
    Section { d0, ..Section::default() }
}

const LINE: Section = Section { x: 0.0, d0: 0.0, d1: 1.0, d2: 0.0, d3: 0.0 };

/// The true value of `curve` at `v`.
pub fn truth(curve: Curve, v: f32) -> f64 {
    curve.high(v).to_f64()
}

/// The Taylor section of `curve` about `x`. No coefficient is -0, and one that overflows is left out: near 0 the higher
/// derivatives of the logarithm, the reciprocal and their like do.
pub fn section(curve: Curve, x: f32) -> Section {
    let [d0, d1, d2, d3] = curve.taylor_f32(x).map(|c| if c.is_finite() { c + 0.0 } else { 0.0 });
    Section { x, d0, d1, d2, d3 }
}

/// A body whose clamps reach as far as the target allows: the series at 0 below, `high` above.
fn open(curve: Curve, negative: bool, high: Section) -> Side {
    let low = section(curve, 0.0);
    Side::Body(Body { negative, low, high, first: None, last: None, end: END, end_fixed: false, fixed: vec![] })
}

/// A body over the positive octaves from `first` to `last`.
fn span((first, last): (i32, i32), low: Section, high: Section) -> Side {
    let end = ((last + 128) as u32) << 23;
    let (first, last) = (Some(first), Some(last));
    Side::Body(Body { negative: false, low, high, first, last, end, end_fixed: true, fixed: vec![] })
}

/// The octaves of a function without an end, first and last, in a table of `sections` sections: those from `first` to
/// `last`, or fewer around 1 where each would have less than about four sections.
fn octaves(sections: usize, first: i32, last: i32) -> (i32, i32) {
    let affordable = ((sections + 2) / 4).max(2) as i32;
    if affordable > last - first {
        return (first, last);
    }
    let start = (-(affordable / 2)).max(first);
    (start, start + affordable - 1)
}

fn power(exponent: i32) -> f32 {
    2f64.powi(exponent) as f32
}

/// How the sides of `curve` are served in a table of about `sections` sections.
fn sides(curve: Curve, sections: usize, published: bool) -> [Side; 2] {
    use Curve as C;
    match curve {
        // Only the negative side has a tail that needs its relative precision: the positive one is 1 minus it.
        C::Sigmoid | C::DerivativeGelu | C::DerivativeGeluApprxSigmoid | C::DerivativeSilu => {
            [Side::Folded, open(curve, true, constant(0.0))]
        }
        C::Tanh | C::Erf => [open(curve, false, constant(1.0)), Side::Folded],
        C::Arctan => [open(curve, false, constant(std::f32::consts::FRAC_PI_2)), Side::Folded],
        C::DerivativeErf | C::DerivativeSigmoid | C::DerivativeTanh => {
            [open(curve, false, constant(0.0)), Side::Folded]
        }
        C::Sin => {
            // One period; beyond it the sections give 0, the value at its end.
            let mut side = open(curve, false, constant(0.0));
            if let Side::Body(body) = &mut side {
                (body.end, body.end_fixed) = (std::f32::consts::PI.to_bits() + 1, true);
            }
            [side, Side::Folded]
        }
        C::Exp => [open(curve, false, constant(f32::INFINITY)), open(curve, true, constant(0.0))],
        C::Softplus | C::Gelu | C::Mish | C::GeluApprxTanh | C::GeluApprxSigmoid | C::Silu => {
            [open(curve, false, LINE), open(curve, true, constant(0.0))]
        }
        // The octaves of these four are those in which the coefficients that matter are normal floats: d2 for the
        // logarithm (x^-2), the reciprocal (x^-3) and the roots (x^-1.5, x^-2.5).
        C::Sqrt => {
            // The published square root has straight lines, which reach further: 234 octaves.
            let (first, last) = if published { (-116, 117) } else { octaves(sections, -82, 82) };
            // Below the first octave the chord from 0.
            let low = Section { d1: C::Rsqrt.value(power(first)), ..Section::default() };
            [span((first, last), low, constant(ceiling(curve, last))), Side::Nan]
        }
        C::Rsqrt | C::AbsReciprocalSqrt => {
            // The published ones have 185: those in which the slope is a float at all (x^-1.5). Outside -51 to 50 their
            // sections are straight lines, whatever their depth: four an octave.
            let (first, last) = if published { (-86, 98) } else { octaves(sections, -51, 50) };
            let mut side = span((first, last), constant(curve.value(power(first))), constant(0.0));
            if let (Side::Body(body), true) = (&mut side, published) {
                let lines = [first..=-52, 51..=last];
                body.fixed = lines.map(|octaves| Depth { octaves, extract_size: 2 }).into();
            }
            [side, if curve == C::Rsqrt { Side::Nan } else { Side::Folded }]
        }
        C::Ln => {
            let (first, last) = octaves(sections, -64, 63);
            [span((first, last), constant(curve.value(power(first))), constant(ceiling(curve, last))), Side::Nan]
        }
        C::Reciprocal => {
            let (first, last) = octaves(sections, -42, 42);
            [span((first, last), constant(power(-first)), constant(0.0)), Side::Folded]
        }
        other => unreachable!("{} has no body", other.name()),
    }
}

/// The first octave of the published table and the last of the positive and the negative side (one that is not stored
/// repeats the other). Published are the first octaves of tanh and sigmoid, and of the others the number of octaves, which
/// leaves one choice: the last octave of a side is where its clamp takes over, and both sides begin with the same one.
fn published_octaves(curve: Curve) -> Option<(i32, [i32; 2])> {
    use Curve as C;
    Some(match curve {
        C::Sigmoid => (-4, [6, 6]),
        C::Tanh => (-14, [2, 2]),
        C::Erf => (-5, [1, 1]),
        C::Arctan => (-5, [21, 21]),
        C::Sin => (-11, [1, 1]),
        C::Softplus => (-15, [3, 6]),
        C::Gelu => (-7, [2, 3]),
        C::GeluApprxTanh => (-6, [3, 3]),
        C::GeluApprxSigmoid => (-7, [2, 5]),
        C::Mish => (-7, [2, 6]),
        C::Silu => (-7, [3, 6]),
        C::DerivativeErf => (-6, [3, 3]),
        C::DerivativeSigmoid => (-4, [6, 6]),
        C::DerivativeTanh => (-6, [5, 5]),
        C::DerivativeGelu => (-5, [3, 3]),
        C::DerivativeGeluApprxSigmoid => (-7, [5, 5]),
        C::DerivativeSilu => (-5, [6, 6]),
        _ => return None,
    })
}

/// The value at the end of the last octave.
fn ceiling(curve: Curve, last: i32) -> f32 {
    curve.value(if last == 127 { f32::MAX } else { power(last + 1) })
}

impl Shape {
    /// The shape of the table of `curve` for a target of about `sections` sections, or one in ULP (`relative`). With
    /// `published`, what is published of the shipped table's shape holds too: its first octave, and all of exp.
    pub fn new(curve: Curve, sections: usize, relative: bool, published: bool) -> Shape {
        use Curve as C;
        let symmetry = match curve {
            C::Sigmoid | C::DerivativeGelu | C::DerivativeGeluApprxSigmoid | C::DerivativeSilu => COMPLEMENT,
            C::Tanh | C::Erf | C::Arctan | C::Sin | C::Reciprocal => ODD,
            C::DerivativeErf | C::DerivativeSigmoid | C::DerivativeTanh | C::AbsReciprocalSqrt => EVEN,
            _ => NONE,
        };
        // A tail that dies away is not followed through the denormals: about where the published exp ends, 2^-140, it
        // counts as 0; in derivative_gelu_apprx_sigmoid soon below the normal floats, for its densest octave takes the
        // sections.
        let denormal = match curve {
            _ if relative => LEAST,
            C::DerivativeGeluApprxSigmoid => 2f64.powi(-130),
            _ => 2f64.powi(-145),
        };
        let plain = Measure::Ulp { crossing: None, denormal };
        let crossing = |from, to, floor| Measure::Ulp { crossing: Some(Crossing { from, to, floor }), denormal };
        let measure = match curve {
            C::DerivativeGelu if relative => crossing(-1.0, -0.5, 0.0625),
            // Too few sections for the tail: below the floor it counts no further.
            C::DerivativeGelu => crossing(f32::NEG_INFINITY, -0.5, 2f64.powi(-7)),
            // Too few sections for the whole tail: below 2^-48 it counts no further.
            C::Gelu => crossing(f32::NEG_INFINITY, -4.0, 2f64.powi(-48)),
            C::Ln => crossing(0.4, 2.7, 1.0),
            C::Sin => crossing(2.5, 3.2, 0.5),
            C::DerivativeSilu => crossing(-1.6, -1.0, 0.0625),
            C::DerivativeGeluApprxSigmoid => crossing(-0.94, -0.59, 0.0625),
            _ => plain,
        };
        let mut shape = Shape {
            curve,
            symmetry,
            specials: specials(curve),
            sides: sides(curve, sections, published),
            measure,
            degree: if curve == C::Sqrt && published { 1 } else { 3 },
            bounded: matches!(curve, C::Sin | C::Sqrt | C::Rsqrt | C::AbsReciprocalSqrt | C::Ln | C::Reciprocal),
            half_width: None,
        };
        if published {
            shape.publish();
        }
        shape
    }

    /// Fixes what is published: the octaves, and all of exp but its coefficients.
    fn publish(&mut self) {
        let (first, last) = match self.curve {
            Curve::Exp => {
                self.half_width = Some(0.125);
                // 133/3240472 (88.7228, where exp overflows) and 133/4362891 (97.286).
                for (body, end) in self.bodies_mut().zip([0x42b1_7218, 0x42c2_928b]) {
                    (body.end, body.end_fixed) = (end, true);
                }
                (-19, [6, 6])
            }
            curve => match published_octaves(curve) {
                Some(octaves) => octaves,
                None => return,
            },
        };
        let densest =
            (self.curve == Curve::DerivativeGeluApprxSigmoid).then_some(Depth { octaves: 5..=5, extract_size: 10 });
        for body in self.bodies_mut() {
            (body.first, body.last) = (Some(first), Some(last[usize::from(body.negative)]));
            body.fixed.extend(densest.clone());
        }
    }

    fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        self.sides.iter_mut().filter_map(|side| match side {
            Side::Body(body) => Some(body),
            _ => None,
        })
    }

    /// The sides that have sections.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.sides.iter().filter_map(|side| match side {
            Side::Body(body) => Some(body),
            _ => None,
        })
    }
}

/// The results at zero, the infinities and NaN: the function's own, +0 for -0.
pub fn specials(curve: Curve) -> Specials {
    let zero = match curve {
        // The largest bfloat16.
        Curve::Reciprocal => f32::from_bits(0x7f7f_0000),
        _ => curve.value(0.0),
    };
    let plain = |value: f32| if value.is_nan() { NAN } else { value + 0.0 };
    Specials {
        zero: plain(zero),
        nan: NAN,
        pos_inf: plain(curve.value(f32::INFINITY)),
        neg_inf: plain(curve.value(f32::NEG_INFINITY)),
    }
}
