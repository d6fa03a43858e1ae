//! The generated tables: exp to the published bits, the published counts and forms, determinism, and full cover.

use std::sync::LazyLock;

use pwp_cli::generate::fit::Fit;
use pwp_cli::generate::measure;
use pwp_cli::generate::set::{Entry, embedded};
use pwp_cli::generate::table::{Generated, Target, generate};
use pwp_cli::truth::Curve;
use pwp_sim_core::engine::eval::definition;
use pwp_sim_core::profile::{Profile, Saturation};
use pwp_sim_core::table::{FoldReading, Table};
use rayon::prelude::*;

/// The embedded set, made once for all tests.
static SET: LazyLock<Vec<(Entry, Generated)>> = LazyLock::new(|| {
    let make = |entry: &Entry| (*entry, generate(entry.curve, entry.target, Fit::Taylor).unwrap());
    embedded().par_iter().with_max_len(1).map(make).collect()
});

fn profile(curve: Curve) -> &'static Profile {
    &SET.iter().find(|(entry, _)| entry.curve == curve).unwrap().1.profile
}

#[test]
fn exp_has_the_published_bits() {
    let exp = profile(Curve::Exp);
    let count = |side: &[pwp_sim_core::profile::Region]| side.iter().map(|r| r.sections.len()).sum::<usize>();
    assert_eq!((count(&exp.neg), count(&exp.pos)), (406, 371));
    for (side, last) in [(&exp.neg, 134), (&exp.pos, 99)] {
        let exponents: Vec<i32> = side.iter().map(|r| r.exponent).collect();
        assert_eq!(exponents, (-19..=6).collect::<Vec<_>>());
        let sizes: Vec<u32> = side.iter().map(|r| r.extract_size).collect();
        assert_eq!(sizes, [vec![0; 18], (1..=8).collect()].concat());
        assert_eq!((side[25].num_sections, side[25].sections.len()), (256, last));
    }
    assert_eq!(exp.neg[0].sections[0].bits(), [0xb63fffff, 0x3f7fffd0, 0x3f7fffd0, 0x3effffd0, 0x3e2aaa8b]);
    assert_eq!(exp.pos[18].sections[0].bits()[..2], [0x3f1fffff, 0x3fef22ae]);
    let saturation = |saturation: Saturation| {
        let point = &exp.saturation_points[saturation as usize];
        (point.sat_point, point.mantissa_point, point.section.bits())
    };
    let series = [0, 0x3f800000, 0x3f800000, 0x3f000000, 0x3e2aaaab];
    assert_eq!(saturation(Saturation::PosLow), (108, 0, series));
    assert_eq!(saturation(Saturation::NegLow), (108, 0, series));
    assert_eq!(saturation(Saturation::PosHigh), (133, 3240472, [0, 0x7f800000, 0, 0, 0]));
    assert_eq!(saturation(Saturation::NegHigh), (133, 4362891, [0; 5]));
    let specials = exp.specials;
    assert_eq!(
        [specials.zero, specials.pos_inf, specials.neg_inf, specials.nan].map(f32::to_bits),
        [0x3f800000, 0x7f800000, 0, 0x7fc00000]
    );
    assert!(!exp.symmetry.enabled);
    assert_eq!(definition::evaluate(&Table::new(exp).unwrap(), 0.5), Some(1.6487027));
}

