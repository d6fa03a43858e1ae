//! The truth at every input of a stretch: bit for bit that of MPFR but for the sign of zeros, which no error depends on.
//!
//! An exhaustive report and the verification of a generated table need [`Truth`] at up to 2^32 inputs. MPFR takes
//! microseconds for one. Here a stretch of inputs is served, in this order, by
//!
//! 1. [`direct`]: functions of which one or two operations of double precision give the correctly rounded double;
//! 2. a constant, where the truth is the same double at both ends and the function is monotone between (`monotone`),
//!    and the line `x`, to which six functions tend ([`line`]);
//! 3. [`sine`], far from zero;
//! 4. [`polynomial`]: Taylor's polynomial about the middle, with coefficients from MPFR and a proven error bound, or
//!    the two halves where that is too large;
//! 5. MPFR, for the inputs that are left.
//!
//! The last two compute the truth as an unrounded sum of two doubles with a bound on its error. Where both ends of the
//! interval round to the same double (Ziv's test), that is the correctly rounded one; where not, about once in 2^13
//! inputs, MPFR decides. So the result does not depend on the way.

pub mod direct;
pub mod majorant;
pub mod polynomial;
pub mod sine;
pub mod vectors;

use crate::truth::Curve;
use crate::unit::{Apart, BEYOND, TINY, Truth, ulp};
use Curve as C;
use polynomial::Polynomial;
use sine::Sine;

/// The most inputs of a [`Block`].
pub const BLOCK: usize = 512;

/// Inputs that are looked at one by one where one of them is open.
const PART: usize = 64;

/// Stretches of up to so many inputs that no polynomial serves are left to MPFR.
const FEW: u32 = 32;

/// The truth at neighbouring inputs.
#[derive(Debug, Clone)]
pub struct Block {
    /// The bits of the first input.
    pub first: u32,
    /// How many inputs; what follows in the arrays is meaningless.
    pub len: usize,
    /// Whether the truth is the same at all of them.
    pub constant: bool,
    /// [`Truth::value`] of each.
    pub value: [f64; BLOCK],
    /// [`Truth::rounded`] of each.
    pub rounded: [f32; BLOCK],
    /// One over [`Truth::unit`] of each.
    pub per_unit: [f64; BLOCK],
}

impl Block {
    fn new() -> Block {
        Block { first: 0, len: 0, constant: false, value: [0.0; BLOCK], rounded: [0.0; BLOCK], per_unit: [0.0; BLOCK] }
    }

    /// The truth at input number `index`. No input of a block is a pole.
    pub fn truth(&self, index: usize) -> Truth {
        Truth {
            value: self.value[index],
            rounded: self.rounded[index],
            unit: self.per_unit[index].recip(),
            pole: false,
        }
    }

    /// How far the result `y` is from the truth at input number `index`.
    #[inline(always)]
    pub fn apart(&self, index: usize, y: f32) -> Apart {
        Apart::new(y, self.value[index], self.rounded[index], self.per_unit[index])
    }

    /// Puts the truth that [`of_double`] makes of `v`, and says whether that lies halfway between two floats.
    #[inline(always)]
    fn put(&mut self, index: usize, v: f64) -> bool {
        let half;
        (self.value[index], self.rounded[index], self.per_unit[index], half) = of_double(v);
        half
    }

    fn set(&mut self, index: usize, truth: &Truth) {
        (self.value[index], self.rounded[index]) = (truth.value, truth.rounded);
        self.per_unit[index] = truth.unit.recip();
    }

    /// The inputs of the block from what `unrounded` gives for each by number; where that leaves one open, `settle` decides.
    #[inline(always)]
    fn fill(
        &mut self,
        vectors: pulp::Arch,
        unrounded: impl Fn(usize) -> Unrounded,
        settle: impl Fn(&mut Block, usize),
    ) {
        let mut open = [0u32; BLOCK / PART];
        vectors::run(
            vectors,
            #[inline(always)]
            || {
                for (part, open) in open.iter_mut().enumerate() {
                    for index in part * PART..self.len.min((part + 1) * PART) {
                        let (v, certain) = unrounded(index).round();
                        *open += u32::from(!certain | self.put(index, v));
                    }
                }
            },
        );
        for part in (0..BLOCK / PART).filter(|&part| open[part] > 0) {
            for index in part * PART..self.len.min((part + 1) * PART) {
                let unrounded = unrounded(index);
                let (v, certain) = unrounded.round();
                if (!certain || of_double(v).3) && !unrounded.settle(self, index) {
                    settle(self, index);
                }
            }
        }
    }

