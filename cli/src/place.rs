//! Where an input lands in a table, in words: for people, in the terms of `docs/behaviour.md`, section 4.

use pwp_sim_core::Table;
use pwp_sim_core::profile::Saturation;
use pwp_sim_core::table::Place;

/// Where the (scaled) input `v` lands: `pos octave 0, section 3 of 4`, `clamp pos_high`, `zero_result`; `unhandled` where
/// no section covers it. A reflected input says so.
pub fn of(table: &Table, v: f32) -> String {
    if v == 0.0 {
        return "zero_result".to_owned();
    }
    if v.is_infinite() {
        return if v > 0.0 { "pinf_result" } else { "ninf_result" }.to_owned();
    }
    let sel = table.fold(v);
    let reflected = if sel.to_bits() == v.to_bits() || v.is_nan() { "" } else { ", reflected" };
    format!("{}{reflected}", located(table, table.locate(sel)))
}

/// A place in words.
pub fn located(table: &Table, place: Option<Place>) -> String {
    match place {
        None => "unhandled".to_owned(),
        Some(Place::Saturated(saturation)) => format!("clamp {}", saturation_name(saturation)),
        Some(Place::Octave { slot, index }) => {
            let (side, exponent) = octave(slot);
            format!("{side} octave {exponent}, section {index} of {}", table.octaves()[slot].num_sections)
        }
    }
}

/// The name of a clamp: `pos_high`.
pub fn saturation_name(saturation: Saturation) -> &'static str {
    saturation.key().trim_start_matches("sat_point_")
}

/// The side and the unbiased exponent of a slot.
pub fn octave(slot: usize) -> (&'static str, i32) {
    (if slot < 256 { "pos" } else { "neg" }, (slot & 255) as i32 - 127)
}
