//! The AVX-512 tier: not written yet, so no CPU is taken to have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// Proof
pub struct Avx512(());
impl Avx512 {
    /// x
    pub fn new() -> Option<Avx512> { None }
    pub(super) fn evaluate_block(self, _table: &crate::table::Table, _affine: &crate::affine::Affine, _data: &mut [f32]) -> super::Unhandled { unreachable!() }
}
