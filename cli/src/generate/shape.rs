//! The shape of each function's table: fold, sides, clamps and measure, as far as the function alone decides them.
//!
//! `docs/figures.md` has what is published of the shipped tables' shapes. What depends on the target (how many
//! octaves, how deep, where the clamps begin) is found by [`super::design`].

use pwp_sim::profile::{Section, Specials, Symmetry};

use super::measure::{Crossing, Measure};
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
    /// The magnitude's bits where the high clamp begins at the latest.
    pub end: u32,
    /// Whether it begins exactly there.
    pub end_fixed: bool,
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
    /// Where sections are as deep as their half-width says and not as a target asks: the largest half-width.
    pub half_width: Option<f64>,
}

const ODD: Symmetry = Symmetry { enabled: true, invert_sign: true, use_neg_region: false, point: 0.0 };
const EVEN: Symmetry = Symmetry { enabled: true, invert_sign: false, use_neg_region: false, point: 0.0 };
/// `f(-v) = 1 - f(v)`, the negative side stored.
const COMPLEMENT: Symmetry = Symmetry { enabled: true, invert_sign: true, use_neg_region: true, point: 1.0 };
const NONE: Symmetry = Symmetry { enabled: false, invert_sign: false, use_neg_region: false, point: 0.0 };

fn constant(d0: f32) -> Section {
    Section { d0, ..Section::default() }
}

const LINE: Section = Section { x: 0.0, d0: 0.0, d1: 1.0, d2: 0.0, d3: 0.0 };

/// The Taylor section about `x`; no coefficient is -0.
pub fn taylor_section(curve: Curve, x: f32) -> Section {
    let [d0, d1, d2, d3] = curve.taylor_f32(x).map(|c| c + 0.0);
    Section { x, d0, d1, d2, d3 }
}

/// A body whose clamps reach as far as the target allows: the series at 0 below, `high` above.
fn open(curve: Curve, negative: bool, high: Section) -> Side {
    let low = taylor_section(curve, 0.0);
    Side::Body(Body { negative, low, high, first: None, end: END, end_fixed: false })
}

/// A body over the octaves from `first` to `last`.
fn span(first: i32, last: i32, low: Section, high: Section) -> Side {
    let end = ((last + 128) as u32) << 23;
    Side::Body(Body { negative: false, low, high, first: Some(first), end, end_fixed: true })
}

/// The octaves around 1 of a function without an end, at `each` sections an octave of `sections` in all: first and
/// last, within the normal floats.
fn octaves(sections: usize, each: usize, most: usize) -> (i32, i32) {
    let count = ((sections + each / 2) / each).clamp(2, most) as i32;
    let first = (-(count / 2)).max(-126);
    (first, first + count - 1)
}

fn power(exponent: i32) -> f32 {
    2f64.powi(exponent) as f32
}

/// How the sides of `curve` are served in a table of about `sections` sections.
fn sides(curve: Curve, sections: usize) -> [Side; 2] {
    use Curve as C;
    match curve {
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
            let low = taylor_section(curve, 0.0);
            let end = std::f32::consts::PI.to_bits() + 1;
            let body = Body { negative: false, low, high: constant(0.0), first: None, end, end_fixed: true };
            [Side::Body(body), Side::Folded]
        }
        C::Exp => [open(curve, false, constant(f32::INFINITY)), open(curve, true, constant(0.0))],
        C::Softplus | C::Gelu | C::Mish | C::GeluApprxTanh | C::GeluApprxSigmoid | C::Silu => {
            [open(curve, false, LINE), open(curve, true, constant(0.0))]
        }
        C::Sqrt => {
            let (first, last) = octaves(sections, 4, 254);
            let (first, last) = if last == 127 { (-116, 127) } else { (first, last) };
            // Below the first octave the chord from 0.
            let low = Section { d1: C::Rsqrt.value(power(first)), ..Section::default() };
            [span(first, last, low, constant(C::Sqrt.value(f32::MAX))), Side::Nan]
        }
        C::Rsqrt | C::AbsReciprocalSqrt => {
            let (first, last) = octaves(sections, 4, 254);
            let low = constant(curve.value(power(first)));
            let other = if curve == C::Rsqrt { Side::Nan } else { Side::Folded };
            [span(first, last, low, constant(0.0)), other]
        }
        C::Ln => {
            let (first, last) = octaves(sections, 4, 254);
            [span(first, last, constant(curve.value(power(first))), ln_high(last)), Side::Nan]
        }
        C::Reciprocal => {
            let (first, last) = octaves(sections, 12, 252);
            [span(first, last, constant(power(-first)), constant(0.0)), Side::Folded]
        }
        other => unreachable!("{} has no body", other.name()),
    }
}

/// Above the last octave of the logarithm: its value there.
fn ln_high(last: i32) -> Section {
    if last == 127 { constant(Curve::Ln.value(f32::MAX)) } else { constant(Curve::Ln.value(power(last + 1))) }
}

impl Shape {
    /// The shape of the table of `curve` for a target of about `sections` sections. With `published`, what is
    /// published of the shipped table's shape holds too: its first octave, and all of exp.
    pub fn new(curve: Curve, sections: usize, published: bool) -> Shape {
        use Curve as C;
        let symmetry = match curve {
            C::Sigmoid | C::DerivativeGelu | C::DerivativeGeluApprxSigmoid | C::DerivativeSilu => COMPLEMENT,
            C::Tanh | C::Erf | C::Arctan | C::Sin | C::Reciprocal => ODD,
            C::DerivativeErf | C::DerivativeSigmoid | C::DerivativeTanh | C::AbsReciprocalSqrt => EVEN,
            _ => NONE,
        };
        let crossing = |from, to, floor| Measure::Ulp { crossing: Some(Crossing { from, to, floor }) };
        let measure = match curve {
            C::DerivativeGelu => Measure::Absolute,
            C::Ln => crossing(0.4, 2.7, 1.0),
            C::Sin => crossing(2.5, 3.2, 0.5),
            C::DerivativeSilu => crossing(-1.6, -1.0, 0.0625),
            C::DerivativeGeluApprxSigmoid => crossing(-0.94, -0.59, 0.0625),
            _ => Measure::Ulp { crossing: None },
        };
        let mut shape = Shape {
            curve,
            symmetry,
            specials: specials(curve),
            sides: sides(curve, sections),
            measure,
            degree: if curve == C::Sqrt { 1 } else { 3 },
            half_width: None,
        };
        if published {
            shape.publish();
        }
        shape
    }

    /// Fixes what is published.
    fn publish(&mut self) {
        let (first, ends) = match self.curve {
            Curve::Exp => {
                self.half_width = Some(0.125);
                // 133/3240472 (88.7228, where exp overflows) and 133/4362891 (97.286).
                (-19, Some([0x42b1_7218, 0x42c2_928b]))
            }
            Curve::Sigmoid => (-4, None),
            Curve::Tanh => (-14, None),
            _ => return,
        };
        for (side, which) in self.sides.iter_mut().zip(0..) {
            if let Side::Body(body) = side {
                body.first = Some(first);
                if let Some(ends) = ends {
                    body.end = ends[which as usize];
                    body.end_fixed = true;
                }
            }
        }
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
