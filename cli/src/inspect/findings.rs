//! What is remarkable in a table: what no input reaches, what no section covers, and what does not fit together.

use std::collections::BTreeSet;

use pwp_sim_core::Table;
use pwp_sim_core::engine::eval::definition;
use pwp_sim_core::profile::{Saturation, Section};
use pwp_sim_core::table::{FoldReading, Place, SLOTS};

use super::runs::{self, Run};
use crate::compare::tally::distance;
use crate::place;

/// A step in the table's values where two places meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jump {
    /// The first input of the outer place, folded.
    pub input: f32,
    /// How many floats the values of the two places are apart there; none where one of them is NaN.
    pub ulp: Option<u32>,
    /// The inner and the outer place.
    pub places: [Place; 2],
    /// The value of each.
    pub values: [f32; 2],
}

/// Everything remarkable.
#[derive(Debug)]
pub struct Findings {
    /// The sections that the octaves count.
    pub declared: u64,
    /// The stored sections that no input reaches.
    pub unreachable: usize,
    /// The inputs that no section covers: how many, before folding, and their runs after it.
    pub unhandled: (u64, Vec<Run>),
    /// The jumps between neighbouring sections, the greatest first.
    pub jumps: Vec<Jump>,
    /// The jumps at the edge of a clamp, the greatest first.
    pub clamp_jumps: Vec<Jump>,
    /// What does not fit together, a sentence each.
    pub oddities: Vec<String>,
}

impl Findings {
    /// The findings of a table.
    pub fn of(table: &Table) -> Findings {
        let runs = runs::reachable(table);
        let fold = if table.symmetry().enabled { 2 } else { 1 };
        let unhandled: Vec<Run> = runs.iter().filter(|run| run.place.is_none()).copied().collect();
        let (clamp_jumps, jumps) = jumps(table, &runs)
            .into_iter()
            .partition(|jump| jump.places.iter().any(|place| matches!(place, Place::Saturated(_))));
        Findings {
            declared: table.octaves().iter().map(|octave| u64::from(octave.num_sections)).sum(),
            unreachable: table.sections().len() - reached(table, &runs).len(),
            unhandled: (fold * unhandled.iter().map(Run::count).sum::<u64>(), unhandled),
            jumps,
            clamp_jumps,
            oddities: oddities(table, &runs),
        }
    }
}

/// The stored sections that some input reaches, by slot and index.
pub fn reached(table: &Table, runs: &[Run]) -> BTreeSet<(usize, u32)> {
    let stored = |run: &Run| match run.place {
        Some(Place::Octave { slot, index }) if index < table.octaves()[slot].stored => Some((slot, index)),
        _ => None,
    };
    runs.iter().filter_map(stored).collect()
}

/// The jumps where two runs of one side meet, both covered.
fn jumps(table: &Table, runs: &[Run]) -> Vec<Jump> {
    let meet = |pair: &[Run]| {
        let (inner, outer) = (pair[0], pair[1]);
        let places = [inner.place?, outer.place?];
        let input = f32::from_bits(outer.first);
        let values = places.map(|place| definition::cubic(table.section(place), input));
        let ulp =
            values.iter().all(|value| !value.is_nan()).then(|| distance(values[0].to_bits(), values[1].to_bits()));
        (inner.last + 1 == outer.first).then_some(Jump { input, ulp, places, values })
    };
    let mut jumps: Vec<Jump> = runs.windows(2).filter_map(meet).filter(|jump| jump.ulp != Some(0)).collect();
    jumps.sort_by_key(|jump| std::cmp::Reverse(jump.ulp.map_or(u64::MAX, u64::from)));
    jumps
}

fn oddities(table: &Table, runs: &[Run]) -> Vec<String> {
    let mut odd: Vec<String> = misread(table).into_iter().collect();
    for slot in 0..SLOTS {
        let (side, exponent) = place::octave(slot);
        for (index, section) in table.octave_sections(slot).iter().enumerate() {
            odd.extend(no_number(section).map(|what| format!("{side} octave {exponent}, section {index}: {what}")));
        }
        let octave = &table.octaves()[slot];
        if octave.num_sections > 1 << octave.extract_size {
            let addressed = 1 << octave.extract_size;
            odd.push(format!(
                "{side} octave {exponent} counts {} sections, and its extract size {} addresses {addressed}",
                octave.num_sections, octave.extract_size
            ));
        }
        let zero = |run: &&Run| matches!(run.place, Some(Place::Octave { slot: of, index }) if of == slot && index >= octave.stored);
        if let Some(run) = runs.iter().find(zero) {
            odd.push(format!(
                "{side} octave {exponent} counts {} sections and gives {}: from {:?} on inputs reach those that are all zero",
                octave.num_sections,
                octave.stored,
                f32::from_bits(run.first)
            ));
        }
    }
    for clamp in Saturation::ALL {
        let name = place::saturation_name(clamp);
        let used = runs.iter().any(|run| run.place == Some(Place::Saturated(clamp)));
        odd.extend(
            no_number(&table.saturation_point(clamp).section)
                .filter(|_| used)
                .map(|what| format!("clamp {name}: {what}")),
        );
    }
    odd.extend(contradiction(table));
    odd
}

