//! The embedded tables: on-device images in `images/`, written by the generator, read once on first use.
//!
//! Each function with a body is an image set of its own, named for its profile; `small` holds the hardwired functions.
//! The layout is the hardware's (`docs/figures.md`, on-device images), so there is no schema of our own to keep.

use std::path::Path;
use std::sync::OnceLock;

use crate::catalog::image::{self, Image, Member, Paths};
use crate::function::Function;

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
static SETS: &[Files] = sets!["small", "exp_400p"];

/// All embedded tables.
///
/// # Panics
/// When an embedded image is not valid, which the tests rule out.
pub fn members() -> &'static [Member] {
    static MEMBERS: OnceLock<Vec<Member>> = OnceLock::new();
    MEMBERS.get_or_init(|| {
        let read = |files: &Files| {
            let image =
                Image { bkt: files.bkt.to_vec(), ctrl: files.ctrl.to_vec(), manifest: files.manifest.to_owned() };
            image::read(&image, &Paths::of_set(Path::new(PATH), files.set)).expect("the embedded images are valid")
        };
        SETS.iter().flat_map(read).collect()
    })
}

/// The embedded table of a profile, `exp` with budget 400.
pub fn member(function: &str, budget: u32) -> Option<&'static Member> {
    members().iter().find(|member| member.function == function && member.budget == budget)
}

/// The embedded table that serves a function under the path `builtin:`, by the budget of its profile.
pub fn default_member(function: Function) -> Option<&'static Member> {
    let row = function.row();
    member(row.profile?, row.budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::functions::{self, Class};
    use crate::catalog::hardwired::hardwired;
    use crate::catalog::roster;
    use crate::profile::Clamp;
    use crate::table::Table;

    #[test]
    fn every_hardwired_function_is_embedded_as_defined() {
        for row in functions::functions().filter(|row| functions::class(row) == Class::Hardwired) {
            let profile = row.profile.unwrap();
            assert_eq!(*member(profile, 1).unwrap().table, Table::new(&hardwired(profile).unwrap()), "{profile}");
        }
    }

    #[test]
    fn every_table_has_its_published_size() {
        for member in members() {
            let shape = roster::published_shape(&member.function, member.budget).unwrap();
            assert_eq!(member.table.sections().len(), shape.sections as usize, "{}", member.profile_name());
            let octaves = member.table.octaves().iter().filter(|octave| octave.present).count();
            assert_eq!(octaves, shape.octaves as usize, "{}", member.profile_name());
        }
    }

    #[test]
    fn exp_has_its_published_bits() {
        let exp = &default_member(Function::Exp).unwrap().table;
        assert_eq!(exp.sections().len(), 777);
        assert_eq!(exp.sections()[0].bits(), [0xb63f_ffff, 0x3f7f_ffd0, 0x3f7f_ffd0, 0x3eff_ffd0, 0x3e2a_aa8b]);
        assert_eq!(exp.sections()[424].bits()[..2], [0x3f1f_ffff, 0x3fef_22ae]);
        let high = exp.clamp(Clamp::PosHigh);
        assert_eq!((high.sat_point, high.mantissa_point, high.section.d0), (133, 3_240_472, f32::INFINITY));
        let evaluate = |v: u32| crate::eval::scalar::evaluate(exp, f32::from_bits(v)).unwrap().to_bits();
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
