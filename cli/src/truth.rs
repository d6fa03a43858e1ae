//! The true functions in MPFR: what a table or a closed form is measured against.
//!
//! Each [`Curve`] is the mathematical function that a row of the function table (`docs/behaviour.md`, section 2)
//! stands for, written so that nothing cancels beyond what [`crate::jet::PRECISION`] has to spare. Constants are the
//! true ones (`sqrt(2/pi)`, not the literal of the closed form); 1.702, 0.044715 and 0.01 define their functions.

use std::str::FromStr;

use pwp_sim_core::function::Function;
use rug::Float;

use crate::jet::{Jet, PRECISION, float, pi};

/// A function to be tabulated or measured. [`Curve::name`] is the name of the profile function.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // the names are the documentation
pub enum Curve {
    Identity,
    Copy,
    Square,
    Relu,
    LeakyRelu,
    /// `x <= 0 ? alpha * x : x`.
    Prelu {
        alpha: f32,
    },
    Sigmoid,
    Tanh,
    Exp,
    Softplus,
    Sqrt,
    Rsqrt,
    Ln,
    Erf,
    Sin,
    Arctan,
    Sign,
    Gelu,
    Mish,
    GeluApprxTanh,
    GeluApprxSigmoid,
    DerivativeGeluApprxSigmoid,
    DerivativeGelu,
    DerivativeErf,
    Abs,
    Reciprocal,
    AbsReciprocalSqrt,
    Silu,
    DerivativeSilu,
    MemsetZero,
    IsFinite,
    DerivativeRelu,
    DerivativeLeakyRelu,
    DerivativeIdentity,
    DerivativeSigmoid,
    DerivativeTanh,
}

use Curve as C;

/// Every curve with the name of its profile function. Prelu stands at alpha 0, what its table holds.
const NAMES: [(Curve, &str); 36] = [
    (C::Identity, "identity"),
    (C::Square, "square"),
    (C::Relu, "relu"),
    (C::LeakyRelu, "leaky_relu"),
    (C::Prelu { alpha: 0.0 }, "parametric_relu"),
    (C::Sigmoid, "sigmoid"),
    (C::Tanh, "tanh"),
    (C::Exp, "exp"),
    (C::Softplus, "softplus"),
    (C::Sqrt, "sqrt"),
    (C::Rsqrt, "reciprocal_sqrt"),
    (C::Ln, "ln"),
    (C::Erf, "erf"),
    (C::Sin, "sin"),
    (C::Arctan, "arctan"),
    (C::Sign, "sign"),
    (C::Gelu, "gelu"),
    (C::Mish, "mish"),
    (C::GeluApprxTanh, "gelu_apprx_tanh"),
    (C::GeluApprxSigmoid, "gelu_apprx_sigmoid"),
    (C::DerivativeGeluApprxSigmoid, "derivative_gelu_apprx_sigmoid"),
    (C::DerivativeGelu, "derivative_gelu"),
    (C::DerivativeErf, "derivative_erf"),
    (C::Copy, "copy"),
    (C::Abs, "abs"),
    (C::Reciprocal, "reciprocal"),
    (C::AbsReciprocalSqrt, "abs_reciprocal_sqrt"),
    (C::Silu, "silu"),
    (C::DerivativeSilu, "derivative_silu"),
    (C::MemsetZero, "memset_zero"),
    (C::IsFinite, "is_finite"),
    (C::DerivativeRelu, "derivative_relu"),
    (C::DerivativeLeakyRelu, "derivative_leaky_relu"),
    (C::DerivativeIdentity, "derivative_identity"),
    (C::DerivativeSigmoid, "derivative_sigmoid"),
    (C::DerivativeTanh, "derivative_tanh"),
];

impl Curve {
    /// Every curve, in the order of the function table.
    pub fn all() -> impl Iterator<Item = Curve> {
        NAMES.iter().map(|(curve, _)| *curve)
    }

