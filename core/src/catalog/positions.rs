//! The published positions: sets written from tables of the published sizes have the published records, words, indices and
//! fields (`docs/figures.md`, orders and manifest fields).

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::hardwired::hardwired;
use super::image::{self, Image, Member, Paths, RECORD};
use super::roster::{Roster, published_size};
use super::{FunctionSet, embedded};
use crate::function::ProfileName;
use crate::profile::{Profile, Region, Saturation, Section, Symmetry};
use crate::table::Table;

/// A table with the published number of octaves and sections, on the sides that are published where that is known. What it
/// computes plays no part.
fn stand_in(name: ProfileName) -> Table {
    let size = published_size(name).unwrap();
    if let Some(profile) = hardwired(name.function) {
        return Table::new(&profile).unwrap();
    }
    let first = match name.function {
        "exp" => return Table::new(&embedded::member("exp", 400).unwrap().table.to_profile()).unwrap(),
        "sigmoid" => -4,
        "tanh" => -14,
        "sqrt" => -116,
        "reciprocal" => -42,
        _ => -100,
    };
    // One section an octave, and the rest in the last.
    let side: Vec<Region> = (0..size.octaves)
        .map(|place| {
            let stored = if place + 1 == size.octaves { size.sections + 1 - size.octaves } else { 1 };
            let extract_size = stored.next_power_of_two().ilog2();
            let sections = vec![Section::default(); stored as usize];
            Region { exponent: first + place as i32, num_sections: 1 << extract_size, extract_size, sections }
        })
        .collect();
    let mut profile = Profile::default();
    if name.function == "sigmoid" {
        profile.symmetry = Symmetry { enabled: true, invert_sign: true, use_neg_region: true, point: 1.0 };
        profile.neg = side;
    } else {
        profile.pos = side;
    }
    Table::new(&profile).unwrap()
}

fn members(set: &FunctionSet) -> Vec<Member> {
    let member = |(function, budget): &(String, u32)| {
        let table = stand_in(ProfileName { function, budget: *budget });
        Member::new(function, *budget, Arc::new(table))
    };
    set.act.iter().map(member).collect()
}

/// Every set of a roster, written from stand-ins.
fn images(roster: Roster) -> Vec<(FunctionSet, Image)> {
    let written = |set: FunctionSet| {
        let image = image::write(&set.name, &members(&set), roster.stride()).unwrap();
        (set, image)
    };
    roster.catalog().sets.into_iter().map(written).collect()
}

fn manifest(roster: Roster, name: &str) -> Value {
    let (_, image) = images(roster).into_iter().find(|(set, _)| set.name == name).unwrap();
    serde_json::from_str(&image.manifest).unwrap()
}

fn meta<'a>(manifest: &'a Value, function: &str) -> &'a Value {
    let all = manifest["profile_meta_data"].as_array().unwrap();
    all.iter().find(|meta| meta["func_name"].as_str().unwrap().starts_with(&format!("{function}_"))).unwrap()
}

#[test]
fn there_are_35_sets_409_functions_32759_records_and_3071_words() {
    let (mut sets, mut functions, mut records, mut words) = (0, 0, 0, 0);
    for roster in Roster::ALL {
        for (set, image) in images(roster) {
            sets += 1;
            functions += set.act.len();
            records += image.bkt.len() / RECORD;
            words += image.ctrl.len() / roster.stride();
        }
    }
    assert_eq!((sets, functions, records, words), (35, 409, 32_759, 3_071));
}

#[test]
fn the_greatest_base_of_a_control_word_is_the_published_one() {
    for (roster, published) in [(Roster::Trainium, 1443), (Roster::WithLn, 1223)] {
        let base = |word: &[u8]| u32::from_le_bytes(word[..4].try_into().unwrap()) & 2047;
        let greatest = images(roster).iter().flat_map(|(_, image)| image.ctrl.chunks(roster.stride()).map(base)).max();
        assert_eq!(greatest, Some(published), "{}", roster.name());
    }
}

#[test]
fn sqrt_and_sigmoid_begin_where_published() {
    let start = |roster, set, function: &str| manifest(roster, set)["func_to_bkt_start_idx"][function].clone();
    assert_eq!(start(Roster::Trainium, "sqrt_and_others", "sqrt"), 52);
    assert_eq!(start(Roster::Trainium, "sigmoid_and_others", "sigmoid"), 136);
    assert_eq!(start(Roster::WithLn, "sigmoid_and_others", "sigmoid"), 132);
    let trainium = manifest(Roster::Trainium, "sigmoid_and_others");
    assert_eq!(trainium["func_to_ctl_start_idx"]["sigmoid"], 28);
    let sigmoid = meta(&trainium, "sigmoid");
    assert_eq!((&sigmoid["pwl_control_base_neg"], &sigmoid["pwl_control_base_pos"]), (&28.into(), &39.into()));
}

