//! Bad profiles are refused when a simulator is built, with a status and a message that names the file, the field and
//! the reason. One test for each item of `docs/behaviour.md`, section 3.

use std::path::{Path, PathBuf};

use capi_tests::library::{Sim, Status};
use capi_tests::profiles;
use pwp_sim_core::profile::to_json;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory with one profile of the given bytes, under the name of exp's.
fn directory(text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("exp_400p.json");
    std::fs::write(&file, text).unwrap();
    (directory, file)
}

/// A small valid profile: two octaves a side, of which the second has three sections.
fn valid() -> Value {
    let mut profile = profiles::exp();
    for side in [&mut profile.pos, &mut profile.neg] {
        side.drain(1..side.len() - 1);
        side[1].sections.truncate(3);
    }
    serde_json::from_str(&to_json(&profile, &[])).unwrap()
}

/// The valid profile with the value at `pointer` (RFC 6901) replaced.
fn with(pointer: &str, value: Value) -> String {
    let mut profile = valid();
    *profile.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    profile.to_string()
}

/// The valid profile with the member at `pointer` removed.
fn without(pointer: &str) -> String {
    let mut profile = valid();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = profile.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
    assert!(parent.remove(key).is_some(), "no {pointer}");
    profile.to_string()
}

/// The profile opens.
#[track_caller]
fn accepted(text: impl AsRef<[u8]>) -> Sim {
    let (directory, _) = directory(text);
    Sim::create(directory.path()).unwrap()
}

/// The profile is refused with PWP_SIM_PROFILE_FORMAT and a message that names the file, `place` and `reason`.
#[track_caller]
fn refused(text: impl AsRef<[u8]>, place: &str, reason: &str) {
    let (directory, file) = directory(text);
    let (status, message) = Sim::create(directory.path()).expect_err("the profile was accepted");
    assert_eq!(status, Status::PWP_SIM_PROFILE_FORMAT, "{message}");
    let file = file.to_str().unwrap();
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    let start = format!("Failed to parse pwp file {file}: {place}");
    assert!(message.starts_with(&start), "{message:?} does not start with {start:?}");
    assert!(message[start.len()..].contains(reason), "{message:?} does not say {reason:?}");
}

/// `/pos_exponents/0/num_sections` is `pos_exponents[0].num_sections` in messages.
fn place_of(pointer: &str) -> String {
    let mut place = String::new();
    for step in pointer.split('/').skip(1) {
        match step.parse::<usize>() {
            Ok(index) => place.push_str(&format!("[{index}]")),
            Err(_) if place.is_empty() => place.push_str(step),
            Err(_) => place.push_str(&format!(".{step}")),
        }
    }
    place
}

/// Every place of the schema where a value must stand, each once.
const PLACES: [&str; 26] = [
    "/symmetry_en",
    "/symmetry_invert_sign_opt",
    "/symmetry_opt_use_neg_region",
    "/symmetry_point",
    "/zero_result",
    "/nan_result",
    "/pinf_result",
    "/ninf_result/int",
    "/saturation_points",
    "/saturation_points/sat_point_pos_high",
    "/saturation_points/sat_point_pos_low",
    "/saturation_points/sat_point_neg_high",
    "/saturation_points/sat_point_neg_low",
    "/saturation_points/sat_point_neg_low/sat_point",
    "/saturation_points/sat_point_neg_low/mantissa_point",
    "/saturation_points/sat_point_neg_low/x",
    "/saturation_points/sat_point_pos_high/d3/int",
    "/pos_exponents/0/exponent",
    "/pos_exponents/0/num_sections",
    "/pos_exponents/0/extract_size",
    "/pos_exponents/0/exponent_sections",
    "/neg_exponents/1/exponent_sections/0/x",
    "/neg_exponents/1/exponent_sections/0/d0",
    "/neg_exponents/1/exponent_sections/0/d1",
    "/neg_exponents/1/exponent_sections/0/d2",
    "/neg_exponents/1/exponent_sections/0/d3",
];

#[test]
fn the_profile_that_all_refusals_start_from_is_accepted() {
    assert!(accepted(valid().to_string()).can_use_pwp_table());
}

