//! `pwp inspect --sections`: every section and clamp as a line of CSV.

use anyhow::Result;
use pwp_sim_core::Table;
use pwp_sim_core::profile::{Saturation, Section};
use pwp_sim_core::table::SLOTS;

use super::{findings, runs};
use crate::place;

const HEADER: [&str; 19] = [
    "table",
    "side",
    "octave",
    "section",
    "first",
    "first_bits",
    "last",
    "last_bits",
    "reachable",
    "x",
    "d0",
    "d1",
    "d2",
    "d3",
    "x_bits",
    "d0_bits",
    "d1_bits",
    "d2_bits",
    "d3_bits",
];

/// The sections of these tables. A clamp is the octave `high` or `low`; its inputs are those that it serves.
///
/// # Errors
/// When the text cannot be put together.
pub fn csv<'a>(tables: impl Iterator<Item = (String, &'a Table)>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for (name, table) in tables {
        let reached = findings::reached(table, &runs::reachable(table));
        for slot in (256..SLOTS).chain(0..256) {
            let (side, exponent) = place::octave(slot);
            let width = 1u64 << (23 - table.octaves()[slot].extract_size);
            for (index, section) in table.octave_sections(slot).iter().enumerate() {
                // Past the end of the octave for a section that the extract size does not address.
                let first = (slot as u64) << 23 | (index as u64 * width).min((1 << 23) - 1);
                let last = (first + width - 1).min((slot as u64) << 23 | 0x7f_ffff);
                let start = [name.clone(), side.to_owned(), exponent.to_string(), index.to_string()];
                let is_reached = reached.contains(&(slot, index as u32));
                writer.write_record(start.into_iter().chain(rest(
                    Some((first as u32, last as u32)),
                    is_reached,
                    section,
                )))?;
            }
        }
        let served = [true, false].map(|negative| runs::of_side(table, negative)).concat();
        let reachable = runs::reachable(table);
        for clamp in Saturation::ALL {
            let at = |run: &&runs::Run| run.place == Some(pwp_sim_core::table::Place::Saturated(clamp));
            let range = served.iter().find(at).map(|run| (run.first, run.last));
            let (side, end) = place::saturation_name(clamp).split_once('_').unwrap_or_default();
            let start = [name.clone(), side.to_owned(), end.to_owned(), String::new()];
            let is_reached = reachable.iter().any(|run| at(&run));
            writer.write_record(start.into_iter().chain(rest(
                range,
                is_reached,
                &table.saturation_point(clamp).section,
            )))?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn rest(range: Option<(u32, u32)>, reached: bool, section: &Section) -> Vec<String> {
    let end = |bits: Option<u32>| match bits {
        Some(bits) => [format!("{:?}", f32::from_bits(bits)), format!("{bits:08x}")],
        None => [String::new(), String::new()],
    };
    let values = [section.x, section.d0, section.d1, section.d2, section.d3];
    let mut cells = [end(range.map(|range| range.0)), end(range.map(|range| range.1))].concat();
    cells.push(if reached { "yes" } else { "no" }.to_owned());
    cells.extend(values.map(|value| format!("{value:?}")));
    cells.extend(values.map(|value| format!("{:08x}", value.to_bits())));
    cells
}
