//! How far a table is from the exact form, octave by octave, and which sections serve them.
//!
//!     cargo run -p pwp-sim-core --example table_error -- [NAME] [SOURCE]
//!
//! NAME is any name of a function (default exp), SOURCE what a simulator opens (default builtin:). `pwp report` measures
//! against the true function instead, in MPFR.

use pwp_sim_core::{Affine, Function, Numerics, Simulator};

/// Inputs per octave.
const SAMPLES: u32 = 4096;

/// Not even -0 changes on the way in.
const AS_IT_IS: Affine = Affine::new(1.0, -0.0);

fn main() -> pwp_sim_core::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let function = Function::from_any_name(&arguments.next().unwrap_or_else(|| "exp".to_owned()))?;
    let simulator = Simulator::open(arguments.next().unwrap_or_else(|| "builtin:".to_owned()))?;
    let table = simulator.table(function)?;
    println!("{function}: {} sections", table.sections().len());
    println!("{:>6} {:>9} {:>12} {:>15}", "sign", "exponent", "sections", "worst relative");

    for (slot, octave) in table.octaves().iter().enumerate().filter(|(_, octave)| octave.present) {
        let step = (1 << 23) / SAMPLES;
        let input: Vec<f32> = (0..SAMPLES).map(|index| f32::from_bits((slot as u32) << 23 | (index * step))).collect();
        let (mut by_table, mut exact) = (vec![0.0; input.len()], vec![0.0; input.len()]);
        simulator.apply(function, &AS_IT_IS, &input, &mut by_table, Numerics::Table)?;
        simulator.apply(function, &AS_IT_IS, &input, &mut exact, Numerics::Exact)?;
        let relative = |(y, e): (&f32, &f32)| ((f64::from(*y) - f64::from(*e)) / f64::from(*e)).abs();
        let worst = by_table.iter().zip(&exact).map(relative).filter(|error| error.is_finite()).fold(0.0, f64::max);
        let (sign, exponent) = (if slot < 256 { '+' } else { '-' }, (slot & 255) as i32 - 127);
        println!("{sign:>6} {exponent:>9} {:>12} {worst:>15.2e}", octave.stored);
    }
    Ok(())
}
