//! `pwp pack` and `pwp unpack` as they are run: every bit of every table comes back, or the reason is told.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use pwp_sim_core::catalog::embedded;
use pwp_sim_core::catalog::roster::Roster;
use pwp_sim_core::catalog::{Catalog, FILE_NAME, FunctionSet, image};
use pwp_sim_core::profile::{self, Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};
use pwp_sim_core::{Function, Numerics, Simulator, Table};

/// Runs `pwp`: what it printed, or what it said was wrong.
fn pwp<S: AsRef<OsStr>>(arguments: &[S]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_pwp")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

fn pack(profiles: &Path, catalog: &Path, out: &Path, more: &[&str]) -> Result<String, String> {
    let mut arguments = vec![OsStr::new("pack"), "--profiles".as_ref(), profiles.as_ref(), "--out".as_ref()];
    arguments.extend([out.as_os_str(), "--catalog".as_ref(), catalog.as_ref()]);
    arguments.extend(more.iter().map(OsStr::new));
    pwp(&arguments)
}

fn unpack(images: &Path, out: &Path, more: &[&str]) -> Result<String, String> {
    let mut arguments = vec![OsStr::new("unpack"), images.as_ref(), "--out".as_ref(), out.as_ref()];
    arguments.extend(more.iter().map(OsStr::new));
    pwp(&arguments)
}

fn write_catalog(dir: &Path, sets: Vec<FunctionSet>) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join(FILE_NAME), Catalog::new(sets).to_json()).unwrap();
}

fn table(file: &Path) -> Table {
    Table::new(&profile::load(file).unwrap()).unwrap()
}

/// A set for every embedded table, named for its profile, and the hardwired functions together.
fn embedded_sets() -> Vec<FunctionSet> {
    let of = |members: &[&image::Member], name: &str| {
        FunctionSet::new(name, members.iter().map(|member| (member.function.clone(), member.budget)).collect())
    };
    let (small, tables): (Vec<_>, Vec<_>) = embedded::members().iter().partition(|member| member.budget == 1);
    let mut sets: Vec<FunctionSet> =
        tables.into_iter().map(|member| of(&[member], &member.profile_name().to_string())).collect();
    sets.push(of(&small, "small"));
    sets
}

#[test]
fn the_embedded_tables_come_back_from_profiles_and_from_images_with_every_bit() {
    let dir = tempfile::tempdir().unwrap();
    let [first, catalog, images, second] = ["first", "catalog", "images", "second"].map(|name| dir.path().join(name));
    unpack(Path::new("builtin:"), &first, &[]).unwrap();
    write_catalog(&catalog, embedded_sets());
    for target in ["trainium", "with_ln"] {
        pack(&first, &catalog, &images, &["--target", target]).unwrap();
        unpack(&images, &second, &[]).unwrap();
        for member in embedded::members() {
            let file = member.profile_name().file_name();
            assert_eq!(table(&first.join(&file)), *member.table, "{file}");
            assert_eq!(table(&second.join(&file)), *member.table, "{file}");
        }
    }
    assert_eq!(std::fs::read_dir(&first).unwrap().count(), embedded::members().len());
    assert_eq!(std::fs::read_dir(&second).unwrap().count(), embedded::members().len());
    let simulator = Simulator::open(format!("{}#exp_400p", images.display())).unwrap();
    assert_eq!(simulator.evaluate(Function::Exp, 0.5, 0.0, Numerics::Table).map(f32::to_bits), Ok(0x3fd3_08b1));
}

#[test]
fn a_roster_s_set_packs_with_its_published_sizes_and_the_target_s_ids() {
    let dir = tempfile::tempdir().unwrap();
    for (roster, sizes, abs) in [(Roster::Trainium, (1664, 640), 33), (Roster::WithLn, (896, 160), 22)] {
        let out = dir.path().join(roster.name());
        pack(Path::new("builtin:"), Path::new(roster.name()), &out, &["--set", "small"]).unwrap();
        let bytes = |file: &str| std::fs::read(out.join(file)).unwrap().len();
        assert_eq!((bytes("small_bkt.bin"), bytes("small_ctrl.bin")), sizes);
        let paths = image::Paths::of_set(&out, "small");
        let members = image::read(&image::Image::load(&paths).unwrap(), &paths).unwrap();
        assert_eq!(members.iter().find(|member| member.function == "abs").unwrap().id, abs);
        assert_eq!(Catalog::open(&out).unwrap().sets.len(), 1);
    }
}

