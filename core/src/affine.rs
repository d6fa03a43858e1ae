//! The scaling in front of every function.

/// `scale * x + bias`, and the parameter of the parametric functions, in their natural meaning: not in the order
/// of the original's registers (`docs/behaviour.md`, section 5).
// The C interface's `pwp_sim_affine`: its fields are these three for good, so it is not non_exhaustive.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// Multiplies the input.
    pub scale: f32,
    /// Added to the product, after the product was rounded to float.
    pub bias: f32,
    /// The slope of Prelu for negative inputs; no other function reads it.
    pub alpha: f32,
}

impl Affine {
    /// Scale 1, bias 0, alpha 0. Not quite the identity: -0 becomes +0.
    #[doc = "cbindgen:ignore"]
    pub const UNIT: Affine = Affine::new(1.0, 0.0);

    /// `scale * x + bias`, alpha 0.
    pub const fn new(scale: f32, bias: f32) -> Affine {
        Affine { scale, bias, alpha: 0.0 }
    }

    /// The same scaling with this slope for Prelu.
    pub const fn with_alpha(self, alpha: f32) -> Affine {
        Affine { alpha, ..self }
    }

    /// The scaled input: the product rounds, then the sum.
    #[inline(always)]
    pub fn scaled(&self, x: f32) -> f32 {
        self.scale * x + self.bias
    }
}

impl Default for Affine {
    fn default() -> Affine {
        Affine::UNIT
    }
}
