//! The file of finished work: `--resume FILE`. The first line says what is compared, each further one what a unit of work
//! found. A line that was cut off by a crash is passed over.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::tally::{Nan, Tally};

/// What is compared. Finished work counts for the same comparison alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// The first side.
    pub a: String,
    /// The second side.
    pub b: String,
    /// The tables that libraries get.
    pub profiles: String,
    /// The functions and paths, in order.
    pub pairs: Vec<String>,
    /// The inputs.
    pub plan: Plan,
    /// The bits of scale, bias and alpha.
    pub affine: [u32; 3],
    /// When two NaN are equal.
    pub nan: Nan,
    /// The program's version.
    pub version: String,
}

/// What one unit of work found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The place of the function and path in [`Heading::pairs`].
    pub pair: usize,
    /// The unit.
    pub unit: u64,
    /// The findings.
    pub tally: Tally,
}

/// The open file.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Opens or makes the file, and reads what is finished.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that is of another comparison.
    pub fn open(path: &Path, heading: &Heading) -> Result<(Journal, Vec<Finished>)> {
        let context = || format!("cannot read and write {}", path.display());
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).with_context(context)?;
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        let mut finished = Vec::new();
        let mut end = lines.read_until(b'\n', &mut line).with_context(context)? as u64;
        if end > 0 {
            let known: Option<Heading> = serde_json::from_slice(&line).ok();
            let known = known.with_context(|| format!("{} is no file of pwp compare", path.display()))?;
            ensure!(known == *heading, "{} is of another comparison: {}", path.display(), change(&known, heading));
            loop {
                line.clear();
                let length = lines.read_until(b'\n', &mut line).with_context(context)?;
                match serde_json::from_slice(&line) {
                    Ok(unit) if line.ends_with(b"\n") => finished.push(unit),
                    _ => break,
                }
                end += length as u64;
            }
        }
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).with_context(context)?;
        let mut journal = Journal(file);
        if end == 0 {
            journal.line(heading).with_context(context)?;
        }
        Ok((journal, finished))
    }

    /// Adds a unit.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, finished: &Finished) -> Result<()> {
        self.line(finished).context("cannot write the file of finished work")
    }

    fn line(&mut self, value: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.0.write_all(&line)?;
        Ok(())
    }
}

/// What the file has otherwise.
fn change(known: &Heading, due: &Heading) -> String {
    let pairs = [
        ("the first side", &known.a, &due.a),
        ("the second side", &known.b, &due.b),
        ("the tables", &known.profiles, &due.profiles),
        ("the version of pwp", &known.version, &due.version),
    ];
    match pairs.iter().find(|(_, known, due)| known != due) {
        Some((what, known, due)) => format!("{what} was {known}, and is {due}"),
        None => "the functions, the inputs or the scaling are others".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading() -> Heading {
        Heading {
            a: "a".into(),
            b: "b".into(),
            profiles: "p".into(),
            pairs: vec!["Exp table".into()],
            plan: Plan::Exhaustive,
            affine: [0; 3],
            nan: Nan::Equal,
            version: "1".into(),
        }
    }

    fn finished(unit: u64) -> Finished {
        let mut tally = Tally::default();
        let values = [1.0, 2.0, f32::NAN];
        tally.compare(unit, &values, &values, &[1.0, -2.0, 0.0], Nan::Equal, &[]);
        Finished { pair: 0, unit, tally }
    }

    #[test]
    fn what_was_added_is_read_again_and_a_line_cut_off_is_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let (mut journal, known) = Journal::open(&path, &heading()).unwrap();
        assert!(known.is_empty());
        journal.add(&finished(0)).unwrap();
        journal.add(&finished(7)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let (mut journal, known) = Journal::open(&path, &heading()).unwrap();
        assert_eq!(known, [finished(0)]);
        journal.add(&finished(7)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn another_comparison_s_file_is_refused_and_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        Journal::open(&path, &heading()).unwrap();
        let before = std::fs::read(&path).unwrap();
        let other = Heading { b: "c".into(), ..heading() };
        let text = Journal::open(&path, &other).unwrap_err().to_string();
        assert!(text.contains("the second side was b, and is c"), "{text}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::write(&path, "something else\n").unwrap();
        assert!(Journal::open(&path, &heading()).unwrap_err().to_string().contains("is no file of pwp compare"));
    }
}
