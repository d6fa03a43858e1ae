//! A large buffer on several threads: the same bits as on one, and how long both take.
//!
//!     cargo run --release -p pwp-sim-core --features parallel --example parallel

use std::time::Instant;

use pwp_sim_core::{Affine, Function, Numerics, Simulator};

const COUNT: usize = 1 << 22;

fn main() -> pwp_sim_core::Result<()> {
    let simulator = Simulator::open("builtin:")?;
    let input: Vec<f32> = (0..COUNT).map(|index| (index as f32 / COUNT as f32 - 0.5) * 20.0).collect();
    let (mut one, mut many) = (vec![0.0; COUNT], vec![0.0; COUNT]);

    let start = Instant::now();
    simulator.apply(Function::Exp, &Affine::UNIT, &input, &mut one, Numerics::Table)?;
    println!("one thread, tier {}: {:?}", simulator.tier().name(), start.elapsed());

    let start = Instant::now();
    simulator.apply_parallel(Function::Exp, &Affine::UNIT, &input, &mut many, Numerics::Table)?;
    println!("the threads of the rayon pool: {:?}", start.elapsed());

    assert!(one.iter().zip(&many).all(|(a, b)| a.to_bits() == b.to_bits()), "the bits are those of one thread");
    Ok(())
}
