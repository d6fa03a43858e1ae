//! The embedded tables: on-device images in `images/`, written by the generator, read once on first use.
//!
//! Each function with a body is an image set of its own, named for its profile; `small` holds the hardwired functions.
//! The layout is the hardware's (`docs/figures.md`, on-device images), so there is no schema of our own to keep.

#[cfg(test)]
mod tiers;

use std::path::Path;

use once_cell::race::OnceBox;

use crate::catalog::image::{self, Member, Paths, View};
use crate::error::Result;
use crate::function::Function;
use crate::memory::{self, Watch};

/// The path that stands for the embedded tables; `builtin:<roster>#<set>` for one set of a published roster.
pub const PATH: &str = "builtin:";

/// The three files of a set.
struct Files {
    set: &'static str,
    bkt: &'static [u8],
    ctrl: &'static [u8],
    manifest: &'static str,
}

macro_rules! sets {
    ($($set:literal),* $(,)?) => {
        &[$(Files {
            set: $set,
            bkt: include_bytes!(concat!("images/", $set, "_bkt.bin")),
            ctrl: include_bytes!(concat!("images/", $set, "_ctrl.bin")),
            manifest: include_str!(concat!("images/", $set, ".json")),
        }),*]
    };
}

/// The embedded sets.
static SETS: &[Files] = sets![
    "small",
    "abs_reciprocal_sqrt_40000p",
    "arctan_4p",
    "derivative_erf_400p",
    "derivative_gelu_40p",
    "derivative_gelu_apprx_sigmoid_4096p",
    "derivative_sigmoid_40p",
    "derivative_silu_32p",
    "derivative_tanh_400p",
    "erf_4p",
    "exp_400p",
    "gelu_4p",
    "gelu_apprx_sigmoid_40p",
    "gelu_apprx_tanh_40p",
    "ln_400p",
    "ln_40p",
    "mish_4p",
    "reciprocal_400p",
    "reciprocal_sqrt_40000p",
    "sigmoid_40p",
    "silu_32p",
    "sin_4p",
    "softplus_40p",
    "sqrt_65536p",
    "tanh_4p",
];

/// All embedded tables.
///
/// # Panics
/// When there is not enough memory, or an embedded image is not valid, which the tests rule out.
pub fn members() -> &'static [Member] {
    try_members().expect("memory for the embedded images, which are valid")
}

/// [`members`], read at the first call for which there is enough memory.
///
/// # Errors
/// [`Error::NoMemory`](crate::Error::NoMemory)
pub(crate) fn try_members() -> Result<&'static [Member]> {
    // Not a cell that threads wait for: in the child of a fork, the one that fills it may be missing.
    static MEMBERS: OnceBox<Vec<Member>> = OnceBox::new();
    let members = MEMBERS.get_or_try_init(|| {
        let watch = Watch::new();
        let mut members = Vec::new();
        for files in SETS {
            let image = View { bkt: files.bkt, ctrl: files.ctrl, manifest: files.manifest };
            for member in image::read(image, &Paths::of_set(Path::new(PATH), files.set))? {
                memory::push(&mut members, member)?;
            }
        }
        let members = Box::new(members);
        watch.check()?;
        Ok(members)
    });
    members.map(Vec::as_slice)
}

/// The embedded table of a profile, `exp` with budget 400.
///
/// # Panics
/// As [`members`].
pub fn member(function: &str, budget: u32) -> Option<&'static Member> {
    find(members(), function, budget)
}

/// Among the embedded tables that of a profile.
pub(crate) fn find<'m>(members: &'m [Member], function: &str, budget: u32) -> Option<&'m Member> {
    members.iter().find(|member| member.function == function && member.budget == budget)
}

/// The embedded table that serves a function under the path `builtin:`, by the budget of its profile.
///
/// # Panics
/// As [`members`].
pub fn default_member(function: Function) -> Option<&'static Member> {
    default_of(members(), function)
}