/// The reading of the fold that the table was made for, where that is not this process's.
pub fn misread(table: &Table) -> Option<String> {
    let (variable, fitting) = (FoldReading::VARIABLE, table.misread()?.name());
    Some(format!(
        "the saturation points fit {variable}={fitting}; as it is read, every result is that of the input with the other sign"
    ))
}

/// A NaN anywhere, or an infinity where it is no value of the function.
fn no_number(section: &Section) -> Option<String> {
    let parts = [("x", section.x), ("d0", section.d0), ("d1", section.d1), ("d2", section.d2), ("d3", section.d3)];
    let odd = |(name, value): &(&str, f32)| value.is_nan() || (*name != "d0" && value.is_infinite());
    let (name, value) = parts.into_iter().find(odd)?;
    Some(format!("{name} is {value}"))
}

/// The fold says what the infinity of the side that is not stored gives; the specials may say something else.
fn contradiction(table: &Table) -> Option<String> {
    let (symmetry, specials) = (table.symmetry(), table.specials());
    let (stored, other, name) = match symmetry.use_neg_region {
        true => (specials.neg_inf, specials.pos_inf, "pinf_result"),
        false => (specials.pos_inf, specials.neg_inf, "ninf_result"),
    };
    let due = if symmetry.invert_sign { -stored } else { stored } + symmetry.point;
    let fits = due == other || (due.is_nan() && other.is_nan());
    (symmetry.enabled && !fits).then(|| format!("{name} is {other:?}, and the fold would make it {due:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Tables;
    use pwp_sim_core::profile::Profile;

    fn profile(name: &str) -> Profile {
        Tables::open("builtin:").unwrap().find(name).unwrap().1.unwrap().table().unwrap().to_profile()
    }

    fn findings(profile: &Profile) -> Findings {
        Findings::of(&Table::new(profile).unwrap())
    }

    #[test]
    fn the_embedded_tables_handle_every_input_and_have_no_oddities() {
        for name in ["exp", "tanh", "gelu", "relu", "sin"] {
            let found = findings(&profile(name));
            assert_eq!((found.unhandled.0, &found.oddities[..]), (0, &[][..]), "{name}");
        }
    }

    #[test]
    fn a_missing_octave_is_unhandled_input_on_both_sides_of_the_fold() {
        let mut exp = profile("exp");
        exp.pos.retain(|region| region.exponent != 0);
        let found = findings(&exp);
        assert_eq!(found.unhandled.0, 1 << 23);
        assert_eq!((found.unhandled.1[0].first, found.unhandled.1[0].last), (0x3f80_0000, 0x3fff_ffff));
        let mut tanh = profile("tanh");
        tanh.pos.retain(|region| region.exponent != 0);
        assert_eq!(findings(&tanh).unhandled.0, 2 << 23);
    }

    #[test]
    fn the_number_of_unhandled_inputs_is_what_evaluation_finds() {
        let mut exp = profile("exp");
        exp.pos.iter_mut().find(|region| region.exponent == 3).unwrap().num_sections -= 5;
        exp.pos.iter_mut().find(|region| region.exponent == 3).unwrap().sections.truncate(20);
        let table = Table::new(&exp).unwrap();
        let octave = (0x4100_0000u32..0x4180_0000).filter(|bits| table.locate(f32::from_bits(*bits)).is_none());
        assert_eq!(Findings::of(&table).unhandled.0, octave.count() as u64);
    }

    #[test]
    fn a_shifted_section_jumps_at_both_of_its_ends() {
        let mut exp = profile("exp");
        let region = exp.pos.iter_mut().find(|region| region.exponent == 3).unwrap();
        region.sections[7].d0 *= 1.5;
        let jumps = findings(&exp).jumps;
        let at = |jump: &Jump| jump.places.contains(&Place::Octave { slot: 130, index: 7 });
        assert!(at(&jumps[0]) && at(&jumps[1]) && !at(&jumps[2]), "{jumps:?}");
        assert!(jumps[0].ulp.unwrap() > 1 << 20);
    }

    #[test]
    fn what_does_not_fit_together_is_said() {
        let mut tanh = profile("tanh");
        tanh.specials.neg_inf = 1.0;
        tanh.pos[3].sections[0].d2 = f32::NAN;
        let last = tanh.pos.len() - 1;
        tanh.pos[last].num_sections += 100;
        tanh.pos[last].sections.truncate(10);
        let odd = findings(&tanh).oddities;
        for said in ["ninf_result is 1.0, and the fold would make it -1.0", "d2 is NaN", "addresses", "are all zero"] {
            assert!(odd.iter().any(|odd| odd.contains(said)), "{said}: {odd:?}");
        }
    }

    #[test]
    fn a_table_of_the_other_reading_is_named_with_it() {
        let mut sigmoid = profile("sigmoid");
        assert_eq!(misread(&Table::new(&sigmoid).unwrap()), None);
        sigmoid.saturation_points[Saturation::NegHigh as usize].section.d0 = 1.0;
        let odd = findings(&sigmoid).oddities;
        assert!(odd[0].starts_with("the saturation points fit PWP_SIM_FOLD=negative;"), "{odd:?}");
    }

    #[test]
    fn a_section_beyond_a_clamp_is_unreachable() {
        let mut exp = profile("exp");
        let before = findings(&exp).unreachable;
        exp.saturation_points[Saturation::PosHigh as usize].sat_point -= 1;
        assert!(findings(&exp).unreachable > before);
    }
}
