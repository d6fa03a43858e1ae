//! The published figures against the code: the tables of functions and of sets in `docs/figures.md`, row by row.

use std::collections::BTreeSet;
use std::path::Path;

use super::image::Paths;
use super::roster::{RESIDENTS, Roster, published_size};
use super::{Catalog, FILE_NAME, FunctionSet, Resident, embedded, image};
use crate::function::{Function, FunctionInfo, ProfileName};

const FIGURES: &str = include_str!("../../../docs/figures.md");

/// The rows of the table whose header begins with `header`, cell by cell.
fn table(header: &str) -> Vec<Vec<&'static str>> {
    let lines = FIGURES.lines().skip_while(|line| !line.starts_with(header)).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| row[1..row.len() - 1].split('|').map(str::trim).collect()).collect()
}

/// A list of `function budget`, divided by commas.
fn budgets(text: &str) -> Vec<(String, u32)> {
    let one = |item: &str| {
        let (function, budget) = item.trim().split_once(' ').unwrap();
        (function.to_owned(), budget.parse().unwrap())
    };
    text.split(',').filter(|item| !item.trim().is_empty()).map(one).collect()
}

fn sorted(mut list: Vec<(String, u32)>) -> Vec<(String, u32)> {
    list.sort_unstable();
    list
}

/// The sets of a roster's table, checked for their indices.
pub(super) fn sets(roster: Roster) -> Vec<Vec<&'static str>> {
    let rows = table(&format!("| # | {} set |", roster.name()));
    assert!(rows.iter().enumerate().all(|(index, row)| row[0] == index.to_string()));
    rows
}

#[test]
fn the_function_table_is_the_published_one() {
    let text = |cell: Option<&str>| cell.unwrap_or_default().to_owned();
    let number = |cell: Option<u32>| cell.map(|value| value.to_string()).unwrap_or_default();
    let rows = FunctionInfo::with_profile().map(|info| {
        let (bir, profile) = (number(info.bir.map(u32::from)), text(info.profile));
        let (id, sections) = (number(info.neuron_id), number(info.published_sections));
        [bir, text(info.name), profile, id, sections, text(info.front_end)]
    });
    let ours: BTreeSet<Vec<String>> = rows.map(|row| row.to_vec()).collect();
    let published = table("| BIR | name |");
    assert_eq!(published.len(), 36);
    assert_eq!(ours, published.into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect());
}

#[test]
fn function_codes_differ_on_the_older_target_where_published() {
    for info in FunctionInfo::with_profile() {
        let profile = info.profile.unwrap();
        let older = match profile {
            "reciprocal" => Some(15),
            "abs" => Some(22),
            _ => info.neuron_id,
        };
        assert_eq!((Roster::Trainium.neuron_id(profile), Roster::WithLn.neuron_id(profile)), (info.neuron_id, older));
    }
}

#[test]
fn the_trainium_roster_is_the_published_one() {
    let catalog = Roster::Trainium.catalog();
    let published = sets(Roster::Trainium);
    assert_eq!((catalog.sets.len(), published.len()), (21, 21));
    for (set, row) in catalog.sets.iter().zip(published) {
        let (tables, residents): (Vec<_>, Vec<_>) = set.act.iter().cloned().partition(|(_, budget)| *budget > 1);
        assert_eq!((set.name.as_str(), sorted(tables)), (row[1], sorted(budgets(row[2]))));
        let residents: BTreeSet<&str> = residents.iter().map(|(function, _)| function.as_str()).collect();
        assert_eq!(residents, RESIDENTS.into_iter().collect(), "{}", set.name);
        assert_eq!(set.act.len().to_string(), row[3], "{}", set.name);
    }
}

#[test]
fn the_with_ln_roster_is_the_published_one_with_its_residents_in_their_order() {
    let catalog = Roster::WithLn.catalog();
    let published = sets(Roster::WithLn);
    assert_eq!((catalog.sets.len(), published.len()), (14, 14));
    for (set, row) in catalog.sets.iter().zip(published) {
        let (tables, residents) = row[2].split_once(';').unwrap_or(("", row[2]));
        let residents = residents.split_whitespace().map(|function| (function.to_owned(), 1));
        let (ours, resident): (Vec<_>, Vec<_>) = set.act.iter().cloned().partition(|(_, budget)| *budget > 1);
        assert_eq!((sorted(ours), resident), (sorted(budgets(tables)), residents.collect()));
        assert_eq!(*set, FunctionSet::new(row[1], set.act.clone()));
    }
}

