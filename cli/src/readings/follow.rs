//! Which readings another library follows, by its results; and tables, by what is in them.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};

use super::list::READINGS;
use super::{Follows, Probe, Reading, Told, path, plain};
use crate::output;
use crate::sources::Tables;

/// A reading and which side of it is followed.
#[derive(Debug)]
pub struct Answer {
    /// The reading.
    pub reading: &'static Reading,
    /// What is followed.
    pub follows: Follows,
}

/// Makes the call of every reading that has one. `call` gives the bits of the result, or in words why there are none.
///
/// # Errors
/// Those of `call`: a library that does not open.
pub fn library(mut call: impl FnMut(&Probe) -> Result<Result<u32, String>>) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for reading in &READINGS {
        if let Told::Call(probe) = &reading.told {
            answers.push(Answer { reading, follows: Follows::of(probe, call(probe)?) });
        }
    }
    Ok(answers)
}

/// Looks at every table of a source that tells by itself.
///
/// # Errors
/// A table that cannot be read.
pub fn tables(tables: &Tables) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for reading in &READINGS {
        let Some((name, look)) = reading.look else { continue };
        let Some(entry) = tables.entries().iter().find(|entry| entry.name() == name) else { continue };
        answers.extend(look(&*entry.table()?).map(|follows| Answer { reading, follows }));
    }
    Ok(answers)
}

/// The answers of one side, as text; nothing where there are none.
pub fn text(side: &str, answers: &[Answer]) -> String {
    if answers.is_empty() {
        return String::new();
    }
    let mut table = output::table(["reading", "follows", "by"]);
    for Answer { reading, follows } in answers {
        let by = match &reading.told {
            Told::Call(probe) => format!("{}, {}, at {:08x}", probe.function, path(probe.path), probe.input),
            Told::Field { file, field, .. } => format!("{}, {}", plain(file), plain(field)),
            Told::Nothing(_) => String::new(),
        };
        table.add_row([reading.id.to_owned(), follows.text(), by]);
    }
    let mut text = String::new();
    let _ = writeln!(text, "\nThe readings that {side} follows (pwp readings):\n\n{}", table.trim_fmt());
    text
}

/// The answers of one side, as JSON.
pub fn json(answers: &[Answer]) -> Value {
    let one = |Answer { reading, follows }: &Answer| {
        let (word, got) = match follows {
            Follows::Ours => ("ours", None),
            Follows::Alternative => ("alternative", None),
            Follows::Neither(what) => ("neither", Some(what)),
        };
        json!({"id": reading.id, "follows": word, "got": got})
    };
    answers.iter().map(one).collect()
}
