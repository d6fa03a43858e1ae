//! The three files of an on-device image: read or refused with a file and a reason; what is read answers at every input,
//! and, where an image can hold it, comes back from the image that is written of it.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pwp_sim_core::Error;
use pwp_sim_core::catalog::image::{self, Paths, TRAINIUM_STRIDE, WITH_LN_STRIDE};
use pwp_sim_core::engine::eval;

fuzz_target!(|data: &[u8]| {
    let Some(image) = pwp_sim_fuzz::image(data) else { return };
    let paths = Paths::of_set(Path::new("fuzzed"), "set");
    let members = match image::read(&image, &paths) {
        Ok(members) => members,
        Err(error) => {
            assert!(matches!(error, Error::ProfileFormat { .. }), "{error:?}");
            assert!(error.to_string().contains("fuzzed/set"), "{error}");
            return;
        }
    };
    for member in &members {
        for bits in (0..=u16::MAX).step_by(61) {
            let v = f32::from_bits(u32::from(bits) << 16);
            let definition = eval::definition::evaluate(&member.table, v).map(f32::to_bits);
            assert_eq!(eval::evaluate(&member.table, v).map(f32::to_bits), definition, "{v:?}");
        }
    }
    for stride in [TRAINIUM_STRIDE, WITH_LN_STRIDE] {
        let Ok(written) = image::write("set", &members, stride) else { continue };
        let again = image::read(&written, &paths).expect("what is written can be read");
        let second = image::write("set", &again, stride).expect("what was written can be written");
        assert_eq!(second, written);
    }
});