    /// The name of the curve's profile function: `gelu_apprx_tanh`.
    pub fn name(self) -> &'static str {
        let same = |other: &Curve| std::mem::discriminant(other) == std::mem::discriminant(&self);
        NAMES.iter().find(|(curve, _)| same(curve)).expect("every curve has a row").1
    }

    /// The curve of one of the simulator's functions; only Prelu's depends on `alpha`.
    pub fn of(function: Function, alpha: f32) -> Curve {
        match function {
            Function::Prelu => C::Prelu { alpha },
            Function::LnPrime => C::Reciprocal,
            other => other.info().profile.and_then(|name| name.parse().ok()).expect("every profile has a curve"),
        }
    }

    /// The true value at `x`, correctly rounded to float. NaN where the function has no value; at the infinities the
    /// limit.
    pub fn value(self, x: f32) -> f32 {
        self.high(x).to_f32()
    }

    /// The true value at `x` to [`PRECISION`] bits.
    pub fn high(self, x: f32) -> Float {
        if x.is_nan() {
            return float(f64::NAN);
        }
        if x.is_infinite() {
            return float(self.limit(x > 0.0));
        }
        self.series(x, 1).swap_remove(0)
    }

    /// The Taylor coefficients `f, f', f''/2, f'''/6` at `x`, to [`PRECISION`] bits. `x` is finite and inside the
    /// domain; at a kink the coefficients are those of the side that `x` belongs to.
    pub fn taylor(self, x: f32) -> [Float; 4] {
        self.series(x, 4).try_into().expect("four coefficients were asked for")
    }

    /// The Taylor coefficients at `x`, each rounded once to float.
    pub fn taylor_f32(self, x: f32) -> [f32; 4] {
        self.taylor(x).map(|c| c.to_f32())
    }

    /// The limit of the function at an infinity.
    fn limit(self, positive: bool) -> f64 {
        let (up, down) = match self {
            C::Identity | C::Copy => (f64::INFINITY, f64::NEG_INFINITY),
            C::LeakyRelu => (f64::INFINITY, f64::NEG_INFINITY),
            C::Prelu { alpha: 0.0 } => (f64::INFINITY, 0.0),
            C::Prelu { alpha } => (f64::INFINITY, f64::from(alpha) * f64::NEG_INFINITY),
            C::Square | C::Abs => (f64::INFINITY, f64::INFINITY),
            C::Relu | C::Exp | C::Softplus => (f64::INFINITY, 0.0),
            C::Sqrt | C::Ln => (f64::INFINITY, f64::NAN),
            C::Rsqrt => (0.0, f64::NAN),
            C::Gelu | C::Mish | C::GeluApprxTanh | C::GeluApprxSigmoid | C::Silu => (f64::INFINITY, -0.0),
            C::Sigmoid | C::DerivativeRelu => (1.0, 0.0),
            C::DerivativeGelu | C::DerivativeGeluApprxSigmoid | C::DerivativeSilu => (1.0, -0.0),
            C::Tanh | C::Erf | C::Sign => (1.0, -1.0),
            C::Sin => (f64::NAN, f64::NAN),
            C::Arctan => (std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2),
            C::Reciprocal => (0.0, -0.0),
            C::DerivativeErf | C::DerivativeSigmoid | C::DerivativeTanh => (0.0, 0.0),
            C::AbsReciprocalSqrt | C::MemsetZero | C::IsFinite => (0.0, 0.0),
            C::DerivativeLeakyRelu => (1.0, 0.01),
            C::DerivativeIdentity => (1.0, 1.0),
        };
        if positive { up } else { down }
    }

    /// The first `order` Taylor coefficients at the finite `x`.
    pub(crate) fn series(self, x: f32, order: usize) -> Vec<Float> {
        let v = Jet::variable(f64::from(x), order);
        let constant = |value: f64| Jet::constant(&float(value), order);
        let jet = match self {
            C::Identity | C::Copy => v,
            C::Square => v.square(),
            C::Relu => {
                if x > 0.0 {
                    v
                } else {
                    constant(0.0)
                }
            }
            C::LeakyRelu => {
                // Divided, so that a tie between two floats stays one: 0.01 has no end in binary.
                if x <= 0.0 { v.div(&constant(100.0)) } else { v }
            }
            C::Prelu { alpha } => {
                if x <= 0.0 {
                    v.scale(f64::from(alpha))
                } else {
                    v
                }
            }
            C::Sigmoid => v.sigmoid(),
            C::Tanh => v.tanh(),
            C::Exp => v.exp(),
            C::Softplus => {
                if x > 0.0 {
                    v.add(&v.neg().exp().ln_1p())
                } else {
                    v.exp().ln_1p()
                }
            }
            C::Sqrt => v.sqrt(),
            C::Rsqrt => v.sqrt().recip(),
            C::Ln => v.ln(),
            C::Erf => v.erf(),
            C::Sin => v.sin(),
            C::Arctan => v.atan(),
            C::Sign => constant(f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))),
            C::Gelu => v.mul(&normal_cdf(&v)),
            C::Mish => v.mul(&tanh_softplus(&v)),
            C::GeluApprxTanh => {
                // 0.5 (1 + tanh z) is the sigmoid of 2z.
                let root = (float(2.0) / pi()).sqrt();
                let z = v.square().mul(&v).times(&decimal("0.044715")).add(&v).times(&root);
                v.mul(&z.scale(2.0).sigmoid())
            }
            C::GeluApprxSigmoid => v.mul(&v.times(&decimal("1.702")).sigmoid()),
            C::DerivativeGeluApprxSigmoid => sigmoid_product_derivative(&v.times(&decimal("1.702"))),
            C::DerivativeGelu => {
                let root = Jet::root_power(2.0, -1);
                let density = v.times(&root).erf_slope().times(&Float::with_val(PRECISION, &root / 2u32));
                normal_cdf(&v).add(&v.mul(&density))
            }
            C::DerivativeErf => v.erf_slope(),
            C::Abs => {
                if x.is_sign_negative() {
                    v.neg()
                } else {
                    v
                }
            }
            C::Reciprocal => v.recip(),
            C::AbsReciprocalSqrt => if x.is_sign_negative() { v.neg() } else { v }.sqrt().recip(),
            C::Silu => v.mul(&v.sigmoid()),
            C::DerivativeSilu => sigmoid_product_derivative(&v),
            C::MemsetZero => constant(0.0),
            C::IsFinite => constant(1.0),
            C::DerivativeRelu => constant(if x > 0.0 { 1.0 } else { 0.0 }),
            C::DerivativeLeakyRelu => {
                if x > 0.0 {
                    constant(1.0)
                } else {
                    Jet::constant(&decimal("0.01"), order)
                }
            }
            C::DerivativeIdentity => constant(1.0),
            C::DerivativeSigmoid => v.sigmoid().mul(&v.neg().sigmoid()),
            C::DerivativeTanh => v.sech_squared(),
        };
        jet.into_coefficients()
    }
}

