//! The published counts against one another: what the byte counts of the sets (`docs/figures.md`) say of the sections and
//! octaves of each table, and how near our manifests come to theirs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::figures::sets;
use super::image::{self, Member};
use super::roster::{Roster, SIZES, published_size};
use super::{FunctionSet, embedded};
use crate::function::ProfileName;

/// What a published file size is of: its bytes over those of an entry, which must go in without a rest.
fn entries(bytes: u32, entry: usize) -> u32 {
    let entry = entry as u32;
    assert_eq!(bytes % entry, 0);
    bytes / entry
}

/// A published set: records without the four saturation records of each function, words, and bytes of the manifest.
struct Published {
    roster: Roster,
    set: FunctionSet,
    sections: u32,
    octaves: u32,
    manifest: u32,
}

fn published() -> Vec<Published> {
    let of = |roster: Roster| {
        let with_row = roster.catalog().sets.into_iter().zip(sets(roster));
        with_row.map(move |(set, row)| {
            let bytes: Vec<u32> = row.last().unwrap().split(" / ").map(|cell| cell.parse().unwrap()).collect();
            let sections = entries(bytes[0], image::RECORD) - 4 * set.act.len() as u32;
            Published { roster, set, sections, octaves: entries(bytes[1], roster.stride()), manifest: bytes[2] }
        })
    };
    Roster::ALL.into_iter().flat_map(of).collect()
}

/// Sections and octaves of every profile of the rosters, from the file sizes and what is known of some: any set with one
/// unknown profile gives its size. Empty where they contradict one another.
fn sizes_from_files<'a>(
    sets: &'a [Published],
    known: &[(ProfileName<'a>, [u32; 2])],
) -> BTreeMap<ProfileName<'a>, [u32; 2]> {
    let mut sizes: BTreeMap<ProfileName, [u32; 2]> = known.iter().copied().collect();
    loop {
        let before = sizes.len();
        for Published { set, sections, octaves, .. } in sets {
            let names = set.act.iter().map(|(function, budget)| ProfileName { function, budget: *budget });
            let (here, unknown): (Vec<_>, Vec<_>) = names.partition(|name| sizes.contains_key(name));
            let sum = |place: usize| here.iter().map(|name| sizes[name][place]).sum::<u32>();
            let (Some(sections), Some(octaves)) = (sections.checked_sub(sum(0)), octaves.checked_sub(sum(1))) else {
                return BTreeMap::new();
            };
            match unknown.as_slice() {
                &[name] => _ = sizes.insert(name, [sections, octaves]),
                [] if [sections, octaves] != [0; 2] => return BTreeMap::new(),
                _ => {}
            }
        }
        if sizes.len() == before {
            return sizes;
        }
    }
}

/// What the elimination starts from: the hardwired functions, which have no section and the octaves of the published
/// `exp_and_others`, and sin, without which erf, arctan and sin are always two or three to a set.
fn known() -> Vec<(ProfileName<'static>, [u32; 2])> {
    let hardwired = SIZES.iter().filter(|size| size.profile.budget == 1);
    let hardwired = hardwired.map(|size| (size.profile, [0, size.octaves]));
    hardwired.chain([(ProfileName { function: "sin", budget: 4 }, [55, 13])]).collect()
}

#[test]
fn the_file_sizes_of_the_35_sets_give_the_size_of_every_table() {
    let sets = published();
    let ours: BTreeMap<_, _> = SIZES.iter().map(|size| (size.profile, [size.sections, size.octaves])).collect();
    assert_eq!(sizes_from_files(&sets, &known()), ours);
}

