//! One evaluation step by step, as `docs/behaviour.md`, section 4, has it. The last step is held to the result of the
//! evaluator itself.

use std::fmt::Write;

use pwp_sim_core::Table;
use pwp_sim_core::engine::eval::{definition, evaluate};
use pwp_sim_core::table::Place;

use crate::place;

/// A float as its shortest decimal and its bits.
fn float(x: f32) -> String {
    format!("{x:?} ({:08x})", x.to_bits())
}

/// A double as its shortest decimal and its bits.
fn double(x: f64) -> String {
    format!("{x:?} ({:016x})", x.to_bits())
}

/// The steps from the scaled input `v` to the table's value, a line each.
pub fn of(table: &Table, v: f32) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<10} {value}");
    };
    let result = evaluate(table, v);
    if v == 0.0 || v.is_infinite() {
        line("special", format!("{} = {}", place::of(table, v), float(result.unwrap_or(f32::NAN))));
        return text;
    }
    let symmetry = table.symmetry();
    let sel = table.fold(v);
    let fold = match (symmetry.enabled, symmetry.use_neg_region) {
        (false, _) => "none",
        (true, false) => "to |v|",
        (true, true) => "to -|v|",
    };
    line("fold", format!("{fold}: sel = {}", float(sel)));
    let bits = sel.to_bits();
    let (exponent, mantissa) = (bits >> 23 & 255, bits & 0x7f_ffff);
    line("octave", format!("exponent {exponent} (2^{}), mantissa {mantissa:06x}", exponent as i32 - 127));
    let Some(found) = table.locate(sel) else {
        line("section", "none covers it: unhandled".to_owned());
        return text;
    };
    let shift = match found {
        Place::Octave { slot, .. } => format!(" (mantissa >> {})", 23 - table.octaves()[slot].extract_size),
        _ => String::new(),
    };
    line("section", format!("{}{shift}", place::located(table, Some(found))));
    let section = table.section(found);
    for (name, value) in
        [("x", section.x), ("d0", section.d0), ("d1", section.d1), ("d2", section.d2), ("d3", section.d3)]
    {
        line(name, float(value));
    }
    let t = sel - section.x;
    let p = t * section.d1 + section.d0;
    let wide = f64::from(t);
    let square = f64::from(p) + wide * wide * f64::from(section.d2);
    let y = definition::cubic(section, sel);
    line("t", format!("sel - x = {}", float(t)));
    line("p", format!("t * d1 + d0 = {}", float(p)));
    line("r", format!("p + t^2 * d2 = {}", double(square)));
    line("y", format!("r + t^3 * d3 = {}", float(y)));
    let unfolded = result.unwrap_or(f32::NAN);
    if symmetry.enabled && v.to_bits() != sel.to_bits() || unfolded.to_bits() != y.to_bits() {
        let negate = if symmetry.invert_sign { "-y" } else { "y" };
        let what = if unfolded.to_bits() == y.to_bits() {
            "y stays as it is".to_owned()
        } else if y.is_nan() {
            "a NaN is always 7fc00000".to_owned()
        } else {
            format!("{negate} + {:?}", symmetry.point)
        };
        line("unfold", format!("{what} = {}", float(unfolded)));
    }
    text
}
