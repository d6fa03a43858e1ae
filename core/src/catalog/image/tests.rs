//! The image of `exp_and_others` as published, what reads back and what is refused, with the reason.

use super::*;
use crate::catalog::hardwired::hardwired;
use crate::profile::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};

/// The published order of `exp_and_others`, with budgets.
const EXP_AND_OTHERS: [(&str, u32); 15] = [
    ("exp", 400),
    ("identity", 1),
    ("copy", 1),
    ("leaky_relu", 1),
    ("parametric_relu", 1),
    ("abs", 1),
    ("sign", 1),
    ("memset_zero", 1),
    ("relu", 1),
    ("tanh", 4),
    ("derivative_relu", 1),
    ("derivative_leaky_relu", 1),
    ("derivative_identity", 1),
    ("is_finite", 1),
    ("square", 1),
];

/// The exp table of `docs/figures.md`, from this machine's double exp.
pub(super) fn exp_profile() -> Profile {
    let bits = f32::from_bits;
    let point = |sat_point, mantissa_point, section| SaturationPoint { sat_point, mantissa_point, section };
    let low = Section { x: 0.0, d0: 1.0, d1: 1.0, d2: 0.5, d3: bits(0x3e2a_aaab) };
    let infinite = Section { d0: f32::INFINITY, ..Section::default() };
    let mut profile = Profile {
        specials: Specials { zero: 1.0, nan: bits(0x7fc0_0000), pos_inf: f32::INFINITY, neg_inf: 0.0 },
        ..Profile::default()
    };
    profile.saturation_points[Saturation::PosHigh as usize] = point(133, 3_240_472, infinite);
    profile.saturation_points[Saturation::PosLow as usize] = point(108, 0, low);
    profile.saturation_points[Saturation::NegHigh as usize] = point(133, 4_362_891, Section::default());
    profile.saturation_points[Saturation::NegLow as usize] = point(108, 0, low);
    for (sign, top, side) in [(1u32, 134, &mut profile.neg), (0, 99, &mut profile.pos)] {
        for exponent in -19..=6 {
            let extract_size = (exponent + 2).clamp(0, 8) as u32;
            let stored = if exponent == 6 { top } else { 1 << extract_size };
            let sections = (0..stored).map(|index| {
                let first = sign << 31 | ((exponent + 127) as u32) << 23 | index << (23 - extract_size);
                let x = bits(first + ((1 << (23 - extract_size)) - 1) / 2);
                let value = f64::from(x).exp();
                Section { x, d0: value as f32, d1: value as f32, d2: (value / 2.0) as f32, d3: (value / 6.0) as f32 }
            });
            side.push(Region { exponent, num_sections: 1 << extract_size, extract_size, sections: sections.collect() });
        }
    }
    profile
}

/// A profile in the shape of tanh: 17 octaves from -14, 104 sections, the positive side only.
fn tanh_shape() -> Profile {
    let mut profile =
        Profile { symmetry: Symmetry { enabled: true, invert_sign: true, ..Symmetry::default() }, ..exp_profile() };
    profile.neg.clear();
    let extract = |place: i32| if place < 10 { 0 } else { (place - 9) as u32 }; // 10 of 1, then 2, 4, ... 64 and a rest
    profile.pos = (0..17)
        .map(|place| {
            let extract_size = extract(place).min(5);
            let stored = if place == 16 { 0 } else { 1 << extract_size };
            let section = |index| Section { x: index as f32, d0: place as f32, ..Section::default() };
            let sections = (0..stored).map(section).collect();
            Region { exponent: place - 14, num_sections: 1 << extract_size, extract_size, sections }
        })
        .collect();
    let missing = 104 - profile.section_count();
    let last = profile.pos.last_mut().unwrap();
    (last.extract_size, last.num_sections) = (6, 64);
    last.sections = vec![Section::default(); missing];
    profile
}

pub(super) fn member(function: &str, budget: u32) -> Member {
    let profile = match function {
        "exp" => exp_profile(),
        "tanh" => tanh_shape(),
        _ => hardwired(function).unwrap(),
    };
    Member::new(function, budget, Arc::new(Table::new(&profile).unwrap()))
}

fn exp_and_others() -> Vec<Member> {
    EXP_AND_OTHERS.iter().map(|&(function, budget)| member(function, budget)).collect()
}

pub(super) fn paths() -> Paths {
    Paths::of_set(Path::new("/c"), "set")
}

fn refusal(image: &Image) -> String {
    read(image, &paths()).unwrap_err().to_string()
}

fn word(image: &Image, index: usize) -> u32 {
    u32::from_le_bytes(image.ctrl[TRAINIUM_STRIDE * index..][..4].try_into().unwrap())
}