    /// Lets MPFR decide at input number `index`.
    fn settle(&mut self, curve: Curve, index: usize) {
        self.set(index, &Truth::high(curve, f32::from_bits(self.first + index as u32)));
    }
}

/// What gives the truth at the inputs of a stretch.
enum Way {
    Direct,
    Constant(Truth),
    Line,
    Sine(Box<Sine>),
    Polynomial(Box<Polynomial>),
    High,
}

/// The truth of one function at stretches of inputs.
pub struct Truths {
    curve: Curve,
    vectors: pulp::Arch,
}

impl Truths {
    /// The truth of `curve`.
    pub fn new(curve: Curve) -> Truths {
        Truths { curve, vectors: pulp::Arch::new() }
    }

    /// Calls `visit` with the truth at the inputs with the bits `first..=last`, which lie in one octave of one sign and
    /// are neither zero nor infinite nor NaN: in ascending order, in blocks of which none crosses a multiple of [`BLOCK`].
    pub fn walk(&self, first: u32, last: u32, visit: &mut impl FnMut(&Block)) {
        self.walk_blocks(first, last, &|_, _, _| true, visit);
    }

    /// [`Truths::walk`] in part: of each stretch that is served as a whole, its ends and its middle, where what a
    /// polynomial leaves out is largest and least.
    pub fn probe(&self, first: u32, last: u32, visit: &mut impl FnMut(&Block)) {
        let block = |bits: u32| bits / BLOCK as u32;
        let wanted = |first: u32, last: u32, at: u32| {
            [first, first + (last - first) / 2, last].iter().any(|&bits| block(bits) == block(at))
        };
        self.walk_blocks(first, last, &wanted, visit);
    }

    /// The walk, with those blocks of a stretch `first..=last` for which `wanted(first, last, bits of the block)` holds.
    fn walk_blocks(
        &self,
        first: u32,
        last: u32,
        wanted: &impl Fn(u32, u32, u32) -> bool,
        visit: &mut impl FnMut(&Block),
    ) {
        debug_assert!(first >> 23 == last >> 23 && first & 0x7fff_ffff != 0 && (first >> 23) & 255 != 255);
        let one = 1f32.to_bits();
        if self.curve == C::Ln && (first..=last).contains(&one) && first < last {
            // ln(1) has a unit of its own.
            if first < one {
                self.walk_blocks(first, one - 1, wanted, visit);
            }
            self.walk_blocks(one, one, wanted, visit);
            if one < last {
                self.walk_blocks(one + 1, last, wanted, visit);
            }
            return;
        }
        match self.way(first, last) {
            Some(way) => self.blocks(&way, first, last, wanted, visit),
            None => {
                let middle = first + (last - first) / 2;
                self.walk_blocks(first, middle, wanted, visit);
                self.walk_blocks(middle + 1, last, wanted, visit);
            }
        }
    }

    /// What serves the stretch as a whole, if anything does.
    fn way(&self, first: u32, last: u32) -> Option<Way> {
        let (curve, x) = (self.curve, f32::from_bits(first));
        if direct::is_direct(curve) {
            return Some(Way::Direct);
        }
        if x < 0.0 && matches!(curve, C::Ln | C::Rsqrt) {
            return Some(Way::Constant(Truth::high(curve, x)));
        }
        if last - first < FEW {
            return Some(Way::High);
        }
        if line(curve, x) {
            return Some(Way::Line);
        }
        if curve == C::Sin && x.abs() >= sine::FROM {
            return Some(Way::Sine(Box::new(Sine::new(first))));
        }
        if monotone(curve, x) {
            let truth = Truth::high(curve, x);
            if truth == Truth::high(curve, f32::from_bits(last)) {
                return Some(Way::Constant(truth));
            }
        }
        Some(Way::Polynomial(Box::new(Polynomial::new(curve, first, last)?)))
    }

