//! One function on a buffer, by its table and exactly.
//!
//!     cargo run -p pwp-sim-core --example quick_start

use pwp_sim_core::{Affine, Function, Numerics, Simulator};

fn main() -> pwp_sim_core::Result<()> {
    // "builtin:" is the embedded tables; a directory of profiles or a set of a catalog opens the same way.
    let simulator = Simulator::open("builtin:")?;
    let function: Function = "Gelu".parse()?;

    let input = [-3.0f32, -1.0, -0.25, 0.0, 0.5, 2.0];
    let affine = Affine::new(0.5, 1.0); // gelu(0.5 * x + 1)
    let (mut table, mut exact) = ([0.0; 6], [0.0; 6]);
    simulator.apply(function, &affine, &input, &mut table, Numerics::Table)?;
    simulator.apply(function, &affine, &input, &mut exact, Numerics::Exact)?;

    println!("{:>8} {:>14} {:>14}", "x", "table", "exact");
    for ((x, table), exact) in input.iter().zip(table).zip(exact) {
        println!("{x:>8} {table:>14.9} {exact:>14.9}");
        assert!((table - exact).abs() < 1e-5);
    }

    // A function without a table is an error, never the exact form in silence.
    let error = simulator.evaluate(Function::LnPrime, 1.0, 0.0, Numerics::Table).unwrap_err();
    println!("{error}");
    Ok(())
}
