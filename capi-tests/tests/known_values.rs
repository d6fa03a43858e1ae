//! Values that are published or follow by hand, on both paths, and the description of the exp table.

use std::path::Path;
use std::sync::LazyLock;

use capi_tests::library::{Sim, Status};
use capi_tests::profiles;
use pwp_sim::c::types::pwp_sim_place as Place;

const EXP: i32 = 7;
const NAN: Option<u32> = None;

/// The published exp table as a profile, and hardwired ones.
static HAND_MADE: LazyLock<Sim> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    profiles::write_hand_made(directory.path()).unwrap();
    Sim::create(directory.path()).unwrap()
});

static BUILTIN: LazyLock<Sim> = LazyLock::new(|| Sim::create(Path::new("builtin:")).unwrap());

/// Checks the scalar and the buffer form; none is any NaN.
#[track_caller]
fn gives(sim: &Sim, name: &str, x: u32, alpha: f32, use_pwp: bool, expected: Option<u32>) {
    let scalar = f32::from_bits(sim.scalar(name, x, alpha, use_pwp).unwrap());
    let affine = pwp_sim_core::Affine { scale: 1.0, bias: -0.0, alpha };
    let (buffer, result) = sim.simulate(name, &[f32::from_bits(x)], &affine, use_pwp);
    result.unwrap();
    for y in [scalar, buffer[0]] {
        match expected {
            Some(bits) => assert_eq!(y.to_bits(), bits, "{name}({x:08x}): {:08x}, not {bits:08x}", y.to_bits()),
            None => assert!(y.is_nan(), "{name}({x:08x}): {:08x}, not a NaN", y.to_bits()),
        }
    }
}

fn exp_table_gives_the_published_values(sim: &Sim) {
    for (x, y) in [
        (0x3f00_0000, 0x3fd3_08b1),
        (0xbf00_0000, 0x3f1b_453a),
        (0x3f80_0000, 0x402d_f7d4),
        (0x4120_0000, 0x46ac_1470),
        (0xc2c2_0000, 0x0000_0216),
        (0x0000_0000, 0x3f80_0000),
        (0x8000_0000, 0x3f80_0000),
        (0x7f80_0000, 0x7f80_0000),
        (0xff80_0000, 0x0000_0000),
    ] {
        gives(sim, "Exp", x, 0.0, true, Some(y));
    }
    gives(sim, "Exp", 0x7fc0_0000, 0.0, true, NAN);
}

fn exp_table_is_described_as_published(sim: &Sim) {
    let info = sim.table_info(EXP).unwrap();
    assert_eq!(info.num_sections, 777);
    assert_eq!(
        (info.symmetry_en, info.symmetry_invert_sign_opt, info.symmetry_opt_use_neg_region),
        (false, false, false)
    );
    assert_eq!((info.pos.count, info.pos.first, info.pos.last), (26, -19, 6));
    assert_eq!((info.neg.count, info.neg.first, info.neg.last), (26, -19, 6));
    let saturation = |c: &pwp_sim::c::types::pwp_sim_clamp| {
        (c.sat_point, c.mantissa_point, [c.x, c.d0, c.d1, c.d2, c.d3].map(f32::to_bits))
    };
    let low = (108, 0, [0, 0x3f80_0000, 0x3f80_0000, 0x3f00_0000, 0x3e2a_aaab]);
    assert_eq!(saturation(&info.pos_low), low);
    assert_eq!(saturation(&info.neg_low), low);
    assert_eq!(saturation(&info.pos_high), (133, 3_240_472, [0, 0x7f80_0000, 0, 0, 0]));
    assert_eq!(saturation(&info.neg_high), (133, 4_362_891, [0; 5]));
    let specials = [info.zero_result, info.pinf_result, info.ninf_result, info.nan_result].map(f32::to_bits);
    assert_eq!(specials, [0x3f80_0000, 0x7f80_0000, 0, 0x7fc0_0000]);
}

fn exp_sections_are_the_published_ones(sim: &Sim) {
    let section = sim.table_section(EXP, 0.5).unwrap();
    assert_eq!((section.x.to_bits(), section.d0.to_bits()), (0x3f1f_ffff, 0x3fef_22ae));
    assert_eq!(section.place, Place::PWP_SIM_PLACE_OCTAVE);
    assert_eq!((section.negative, section.exponent, section.index, section.number), (false, -1, 0, 424));
    let first = sim.table_section(EXP, -f32::from_bits(0x3600_0001)).unwrap();
    assert_eq!(
        [first.x, first.d0, first.d1, first.d2, first.d3].map(f32::to_bits),
        [0xb63f_ffff, 0x3f7f_ffd0, 0x3f7f_ffd0, 0x3eff_ffd0, 0x3e2a_aa8b]
    );
    assert_eq!((first.negative, first.exponent, first.index, first.number), (true, -19, 0, 0));
}

