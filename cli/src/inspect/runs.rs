//! The inputs of a table in runs: neighbouring floats that land in one place.

use pwp_sim_core::Table;
use pwp_sim_core::profile::Saturation;
use pwp_sim_core::table::Place;

/// Neighbouring folded inputs of one sign that land in one place. The zeros, infinities and NaN are in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The bits of the input with the least magnitude.
    pub first: u32,
    /// The bits of the input with the greatest.
    pub last: u32,
    /// Where they land; none where no section covers them. The sections that a table counts and does not store are one
    /// place.
    pub place: Option<Place>,
}

impl Run {
    /// How many floats it has.
    pub fn count(&self) -> u64 {
        u64::from(self.last - self.first) + 1
    }
}

/// The runs of one side, by magnitude.
pub fn of_side(table: &Table, negative: bool) -> Vec<Run> {
    let sign = u32::from(negative) << 31;
    let slots = if negative { 256..511 } else { 0..255 };
    let mut runs: Vec<Run> = Vec::new();
    for slot in slots {
        for first in cuts(table, slot) {
            let place = table.locate(f32::from_bits(first));
            match runs.last_mut() {
                Some(run) => {
                    run.last = first - 1;
                    if same(table, run.place, place) {
                        continue;
                    }
                }
                None if first != sign | 1 => continue,
                None => {}
            }
            runs.push(Run { first, last: first, place });
        }
    }
    if let Some(run) = runs.last_mut() {
        run.last = sign | 0x7f7f_ffff;
    }
    runs
}

/// The runs of the sides that the fold leaves: both, or the stored one.
pub fn reachable(table: &Table) -> Vec<Run> {
    let symmetry = table.symmetry();
    let sides =
        [(true, !symmetry.enabled || symmetry.use_neg_region), (false, !symmetry.enabled || !symmetry.use_neg_region)];
    sides.iter().filter(|(_, folded)| *folded).flat_map(|(negative, _)| of_side(table, *negative)).collect()
}

/// The inputs of a slot at which another place may begin, in ascending order; the first is the slot's least.
fn cuts(table: &Table, slot: usize) -> Vec<u32> {
    let (start, sign) = ((slot as u32) << 23, (slot as u32) >> 8 << 31);
    let octave = &table.octaves()[slot];
    let shift = 23 - octave.extract_size;
    let mut cuts = vec![start.max(sign | 1)];
    // Each section that is stored, the first that is not, and the first that is not even counted.
    let indices = (0..=octave.stored.min(1 << octave.extract_size)).chain([octave.num_sections]);
    cuts.extend(
        indices.map(|index| u64::from(start) + (u64::from(index) << shift)).filter_map(|cut| u32::try_from(cut).ok()),
    );
    for clamp in Saturation::ALL {
        let point = table.saturation_point(clamp);
        if (0..256).contains(&point.sat_point) && (-1..=0x7f_ffff).contains(&point.mantissa_point) {
            let threshold = i64::from(point.sat_point) << 23 | i64::from(sign);
            let threshold = threshold + i64::from(point.mantissa_point);
            cuts.extend([threshold, threshold + 1].into_iter().filter_map(|cut| u32::try_from(cut).ok()));
        }
    }
    cuts.retain(|cut| *cut >= start.max(sign | 1) && *cut - start < 1 << 23);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Whether two places are one: the same, or both sections of one octave that are not stored.
fn same(table: &Table, a: Option<Place>, b: Option<Place>) -> bool {
    let unstored = |place| match place {
        Some(Place::Octave { slot, index }) => (index >= table.octaves()[slot].stored).then_some(slot),
        _ => None,
    };
    a == b || (unstored(a).is_some() && unstored(a) == unstored(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Tables;

    #[test]
    fn the_runs_of_a_side_are_all_its_numbers_and_each_has_one_place() {
        for entry in Tables::open("builtin:").unwrap().entries() {
            let table = entry.table().unwrap();
            for negative in [false, true] {
                let sign = u32::from(negative) << 31;
                let runs = of_side(&table, negative);
                assert_eq!((runs[0].first, runs.last().unwrap().last), (sign | 1, sign | 0x7f7f_ffff));
                assert!(runs.windows(2).all(|pair| pair[0].last + 1 == pair[1].first), "{}", entry.name());
                for run in &runs {
                    for bits in [run.first, run.last, run.first + (run.last - run.first) / 2] {
                        assert!(
                            same(&table, table.locate(f32::from_bits(bits)), run.place),
                            "{} {bits:08x}",
                            entry.name()
                        );
                    }
                }
                let neighbours = |pair: &[Run]| !same(&table, pair[0].place, pair[1].place);
                assert!(runs.windows(2).all(neighbours), "{}", entry.name());
            }
        }
    }

    #[test]
    fn of_a_folded_table_only_the_stored_side_is_reachable() {
        let tables = Tables::open("builtin:").unwrap();
        let of = |name: &str| reachable(&tables.find(name).unwrap().1.unwrap().table().unwrap());
        assert!(of("tanh").iter().all(|run| run.first >> 31 == 0));
        assert!(of("sigmoid").iter().all(|run| run.first >> 31 == 1));
        assert!(of("exp").iter().any(|run| run.first >> 31 == 0) && of("exp").iter().any(|run| run.first >> 31 == 1));
    }
}