/// A fixed stream of random bits (xorshift64*).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    fn float(&mut self) -> f32 {
        f32::from_bits(self.bits())
    }

    fn section(&mut self) -> Section {
        Section::from_bits([0; 5].map(|_: u32| self.bits()))
    }

    fn side(&mut self, first: i32) -> Vec<Region> {
        let region = |place| {
            let extract_size = self.bits() % 7;
            let num_sections = 1 << extract_size;
            let stored = if self.bits().is_multiple_of(4) { self.bits() % (num_sections + 1) } else { num_sections };
            let sections = (0..stored).map(|_| self.section()).collect();
            Region { exponent: first + place, num_sections, extract_size, sections }
        };
        (0..12).map(region).collect()
    }

    /// A profile that an image can hold.
    fn profile(&mut self) -> Profile {
        let flags = self.bits();
        let first = -127 + (self.bits() % 240) as i32;
        let mut saturation_points = [0; 4].map(|_: u32| SaturationPoint {
            sat_point: self.bits() as i32,
            mantissa_point: self.bits() as i32,
            section: self.section(),
        });
        saturation_points[Saturation::PosLow as usize].mantissa_point = 0;
        saturation_points[Saturation::NegLow as usize].mantissa_point = 0;
        Profile {
            symmetry: Symmetry {
                enabled: flags & 1 != 0,
                invert_sign: flags & 2 != 0,
                use_neg_region: flags & 4 != 0,
                point: self.float(),
            },
            specials: Specials { zero: self.float(), nan: self.float(), pos_inf: self.float(), neg_inf: self.float() },
            pos: if flags & 24 == 8 { Vec::new() } else { self.side(first) },
            neg: if flags & 24 == 16 { Vec::new() } else { self.side(first) },
            saturation_points,
        }
    }
}

/// A directory of profiles `f<number>_4p.json`, and a catalog of one set for each, named likewise.
fn random_catalog(dir: &Path, profiles: &[Profile]) {
    for (number, profile) in profiles.iter().enumerate() {
        std::fs::write(dir.join(format!("f{number}_4p.json")), profile::to_json(profile, &[])).unwrap();
    }
    let set = |number| FunctionSet::new(&format!("s{number}"), vec![(format!("f{number}"), 4)]);
    write_catalog(dir, (0..profiles.len()).map(set).collect());
}

#[test]
fn a_hundred_random_profiles_come_back_from_images_with_every_bit() {
    let dir = tempfile::tempdir().unwrap();
    let (images, again) = (dir.path().join("images"), dir.path().join("again"));
    let mut random = Random(5);
    let profiles: Vec<Profile> = (0..100).map(|_| random.profile()).collect();
    random_catalog(dir.path(), &profiles);
    pack(dir.path(), dir.path(), &images, &[]).unwrap();
    unpack(&images, &again, &[]).unwrap();
    for (number, profile) in profiles.iter().enumerate() {
        assert_eq!(table(&again.join(format!("f{number}_4p.json"))), Table::new(profile).unwrap(), "f{number}");
    }
}

#[test]
fn what_an_image_cannot_hold_is_refused_with_every_reason_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let images = dir.path().join("images");
    let mut random = Random(6);
    let mut profiles: Vec<Profile> = (0..4).map(|_| random.profile()).collect();
    let region = |sections: u32, extract_size| Region {
        exponent: 0,
        num_sections: sections,
        extract_size,
        sections: vec![Section::default(); sections.min(2048) as usize],
    };
    profiles[0].saturation_points[Saturation::NegLow as usize].mantissa_point = 7;
    profiles[1].neg = vec![region(4096, 12)];
    profiles[1].pos = vec![region(1, 0)];
    profiles[2].pos = vec![region(99, 8)];
    random_catalog(dir.path(), &profiles);
    let text = pack(dir.path(), dir.path(), &images, &[]).unwrap_err();
    for reason in [
        "set s0: invalid argument: an image cannot hold f0: sat_point_neg_low has mantissa 7, and an image has none",
        "cannot hold f1: positive octave 0: its first record is 2048, and a control word counts to 2047",
        "cannot hold f2: positive octave 0: num_sections 99, and extract size 8 means 256",
    ] {
        assert!(text.contains(reason), "{text}");
    }
    assert!(!text.contains("f3") && !images.exists());
    pack(dir.path(), dir.path(), &images, &["--set", "s3"]).unwrap();
}