#[test]
fn exp_by_a_profile_gives_the_published_values() {
    exp_table_gives_the_published_values(&HAND_MADE);
}

#[test]
fn exp_by_a_profile_is_described_as_published() {
    exp_table_is_described_as_published(&HAND_MADE);
}

#[test]
fn exp_by_a_profile_has_the_published_sections() {
    exp_sections_are_the_published_ones(&HAND_MADE);
}

#[test]
fn exp_by_the_embedded_table_gives_the_published_values() {
    exp_table_gives_the_published_values(&BUILTIN);
}

#[test]
fn exp_by_the_embedded_table_is_described_as_published() {
    exp_table_is_described_as_published(&BUILTIN);
}

#[test]
fn exp_by_the_embedded_table_has_the_published_sections() {
    exp_sections_are_the_published_ones(&BUILTIN);
}

#[test]
fn table_section_names_each_clamp_and_special() {
    for (v, place, d0) in [
        (89.0, Place::PWP_SIM_PLACE_POS_HIGH, f32::INFINITY),
        (1e-9, Place::PWP_SIM_PLACE_POS_LOW, 1.0),
        (-100.0, Place::PWP_SIM_PLACE_NEG_HIGH, 0.0),
        (-1e-9, Place::PWP_SIM_PLACE_NEG_LOW, 1.0),
        (0.0, Place::PWP_SIM_PLACE_SPECIAL, 1.0),
        (f32::NEG_INFINITY, Place::PWP_SIM_PLACE_SPECIAL, 0.0),
    ] {
        let section = HAND_MADE.table_section(EXP, v).unwrap();
        assert_eq!((section.place, section.d0), (place, d0), "{v}");
        assert_eq!((section.negative, section.exponent, section.index, section.number), (false, 0, 0, 0), "{v}");
    }
}

#[test]
fn a_function_without_a_table_has_none_to_describe() {
    for function in [4, 6, 32] {
        assert_eq!(HAND_MADE.table_info(function).unwrap_err().0, Status::PWP_SIM_NO_PROFILE);
        assert_eq!(HAND_MADE.table_section(function, 1.0).unwrap_err().0, Status::PWP_SIM_NO_PROFILE);
    }
    assert_eq!(Sim::exact().table_info(EXP).unwrap_err().0, Status::PWP_SIM_NO_PROFILE);
}

#[test]
fn derivative_silu_overflows_where_its_form_does() {
    let sim = Sim::exact();
    gives(&sim, "Derivative_silu", 0x43b1_0000, 0.0, false, Some(0x3f80_0000));
    gives(&sim, "Derivative_silu", 0x43b2_0000, 0.0, false, NAN);
    gives(&sim, "Derivative_silu", 0xc47a_0000, 0.0, false, Some(0x8000_0000));
    gives(&sim, "Derivative_silu", 0, 0.0, false, Some(0x3f00_0000));
}

#[test]
fn derivative_gelu_apprx_sigmoid_overflows_where_its_form_does() {
    let sim = Sim::exact();
    gives(&sim, "Derivative_Gelu_apprx_sigmoid", 0x4348_0000, 0.0, false, Some(0x3f80_0000));
    gives(&sim, "Derivative_Gelu_apprx_sigmoid", 0x4352_0000, 0.0, false, NAN);
}

#[test]
fn silu_of_minus_infinity_is_nan() {
    gives(&Sim::exact(), "Silu", 0xff80_0000, 0.0, false, NAN);
}

#[test]
fn prelu_scales_negative_inputs_by_alpha_on_either_path() {
    for use_pwp in [false, true] {
        gives(&HAND_MADE, "Prelu", 0xc040_0000, 2.0, use_pwp, Some(0xc0c0_0000));
        gives(&HAND_MADE, "Prelu", 0xc040_0000, -0.5, use_pwp, Some(0x3fc0_0000));
        gives(&HAND_MADE, "Prelu", 0xff80_0000, 0.0, use_pwp, NAN);
    }
}

#[test]
fn lrelu_ignores_alpha() {
    for alpha in [0.0, 2.0, -0.5, f32::NAN] {
        gives(&Sim::exact(), "Lrelu", 0xc2c8_0000, alpha, false, Some(0xbf80_0000));
        gives(&Sim::exact(), "Lrelu", 0x4040_0000, alpha, false, Some(0x4040_0000));
    }
}

#[test]
fn relu_and_sign_of_nan_are_zero() {
    gives(&Sim::exact(), "Relu", 0x7fc0_0000, 0.0, false, Some(0));
    gives(&Sim::exact(), "Relu", 0x8000_0000, 0.0, false, Some(0));
    gives(&Sim::exact(), "Sign", 0xffc0_0000, 0.0, false, Some(0));
}