#[test]
fn both_bases_of_a_function_with_one_region_are_its_first_word_but_sigmoid_s() {
    for roster in Roster::ALL {
        for (set, image) in images(roster) {
            let manifest: Value = serde_json::from_str(&image.manifest).unwrap();
            for member in members(&set) {
                let function = member.function.as_str();
                let Profile { pos, neg, .. } = member.table.to_profile();
                if (pos.is_empty() == neg.is_empty()) || function == "sigmoid" {
                    continue;
                }
                let (meta, start) = (meta(&manifest, function), &manifest["func_to_ctl_start_idx"][function]);
                assert_eq!(
                    (&meta["pwl_control_base_pos"], &meta["pwl_control_base_neg"]),
                    (start, start),
                    "{function}"
                );
            }
        }
    }
    let exp_and_others = manifest(Roster::Trainium, "exp_and_others");
    let tanh = meta(&exp_and_others, "tanh");
    assert_eq!((&tanh["pwl_control_base_pos"], &tanh["pwl_control_base_neg"]), (&64.into(), &64.into()));
}

#[test]
fn the_maps_by_exponent_have_lists_of_two_of_one_or_none() {
    let manifest = manifest(Roster::Trainium, "exp_and_others");
    for key in ["func_exp_to_bkt_start_idx", "func_exp_to_ctl_start_idx"] {
        let lengths = |function: &str| {
            let map = manifest[key][function].as_object().unwrap().values();
            map.map(|list| list.as_array().unwrap().len()).collect::<Vec<_>>()
        };
        assert_eq!(lengths("exp"), [2; 26]);
        assert_eq!(lengths("identity"), [2]);
        assert_eq!(lengths("tanh"), [1; 17]);
        assert_eq!(lengths("sign"), [1]);
        assert_eq!(lengths("parametric_relu"), [0; 0]);
    }
}

#[test]
fn the_fields_that_no_table_has_are_the_published_ones() {
    for roster in Roster::ALL {
        for (_, image) in images(roster) {
            let manifest: Value = serde_json::from_str(&image.manifest).unwrap();
            for meta in manifest["profile_meta_data"].as_array().unwrap() {
                let name = meta["func_name"].as_str().unwrap();
                let function = ProfileName::parse(name).unwrap().function;
                let biased = ["reciprocal", "copy", "memset_zero", "is_finite"].contains(&function);
                assert_eq!(meta["imm_bias"], json!(u32::from(biased)), "{name}");
                let constants = ["fma_const_0", "fma_const_1", "fma_indirection_src_sel"].map(|key| &meta[key]);
                let parametric = function == "parametric_relu";
                assert_eq!(constants, if parametric { [0x3f80_0000, 0, 2] } else { [0; 3] }, "{name}");
                assert_eq!(meta["exp_offset"] == 128, parametric, "{name}");
                assert_eq!(meta["use_multipass"], json!(false), "{name}");
            }
        }
    }
    let exp_and_others = manifest(Roster::Trainium, "exp_and_others");
    let exp = meta(&exp_and_others, "exp");
    assert_eq!((&exp["lower_bound"], &exp["upper_bound"]), (&json!(0xff7f_ffff_u32), &json!(0x7f7f_ffff)));
}

#[test]
fn every_set_of_stand_ins_reads_back() {
    for roster in Roster::ALL {
        for (set, image) in images(roster) {
            let read = image::read(&image, &Paths::of_set(Path::new(""), &set.name)).unwrap();
            assert_eq!(read, members(&set), "{} {}", roster.name(), set.name);
            let low = |member: &Member| member.table.saturation_point(Saturation::PosLow).mantissa_point;
            assert!(read.iter().all(|member| low(member) == 0));
        }
    }
}

/// A manifest's size depends on the digits of its indices, so it tells orders apart: the sets whose order is published
/// would be 150 to 250 bytes longer with their tables first. What is left are digits of thresholds that are not published.
#[test]
fn manifests_of_the_published_orders_come_near_their_published_sizes() {
    for (roster, name, published) in [
        (Roster::Trainium, "exp_and_others", 28093),
        (Roster::Trainium, "sqrt_and_others", 46870),
        (Roster::WithLn, "sqrt_and_others", 37786),
        (Roster::WithLn, "sigmoid_and_others", 14797),
    ] {
        let set = roster.catalog().sets.into_iter().find(|set| set.name == name).unwrap();
        let member = |(function, budget): &(String, u32)| {
            let table = Arc::clone(&embedded::member(function, *budget).unwrap().table);
            Member::new(function, *budget, table)
        };
        let members: Vec<Member> = set.act.iter().map(member).collect();
        let length = image::write(name, &members, roster.stride()).unwrap().manifest.len();
        assert!(length.abs_diff(published) <= 50, "{} {name}: {length}", roster.name());
    }
}
