//! The text of an act_info.json: read or refused with a place and a reason; what is read comes back from its own text, and
//! answers every question about its sets.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pwp_sim_core::Error;
use pwp_sim_core::catalog::{Catalog, Difference};

fuzz_target!(|text: &str| {
    let file = Path::new("fuzzed/act_info.json");
    let catalog = match Catalog::parse(text, file) {
        Ok(catalog) => catalog,
        Err(error) => {
            assert!(matches!(error, Error::ProfileFormat { .. }), "{error:?}");
            assert!(error.to_string().contains("act_info.json"), "{error}");
            return;
        }
    };
    let again = Catalog::parse(&catalog.to_json(), file).expect("what is written can be read");
    assert!(Difference::between(&catalog, &again).is_empty());
    let functions = catalog.functions();
    for &function in functions.iter().take(64) {
        let sets = catalog.sets_of(function);
        assert!(!sets.is_empty() && sets.iter().all(|&set| catalog.sets[set].holds(function)));
    }
    if let Ok(loads) = catalog.sequence(&functions) {
        let served = loads.iter().map(|load| load.functions.len()).sum::<usize>();
        assert_eq!(served, functions.len());
        for load in &loads {
            assert!(functions[load.functions.clone()].iter().all(|&name| catalog.sets[load.set].holds(name)));
        }
    }
});
