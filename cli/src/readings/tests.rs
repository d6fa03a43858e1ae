//! Both outputs of every call of the list, computed: ours by the library, the alternative's by what it says.

use std::path::Path;

use pwp_sim_core::engine::eval::definition;
use pwp_sim_core::table::FoldReading;
use pwp_sim_core::{Error, Simulator, Table, profile};

use super::*;
use crate::sources::Tables;

fn calls() -> impl Iterator<Item = (&'static str, &'static Probe)> {
    READINGS.iter().filter_map(|reading| match &reading.told {
        Told::Call(probe) => Some((reading.id, probe)),
        _ => None,
    })
}

fn on(directory: &Path, probe: &Probe) -> Result<u32, Error> {
    let mut output = [0.0];
    let input = [f32::from_bits(probe.input)];
    Simulator::open(directory)?.apply(probe.function, &Probe::AFFINE, &input, &mut output, probe.path)?;
    Ok(output[0].to_bits())
}

#[test]
fn every_call_gives_the_result_that_is_listed_as_ours() {
    for given in probe::Given::ALL {
        let directory = tempfile::tempdir().unwrap();
        given.write(directory.path()).unwrap();
        for (id, probe) in calls().filter(|(_, probe)| probe.given == given) {
            assert_eq!(
                on(directory.path(), probe).map(|bits| format!("{bits:08x}")),
                Ok(format!("{:08x}", probe.taken)),
                "{id}"
            );
        }
    }
}

fn table(function: Function) -> Table {
    let tables = Tables::open("builtin:").unwrap();
    tables.due(function.info()).unwrap().table().unwrap().as_ref().clone()
}

fn form(function: Function, x: f32) -> f32 {
    Simulator::exact().evaluate(function, x, 0.0, Numerics::Exact).unwrap()
}

/// What the alternative gives at the input.
fn alternative(id: &str, x: f32) -> f32 {
    let d = f64::from(x);
    match id {
        "double-libm" => x.tanh(),
        "double-arithmetic" => 1.0 / x.sqrt(),
        "lrelu-slope" => x * 0.01,
        "derivative-erf-factor" => (f64::from(form(Function::Exp, -(x * x))) * std::f64::consts::FRAC_2_SQRT_PI) as f32,
        "derivative-gelu-factor" => {
            let erf = form(Function::Erf, (d * std::f64::consts::FRAC_1_SQRT_2) as f32);
            let exp = form(Function::Exp, -(x * x) / 2.0);
            let factor = 0.5 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;
            (0.5 * (f64::from(erf) + 1.0) + d * factor * f64::from(exp)) as f32
        }
        "mish-softplus" => (d * ((-d.abs()).exp().ln_1p() + d.max(0.0)).tanh()) as f32,
        "gelu-sigmoid-product" => x * (1.0 / ((-1.702 * d).exp() + 1.0)) as f32,
        "derivative-silu" => {
            let e = d.exp();
            ((d * e + 1.0) * e / ((e + 1.0) * (e + 1.0))) as f32
        }
        "cubic-square" => {
            let table = table(Function::Exp);
            let section = table.section(table.locate(x).unwrap());
            let t = x - section.x;
            let sum = f64::from(t * section.d1 + section.d0) + f64::from(t * t) * f64::from(section.d2);
            (f64::from(t).powi(3) * f64::from(section.d3) + sum) as f32
        }
        "fold" => {
            let profile = table(Function::Sigmoid).to_profile();
            definition::evaluate(&Table::with_reading(&profile, FoldReading::Negative).unwrap(), x).unwrap()
        }
        "mish-table" => form(Function::Mish, x),
        "derivative-gelu-table" => form(Function::DerivativeGelu, x),
        "nested-section" => {
            let directory = tempfile::tempdir().unwrap();
            let file = directory.path().join("exp_400p.json");
            std::fs::write(&file, probe::nested(None).unwrap()).unwrap();
            definition::evaluate(&Table::new(&profile::load(&file).unwrap()).unwrap(), x).unwrap()
        }
        _ => panic!("{id} has a call and no alternative here"),
    }
}

#[test]
fn every_call_s_alternative_gives_the_result_that_is_listed_as_its_own() {
    for (id, probe) in calls() {
        let found = alternative(id, f32::from_bits(probe.input)).to_bits();
        // A later glibc's tanhf is rounded correctly, and then tells nothing.
        let right = same(found, probe.alternative) || (id == "double-libm" && found == probe.taken);
        assert!(right, "{id}: {found:08x}, not {:08x}", probe.alternative);
        assert_ne!(probe.taken, probe.alternative, "{id}");
    }
}