#[test]
fn what_is_not_json_is_refused() {
    for text in ["", "{", "exp", "{\"symmetry_en\": true,}", "{} {}", "\0", "{'a': 1}", "NaN"] {
        refused(text, "", "not JSON");
    }
}

#[test]
fn what_is_not_utf8_is_refused() {
    refused(b"{\"a\": \"\xff\"}", "", "not UTF-8 at byte 7");
}

#[test]
fn json_that_is_no_object_is_refused() {
    for (text, found) in [("[]", "an array"), ("1", "the number 1"), ("\"x\"", "a string"), ("null", "null")] {
        refused(text, "", &format!("expected an object, found {found}"));
    }
}

#[test]
fn a_missing_key_is_refused_wherever_it_is_due() {
    for pointer in PLACES {
        refused(without(pointer), &place_of(pointer), "missing");
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_refused_wherever_it_stands() {
    for pointer in PLACES {
        refused(with(pointer, json!("1")), &place_of(pointer), "found a string");
        refused(with(pointer, json!(null)), &place_of(pointer), "found null");
    }
}

#[test]
fn regions_that_are_no_array_are_refused() {
    for side in ["pos_exponents", "neg_exponents"] {
        refused(with(&format!("/{side}"), json!({})), side, "expected an array, found an object");
        refused(with(&format!("/{side}"), json!([[]])), &format!("{side}[0]"), "expected an object, found an array");
    }
}

#[test]
fn regions_may_be_absent_or_empty() {
    for side in ["/pos_exponents", "/neg_exponents"] {
        accepted(without(side));
        accepted(with(side, json!([])));
    }
}

#[test]
fn a_flag_is_true_false_1_or_0() {
    for value in [json!(true), json!(false), json!(1), json!(0)] {
        accepted(with("/symmetry_en", value));
    }
    for value in [json!(2), json!(-1), json!(1.0), json!("true"), json!([])] {
        refused(with("/symmetry_en", value), "symmetry_en", "expected true, false, 1 or 0");
    }
}

/// The profile's text with `int` of `zero_result` as given, which need not be JSON's idea of an integer.
fn with_zero_int(int: &str) -> String {
    with("/zero_result", json!({"int": "here"})).replacen("\"here\"", int, 1)
}

#[test]
fn a_float_box_s_int_is_the_bits_signed_or_unsigned() {
    for (int, bits) in [
        ("4294967289", 4_294_967_289u32),
        ("4294967290", 4_294_967_290),
        ("4294967295", 4_294_967_295),
        ("4290772992", 4_290_772_992),
        ("4286578688", 4_286_578_688),
        ("3212836864", 3_212_836_864),
        ("-1082130432", 3_212_836_864),
        ("-2147483648", 0x8000_0000),
        ("0", 0),
    ] {
        let sim = accepted(with_zero_int(int));
        assert_eq!(sim.table_info(7).unwrap().zero_result.to_bits(), bits, "{int}");
        assert_eq!(sim.scalar("Exp", 0, 0.0, true), Ok(bits), "{int}");
    }
}

#[test]
fn a_float_box_s_int_that_fits_neither_32_bit_form_is_refused() {
    for int in ["4294967296", "-2147483649", "18446744073709551616", "-9223372036854775809"] {
        let reason = format!("expected an integer in -2147483648..=4294967295, found the number {int}");
        refused(with_zero_int(int), "zero_result.int", &reason);
    }
}

#[test]
fn a_float_box_s_int_that_is_no_integer_is_refused() {
    for (int, found) in [
        ("3212836864.0", "the number 3212836864.0"),
        ("1e2", "the number 1e2"),
        ("\"1\"", "a string"),
        ("null", "null"),
        ("true", "true"),
        ("[]", "an array"),
    ] {
        refused(with_zero_int(int), "zero_result.int", found);
    }
}

#[test]
fn a_number_with_a_fraction_or_an_exponent_is_refused_where_an_integer_is_due() {
    for pointer in [
        "/pos_exponents/0/exponent",
        "/pos_exponents/0/num_sections",
        "/pos_exponents/0/extract_size",
        "/saturation_points/sat_point_neg_low/sat_point",
        "/saturation_points/sat_point_neg_low/mantissa_point",
    ] {
        for number in ["1.0", "1e0", "0.5"] {
            let text = with(pointer, json!("here")).replacen("\"here\"", number, 1);
            refused(text, &place_of(pointer), &format!("found the number {number}"));
        }
    }
}

#[test]
fn a_threshold_beyond_32_signed_bits_is_refused() {
    for key in ["sat_point", "mantissa_point"] {
        let pointer = format!("/saturation_points/sat_point_pos_low/{key}");
        for number in [2_147_483_648i64, -2_147_483_649, 4_294_967_295] {
            let reason = format!("expected an integer in -2147483648..=2147483647, found the number {number}");
            refused(with(&pointer, json!(number)), &place_of(&pointer), &reason);
        }
        for number in [i32::MAX, i32::MIN] {
            accepted(with(&pointer, json!(number)));
        }
    }
}

#[test]
fn an_extract_size_out_of_range_is_refused() {
    for size in [-1, 24, 32] {
        let reason = format!("expected an integer in 0..=23, found the number {size}");
        refused(with("/pos_exponents/0/extract_size", json!(size)), "pos_exponents[0].extract_size", &reason);
    }
    accepted(with("/pos_exponents/0/extract_size", json!(23)));
}

#[test]
fn an_exponent_out_of_range_is_refused() {
    for exponent in [-128, 129] {
        let reason = format!("expected an integer in -127..=128, found the number {exponent}");
        refused(with("/neg_exponents/1/exponent", json!(exponent)), "neg_exponents[1].exponent", &reason);
    }
    for exponent in [-127, 128] {
        accepted(with("/neg_exponents/1/exponent", json!(exponent)));
    }
}

#[test]
fn more_sections_than_num_sections_are_refused() {
    let pointer = "/neg_exponents/1/num_sections";
    let given = valid()["neg_exponents"][1]["exponent_sections"].as_array().unwrap().len();
    accepted(with(pointer, json!(given)));
    let reason = format!("{given} sections, and num_sections is {}", given - 1);
    refused(with(pointer, json!(given - 1)), "neg_exponents[1].exponent_sections", &reason);
}

#[test]
fn num_sections_out_of_range_is_refused() {
    for number in [-1, (1 << 23) + 1] {
        let reason = format!("expected an integer in 0..=8388608, found the number {number}");
        refused(with("/pos_exponents/0/num_sections", json!(number)), "pos_exponents[0].num_sections", &reason);
    }
}

#[test]
fn sections_that_are_announced_and_not_given_take_no_memory() {
    // 256 octaves of 2^23 sections would be 40 GiB.
    let region =
        |exponent| json!({"exponent": exponent, "num_sections": 1 << 23, "extract_size": 23, "exponent_sections": []});
    let regions: Vec<Value> = (-127..=128).map(region).collect();
    let sim = accepted(with("/pos_exponents", json!(regions)));
    assert_eq!(sim.table_info(7).unwrap().pos.count, 256);
}

#[test]
fn of_two_regions_with_one_exponent_the_last_counts() {
    let region = |extract| json!({"exponent": 0, "num_sections": 0, "extract_size": extract, "exponent_sections": []});
    let sim = accepted(with("/pos_exponents", json!([region(1), region(2)])));
    assert_eq!(sim.table_info(7).unwrap().pos.count, 1);
}

#[test]
fn of_two_equal_keys_the_last_counts() {
    let text = valid().to_string().replacen('{', "{\"zero_result\": \"wrong\", ", 1);
    accepted(text);
    let text = valid().to_string();
    let end = text.rfind('}').unwrap();
    refused(format!("{}, \"zero_result\": \"wrong\"}}", &text[..end]), "zero_result", "found a string");
}

#[test]
fn keys_that_are_not_read_may_hold_anything() {
    let mut profile = valid();
    profile["lut_size"] = json!({"a": [1.5, null, {}]});
    profile["pos_exponents"][0]["zero_result"] = json!("x");
    accepted(profile.to_string());
}

#[test]
fn what_other_writers_make_of_floats_is_accepted_where_it_is_not_read() {
    let nan = |int: &str, unread: &str| {
        let value = format!("{{\"float\": {unread}, \"int\": {int}, \"\\ud800\": {unread}}}");
        with("/nan_result", json!("here")).replacen("\"here\"", &value, 1)
    };
    for unread in ["NaN", "Infinity", "-Infinity", "1e400", "-1e-99999", "\"\\udc00\"", "[NaN]"] {
        accepted(nan("2143289344", unread));
    }
    for due in ["NaN", "Infinity", "-Infinity", "1e400"] {
        refused(nan(due, "NaN"), "nan_result.int", "expected an integer in -2147483648..=4294967295, found");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    accepted(format!("\u{feff}{}", valid()));
    refused(format!("\u{feff}\u{feff}{}", valid()), "", "not JSON");
}

#[test]
fn a_file_above_64_mib_is_refused() {
    let text = valid().to_string();
    let padded = |size: usize| text.clone() + &" ".repeat(size - text.len());
    accepted(padded(64 << 20));
    refused(padded((64 << 20) + 1), "", "larger than 67108864 bytes");
}

#[test]
fn nesting_beyond_64_is_refused() {
    let nested = |depth: usize| {
        with("/symmetry_en", json!(true)).replacen(
            '{',
            &format!("{{\"ignored\": {}{}, ", "[".repeat(depth - 1), "]".repeat(depth - 1)),
            1,
        )
    };
    accepted(nested(64));
    refused(nested(65), "", "nested more than 64 deep at byte");
}

#[test]
fn a_hundred_thousand_opening_brackets_are_refused() {
    refused("[".repeat(100_000), "", "nested more than 64 deep at byte 64");
    refused("{\"a\":".repeat(100_000), "", "nested more than 64 deep");
}

#[test]
fn a_profile_cut_off_at_any_byte_is_refused() {
    let text = valid().to_string();
    let root = tempfile::tempdir().unwrap();
    let of = |end: usize| root.path().join(end.to_string());
    // All are written before the first is opened: a directory is not read in the moment of its change.
    for end in 0..=text.len() {
        std::fs::create_dir(of(end)).unwrap();
        std::fs::write(of(end).join("exp_400p.json"), &text[..end]).unwrap();
    }
    assert!(Sim::create(&of(text.len())).is_ok());
    for end in 0..text.len() {
        let (status, message) = Sim::create(&of(end)).expect_err("a cut profile was accepted");
        assert_eq!(status, Status::PWP_SIM_PROFILE_FORMAT, "{end}: {message}");
    }
}

#[test]
fn a_path_that_does_not_exist_is_an_io_error_that_names_it() {
    let (status, message) = Sim::create(Path::new("/no/such/directory")).unwrap_err();
    assert_eq!(status, Status::PWP_SIM_PROFILE_IO);
    assert!(message.contains("/no/such/directory"), "{message}");
}

#[test]
fn a_path_that_is_no_directory_is_an_io_error_that_names_it() {
    let (_directory, file) = directory(valid().to_string());
    let (status, message) = Sim::create(&file).unwrap_err();
    assert_eq!(status, Status::PWP_SIM_PROFILE_IO);
    assert!(message.contains(file.to_str().unwrap()), "{message}");
}

#[test]
fn a_profile_that_is_no_regular_file_is_an_io_error_that_names_it() {
    let (directory, file) = directory("");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let (status, message) = Sim::create(directory.path()).unwrap_err();
    assert_eq!(status, Status::PWP_SIM_PROFILE_IO);
    assert!(message.contains(file.to_str().unwrap()), "{message}");
}

#[test]
fn a_directory_may_be_given_with_or_without_a_trailing_slash() {
    let (directory, _) = directory(valid().to_string());
    let slashed = format!("{}/", directory.path().display());
    for path in [directory.path(), Path::new(&slashed)] {
        assert!(Sim::create(path).unwrap().table_info(7).is_ok());
    }
}
