//! Every embedded table keeps the error that `cli/bounds.csv` says, and the file says no more than 10 per cent more than
//! what is measured. `pwp report --bounds cli/bounds.csv` writes it anew.

use std::path::Path;

use pwp_cli::report::bounds::{self, Bound};
use pwp_cli::report::measure::{Inputs, measure};
use pwp_cli::report::slot::BINS;
use pwp_cli::report::subject::subjects;

fn holds(bound: f64, measured: f64) -> bool {
    measured <= bound && bound <= 1.1 * measured
}

#[test]
fn every_embedded_table_keeps_its_bounds() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("bounds.csv");
    let bounds = bounds::read(&file).unwrap();
    let subjects = subjects("builtin:", &[]).unwrap();
    let inputs = Inputs::Sampled(BINS as u32);
    let measured: Vec<Bound> =
        subjects.iter().flat_map(|subject| bounds::measured(subject, &measure(subject, inputs, || ()))).collect();
    let key = |bound: &Bound| (bound.profile.clone(), bound.part.clone());
    assert!(
        measured.iter().map(key).eq(bounds.iter().map(key)),
        "bounds.csv is not about the embedded tables: write it anew with pwp report --bounds cli/bounds.csv"
    );
    for (measured, bound) in measured.iter().zip(&bounds) {
        let within = holds(bound.ulp, measured.ulp) && holds(bound.abs, measured.abs) && bound.nan == measured.nan;
        assert!(within, "{measured:?} was measured and {bound:?} is the bound");
    }
}
