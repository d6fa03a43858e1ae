//! Loops compiled for the vectors of this CPU.
//!
//! The compiler vectorises a plain loop for the instruction set that it may use. [`run`] lets it use this CPU's. Operations
//! keep their order and are not fused, so the results are the same on any CPU.

/// The loop as a value that `pulp` can compile for an instruction set. A closure as such reaches it through a call that
/// is not inlined, and so is compiled for the least CPU only.
struct Loop<F>(F);

impl<R, F: FnMut() -> R> pulp::WithSimd for Loop<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}

/// Runs `body`, which must be marked `#[inline(always)]`, with the vectors of this CPU.
#[inline(always)]
pub fn run<R>(vectors: pulp::Arch, body: impl FnMut() -> R) -> R {
    vectors.dispatch(Loop(body))
}
