//! The tables that the calls of the readings are made on, as directories of profiles.

use std::path::Path;

use anyhow::{Context, Result};
use pwp_sim_core::Function;
use pwp_sim_core::profile::{self, Profile, SaturationPoint, Section};
use serde_json::Value;

use crate::sources::Tables;

/// Which tables a call is made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// The embedded ones.
    Embedded,
    /// `nested`.
    Nested,
}

impl Given {
    /// All.
    pub const ALL: [Given; 2] = [Given::Embedded, Given::Nested];

    /// The tables in one word.
    pub fn name(self) -> &'static str {
        match self {
            Given::Embedded => "builtin:",
            Given::Nested => "nested",
        }
    }

    /// What to say of tables that are not the embedded ones.
    pub fn suffix(self) -> &'static str {
        match self {
            Given::Embedded => "",
            Given::Nested => " of a profile whose saturation points have d0 1 inline and 2 nested",
        }
    }

    /// Writes the profiles to a directory that is there.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(self, directory: &Path) -> Result<()> {
        match self {
            Given::Embedded => {
                let tables = Tables::open("builtin:")?;
                for function in Function::all().filter(|function| *function != Function::Prelu) {
                    if let Some(entry) = tables.due(function.info()) {
                        let text = profile::to_json(&entry.table()?.to_profile(), &[]);
                        put(directory, &entry.name(), &text)?;
                    }
                }
                Ok(())
            }
            Given::Nested => put(directory, "exp_400p", &nested(Some(2.0))?),
        }
    }
}

fn put(directory: &Path, name: &str, text: &str) -> Result<()> {
    let file = directory.join(format!("{name}.json"));
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// A profile that is all saturated, with d0 1, and besides with this d0 in a nested section.
pub(super) fn nested(d0: Option<f32>) -> Result<String> {
    let with = |d0| {
        let section = Section { d0, ..Section::default() };
        let saturation_points = [SaturationPoint { section, ..SaturationPoint::default() }; 4];
        let text = profile::to_json(&Profile { saturation_points, ..Profile::default() }, &[]);
        serde_json::from_str::<Value>(&text).context("what was just written is JSON")
    };
    let mut object = with(1.0)?;
    if let Some(d0) = d0 {
        let inner = with(d0)?;
        let points = object["saturation_points"].as_object_mut().context("a profile has saturation points")?;
        for (name, point) in points {
            point["section"] = inner["saturation_points"][name].clone();
        }
    }
    Ok(object.to_string())
}