#[test]
fn ids_are_words_and_each_stands_once() {
    let ids: std::collections::BTreeSet<&str> = READINGS.iter().map(|reading| reading.id).collect();
    assert_eq!(ids.len(), READINGS.len());
    assert!(ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
}

#[test]
fn a_library_is_said_to_follow_what_its_results_are() {
    let answers = follow::library(|probe| {
        Ok(match probe.function {
            Function::Sigmoid => Ok(probe.alternative),
            Function::Tanh => Ok(0x7fc0_0001),
            Function::DerivativeGelu if probe.path == Numerics::Table => Ok(0xffc0_0000),
            Function::Mish => Err("aborts".to_owned()),
            _ => Ok(probe.taken),
        })
    });
    let answers = answers.unwrap();
    assert_eq!(answers.len(), calls().count());
    let text = |id: &str| answers.iter().find(|answer| answer.reading.id == id).unwrap().follows.text();
    assert_eq!(text("fold"), "the alternative");
    assert_eq!(text("double-libm"), "neither (got 0x7fc00001)");
    assert_eq!(text("derivative-gelu-table"), "the alternative", "any NaN");
    assert_eq!(text("mish-table"), "neither (aborts)");
    assert_eq!(text("lrelu-slope"), "ours");
}

#[test]
fn tables_say_by_themselves_which_reading_they_were_made_for() {
    let follows = |tables: &Tables| -> Vec<(&str, String)> {
        let answers = follow::tables(tables).unwrap();
        answers.into_iter().map(|answer| (answer.reading.id, answer.follows.text())).collect()
    };
    let ours = ["fold", "sigmoid-symmetry", "reciprocal-symmetry", "derivative-symmetry", "ln-sections", "hardwired"];
    let due: Vec<_> = ours.iter().map(|id| (*id, "ours".to_owned())).collect();
    assert_eq!(follows(&Tables::open("builtin:").unwrap()), due);

    // The sigmoid of the other reading stores what rises to 1, and a reciprocal without its fold.
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, profile: &profile::Profile| {
        std::fs::write(directory.path().join(name), profile::to_json(profile, &[])).unwrap();
    };
    let mut sigmoid = table(Function::Sigmoid).to_profile();
    for point in &mut sigmoid.saturation_points {
        point.section = profile::Section { d0: 1.0, ..profile::Section::default() };
    }
    write("sigmoid_40p.json", &sigmoid);
    let mut reciprocal = table(Function::Reciprocal).to_profile();
    reciprocal.symmetry.enabled = false;
    write("reciprocal_400p.json", &reciprocal);
    let mut identity = table(Function::Identity).to_profile();
    identity.saturation_points[profile::Saturation::PosHigh as usize].sat_point = 1;
    write("identity_1p.json", &identity);
    let found = follows(&Tables::open(directory.path()).unwrap());
    let due = [
        ("fold", "the alternative"),
        ("sigmoid-symmetry", "ours"),
        ("reciprocal-symmetry", "the alternative"),
        ("hardwired", "neither (1)"),
    ];
    assert_eq!(found, due.map(|(id, text)| (id, text.to_owned())));
}

#[test]
fn the_fields_that_are_listed_are_those_of_our_manifests() {
    use pwp_sim_core::catalog::roster::Roster;
    use pwp_sim_core::catalog::{Resident, image};

    let manifest = |roster: Roster, set: &str| -> Value {
        let members = Resident::builtin(roster, set).unwrap().members;
        serde_json::from_str(&image::write(set, &members, roster.stride()).unwrap().manifest).unwrap()
    };
    let start = |roster, set, function: &str| manifest(roster, set)["func_to_bkt_start_idx"][function].to_string();
    let listed = |id: &str| match READINGS.iter().find(|reading| reading.id == id).unwrap().told {
        Told::Field { taken, .. } => taken,
        _ => panic!("{id} has no field"),
    };
    assert_eq!(start(Roster::Trainium, "natural_log", "ln"), listed("set-order"));
    assert_eq!(start(Roster::WithLn, "sqrt_and_others", "sqrt"), listed("set-order-sqrt"));
    assert_eq!(start(Roster::Trainium, "sigmoid_and_others", "erf"), listed("set-order-sigmoid"));
    let ln = &manifest(Roster::Trainium, "natural_log")["profile_meta_data"][0];
    assert_eq!(
        (&ln["func_name"], ln["use_multipass"].to_string().as_str()),
        (&json!("ln_40p"), listed("ln-multipass"))
    );
    let small = Resident::builtin(Roster::Trainium, "small").unwrap().members;
    let small = image::write("small", &small, Roster::Trainium.stride()).unwrap().manifest.len();
    assert_eq!(small.to_string(), listed("manifest-sizes"));
    let meta = manifest(Roster::Trainium, "reciprocal_and_small")["profile_meta_data"].take();
    assert!(meta.is_array(), "{}", listed("meta-data"));
    let reciprocal = meta.as_array().unwrap().iter().find(|meta| meta["func_name"] == "reciprocal_400p").unwrap();
    assert_eq!((&reciprocal["lower_bound"], &reciprocal["imm_bias"]), (&json!(0xff7f_ffff_u32), &json!(1)));
    assert_eq!(listed("bounds"), "`ff7fffff`, 1");
}
