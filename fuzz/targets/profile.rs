//! The text of a profile: read or refused with a place and a reason, never more; what is read comes back from its own
//! text with every bit, and makes a table that answers at every input.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pwp_sim_core::engine::eval;
use pwp_sim_core::profile::{self, parse, to_json};
use pwp_sim_core::{Error, Table};

fuzz_target!(|text: &str| {
    let file = Path::new("fuzzed.json");
    let profile = match parse(text, file) {
        Ok(profile) => profile,
        Err(error) => {
            assert!(matches!(error, Error::ProfileFormat { .. }), "{error:?}");
            assert!(error.to_string().contains("fuzzed.json"), "{error}");
            return;
        }
    };
    profile.check().expect("what is read is within its ranges");
    let again = parse(&to_json(&profile, &[]), file).expect("what is written can be read");
    assert_eq!(bits(&again), bits(&profile));
    let table = Table::new(&profile).expect("what is read makes a table");
    for bits in (0..=u16::MAX).step_by(61) {
        let v = f32::from_bits(u32::from(bits) << 16 | u32::from(bits));
        let definition = eval::definition::evaluate(&table, v).map(f32::to_bits);
        assert_eq!(eval::evaluate(&table, v).map(f32::to_bits), definition, "{v:?}");
    }
});

/// All numbers of a profile: equal floats, NaN among them, have equal bits.
fn bits(profile: &profile::Profile) -> String {
    let float = |value: f32| value.to_bits();
    let specials = profile.specials;
    let specials = [specials.zero, specials.nan, specials.pos_inf, specials.neg_inf, profile.symmetry.point].map(float);
    let symmetry = (profile.symmetry.enabled, profile.symmetry.invert_sign, profile.symmetry.use_neg_region);
    let points = profile.saturation_points.map(|point| (point.sat_point, point.mantissa_point, point.section.bits()));
    let side = |regions: &[profile::Region]| {
        let region = |region: &profile::Region| {
            let sections: Vec<_> = region.sections.iter().map(|section| section.bits()).collect();
            (region.exponent, region.num_sections, region.extract_size, sections)
        };
        regions.iter().map(region).collect::<Vec<_>>()
    };
    format!("{symmetry:?} {specials:x?} {points:x?} {:x?} {:x?}", side(&profile.pos), side(&profile.neg))
}
