//! The closed forms on vectors, with the bits of [`super::scalar`].
//!
//! Each form is computed in double with a known bound on the distance to what the definition computes in double,
//! whatever the libm, if only its errors are within the bound that the form names. Where rounding to float cannot tell
//! the two apart, which is nearly everywhere, the rounded result is the definition's. The other lanes go to the
//! definition, and so do inputs that a form does not cover: NaN, some infinities, results that are subnormal.
//! [`guard`] decides. Relative errors are written as powers of two: 2^-40 is a bit in 2^40.
//!
//! Vectors set other exception flags than libm does.

// The forms' literals, as in the definition.
#![allow(clippy::approx_constant)]

mod atan;
mod erf;
mod erf_table;
mod exp;
mod guard;
mod log;
mod root;
mod sigmoid;
mod sin;
mod softplus;
mod straight;
mod tanh;

use crate::affine::Affine;
use crate::function::Function;
use crate::lanes::{Lanes, MAX_LANES, Tier, Work};

use super::scalar;

/// Vectors of one [`Form::at_each`].
const AT_ONCE: usize = 4;

/// `$value` for every index `$i` of [`AT_ONCE`] vectors.
macro_rules! each {
    ($i:ident => $value:expr) => {
        [
            {
                let $i = 0;
                $value
            },
            {
                let $i = 1;
                $value
            },
            {
                let $i = 2;
                $value
            },
            {
                let $i = 3;
                $value
            },
        ]
    };
}
use each;

/// A closed form on vectors.
trait Form: Copy {
    /// The values at `x`, and the lanes that must go to the definition.
    fn at<L: Lanes>(self, lanes: L, x: L::F32) -> (L::F32, L::M32);

    /// The values at several vectors. One whose chain of operations is long overrides this and does its steps for all of
    /// them before the next step, so that the chains overlap.
    #[inline(always)]
    fn at_each<L: Lanes>(self, lanes: L, x: &[L::F32; AT_ONCE]) -> [(L::F32, L::M32); AT_ONCE] {
        each!(i => self.at(lanes, x[i]))
    }
}

/// Replaces every `v` of `data` by the closed form at the scaled `v`, and says how many of them the definition computed.
/// For the default floating-point environment only. `fused` is [`Tier::run_whole`]'s.
pub(super) fn evaluate_block(tier: Tier, fused: bool, function: Function, affine: &Affine, data: &mut [f32]) -> usize {
    let block = Block { tier, fused, function, affine: *affine, data };
    let at = |x| scalar::evaluate(function, x, 0.0);
    match function {
        Function::Lrelu => block.run(straight::Lrelu),
        Function::Prelu => block.run(straight::Prelu { alpha: affine.alpha }),
        Function::Sigmoid => block.run(sigmoid::Sigmoid),
        Function::Tanh => block.run(tanh::Tanh),
        Function::Exp => block.run(exp::Exp),
        Function::Softplus => block.run(softplus::Softplus),
        Function::Rsqrt => block.run(root::Rsqrt { invalid: at(-1.0) }),
        Function::Ln => block.run(log::Ln { invalid: at(-1.0) }),
        Function::Erf => block.run(erf::Erf),
        Function::Sin => block.run(sin::Sin),
        Function::Arctan => block.run(atan::Arctan),
        Function::Gelu => block.run(erf::Gelu),
        Function::Mish => block.run(softplus::Mish),
        Function::GeluApprxTanh => block.run(tanh::GeluApprxTanh),
        Function::GeluApprxSigmoid => block.run(sigmoid::GeluApprxSigmoid),
        Function::DerivativeGeluApprxSigmoid => block.run(sigmoid::DerivativeGeluApprxSigmoid { overflow: at(1e3) }),
        Function::DerivativeGelu => block.run(erf::DerivativeGelu),
        Function::DerivativeErf => block.run(exp::DerivativeErf),
        Function::AbsReciprocalSqrt => block.run(root::AbsReciprocalSqrt),
        Function::Silu => block.run(sigmoid::Silu),
        Function::DerivativeSilu => block.run(sigmoid::DerivativeSilu { overflow: at(1e3) }),
        _ => {
            straight::evaluate_block(tier, function, affine, block.data);
            0
        }
    }
}

/// What is to be replaced by the values of a form, and by which instructions.
struct Block<'a> {
    tier: Tier,
    fused: bool,
    function: Function,
    affine: Affine,
    data: &'a mut [f32],
}

impl Block<'_> {
    fn run<F: Form>(self, form: F) -> usize {
        self.tier.run_whole(self.fused, Evaluation { block: self, form })
    }

    /// The lanes of `left` by the definition. Gives their number.
    #[cold]
    #[inline(never)]
    fn by_definition(function: Function, left: u32, scaled: &[f32], results: &mut [f32]) -> usize {
        let mut lanes = left;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            results[lane] = scalar::evaluate(function, scaled[lane], 0.0);
        }
        left.count_ones() as usize
    }

    /// Stores `y`, and lets the definition replace the lanes of `left`. Gives their number.
    #[inline(always)]
    fn put<L: Lanes>(&self, lanes: L, x: L::F32, (y, left): (L::F32, L::M32), results: &mut [f32]) -> usize {
        lanes.store(y, results);
        if !lanes.any(left) {
            return 0;
        }
        let mut scaled = [0.0; MAX_LANES];
        lanes.store(x, &mut scaled);
        Block::by_definition(self.function, lanes.lanes(left), &scaled, results)
    }
}

/// A form over a block. Gives the number of elements that the definition computed.
struct Evaluation<'a, F> {
    block: Block<'a>,
    form: F,
}

impl<F: Form> Work for Evaluation<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn on_lanes<L: Lanes>(mut self, lanes: L) -> usize {
        let data = std::mem::take(&mut self.block.data);
        let (scale, bias) = (lanes.splat_f32(self.block.affine.scale), lanes.splat_f32(self.block.affine.bias));
        let mut by_definition = 0;
        let mut groups = data.chunks_exact_mut(AT_ONCE * L::N);
        for group in &mut groups {
            let mut x = [bias; AT_ONCE];
            for (vector, x) in group.chunks_exact(L::N).zip(&mut x) {
                *x = lanes.load(vector) * scale + bias;
            }
            let results = self.form.at_each(lanes, &x);
            for ((x, result), vector) in x.iter().zip(results).zip(group.chunks_exact_mut(L::N)) {
                by_definition += self.block.put(lanes, *x, result, vector);
            }
        }
        let mut vectors = groups.into_remainder().chunks_exact_mut(L::N);
        for vector in &mut vectors {
            let x = lanes.load(vector) * scale + bias;
            by_definition += self.block.put(lanes, x, self.form.at(lanes, x), vector);
        }
        let rest = vectors.into_remainder();
        if !rest.is_empty() {
            // A whole vector, whose other elements are one of these.
            let mut whole = [rest[0]; MAX_LANES];
            whole[..rest.len()].copy_from_slice(rest);
            let x = lanes.load(&whole) * scale + bias;
            by_definition += self.block.put(lanes, x, self.form.at(lanes, x), &mut whole[..L::N]);
            rest.copy_from_slice(&whole[..rest.len()]);
        }
        by_definition
    }

    fn one_by_one(self) -> usize {
        scalar::evaluate_block(self.block.function, &self.block.affine, self.block.data);
        self.block.data.len()
    }
}