#[test]
fn exp_profile_has_its_published_sections() {
    let profile = exp_profile();
    assert_eq!(profile.section_count(), 777);
    assert_eq!(profile.neg[0].sections[0].bits(), [0xb63f_ffff, 0x3f7f_ffd0, 0x3f7f_ffd0, 0x3eff_ffd0, 0x3e2a_aa8b]);
    let table = Table::new(&profile).unwrap();
    assert_eq!(table.sections()[424].bits()[..2], [0x3f1f_ffff, 0x3fef_22ae]);
}

#[test]
fn the_published_set_has_its_words_counts_and_starts() {
    let image = write("exp_and_others", &exp_and_others(), TRAINIUM_STRIDE).unwrap();
    assert_eq!((image.bkt.len(), image.ctrl.len()), (30112, 2848));
    let words = [(0, 0xb800), (1, 0xb801), (18, 0x1_b012), (25, 0x8_7910), (26, 0xb996), (51, 0x8_7aa6)];
    for (index, bits) in words {
        assert_eq!(word(&image, index), bits, "word {index}");
    }
    let manifest: serde_json::Value = serde_json::from_str(&image.manifest).unwrap();
    assert_eq!(manifest.as_object().unwrap().len(), 9);
    assert_eq!((&manifest["bkt_entry_cnt"], &manifest["ctl_entry_cnt"]), (&941.into(), &89.into()));
    let bkt = [0, 781, 785, 789, 793, 797, 801, 805, 809, 813, 921, 925, 929, 933, 937];
    let ctl = [0, 52, 54, 56, 58, 58, 60, 61, 62, 64, 81, 83, 85, 87, 88];
    for (index, (function, _)) in EXP_AND_OTHERS.into_iter().enumerate() {
        assert_eq!(manifest["func_to_bkt_start_idx"][function], bkt[index], "{function}");
        assert_eq!(manifest["func_to_ctl_start_idx"][function], ctl[index], "{function}");
    }
    let exp_to_bkt = &manifest["func_exp_to_bkt_start_idx"];
    assert_eq!(exp_to_bkt["exp"]["-19"], serde_json::json!([0, 406]));
    assert_eq!(exp_to_bkt["tanh"]["-14"], serde_json::json!([813]));
    assert_eq!(exp_to_bkt["parametric_relu"], serde_json::json!({}));
    let meta = &manifest["profile_meta_data"][0];
    assert_eq!(meta.as_object().unwrap().len(), 30);
    assert_eq!(
        (&meta["func_name"], &meta["func_id"], &meta["exp_offset"]),
        (&"exp_400p".into(), &7.into(), &(-19).into())
    );
    assert_eq!((&meta["pwl_control_base_neg"], &meta["pwl_control_base_pos"]), (&0.into(), &26.into()));
    assert_eq!(
        (&meta["pos_small_signal_pwl_control"], &meta["neg_large_signal_pwl_control"]),
        (&777.into(), &780.into())
    );
}

#[test]
fn the_keys_and_fields_of_a_manifest_are_the_published_ones() {
    let image = write("exp_and_others", &exp_and_others(), TRAINIUM_STRIDE).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&image.manifest).unwrap();
    let sorted = |text: &str| {
        let mut names: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let published = "bkt_bin bkt_entry_cnt ctl_bin ctl_entry_cnt func_to_bkt_start_idx func_to_ctl_start_idx \
                     func_exp_to_bkt_start_idx func_exp_to_ctl_start_idx profile_meta_data";
    assert_eq!(keys(&manifest), sorted(published));
    let published = "func_name func_id fnan_result fpinf_result fninf_result fzero_result symmetry_opt_en \
                     sym_invert_sign_point symmetry_opt_use_neg_region symmetry_point imm_bias exp_offset fma_const_0 \
                     fma_const_1 fma_indirection_src_sel pwl_control_base_pos pwl_control_base_neg \
                     small_pos_signal_exp_threshold pos_small_signal_pwl_control small_neg_signal_exp_threshold \
                     neg_small_signal_pwl_control large_pos_signal_exp_threshold large_pos_signal_mantissa_threshold \
                     pos_large_signal_pwl_control large_neg_signal_exp_threshold large_neg_signal_mantissa_threshold \
                     neg_large_signal_pwl_control lower_bound upper_bound use_multipass";
    for meta in manifest["profile_meta_data"].as_array().unwrap() {
        assert_eq!(keys(meta), sorted(published));
    }
    let exp = &manifest["profile_meta_data"][0];
    let saturation_points =
        ["small_pos", "small_neg", "large_pos", "large_neg"].map(|c| &exp[format!("{c}_signal_exp_threshold")]);
    assert_eq!(saturation_points, [108, 108, 133, 133]);
    assert_eq!(exp["large_pos_signal_mantissa_threshold"], 3_240_472);
    assert_eq!(exp["large_neg_signal_mantissa_threshold"], 4_362_891);
    let results = ["fzero", "fpinf", "fninf", "fnan"].map(|result| &exp[format!("{result}_result")]);
    assert_eq!(results, [0x3f80_0000_u32, 0x7f80_0000, 0, 0x7fc0_0000]);
    assert_eq!(manifest["profile_meta_data"][1]["fninf_result"], 0xff80_0000_u32); // unsigned, identity of -inf
    assert_eq!(
        (&manifest["bkt_bin"], &manifest["ctl_bin"]),
        (&"exp_and_others_bkt.bin".into(), &"exp_and_others_ctrl.bin".into())
    );
}

