//! A [`Profile`] as the text of a profile file (`docs/behaviour.md`, section 3).

use serde_json::{Map, Value, json};

use super::{Profile, Region, Saturation, SaturationPoint, Section};

/// The JSON text of `profile`, with float boxes of all six members. `extra` are top-level keys to add, those that
/// generators write and the simulator does not read.
pub fn to_json(profile: &Profile, extra: &[(&str, Value)]) -> String {
    let saturation_points: Map<String, Value> = Saturation::ALL
        .iter()
        .map(|&saturation| {
            (saturation.key().to_owned(), saturation_point(&profile.saturation_points[saturation as usize]))
        })
        .collect();
    let mut object = json!({
        "symmetry_en": profile.symmetry.enabled,
        "symmetry_invert_sign_opt": profile.symmetry.invert_sign,
        "symmetry_opt_use_neg_region": profile.symmetry.use_neg_region,
        "symmetry_point": float_box(profile.symmetry.point),
        "zero_result": float_box(profile.specials.zero),
        "nan_result": float_box(profile.specials.nan),
        "pinf_result": float_box(profile.specials.pos_inf),
        "ninf_result": float_box(profile.specials.neg_inf),
        "pos_exponents": regions(&profile.pos),
        "neg_exponents": regions(&profile.neg),
        "saturation_points": saturation_points,
    });
    for (key, value) in extra {
        object[*key] = value.clone();
    }
    object.to_string()
}

fn regions(regions: &[Region]) -> Vec<Value> {
    let region = |region: &Region| {
        json!({
            "exponent": region.exponent,
            "num_sections": region.num_sections,
            "extract_size": region.extract_size,
            "exponent_sections": region.sections.iter().map(section).collect::<Vec<_>>(),
        })
    };
    regions.iter().map(region).collect()
}

fn section(section: &Section) -> Value {
    json!({
        "x": float_box(section.x),
        "d0": float_box(section.d0),
        "d1": float_box(section.d1),
        "d2": float_box(section.d2),
        "d3": float_box(section.d3),
    })
}

fn saturation_point(point: &SaturationPoint) -> Value {
    let mut object = section(&point.section);
    object["sat_point"] = json!(point.sat_point);
    object["mantissa_point"] = json!(point.mantissa_point);
    object
}

/// The six members of a float box. `int` is the signed reading of the bits, as the original writes it; `float` is for
/// people and lossy, null where JSON has no number for the value.
pub fn float_box(value: f32) -> Value {
    let bits = value.to_bits();
    json!({
        "float": value,
        "int": bits as i32,
        "hexstring": format!("{bits:08x}"),
        "sign": bits >> 31,
        "exponent": (bits >> 23) & 255,
        "mantissa": bits & 0x7f_ffff,
    })
}
