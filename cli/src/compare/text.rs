//! What a comparison prints.

use std::fmt::Write;

use serde_json::{Value, json};

use super::run::{Findings, Pair};
use super::tally::{Mismatch, bin_range};
use crate::readings::follow::{self, Answer};
use crate::{output, place};

/// The findings with what they are about.
pub struct Report<'a> {
    /// The names of the two sides.
    pub names: [String; 2],
    /// Which of several tables of a function counts, a line each.
    pub choices: Vec<String>,
    /// The functions and paths.
    pub pairs: &'a [Pair],
    /// The findings, a pair each.
    pub findings: &'a [Findings],
    /// The readings that each side follows.
    pub readings: [Vec<Answer>; 2],
}

/// A value as its shortest decimal and its bits.
fn value(bits: u32) -> String {
    format!("{:?} ({bits:08x})", f32::from_bits(bits))
}

impl Report<'_> {
    fn each(&self) -> impl Iterator<Item = (&Pair, &Findings)> {
        self.pairs.iter().zip(self.findings)
    }

    /// How many pairs were compared, and how many of them have a difference.
    pub fn verdict(&self) -> (usize, usize) {
        let compared = self.each().filter(|(pair, _)| pair.refused.iter().flatten().count() < 2);
        let (mut all, mut differ) = (0, 0);
        for (pair, found) in compared {
            all += 1;
            differ += usize::from(!(pair.refused == [None, None] && found.tally.all_equal() && !found.given_up));
        }
        (all, differ)
    }

    /// Everything, as text.
    pub fn text(&self) -> String {
        let [a, b] = &self.names;
        let mut text = format!("A is {a}\nB is {b}\n");
        self.choices.iter().for_each(|choice| text += &format!("{choice}\n"));
        text.push('\n');
        let mut table = output::table(["function", "path", "inputs", "equal", "differ", "failed", "worst ULP"]);
        for (pair, found) in self.each() {
            let tally = &found.tally;
            let worst = match (tally.worst, tally.nan) {
                (Some((distance, _)), 0) => distance.to_string(),
                (Some((distance, _)), _) => format!("{distance}, and NaN"),
                (None, 0) => "0".to_owned(),
                (None, _) => "NaN".to_owned(),
            };
            let start = [pair.function.name().to_owned(), pair.path()];
            let rest = match &pair.refused {
                [None, None] => [
                    tally.inputs.to_string(),
                    tally.equal.to_string(),
                    tally.differing().to_string(),
                    tally.failed.len().to_string() + if found.given_up { ", given up" } else { "" },
                    worst,
                ],
                [Some(_), Some(_)] => ["neither has it", "", "", "", ""].map(str::to_owned),
                [Some(_), None] => ["A lacks it", "", "", "", ""].map(str::to_owned),
                [None, Some(_)] => ["B lacks it", "", "", "", ""].map(str::to_owned),
            };
            table.add_row(start.into_iter().chain(rest));
        }
        let _ = writeln!(text, "{}", table.trim_fmt());
        for (pair, found) in self.each() {
            text += &self.details(pair, found);
        }
        text + &follow::text("A", &self.readings[0]) + &follow::text("B", &self.readings[1])
    }

    fn details(&self, pair: &Pair, found: &Findings) -> String {
        let mut text = String::new();
        let one_sided = pair.refused.iter().flatten().count() == 1;
        if one_sided || !found.tally.all_equal() || !found.tally.notes.is_empty() {
            let _ = writeln!(text, "\n{}, {}:", pair.function.name(), pair.path());
        }
        for (side, words) in pair.refused.iter().enumerate().filter(|_| one_sided) {
            if let Some(words) = words {
                let _ = writeln!(text, "  {} lacks it: {words}", ["A", "B"][side]);
            }
        }
        let tally = &found.tally;
        for failed in &tally.failed {
            let side = ["A", "B"][failed.side];
            let place = self.place(pair, failed.input);
            let _ = writeln!(text, "  at {}{place}: {side} {}", value(failed.input), failed.what);
        }
        if found.given_up {
            let _ = writeln!(text, "  given up after {} failed inputs (--failures)", tally.failed.len());
        }
        for mismatch in &tally.first {
            let _ = writeln!(text, "  at {}", self.mismatch(pair, mismatch));
        }
        if tally.differing() > tally.first.len() as u64 {
            let _ = writeln!(text, "  and {} more", tally.differing() - tally.first.len() as u64);
        }
        if let Some((_, worst)) = tally.worst.filter(|(_, worst)| !tally.first.contains(worst)) {
            let _ = writeln!(text, "  worst at {}", self.mismatch(pair, &worst));
        }
        let mut bins: Vec<String> =
            tally.histogram.iter().map(|(bin, count)| format!("{}: {count}", range(*bin))).collect();
        if tally.nan > 0 {
            bins.push(format!("a NaN that is none for the other: {}", tally.nan));
        }
        if !bins.is_empty() {
            let _ = writeln!(text, "  by distance: {}", bins.join("; "));
        }
        for (side, words) in &tally.notes {
            let _ = writeln!(text, "  {} says: {words}", ["A", "B"][*side]);
        }
        text
    }

    fn place(&self, pair: &Pair, input: u32) -> String {
        pair.table.as_ref().map(|table| format!(", {}", place::of(table, f32::from_bits(input)))).unwrap_or_default()
    }

    fn mismatch(&self, pair: &Pair, mismatch: &Mismatch) -> String {
        let Mismatch { input, a, b, .. } = *mismatch;
        let number = !f32::from_bits(a).is_nan() && !f32::from_bits(b).is_nan();
        let ulp = if number { format!(", {} ULP apart", super::tally::distance(a, b)) } else { String::new() };
        format!("{}{}: A {}, B {}{ulp}", value(input), self.place(pair, input), value(a), value(b))
    }

    /// Everything, as JSON. Floats are their bits, in hexadecimal.
    pub fn json(&self) -> Value {
        let hex = |bits: u32| format!("{bits:08x}");
        let shown = |m: &Mismatch| json!({"input": hex(m.input), "a": hex(m.a), "b": hex(m.b)});
        let pairs = self.each().map(|(pair, found)| {
            let tally = &found.tally;
            let failed = tally.failed.iter().map(|failed| {
                let side = ["a", "b"][failed.side];
                json!({"input": hex(failed.input), "side": side, "what": failed.what})
            });
            let bins = tally.histogram.iter().map(|(bin, count)| {
                let (least, greatest) = bin_range(*bin);
                json!({"from": least, "to": greatest, "count": count})
            });
            json!({
                "function": pair.function.name(),
                "path": pair.path(),
                "refused": pair.refused,
                "inputs": tally.inputs,
                "equal": tally.equal,
                "differ": tally.differing(),
                "nan": tally.nan,
                "worst_ulp": tally.worst.map(|(distance, _)| distance),
                "worst": tally.worst.as_ref().map(|(_, mismatch)| shown(mismatch)),
                "first": tally.first.iter().map(shown).collect::<Vec<_>>(),
                "histogram": bins.collect::<Vec<_>>(),
                "failed": failed.collect::<Vec<_>>(),
                "given_up": found.given_up,
            })
        });
        let [a, b] = &self.readings;
        json!({
            "a": self.names[0],
            "b": self.names[1],
            "comparisons": pairs.collect::<Vec<_>>(),
            "readings": {"a": follow::json(a), "b": follow::json(b)},
        })
    }
}

/// A bin of the histogram, in words.
fn range(bin: u32) -> String {
    match bin_range(bin) {
        (0, _) => "only the sign of zero".to_owned(),
        (least, greatest) if least == greatest => format!("{least} ULP"),
        (least, greatest) => format!("{least} to {greatest} ULP"),
    }
}