#[test]
fn the_files_of_every_set_have_their_published_sizes() {
    for roster in Roster::ALL {
        for (set, row) in roster.catalog().sets.iter().zip(sets(roster)) {
            let names = set.act.iter().map(|(function, budget)| ProfileName { function, budget: *budget });
            let sizes = names.map(|name| published_size(name).unwrap());
            let (records, words) = sizes.fold((0, 0), |(records, words), size| {
                (records + size.sections as usize + 4, words + size.octaves as usize)
            });
            let bytes = format!("{} / {} / ", 32 * records, roster.stride() * words);
            assert!(row.last().unwrap().starts_with(&bytes), "{} {}: {bytes}", roster.name(), set.name);
        }
    }
}

#[test]
fn an_act_info_has_the_published_keys_and_file_names() {
    for roster in Roster::ALL {
        let catalog = roster.catalog();
        let json: serde_json::Value = serde_json::from_str(&catalog.to_json()).unwrap();
        let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&json), ["act_func_sets", "pwp_file_keys"]);
        assert_eq!(json["pwp_file_keys"], serde_json::json!(["bkt_bin", "ctrl_bin", "profile_json"]));
        for (set, object) in catalog.sets.iter().zip(json["act_func_sets"].as_array().unwrap()) {
            assert_eq!(keys(object), ["act", "bkt_bin", "ctrl_bin", "name", "profile_json"]);
            let name = &set.name;
            assert_eq!(object["bkt_bin"], format!("{name}_bkt.bin"));
            assert_eq!(object["ctrl_bin"], format!("{name}_ctrl.bin"));
            assert_eq!(object["profile_json"], format!("{name}.json"));
        }
    }
}

/// Not a figure, but on the same file: every byte of an `act_info.json` flipped in eight ways.
#[test]
fn a_spoilt_act_info_is_an_error_or_a_catalog_that_can_be_written() {
    let mut small = Roster::WithLn.catalog();
    small.sets.drain(5..);
    let good = small.to_json().into_bytes();
    let file = std::path::Path::new(FILE_NAME);
    let mut read = 0;
    for (at, bit) in (0..good.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << bit;
        let Ok(text) = String::from_utf8(bytes) else { continue }; // refused by the reading of the file
        let Ok(catalog) = Catalog::parse(&text, file) else { continue };
        assert_eq!(Catalog::parse(&catalog.to_json(), file), Ok(catalog));
        read += 1;
    }
    assert!(read > 100, "{read}");
}

#[test]
fn every_table_has_its_published_octaves_and_no_more_sections_than_published() {
    for member in embedded::members() {
        let published = published_size(member.profile_name()).unwrap();
        let table = &member.table;
        let octaves = table.octaves().iter().filter(|octave| octave.present).count();
        assert_eq!(octaves, published.octaves as usize, "{}", member.profile_name());
        let sections = table.sections().len();
        assert!(sections <= published.sections as usize, "{}: {sections}", member.profile_name());
    }
    assert_eq!(embedded::default_member(Function::Exp).unwrap().table.sections().len(), 777);
}

#[test]
fn every_set_of_both_rosters_is_complete_and_fits_an_image() {
    for roster in Roster::ALL {
        for set in roster.catalog().sets {
            let resident = Resident::builtin(roster, &set.name).unwrap();
            let members: Vec<(String, u32)> =
                resident.members.iter().map(|member| (member.function.clone(), member.budget)).collect();
            assert_eq!(members, set.act, "{} {}", roster.name(), set.name);
            let image = image::write(&set.name, &resident.members, roster.stride()).unwrap();
            let read = image::read(&image, &Paths::of_set(Path::new(""), &set.name)).unwrap();
            assert_eq!(read, resident.members, "{} {}", roster.name(), set.name);
        }
    }
}

