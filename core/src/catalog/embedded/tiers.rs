//! The embedded tables through the suite that every evaluator passes.

use super::members;
use crate::affine::Affine;
use crate::eval::tests::{PLAIN, central, check, coarse, inputs};
use crate::table::samples::Rng;

#[test]
fn the_embedded_tables_give_the_defined_bits() {
    let (coarse, mut rng) = (coarse(), Rng(13));
    for member in members() {
        check(&member.table, &PLAIN, &coarse);
        check(&member.table, &PLAIN, &inputs(&mut rng, &member.table));
        check(&member.table, &Affine::new(0.75, 0.5), &central(&mut rng, 1 << 13));
    }
}