/// Among the embedded tables that which serves a function under the path `builtin:`.
pub(crate) fn default_of(members: &[Member], function: Function) -> Option<&Member> {
    let info = function.info();
    find(members, info.profile?, info.budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::hardwired::hardwired;
    use crate::function::{Class, FunctionInfo};
    use crate::profile::Saturation;
    use crate::table::Table;

    #[test]
    fn every_hardwired_function_is_embedded_as_defined() {
        for info in FunctionInfo::with_profile().filter(|info| info.class() == Class::Hardwired) {
            let profile = info.profile.unwrap();
            let expected = Table::new(&hardwired(profile).unwrap()).unwrap();
            assert_eq!(*member(profile, 1).unwrap().table, expected, "{profile}");
        }
    }

    #[test]
    fn exp_has_its_published_octaves_centres_and_coefficients() {
        let exp = &default_member(Function::Exp).unwrap().table;
        let profile = exp.to_profile();
        let counts: [usize; 2] =
            [&profile.neg, &profile.pos].map(|side| side.iter().map(|region| region.sections.len()).sum());
        assert_eq!(counts, [406, 371]);
        for (sign, top, side) in [(1u32, 134, &profile.neg), (0, 99, &profile.pos)] {
            assert_eq!(side.len(), 26);
            for (region, exponent) in side.iter().zip(-19..) {
                let extract = (exponent + 2).max(0) as u32;
                let shape = (region.exponent, region.extract_size, region.num_sections);
                assert_eq!(shape, (exponent, extract, 1 << extract));
                assert_eq!(region.sections.len(), if exponent == 6 { top } else { 1 << extract });
                for (section, index) in region.sections.iter().zip(0..) {
                    let first = sign << 31 | ((exponent + 127) as u32) << 23 | index << (23 - extract);
                    let last = first | ((1 << (23 - extract)) - 1);
                    assert_eq!(section.x.to_bits(), first + (last - first) / 2);
                    let value = f64::from(section.x).exp(); // the libm of the machine may be off by a bit of a double
                    for (coefficient, due) in
                        [section.d0, section.d1, section.d2, section.d3].into_iter().zip([1.0, 1.0, 2.0, 6.0])
                    {
                        let due = (value / due) as f32;
                        assert!(coefficient.to_bits().abs_diff(due.to_bits()) <= 1, "{coefficient:e}, not {due:e}");
                    }
                }
            }
        }
        assert!(!exp.symmetry().enabled);
    }

    #[test]
    fn exp_has_its_published_clamps_and_specials() {
        let exp = &default_member(Function::Exp).unwrap().table;
        let saturation = |saturation| {
            let point = exp.saturation_point(saturation);
            (point.sat_point, point.mantissa_point, point.section.bits())
        };
        let low = (108, 0, [0, 0x3f80_0000, 0x3f80_0000, 0x3f00_0000, 0x3e2a_aaab]);
        assert_eq!((saturation(Saturation::PosLow), saturation(Saturation::NegLow)), (low, low));
        assert_eq!(saturation(Saturation::PosHigh), (133, 3_240_472, [0, 0x7f80_0000, 0, 0, 0]));
        assert_eq!(saturation(Saturation::NegHigh), (133, 4_362_891, [0; 5]));
        let specials = exp.specials();
        let results = [specials.zero, specials.pos_inf, specials.neg_inf, specials.nan].map(f32::to_bits);
        assert_eq!(results, [0x3f80_0000, 0x7f80_0000, 0, 0x7fc0_0000]);
    }

    #[test]
    fn exp_has_its_published_bits() {
        let exp = &default_member(Function::Exp).unwrap().table;
        assert_eq!(exp.sections().len(), 777);
        assert_eq!(exp.sections()[0].bits(), [0xb63f_ffff, 0x3f7f_ffd0, 0x3f7f_ffd0, 0x3eff_ffd0, 0x3e2a_aa8b]);
        assert_eq!(exp.sections()[424].bits()[..2], [0x3f1f_ffff, 0x3fef_22ae]);
        let evaluate = |v: u32| crate::eval::definition::evaluate(exp, f32::from_bits(v)).unwrap().to_bits();
        for (v, y) in [
            (0x3f00_0000, 0x3fd3_08b1),
            (0xbf00_0000, 0x3f1b_453a),
            (0x3f80_0000, 0x402d_f7d4),
            (0x4120_0000, 0x46ac_1470),
            (0xc2c2_0000, 0x0000_0216),
        ] {
            assert_eq!(evaluate(v), y, "{v:08x}");
        }
    }

    #[test]
    fn the_images_take_at_most_a_mebibyte() {
        let bytes: usize = SETS.iter().map(|files| files.bkt.len() + files.ctrl.len() + files.manifest.len()).sum();
        assert!(bytes <= 1 << 20, "{bytes}");
    }
}