impl FromStr for Curve {
    type Err = ();

    /// The curve of a profile function's name.
    fn from_str(name: &str) -> Result<Curve, ()> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(curve, _)| *curve).ok_or(())
    }
}

/// A decimal constant to the working precision.
fn decimal(digits: &str) -> Float {
    let parsed = Float::parse(digits).expect("the constants are numbers");
    Float::with_val(PRECISION, parsed)
}

/// The normal distribution function, `erfc(-v / sqrt 2) / 2`.
fn normal_cdf(v: &Jet) -> Jet {
    v.times(&Jet::root_power(2.0, -1)).neg().erfc().scale(0.5)
}

/// `tanh(ln(1 + e^v))` as a quotient of positive terms in a falling exponential.
fn tanh_softplus(v: &Jet) -> Jet {
    if v.head().is_sign_negative() {
        let e = v.exp();
        let top = e.square().add(&e.scale(2.0));
        top.div(&top.plus(2.0))
    } else {
        let e = v.neg().exp();
        let top = e.scale(2.0).plus(1.0);
        top.div(&top.add(&e.square().scale(2.0)))
    }
}

/// The derivative of `u * sigmoid(u)`, `s(u) (1 + u s(-u))`.
fn sigmoid_product_derivative(u: &Jet) -> Jet {
    u.sigmoid().mul(&u.mul(&u.neg().sigmoid()).plus(1.0))
}