#[test]
fn the_counts_are_sums_over_functions_and_octaves() {
    let members = exp_and_others();
    let image = write("exp_and_others", &members, TRAINIUM_STRIDE).unwrap();
    let records: usize = members.iter().map(|member| member.table.sections().len() + 4).sum();
    let present = |member: &Member| member.table.octaves().iter().filter(|octave| octave.present).count();
    assert_eq!((records, members.iter().map(present).sum()), (941, 89usize));
    assert_eq!(image.bkt.len() / 32, 941);
    // An octave without sections: the base alone. identity's are words 52 and 53, at record 781.
    assert_eq!((word(&image, 52), word(&image, 53)), (781, 781));
    // The saturation records of exp: pos_low, neg_low, pos_high, neg_high.
    let d0 = |record: usize| u32::from_le_bytes(image.bkt[32 * record..][..4].try_into().unwrap());
    assert_eq!([777, 778, 779, 780].map(d0), [0x3f80_0000, 0x3f80_0000, 0x7f80_0000, 0]);
}

#[test]
fn a_set_reads_back_as_it_was_with_either_stride() {
    let members = exp_and_others();
    for stride in [TRAINIUM_STRIDE, WITH_LN_STRIDE] {
        let image = write("set", &members, stride).unwrap();
        assert_eq!(read(&image, &paths()).unwrap(), members);
    }
}

#[test]
fn meta_data_by_function_reads_as_the_array_does() {
    let members = vec![member("relu", 1), member("sign", 1)];
    let mut image = write("set", &members, TRAINIUM_STRIDE).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&image.manifest).unwrap();
    let meta = manifest["profile_meta_data"].take();
    manifest["profile_meta_data"] = serde_json::json!({"relu": meta[0], "sign": meta[1]});
    image.manifest = manifest.to_string();
    assert_eq!(read(&image, &paths()).unwrap(), members);
}

#[test]
fn what_is_not_read_of_a_manifest_may_be_what_other_writers_make() {
    let members = vec![member("relu", 1)];
    let mut image = write("set", &members, TRAINIUM_STRIDE).unwrap();
    let unread = "\"func_name\": NaN, \"\\ud800\": [1e400, -Infinity, \"\\udc00\"], \"func_name\":";
    image.manifest = image.manifest.replacen("\"func_name\":", unread, 1);
    assert_eq!(read(&image, &paths()).unwrap(), members);
    image.manifest = image.manifest.replacen("\"func_id\": 2", "\"func_id\": NaN", 1);
    assert!(refusal(&image).contains("profile_meta_data[0].func_id: expected an integer in 0..=4294967295, found NaN"));
}

#[test]
fn absent_octaves_become_octaves_without_sections() {
    let mut profile = exp_profile();
    profile.neg.drain(..3);
    profile.pos.remove(5);
    let mut filled = profile.clone();
    filled.pos.insert(5, Region { exponent: -14, ..Region::default() });
    for exponent in (-19..-16).rev() {
        filled.neg.insert(0, Region { exponent, ..Region::default() });
    }
    let image =
        write("set", &[Member::new("exp", 400, Arc::new(Table::new(&profile).unwrap()))], TRAINIUM_STRIDE).unwrap();
    assert_eq!(*read(&image, &paths()).unwrap()[0].table, Table::new(&filled).unwrap());
}

#[test]
fn a_single_region_is_on_the_side_it_was_on() {
    for use_neg_region in [false, true] {
        for enabled in [false, true] {
            for negative in [false, true] {
                let mut profile = exp_profile();
                profile.symmetry = Symmetry { enabled, use_neg_region, ..Symmetry::default() };
                if negative {
                    profile.pos.clear()
                } else {
                    profile.neg.clear()
                }
                let members = vec![member("relu", 1), Member::new("f", 7, Arc::new(Table::new(&profile).unwrap()))];
                let image = write("set", &members, TRAINIUM_STRIDE).unwrap();
                assert_eq!(read(&image, &paths()).unwrap(), members);
            }
        }
    }
}

