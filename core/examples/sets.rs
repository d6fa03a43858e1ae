//! Which functions one load of a set makes resident, and which loads a network's functions take.
//!
//!     cargo run -p pwp-sim-core --example sets

use pwp_sim_core::catalog::roster::Roster;
use pwp_sim_core::{Catalog, Error, Function, Numerics, Simulator, Source};

fn main() -> pwp_sim_core::Result<()> {
    // "trainium" is a published roster; a directory with an act_info.json opens the same way.
    let catalog = Catalog::named("trainium")?;
    for function in ["exp", "gelu", "ln"] {
        let names = catalog.sets_of(function).into_iter().map(|set| catalog.sets[set].name.as_str());
        println!("{function:>5} is in {}", names.collect::<Vec<_>>().join(", "));
    }

    let wanted = ["exp", "relu", "gelu", "tanh", "ln"];
    for load in catalog.sequence(&wanted)? {
        println!("load {:<26} for {}", catalog.sets[load.set].name, wanted[load.functions].join(", "));
    }

    // A simulator of one set has that set's tables and no others.
    let source = Source::EmbeddedSet { roster: Roster::Trainium, set: "gelu_and_others".to_owned() };
    let simulator = Simulator::from_source(&source)?;
    println!("{source}: Gelu(1) = {}", simulator.evaluate(Function::Gelu, 1.0, 0.0, Numerics::Table)?);
    match simulator.evaluate(Function::Exp, 1.0, 0.0, Numerics::Table) {
        Err(error @ Error::NoProfile { .. }) => println!("{error}"),
        other => panic!("exp is not in the set, and gave {other:?}"),
    }
    Ok(())
}