#[test]
fn the_octaves_that_are_published_by_table_are_those_of_the_file_sizes() {
    let sets = published();
    let sizes = sizes_from_files(&sets, &known());
    for (function, budget, octaves) in [
        ("softplus", 40, 41),
        ("sqrt", 65536, 234),
        ("reciprocal_sqrt", 40000, 185),
        ("sin", 4, 13),
        ("derivative_silu", 32, 12),
        ("derivative_erf", 400, 10),
        ("sigmoid", 40, 11),
        ("derivative_sigmoid", 40, 11),
        ("tanh", 4, 17),
        ("exp", 400, 2 * 26),
    ] {
        assert_eq!(sizes[&ProfileName { function, budget }][1], octaves, "{function}");
    }
}

/// Of the counts that are published for one profile, those with which all file sizes hold.
fn that_fit(function: &'static str, budget: u32, candidates: impl Iterator<Item = u32>) -> Vec<u32> {
    let sets = published();
    let profile = ProfileName { function, budget };
    let octaves = published_size(profile).unwrap().octaves;
    let fits = |count: &u32| {
        let with = [known(), vec![(profile, [*count, octaves])]].concat();
        !sizes_from_files(&sets, &with).is_empty()
    };
    candidates.filter(fits).collect()
}

/// The last two are the multipass tables, `ln_4p_0mp` and `ln_4p_1mp`.
const LN: [u32; 4] = [1219, 513, 775, 832];

#[test]
fn of_the_counts_published_for_ln_one_fits_each_profile_and_neither_multipass_table_any() {
    assert_eq!(that_fit("ln", 40, LN.into_iter()), [1219]);
    assert_eq!(that_fit("ln", 400, LN.into_iter()), [513]);
    for name in ["ln_4p_0mp", "ln_4p_1mp"] {
        assert_eq!(ProfileName::of_file(&format!("{name}.json")), None, "{name} is no profile that is loaded");
    }
}

/// A note has the two the other way round. Then exp's last octave, behind ln in `natural_log_exp_and_others`, is beyond the
/// greatest base that is published.
#[test]
fn with_the_counts_of_ln_exchanged_the_greatest_base_would_not_be_the_published_one() {
    let exp = embedded::member("exp", 400).unwrap().table.to_profile();
    let last = exp.section_count() - exp.pos.last().unwrap().sections.len();
    let exp_s_last_base = |ln: u32| ln as usize + 4 + last;
    assert!(exp_s_last_base(513) <= 1443);
    assert!(exp_s_last_base(1219) > 1443);
}

#[test]
fn of_the_range_published_for_the_variants_of_derivative_erf_its_least_alone_fits() {
    assert_eq!(that_fit("derivative_erf", 400, 466..=1182), [466]);
}

/// Our manifest of a set, from the embedded tables.
fn manifest(Published { roster, set, .. }: &Published) -> usize {
    let member = |(function, budget): &(String, u32)| {
        Member::new(function, *budget, Arc::clone(&embedded::member(function, *budget).unwrap().table))
    };
    let members: Vec<Member> = set.act.iter().map(member).collect();
    image::write(&set.name, &members, roster.stride()).unwrap().manifest.len()
}

/// What is left are digits of thresholds, bounds and codes that are not published (`docs/differences.md`,
/// `manifest-sizes`).
#[test]
fn every_manifest_is_within_100_bytes_of_its_published_size() {
    let sets = published();
    assert_eq!(sets.len(), 35);
    for set in &sets {
        let ours = manifest(set);
        assert!(ours.abs_diff(set.manifest as usize) < 100, "{} {}: {ours}", set.roster.name(), set.set.name);
    }
}

/// Two sets that differ in one function's name, code and results, and in nothing else: 22 bytes.
#[test]
fn the_manifests_of_both_reciprocal_roots_differ_by_the_published_bytes() {
    let sets = published();
    let find = |name: &str| sets.iter().find(|set| set.roster == Roster::Trainium && set.set.name == name).unwrap();
    let (of_abs, plain) = (find("abs_reciprocal_sqrt_and_small"), find("reciprocal_sqrt_and_small"));
    assert_eq!(of_abs.manifest - plain.manifest, 22);
    assert_eq!(manifest(of_abs) - manifest(plain), 22);
}