#[test]
fn what_an_image_cannot_hold_is_refused_with_the_reason() {
    let refused = |profiles: &[Profile]| {
        let name = |index| format!("f{index}");
        let member = |(index, profile)| Member::new(&name(index), 4, Arc::new(Table::new(profile).unwrap()));
        let members: Vec<Member> = profiles.iter().enumerate().map(member).collect();
        write("set", &members, TRAINIUM_STRIDE).unwrap_err().to_string()
    };
    let exp = exp_profile();
    let text = refused(&[exp.clone(), exp.clone(), exp.clone()]);
    assert!(text.contains("f2: positive octave 4: its first record is 2048"), "{text}");
    let mut profile = exp.clone();
    profile.saturation_points[Saturation::NegLow as usize].mantissa_point = 3;
    assert!(refused(&[profile]).contains("f0: sat_point_neg_low has mantissa 3"));
    let mut profile = exp.clone();
    profile.pos[25].num_sections = 99;
    assert!(refused(&[profile]).contains("positive octave 6: num_sections 99, and extract size 8 means 256"));
    let mut profile = exp.clone();
    profile.pos[0] = Region { exponent: -19, extract_size: 2, ..Region::default() };
    assert!(refused(&[profile]).contains("positive octave -19: no sections, and an extract size of 2"));
    let twice = [member("relu", 1), member("relu", 1)];
    assert!(write("set", &twice, TRAINIUM_STRIDE).unwrap_err().to_string().contains("a second function"));
    assert!(write("set", &[], 8).is_err());
    assert!(write("a/set", &[], TRAINIUM_STRIDE).is_err());
    assert!(write("set", &[member("relu", 1)].map(|m| Member { function: String::new(), ..m }), 16).is_err());
}

#[test]
fn files_that_do_not_agree_are_refused_where_they_differ() {
    let good = write("set", &exp_and_others(), TRAINIUM_STRIDE).unwrap();
    let edited = |from: &str, to: &str| {
        assert!(good.manifest.contains(from), "{from}");
        refusal(&Image { manifest: good.manifest.replacen(from, to, 1), ..good.clone() })
    };
    let text = edited("\"bkt_entry_cnt\": 941", "\"bkt_entry_cnt\": 940");
    assert!(text.contains("/c/set_bkt.bin: 30112 bytes, and bkt_entry_cnt 940 means 30080"), "{text}");
    let text = edited("\"ctl_entry_cnt\": 89", "\"ctl_entry_cnt\": 88");
    assert!(text.contains("/c/set_ctrl.bin: 2848 bytes are not ctl_entry_cnt 88 times"), "{text}");
    let text = edited("\"identity\": 781", "\"identity\": 782");
    assert!(text.contains("profile_meta_data.exp: 777 of sat_point_pos_low, expected 778"), "{text}");
    let text = edited("\"identity\": 52", "\"identity\": 53");
    assert!(text.contains("func_to_ctl_start_idx."), "{text}");
    let text = edited("\"exp_offset\": -19", "\"exp_offset\": -18");
    assert!(text.contains("func_exp_to_ctl_start_idx.exp.-19: [0, 26], expected nothing"), "{text}");
    let text = edited("\"pwl_control_base_pos\": 26", "\"pwl_control_base_pos\": 27");
    assert!(text.contains("func_exp_to_ctl_start_idx.exp."), "{text}");
    let text = edited("\"pos_small_signal_pwl_control\": 777", "\"pos_small_signal_pwl_control\": 778");
    assert!(text.contains("profile_meta_data.exp: 778 of sat_point_pos_low, expected 777"), "{text}");
    let text = edited("\"fnan_result\": 2143289344", "\"fnan_result\": 2143289344.0");
    assert!(text.contains("profile_meta_data[0].fnan_result: expected an integer"), "{text}");
    let text = edited("\"func_name\": \"exp_400p\"", "\"func_name\": \"exp\"");
    assert!(text.contains("profile_meta_data[0].func_name: expected <function>_<N>p"), "{text}");
    let mut image = good.clone();
    image.bkt[32 * 5 + 20] = 1;
    assert!(refusal(&image).contains("/c/set_bkt.bin: record 5: bytes 20 to 31"));
    let mut image = good.clone();
    image.ctrl[32 * 7 + 4] = 1;
    assert!(refusal(&image).contains("/c/set_ctrl.bin: word 7: the padding"));
    let mut image = good.clone();
    image.ctrl[32 * 7] += 1;
    assert!(refusal(&image).contains("func_exp_to_bkt_start_idx.exp.-12: [7, 413], expected [8, 413]"));
}