    fn blocks(
        &self,
        way: &Way,
        first: u32,
        last: u32,
        wanted: &impl Fn(u32, u32, u32) -> bool,
        visit: &mut impl FnMut(&Block),
    ) {
        let mut block = Block::new();
        if let Way::Constant(truth) = way {
            (0..BLOCK).for_each(|index| block.set(index, truth));
            block.constant = true;
        }
        let mut from = first;
        loop {
            let to = last.min(from | (BLOCK as u32 - 1));
            (block.first, block.len) = (from, (to - from + 1) as usize);
            if wanted(first, last, from) {
                match way {
                    Way::Direct => direct::fill(self.vectors, self.curve, &mut block),
                    Way::Constant(_) => (),
                    Way::Line => direct::fill(self.vectors, C::Identity, &mut block),
                    Way::Sine(sine) => sine.fill(self.vectors, &mut block),
                    Way::Polynomial(polynomial) => polynomial.fill(self.vectors, &mut block),
                    Way::High => (0..block.len).for_each(|index| block.settle(self.curve, index)),
                }
                visit(&block);
            }
            if to == last {
                return;
            }
            from = to + 1;
        }
    }
}

/// Whether the function is monotone on the octave of `x`, to both ends: all are below 0.5, and from 8 on but the sine. The
/// derivatives of gelu and silu and of their approximations have their turning points between 1.3 and 2.5, the others at 0
/// or between 0.7 and 1.6.
fn monotone(curve: Curve, x: f32) -> bool {
    x.abs() < 0.5 || (curve != C::Sin && x.abs() >= 8.0)
}

/// Whether the truth at `x` is `x` in double precision: from 64 on of four of these functions, which differ from it by less
/// than `2 x e^-x`, and from 16 on of the other two, by less than `x e^(-x^2/2)`: so by less than 2^-91 of it, and it has
/// but 24 bits.
fn line(curve: Curve, x: f32) -> bool {
    match curve {
        C::Gelu | C::GeluApprxTanh => x >= 16.0,
        C::Softplus | C::Mish | C::GeluApprxSigmoid | C::Silu => x >= 64.0,
        _ => false,
    }
}

/// The least double whose nearest float is an infinity: halfway from the largest float to 2^128.
const OVERFLOW: f64 = 340_282_356_779_733_661_637_539_395_458_142_568_448.0;

/// The truth of the correctly rounded double `v`, up to [`BEYOND`] and from [`TINY`] on: value, float, one over the unit; and
/// whether `v` lies halfway between two floats, where the double does not say which is the nearer.
#[inline(always)]
fn of_double(v: f64) -> (f64, f32, f64, bool) {
    let v = if v.abs() < TINY { 0f64.copysign(v) } else { v };
    let v = if v > BEYOND { BEYOND } else { v };
    let v = if v < -BEYOND { -BEYOND } else { v };
    let rounded = v as f32;
    let per_unit = per_ulp(rounded);
    let half = (v - f64::from(rounded)).abs() * per_unit == 0.5 || v.abs() == OVERFLOW;
    (v, rounded, per_unit, half)
}

/// One over [`ulp`].
#[inline(always)]
fn per_ulp(rounded: f32) -> f64 {
    let exponent = (rounded.to_bits() >> 23) & 255;
    let exponent = if exponent < 1 { 1 } else { exponent };
    let exponent = if exponent > 254 { 254 } else { exponent };
    f64::from_bits(u64::from(1023 + 150 - exponent) << 52)
}

/// `a + b` as a double and what that loses, exactly (Knuth).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

/// A truth between two doubles on its way: `sum + rest` within `error`, for one input.
#[derive(Clone, Copy)]
struct Unrounded {
    sum: f64,
    rest: f64,
    error: f64,
}

impl Unrounded {
    /// The double, and whether it is certain that it is the correctly rounded one: Ziv's test.
    #[inline(always)]
    fn round(self) -> (f64, bool) {
        let v = self.sum + self.rest;
        (v, self.sum + (self.rest + self.error) == v && self.sum + (self.rest - self.error) == v)
    }

    /// Settles input number `index` where the double is certain and lies halfway between two floats; says whether it did.
    fn settle(self, block: &mut Block, index: usize) -> bool {
        let (v, certain) = self.round();
        // What was lost in rounding; exact where the rest is the smaller one.
        let lost = self.rest - (v - self.sum);
        if !certain || self.rest.abs() > self.sum.abs() || lost.abs() <= 2.0 * self.error || v.abs() == OVERFLOW {
            return false;
        }
        let nearest = v as f32;
        let above = f64::from(nearest) < v;
        let rounded = match (above, lost > 0.0) {
            (true, true) => nearest.next_up(),
            (false, false) => nearest.next_down(),
            _ => nearest,
        };
        block.set(index, &Truth { value: v, rounded, unit: ulp(rounded), pole: false });
        true
    }
}
