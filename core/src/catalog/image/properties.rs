//! Images of random tables, and a small image cut and spoilt everywhere.

use super::tests::{exp_profile, member, paths};
use super::*;
use crate::eval::definition::evaluate;
use crate::profile::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};

/// A fixed stream of random bits (xorshift64*).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.bits() % bound
    }

    fn float(&mut self) -> f32 {
        f32::from_bits(self.bits())
    }

    fn section(&mut self) -> Section {
        Section::from_bits([0; 5].map(|_: u32| self.bits()))
    }

    /// Octaves from `first` on, most with sections, some cut short, some with none.
    fn side(&mut self, first: i32) -> Vec<Region> {
        let octave = |place: u32| {
            let extract_size = self.below(6);
            if self.below(8) == 0 {
                return Region { exponent: first + place as i32, ..Region::default() };
            }
            let num_sections = 1 << extract_size;
            let stored = if self.below(4) == 0 { self.below(num_sections + 1) } else { num_sections };
            let sections = (0..stored).map(|_| self.section()).collect();
            Region { exponent: first + place as i32, num_sections, extract_size, sections }
        };
        (0..12).map(octave).collect()
    }

    /// A profile an image can hold and give back as it is. `mode` is the fold's three flags.
    fn profile(&mut self, mode: u32) -> Profile {
        let first = -127 + self.below(240) as i32;
        let mut saturation_points = [0; 4].map(|_: u32| SaturationPoint {
            sat_point: self.bits() as i32,
            mantissa_point: self.bits() as i32,
            section: self.section(),
        });
        if self.below(2) == 0 {
            // Thresholds around the octaves, so that these are reached.
            for saturation in Saturation::ALL {
                let high = matches!(saturation, Saturation::PosHigh | Saturation::NegHigh);
                saturation_points[saturation as usize].sat_point = first + 127 + if high { 12 } else { 0 };
            }
        }
        for low in [Saturation::PosLow, Saturation::NegLow] {
            saturation_points[low as usize].mantissa_point = 0;
        }
        let stored = self.below(4);
        Profile {
            symmetry: Symmetry {
                enabled: mode & 1 != 0,
                invert_sign: mode & 2 != 0,
                use_neg_region: mode & 4 != 0,
                point: self.float(),
            },
            specials: Specials { zero: self.float(), nan: self.float(), pos_inf: self.float(), neg_inf: self.float() },
            pos: if stored == 1 { Vec::new() } else { self.side(first) },
            neg: if stored == 2 { Vec::new() } else { self.side(first) },
            saturation_points,
        }
    }
}

fn one(profile: &Profile) -> [Member; 1] {
    [Member::new("f", 4, Arc::new(Table::new(profile).unwrap()))]
}

fn round_trip(profile: &Profile, stride: usize) -> Member {
    let image = write("set", &one(profile), stride).unwrap();
    read(&image, &paths()).unwrap().remove(0)
}

#[test]
fn random_tables_read_back_with_every_bit() {
    let mut random = Random(1);
    for round in 0..200 {
        let profile = random.profile(round % 8);
        let stride = if round % 3 == 0 { WITH_LN_STRIDE } else { TRAINIUM_STRIDE };
        assert_eq!(*round_trip(&profile, stride).table, Table::new(&profile).unwrap(), "round {round}");
    }
}

#[test]
fn several_random_tables_in_one_set_read_back_each_as_it_was() {
    let mut random = Random(2);
    for round in 0..20 {
        let member =
            |index| Member::new(&format!("f{index}"), 4, Arc::new(Table::new(&random.profile(round % 8)).unwrap()));
        let members: Vec<Member> = (0..5).map(member).collect();
        match write("set", &members, TRAINIUM_STRIDE) {
            Ok(image) => assert_eq!(read(&image, &paths()).unwrap(), members),
            Err(error) => assert!(error.to_string().contains("counts to 2047"), "{error}"),
        }
    }
}

#[test]
fn tables_with_gaps_read_back_with_the_same_value_everywhere() {
    let mut random = Random(3);
    for round in 0..40 {
        let mut profile = random.profile(round % 8);
        for side in [&mut profile.pos, &mut profile.neg] {
            side.retain(|_| random.below(3) != 0);
        }
        let (before, after) = (Table::new(&profile).unwrap(), round_trip(&profile, TRAINIUM_STRIDE));
        for _ in 0..2000 {
            let v = random.float();
            assert_eq!(evaluate(&before, v).map(f32::to_bits), evaluate(&after.table, v).map(f32::to_bits), "{v:e}");
        }
    }
}

