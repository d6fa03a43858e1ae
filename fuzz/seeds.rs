//! Writes the first inputs of the corpora: `fuzz/run.sh seeds`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pwp_sim_core::catalog::image::{self, Member, TRAINIUM_STRIDE, WITH_LN_STRIDE};
use pwp_sim_core::catalog::{Catalog, FunctionSet};
use pwp_sim_core::profile::{Profile, to_json};
use pwp_sim_core::{Function, Simulator, Table};

/// An embedded table cut down to a few octaves and sections, so that the fuzzer has little to carry.
fn small(function: Function) -> Profile {
    let simulator = Simulator::open("builtin:").expect("the embedded tables are there");
    let mut profile = simulator.table(function).expect("the function has a table").to_profile();
    for side in [&mut profile.pos, &mut profile.neg] {
        side.retain(|region| region.extract_size <= 2);
        side.truncate(2);
    }
    profile
}

fn write(corpus: &str, name: &str, bytes: impl AsRef<[u8]>) {
    let directory = Path::new("fuzz/corpus").join(corpus);
    fs::create_dir_all(&directory).expect("the corpus can be made");
    fs::write(directory.join(name), bytes).expect("the seed can be written");
}

fn main() {
    for function in [Function::Exp, Function::Tanh, Function::Sigmoid, Function::Relu, Function::Sqrt] {
        write("profile", &format!("seed-{}", function.name()), to_json(&small(function), &[]));
    }
    let member = |function: Function, name: &str| {
        Member::new(name, 4, Arc::new(Table::new(&small(function)).expect("the profile is a valid one")))
    };
    let (tanh, relu) = (member(Function::Tanh, "tanh"), member(Function::Relu, "relu"));
    for (name, members, stride) in [
        ("seed-one", vec![tanh.clone()], TRAINIUM_STRIDE),
        ("seed-two", vec![tanh, relu], WITH_LN_STRIDE),
        ("seed-erf", vec![member(Function::Erf, "erf")], WITH_LN_STRIDE),
    ] {
        let image = image::write("set", &members, stride).expect("an image can hold the tables");
        write("image", name, pwp_sim_fuzz::image_bytes(&image).expect("the image is small"));
    }
    let set = |name: &str, act: &[(&str, u32)]| {
        FunctionSet::new(name, act.iter().map(|(name, budget)| ((*name).to_owned(), *budget)).collect())
    };
    let sets = vec![set("exp_and_others", &[("exp", 400), ("tanh", 4), ("copy", 1)]), set("small", &[("copy", 1)])];
    write("act_info", "seed-two", Catalog::new(sets).to_json());
    write("act_info", "seed-none", Catalog::new(Vec::new()).to_json());
}