#[test]
fn a_profile_that_is_not_there_is_named_with_the_sets_that_need_it() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let out = dir.path().join("out");
    let text = pack(&empty, Path::new("trainium"), &out, &["--set", "erf_derivative", "exp_and_others"]).unwrap_err();
    assert!(
        text.contains("no profile derivative_erf_400p in") && text.contains("which these sets need: erf_derivative")
    );
    assert!(text.contains("no profile tanh_4p in") && !out.exists(), "{text}");
    let text = pack(&empty, Path::new("trainium"), &out, &["--set", "small"]).unwrap();
    assert!(text.contains("so the embedded ones: ") && text.contains("parametric_relu_1p"), "{text}");
    assert!(pack(&empty, Path::new("trainium"), &out, &["--set", "tiny"]).unwrap_err().contains("no set tiny"));
    assert!(
        pack(&out.join("none"), Path::new("trainium"), &out, &[])
            .unwrap_err()
            .contains("none: No such file or directory")
    );
}

#[test]
fn two_tables_of_one_name_do_not_unpack_together() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(7);
    for set in ["a", "b"] {
        let member = image::Member::new("f", 4, Table::new(&random.profile()).unwrap().into());
        let image = image::write(set, &[member], 32).unwrap();
        image.save(&image::Paths::of_set(dir.path(), set)).unwrap();
    }
    let out = dir.path().join("out");
    assert!(unpack(dir.path(), &out, &[]).unwrap_err().contains("name the sets by --set"));
    let text = unpack(dir.path(), &out, &["--set", "a", "b"]).unwrap_err();
    assert!(text.contains("f_4p is not the same table in the sets a and b") && !out.exists(), "{text}");
    assert_eq!(unpack(dir.path(), &out, &["--set", "b"]).map(|text| text.ends_with(": 1\n")), Ok(true));
    assert!(unpack(Path::new("builtin:"), &out, &["--set", "small"]).unwrap_err().contains("builtin:trainium"));
    assert!(unpack(Path::new("builtin:with_ln"), &out, &["--set", "small"]).is_ok());
}

#[test]
fn images_are_packed_from_images_and_reported_on() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| directory.path().join(name));
    let pack = |source: &str, out: &std::path::Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pwp"));
        command.args(["pack", "--profiles", source, "--set", "exp_and_others", "--out"]).arg(out);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    pack("builtin:", &one);
    for source in
        [one.display().to_string(), format!("{}#0", one.display()), "builtin:trainium#exp_and_others".to_owned()]
    {
        pack(&source, &two);
        for file in ["exp_and_others_bkt.bin", "exp_and_others_ctrl.bin", "exp_and_others.json"] {
            assert_eq!(std::fs::read(one.join(file)).unwrap(), std::fs::read(two.join(file)).unwrap(), "{source}");
        }
    }
}

/// A limit on the size of files stands for the full disk: the images of the first set fit, the records of the second do not.
#[test]
fn a_disk_that_fills_up_leaves_every_image_of_before() {
    let directory = tempfile::tempdir().unwrap();
    let pack = |limit: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &format!("{limit} exec \"$@\""), "sh", env!("CARGO_BIN_EXE_pwp"), "pack"]);
        command.args(["--profiles", "builtin:", "--set", "small", "reciprocal_and_small", "--out"]);
        command.arg(directory.path()).output().unwrap()
    };
    let files = || -> Vec<std::path::PathBuf> {
        std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    assert!(pack("").status.success());
    let before = files().len();
    assert_eq!(before, 7);
    for file in files() {
        std::fs::write(file, "what was there").unwrap();
    }
    let output = pack("ulimit -f 50; trap '' XFSZ;"); // blocks of 512 bytes
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
    assert!(text.contains("cannot write") && text.contains("reciprocal_and_small_bkt.bin: File too large"), "{text}");
    assert_eq!(files().len(), before);
    for file in files() {
        assert_eq!(std::fs::read(&file).unwrap(), b"what was there", "{}", file.display());
    }
}