/// Of the keys that the simulator does not read, those that are written.
#[test]
fn the_file_of_exp_has_its_published_offset_and_the_size_of_its_table() {
    let directory = tempfile::tempdir().unwrap();
    let mut pwp = std::process::Command::new(env!("CARGO_BIN_EXE_pwp"));
    let output = pwp.args(["generate", "--function", "exp", "--out"]).arg(directory.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(directory.path().join("exp_400p.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&file["exponent_offset"], &file["lut_size"]), (&(-19).into(), &777.into()));
    assert_eq!(file["use_multipass"], false);
}

#[test]
fn published_forms_hold() {
    let fold = |p: &Profile| [p.symmetry.enabled, p.symmetry.invert_sign, p.symmetry.use_neg_region];
    let sigmoid = profile(Curve::Sigmoid);
    assert_eq!((fold(sigmoid), sigmoid.symmetry.point), ([true; 3], 1.0));
    assert!(sigmoid.pos.is_empty());
    assert_eq!((sigmoid.neg.len(), sigmoid.neg[0].exponent), (11, -4));
    assert_eq!((sigmoid.specials.zero, sigmoid.specials.pos_inf, sigmoid.specials.neg_inf), (0.5, 1.0, 0.0));

    let tanh = profile(Curve::Tanh);
    assert_eq!(fold(tanh), [true, true, false]);
    assert!(tanh.neg.is_empty());
    assert_eq!((tanh.pos.len(), tanh.pos[0].exponent, tanh.section_count()), (17, -14, 104));

    let reciprocal = profile(Curve::Reciprocal);
    assert_eq!(fold(reciprocal), [true, true, false]);
    assert_eq!(reciprocal.pos[0].exponent, -42);
    assert_eq!(reciprocal.specials.zero.to_bits(), 0x7f7f0000);

    let sqrt = profile(Curve::Sqrt);
    assert_eq!(fold(sqrt), [false; 3]);
    assert!(sqrt.neg.is_empty());
    assert_eq!(sqrt.pos[0].exponent, -116);
    assert!(sqrt.pos.iter().flat_map(|r| &r.sections).all(|s| s.d2 == 0.0 && s.d3 == 0.0));
    for saturation in [Saturation::NegHigh, Saturation::NegLow] {
        assert_eq!(sqrt.saturation_points[saturation as usize].section.d0.to_bits(), 0x7fc00000);
    }

    let identity = profile(Curve::Identity);
    assert_eq!(identity.saturation_points.map(|c| c.section.bits()), [[0, 0, 0x3f800000, 0, 0]; 4]);
    assert_eq!((identity.pos[0].exponent, identity.neg[0].exponent), (-127, -127));
}

#[test]
fn no_table_is_larger_than_the_published_one() {
    for (entry, table) in SET.iter() {
        let Target::Published(most) = entry.target else { unreachable!() };
        assert!(table.sections <= most, "{}", entry.curve.name());
        assert_eq!(table.sections, table.profile.section_count());
        for region in table.profile.pos.iter().chain(&table.profile.neg) {
            assert!(region.sections.is_empty() || region.num_sections == 1 << region.extract_size);
        }
        for saturation in [Saturation::PosLow, Saturation::NegLow] {
            assert_eq!(table.profile.saturation_points[saturation as usize].mantissa_point, 0);
        }
        let sections = table.profile.pos.iter().chain(&table.profile.neg).flat_map(|region| &region.sections);
        assert!(sections.flat_map(|s| s.bits()).all(|bits| f32::from_bits(bits).is_finite()));
    }
    assert_eq!(SET.len(), 37);
}

#[test]
fn every_input_is_handled_and_nan_stays_nan() {
    SET.par_iter().for_each(|(entry, generated)| {
        let table = Table::new(&generated.profile).unwrap();
        let check = |v: f32| {
            assert!(table.locate(table.fold(v)).is_some(), "{} {:08x}", entry.curve.name(), v.to_bits());
            if v.is_nan() {
                assert!(definition::evaluate(&table, v).unwrap().is_nan(), "{}", entry.curve.name());
            }
        };
        (0..=u16::MAX).for_each(|high| check(f32::from_bits(u32::from(high) << 16)));
        let profile = &generated.profile;
        let mut edges = Vec::new();
        for (sign, regions) in [(0, &profile.pos), (1u32 << 31, &profile.neg)] {
            for region in regions {
                let base = sign | ((region.exponent + 127) as u32) << 23;
                let step = 1u32 << (23 - region.extract_size);
                edges.extend((0..=region.num_sections.min(1 << region.extract_size)).map(|i| base + i * step));
            }
        }
        for (point, sign) in profile.saturation_points.iter().zip([0, 0, 1u32 << 31, 1 << 31]) {
            edges.push(sign | (((point.sat_point as u32) << 23) + point.mantissa_point as u32));
        }
        for edge in edges {
            for near in [edge.wrapping_sub(1), edge, edge.wrapping_add(1)] {
                check(f32::from_bits(near));
                check(f32::from_bits(near ^ (1 << 31)));
            }
        }
    });
}

#[test]
fn tables_reach_what_was_measured_when_they_were_made() {
    // In the search's own measure, within a tenth.
    let bounds = [
        (Curve::Tanh, 4.2),
        (Curve::Erf, 3.8),
        (Curve::Sin, 10.2),
        (Curve::Arctan, 4.0),
        (Curve::Gelu, 10.3),
        (Curve::Silu, 13.0),
        (Curve::Mish, 13.0),
        (Curve::Sigmoid, 14.0),
        (Curve::DerivativeGelu, 35.5),
        (Curve::DerivativeSilu, 13.0),
        (Curve::DerivativeGeluApprxSigmoid, 7.5),
        (Curve::Reciprocal, 485.0),
        (Curve::Rsqrt, 2.6e5),
        (Curve::Ln, 20.2),
        (Curve::Sqrt, 22_700.0),
    ];
    for (curve, bound) in bounds {
        let table = &SET.iter().find(|(entry, _)| entry.curve == curve).unwrap().1;
        assert!(table.worst.error <= bound, "{}: {}", curve.name(), table.worst.error);
    }
}

/// The stored side is sigma(-|v|) itself, so it keeps its relative precision down to the smallest normal float.
#[test]
fn the_negative_side_of_sigmoid_is_within_tens_of_ulp_down_to_the_smallest_normal() {
    let table = Table::with_reading(profile(Curve::Sigmoid), FoldReading::Reflected).unwrap();
    let last = (87.336f32).to_bits();
    for bits in (1..=last).step_by(9973) {
        let v = -f32::from_bits(bits);
        let truth = Curve::Sigmoid.high(v).to_f64();
        let apart = (f64::from(definition::evaluate(&table, v).unwrap()) - truth).abs() / measure::ulp(truth);
        assert!(apart <= 13.0, "{v}: {apart} ULP");
    }
    let at_30 = definition::evaluate(&table, -30.0).unwrap();
    assert!((f64::from(at_30) / 9.357_622_968_839_3e-14 - 1.0).abs() < 1e-6, "{at_30:e}");
}

#[test]
fn the_densest_published_octave_has_an_extract_size_of_10() {
    let depths = |p: &Profile| p.neg.iter().chain(&p.pos).map(|region| region.extract_size).max();
    assert_eq!(depths(profile(Curve::DerivativeGeluApprxSigmoid)), Some(10));
    assert!(SET.iter().all(|(_, table)| depths(&table.profile) <= Some(10)));
}

#[test]
fn generation_is_deterministic() {
    for curve in [Curve::Gelu, Curve::Ln, Curve::Sign] {
        let (entry, first) = SET.iter().find(|(entry, _)| entry.curve == curve).unwrap();
        let again = generate(curve, entry.target, Fit::Taylor).unwrap();
        assert_eq!(again.profile, first.profile);
    }
}

#[test]
fn minimax_is_no_worse_than_taylor_and_targets_are_met() {
    for curve in [Curve::Tanh, Curve::DerivativeGelu, Curve::Sqrt] {
        let with = |fit| generate(curve, Target::Sections(250), fit).unwrap().worst.error;
        let (taylor, minimax) = (with(Fit::Taylor), with(Fit::Minimax));
        assert!(minimax <= taylor * 1.05, "{}: {minimax} against {taylor}", curve.name());
    }
    let ulp = generate(Curve::Exp, Target::MaxUlp(32.0), Fit::Taylor).unwrap();
    assert!(ulp.worst.error <= 32.0, "{}", ulp.worst.error);
    let absolute = generate(Curve::Gelu, Target::MaxAbs(1e-4), Fit::Minimax).unwrap();
    assert!(absolute.worst_abs.error <= 1e-4, "{}", absolute.worst_abs.error);
    let out_of_reach = generate(Curve::Exp, Target::MaxUlp(0.01), Fit::Taylor).unwrap_err().to_string();
    assert!(out_of_reach.contains("cannot be reached"), "{out_of_reach}");
}

#[test]
fn the_embedded_tables_are_these() {
    for (entry, generated) in SET.iter() {
        let member = pwp_sim_core::catalog::embedded::member(entry.curve.name(), entry.number(generated)).unwrap();
        assert!(*member.table == Table::new(&generated.profile).unwrap(), "{}", member.profile_name());
    }
}

#[test]
fn written_profiles_read_back_as_they_were() {
    for (entry, generated) in SET.iter() {
        let text = pwp_sim_core::profile::to_json(&generated.profile, &[]);
        let read = pwp_sim_core::profile::parse(&text, std::path::Path::new("generated")).unwrap();
        assert!(read == generated.profile, "{}", entry.curve.name());
    }
}
