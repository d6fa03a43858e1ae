//! What a profile's text may and may not be.

use std::path::Path;

use super::*;
use crate::error::Error;

fn sample() -> Profile {
    let section = |x: f32| Section { x, d0: f32::from_bits(0x7f80_0001), d1: -0.0, d2: f32::INFINITY, d3: 1e-45 };
    let region = |exponent, count: u32| Region {
        exponent,
        num_sections: 8,
        extract_size: 3,
        sections: (0..count).map(|index| section(index as f32)).collect(),
    };
    let saturation = |sat_point| SaturationPoint { sat_point, mantissa_point: -1, section: section(0.5) };
    Profile {
        symmetry: Symmetry { enabled: true, invert_sign: false, use_neg_region: true, point: -0.0 },
        specials: Specials { zero: 1.0, nan: f32::NAN, pos_inf: f32::INFINITY, neg_inf: -0.0 },
        pos: vec![region(-127, 8), region(128, 0)],
        neg: vec![region(0, 3)],
        saturation_points: [saturation(i32::MAX), saturation(i32::MIN), saturation(0), saturation(255)],
    }
}

fn refusal(text: &str) -> (String, String) {
    match parse(text, Path::new("dir/exp_400p.json")) {
        Err(Error::ProfileFormat { file, place, reason }) => {
            assert_eq!(file, Path::new("dir/exp_400p.json"));
            (place, reason)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_written_reads_back_the_same() {
    let profile = sample();
    let text = to_json(&profile, &[("lut_size", 11.into())]);
    assert_eq!(parse(&text, Path::new("x")), Ok(profile));
}

/// The keys of published profiles that `docs/figures.md` names as not read.
#[test]
fn what_is_not_read_of_a_profile_may_have_any_value_or_none() {
    let keys = [
        "imm_bias",
        "exponent_offset",
        "max_diff",
        "fma_const0",
        "fma_const1",
        "lower_bound",
        "upper_bound",
        "use_multipass",
        "lut_size",
        "neuron_id",
    ];
    let profile = sample();
    for value in [serde_json::json!(-19), serde_json::json!("spoilt"), serde_json::json!([null]), serde_json::json!({})]
    {
        let text = to_json(&profile, &keys.map(|key| (key, value.clone())));
        assert!(keys.iter().all(|key| text.contains(&format!("\"{key}\""))));
        assert_eq!(parse(&text, Path::new("x")), Ok(profile.clone()));
    }
    assert_eq!(parse(&to_json(&profile, &[]), Path::new("x")), Ok(profile));
}

#[test]
fn an_int_is_the_bits_of_the_float_signed_or_unsigned() {
    let text = to_json(&sample(), &[]);
    let zero = |int: &str| {
        let value = float_box(1.0).to_string();
        let text = text.replacen(&format!("\"zero_result\":{value}"), &format!("\"zero_result\":{{\"int\":{int}}}"), 1);
        parse(&text, Path::new("x")).map(|profile| profile.specials.zero.to_bits())
    };
    for (int, bits) in [
        ("4294967289", 0xffff_fff9u32),
        ("4294967295", 0xffff_ffff),
        ("3212836864", 0xbf80_0000),
        ("-1082130432", 0xbf80_0000),
        ("-0", 0),
    ] {
        assert_eq!(zero(int), Ok(bits));
    }
    for int in ["4294967296", "-2147483649", "3212836864.0", "1e0", "\"1\"", "null", "true", "[]", "{}", "1e400"] {
        let Err(Error::ProfileFormat { place, .. }) = zero(int) else { panic!("{int} accepted") };
        assert_eq!(place, "zero_result.int");
    }
}

#[test]
fn of_two_equal_keys_the_last_counts_even_if_the_first_was_wrong() {
    let text = to_json(&sample(), &[]);
    let twice = text.replacen('{', "{\"symmetry_en\":\"no\",\"pos_exponents\":{\"a\":[1]},", 1);
    assert_eq!(parse(&twice, Path::new("x")), Ok(sample()));
}

#[test]
fn a_mistake_names_its_place() {
    let text = to_json(&sample(), &[]);
    let (place, reason) = refusal(&text.replacen("\"extract_size\":3", "\"extract_size\":24", 1));
    assert_eq!(place, "neg_exponents[0].extract_size");
    assert_eq!(reason, "expected an integer in 0..=23, found the number 24");
    assert_eq!(refusal("{}").0, "symmetry_en");
    assert!(refusal("[1]").1.contains("expected an object, found an array"));
    assert!(refusal("{\"a\":}").1.starts_with("not JSON: expected value at line 1 column 6"));
}

#[test]
fn no_truncation_of_a_profile_is_one() {
    let text = to_json(&sample(), &[]);
    for end in 0..text.len() {
        assert!(parse(&text[..end], Path::new("x")).is_err(), "{end}");
    }
}

#[test]
fn a_field_out_of_its_range_is_named_and_refused() {
    let region = |exponent, num_sections, extract_size, given: usize| Region {
        exponent,
        num_sections,
        extract_size,
        sections: vec![Section::default(); given],
    };
    for (region, field) in [
        (region(129, 1, 0, 0), "exponent 129"),
        (region(-128, 1, 0, 0), "exponent -128"),
        (region(0, 1, 24, 0), "extract_size 24"),
        (region(0, (1 << 23) + 1, 0, 0), "num_sections 8388609"),
        (region(0, 1, 0, 2), "2 sections"),
    ] {
        let profile = Profile { neg: vec![Region::default(), region], ..Profile::default() };
        let text = profile.check().unwrap_err().to_string();
        assert!(text.contains("neg[1]") && text.contains(field), "{text}");
    }
    let edge = Profile { pos: vec![region(128, 1 << 23, 23, 1), region(-127, 0, 0, 0)], ..Profile::default() };
    assert_eq!(edge.check(), Ok(()));
}