#[test]
fn random_tables_an_image_cannot_hold_are_refused() {
    let mut random = Random(4);
    for round in 0..100 {
        let mut profile = random.profile(round % 8);
        let side = if profile.pos.is_empty() { &mut profile.neg } else { &mut profile.pos };
        let region = &mut side[random.below(12) as usize];
        let expected = match round % 4 {
            0 => {
                let low = if round % 8 == 0 { Saturation::PosLow } else { Saturation::NegLow };
                profile.saturation_points[low as usize].mantissa_point = random.bits() as i32 | 1;
                "and an image has none"
            }
            1 => {
                (region.num_sections, region.extract_size) = ((1 << region.extract_size) + 1, region.extract_size);
                "num_sections"
            }
            2 => {
                *region = Region { exponent: region.exponent, extract_size: 1 + random.below(23), ..Region::default() };
                "no sections, and an extract size"
            }
            _ => {
                (region.num_sections, region.extract_size) = (1 << 12, 12);
                region.sections = vec![Section::default(); 1 << 11];
                side.push(Region { exponent: side[11].exponent + 1, ..Region::default() });
                "counts to 2047"
            }
        };
        let text = write("set", &one(&profile), TRAINIUM_STRIDE).unwrap_err().to_string();
        assert!(text.contains("an image cannot hold f: ") && text.contains(expected), "round {round}: {text}");
    }
}

/// A set that exercises every part of the format and is small enough to be spoilt everywhere.
fn small_set() -> Image {
    let mut profile = exp_profile();
    profile.neg.drain(..20);
    profile.pos.drain(..20);
    profile.neg.truncate(2);
    profile.pos.truncate(2);
    profile.pos[1].sections.truncate(3);
    let exp = Member::new("exp", 400, Arc::new(Table::new(&profile).unwrap()));
    write("s", &[member("relu", 1), exp, member("parametric_relu", 1), member("sign", 1)], WITH_LN_STRIDE).unwrap()
}

#[test]
fn every_cut_of_every_file_is_refused() {
    let good = small_set();
    assert!(read(&good, &paths()).is_ok());
    for length in 0..good.bkt.len() {
        assert!(read(&Image { bkt: good.bkt[..length].to_vec(), ..good.clone() }, &paths()).is_err());
    }
    for length in 0..good.ctrl.len() {
        assert!(read(&Image { ctrl: good.ctrl[..length].to_vec(), ..good.clone() }, &paths()).is_err());
    }
    for length in 0..good.manifest.len() {
        assert!(read(&Image { manifest: good.manifest[..length].to_owned(), ..good.clone() }, &paths()).is_err());
    }
}

#[test]
fn every_spoilt_byte_gives_an_error_or_tables_that_can_be_used() {
    let good = small_set();
    let check = |image: &Image| {
        for member in read(image, &paths()).unwrap_or_default() {
            for high in (0..=u16::MAX).step_by(1009) {
                let _ = crate::eval::definition::evaluate(&member.table, f32::from_bits(u32::from(high) << 16));
            }
            let _ = write("s", &[member], TRAINIUM_STRIDE).map(|image| read(&image, &paths()).unwrap());
        }
    };
    for at in 0..good.bkt.len() {
        let mut image = good.clone();
        image.bkt[at] ^= 0xff;
        check(&image);
    }
    for (at, flip) in (0..good.ctrl.len()).flat_map(|at| [1, 2, 8, 0x40, 0x80, 0xff].map(|flip| (at, flip))) {
        let mut image = good.clone();
        image.ctrl[at] ^= flip;
        check(&image);
    }
    for (at, to) in (0..good.manifest.len()).flat_map(|at| [b'0', b'9', b'"'].map(|to| (at, to))) {
        let mut bytes = good.manifest.clone().into_bytes();
        bytes[at] = to;
        check(&Image { manifest: String::from_utf8(bytes).unwrap(), ..good.clone() });
    }
    for (at, bit) in (0..good.manifest.len()).flat_map(|at| (0..7).map(move |bit| (at, bit))) {
        // The eighth bit makes it no text, which the reading of the file refuses.
        let mut bytes = good.manifest.clone().into_bytes();
        bytes[at] ^= 1 << bit;
        check(&Image { manifest: String::from_utf8(bytes).unwrap(), ..good.clone() });
    }
}
