//! One profile, many texts: the freedoms that the schema leaves to the writer (`docs/behaviour.md`, section 3).

use pwp_sim_core::profile::{Profile, to_json};
use serde_json::{Value, json};

use super::random::Random;

/// How a profile's text is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spelling {
    /// Float boxes' `int` as an unsigned integer, where [`to_json`] writes a signed one.
    pub unsigned_ints: bool,
    /// Float boxes of `int` alone: nothing else of them is read.
    pub bare_boxes: bool,
    /// A saturation point's section under `section`, where [`to_json`] writes it inline.
    pub nested_sections: bool,
    /// 1 and 0 for true and false.
    pub numeric_flags: bool,
    /// Empty region arrays left out.
    pub absent_arrays: bool,
    /// A UTF-8 byte order mark in front.
    pub byte_order_mark: bool,
}

impl Spelling {
    /// A random spelling; boxes are bare, which keeps a directory of random tables small.
    pub fn random(rng: &mut Random) -> Spelling {
        Spelling {
            unsigned_ints: rng.one_in(2),
            bare_boxes: true,
            nested_sections: rng.one_in(2),
            numeric_flags: rng.one_in(2),
            absent_arrays: rng.one_in(2),
            byte_order_mark: rng.one_in(4),
        }
    }

    /// The text of `profile`.
    pub fn text(&self, profile: &Profile) -> String {
        let mut value: Value = serde_json::from_str(&to_json(profile, &[])).expect("to_json writes JSON");
        self.rewrite(&mut value);
        let object = value.as_object_mut().expect("a profile is an object");
        if self.absent_arrays {
            object.retain(|_, value| value.as_array().is_none_or(|array| !array.is_empty()));
        }
        if self.nested_sections {
            for point in value["saturation_points"].as_object_mut().expect("to_json writes an object").values_mut() {
                let section: serde_json::Map<String, Value> =
                    ["x", "d0", "d1", "d2", "d3"].map(|key| (key.to_owned(), point[key].take())).into_iter().collect();
                point.as_object_mut().expect("to_json writes an object").retain(|_, value| !value.is_null());
                point["section"] = Value::Object(section);
            }
        }
        let mark = if self.byte_order_mark { "\u{feff}" } else { "" };
        format!("{mark}{value}")
    }

    /// Rewrites boxes and flags wherever they stand.
    fn rewrite(&self, value: &mut Value) {
        match value {
            Value::Bool(flag) if self.numeric_flags => *value = json!(u8::from(*flag)),
            Value::Array(items) => items.iter_mut().for_each(|item| self.rewrite(item)),
            Value::Object(members) => {
                if let Some(int) = members.get("int").and_then(Value::as_i64) {
                    let int = if self.unsigned_ints { int & 0xffff_ffff } else { int };
                    if self.bare_boxes {
                        members.clear();
                    }
                    members.insert("int".to_owned(), json!(int));
                } else {
                    members.values_mut().for_each(|member| self.rewrite(member));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_spelling_reads_as_the_same_profile() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("exp_400p.json");
        let profile = super::super::random(&mut Random::new(1), 3);
        for bits in 0..64u32 {
            let on = |bit: u32| bits >> bit & 1 != 0;
            let spelling = Spelling {
                unsigned_ints: on(0),
                bare_boxes: on(1),
                nested_sections: on(2),
                numeric_flags: on(3),
                absent_arrays: on(4),
                byte_order_mark: on(5),
            };
            std::fs::write(&file, spelling.text(&profile)).unwrap();
            assert_eq!(pwp_sim_core::profile::load(Path::new(&file)), Ok(profile.clone()), "{spelling:?}");
        }
    }
}