/// The tables with a body whose embedded one is folded where a published note has no fold: `docs/tables.md` says why.
const FOLDED: [&str; 6] = [
    "derivative_erf",
    "derivative_gelu",
    "derivative_gelu_apprx_sigmoid",
    "derivative_sigmoid",
    "derivative_silu",
    "derivative_tanh",
];

/// The functions that a cell of the table of other shapes names.
fn named(cell: &str) -> Vec<&'static str> {
    let all: BTreeSet<&str> = embedded::members().iter().map(|member| member.function.as_str()).collect();
    let one = |name: &str| match name {
        "derivative_*" => all.iter().copied().filter(|function| function.starts_with("derivative_")).collect(),
        name => vec![*all.get(name).unwrap_or_else(|| panic!("{name} has no table"))],
    };
    cell.split(", ").flat_map(one).collect()
}

#[test]
fn the_other_tables_have_their_published_fold_sides_and_first_octave() {
    let rows = table("| function | symmetry_en, invert, use_neg |");
    assert_eq!(rows.len(), 8);
    for row in rows.iter().filter(|row| row[0] != "hardwired") {
        for function in named(row[0]) {
            let member = embedded::members().iter().find(|member| member.function == function).unwrap();
            let profile = member.table.to_profile();
            let symmetry = profile.symmetry;
            let flags = [symmetry.enabled, symmetry.invert_sign, symmetry.use_neg_region].map(u32::from);
            if FOLDED.contains(&function) {
                assert!(symmetry.enabled && profile.pos.is_empty() != profile.neg.is_empty(), "{function}");
                continue;
            }
            let published: Vec<u32> = row[1].split(", ").filter_map(|flag| flag.parse().ok()).collect();
            assert_eq!(flags[..published.len()], published, "{function}");
            if let Ok(point) = row[2].parse::<f32>() {
                assert_eq!(symmetry.point, point, "{function}");
            }
            let sides = [&profile.neg, &profile.pos].map(|side| !side.is_empty());
            let (what, _) = row[4].split_once([';', ',']).unwrap_or((row[4], ""));
            match what {
                "negative side only" => assert_eq!(sides, [true, false], "{function}"),
                "positive side only" => assert_eq!(sides, [false, true], "{function}"),
                "one side stored" => assert!(sides[0] != sides[1], "{function}"),
                "both sides stored" => assert_eq!(sides, [true; 2], "{function}"),
                other => assert!(function == "reciprocal" && other == "zero gives about 3.39e38", "{other}"),
            }
            if let Ok(first) = row[3].parse::<i32>() {
                let side = if sides[0] { &profile.neg } else { &profile.pos };
                assert_eq!(side[0].exponent, first, "{function}");
            }
        }
    }
    let zero = embedded::default_member(Function::Reciprocal).unwrap().table.specials().zero;
    assert_eq!(format!("{zero:.2e}"), "3.39e38");
}

#[test]
fn a_hardwired_table_has_one_empty_octave_a_side_and_parametric_relu_none() {
    for member in embedded::members().iter().filter(|member| member.budget == 1) {
        let profile = member.table.to_profile();
        let octaves: Vec<_> = profile.neg.iter().chain(&profile.pos).collect();
        assert!(octaves.iter().all(|octave| octave.exponent == -127 && octave.sections.is_empty()));
        assert!(profile.neg.len() <= 1 && profile.pos.len() <= 1, "{}", member.function);
        assert_eq!(octaves.is_empty(), member.function == "parametric_relu");
    }
}

/// README.md's table of the embedded set, as far as it is of counts.
#[test]
fn the_readme_has_the_octaves_and_sections_of_every_table_with_a_body() {
    let readme = include_str!("../../../README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("p` | "));
    let ours: BTreeSet<String> = rows
        .map(|(name, counts)| format!("{name}p {}", counts.split(" | ").take(3).collect::<Vec<_>>().join(" ")))
        .collect();
    let due = embedded::members().iter().filter(|member| member.budget > 1).map(|member| {
        let octaves = member.table.octaves().iter().filter(|octave| octave.present).count();
        let published = published_size(member.profile_name()).unwrap().sections;
        format!("{} {octaves} {} {published}", member.profile_name(), member.table.sections().len())
    });
    assert_eq!(ours, due.collect());
}
