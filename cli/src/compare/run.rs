//! The comparison itself: units of work over the functions and paths, taken by as many threads as there are cores, each
//! with its own engines.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use pwp_foreign::Call;
use pwp_sim_core::{Function, Numerics, Table};

use crate::interrupt;

use super::plan::{CHUNK, Plan};
use super::resume::{Finished, Journal};
use super::side::{Engine, Fault, Side};
use super::tally::{Failed, Nan, Tally};

/// One function on one path.
#[derive(Debug)]
pub struct Pair {
    /// The function.
    pub function: Function,
    /// The path of each side.
    pub paths: [Numerics; 2],
    /// The table that says where an input lands; none on the exact path.
    pub table: Option<Arc<Table>>,
    /// The inputs that a sample has besides.
    pub edges: Vec<f32>,
    /// Why a side does not compute the function at all.
    pub refused: [Option<String>; 2],
}

impl Pair {
    /// The path, for people: both where the sides take different ones.
    pub fn path(&self) -> String {
        let name = |numerics: Numerics| if numerics == Numerics::Table { "table" } else { "exact" };
        match self.paths {
            [a, b] if a == b => name(a).to_owned(),
            [a, b] => format!("{}/{}", name(a), name(b)),
        }
    }
}

/// How to compare.
#[derive(Debug)]
pub struct Terms<'a> {
    /// The two sides.
    pub sides: [&'a Side; 2],
    /// The profiles that libraries get.
    pub profiles: &'a Path,
    /// How long one call may take.
    pub timeout: Duration,
    /// The inputs.
    pub plan: Plan,
    /// The scaling: `use_pwp` is each side's own.
    pub call: Call,
    /// When two NaN are equal.
    pub nan: Nan,
    /// After how many failed inputs a function is given up.
    pub failures: usize,
    /// The threads.
    pub jobs: usize,
}

/// The findings about one pair.
#[derive(Debug, Default)]
pub struct Findings {
    /// The findings.
    pub tally: Tally,
    /// Whether the rest of the inputs was left out after too many failures.
    pub given_up: bool,
}

/// The inputs of a unit have numbers from here on; before are the edges.
const SAMPLE: u64 = 1 << 33;

impl Terms<'_> {
    /// The engines of both sides.
    fn engines(&self) -> Result<[Engine; 2]> {
        let engine = |side| Engine::new(side, self.profiles, self.timeout);
        Ok([engine(self.sides[0])?, engine(self.sides[1])?])
    }

    fn task(&self, pair: &Pair, side: usize) -> (Function, Call) {
        (pair.function, Call { use_pwp: pair.paths[side] == Numerics::Table, ..self.call })
    }

    /// Asks each side whether it computes each pair at all.
    ///
    /// # Errors
    /// A library that does not open.
    pub fn ask(&self, pairs: &mut [Pair]) -> Result<()> {
        let mut engines = self.engines()?;
        for pair in pairs {
            for (side, engine) in engines.iter_mut().enumerate() {
                let (function, call) = self.task(pair, side);
                pair.refused[side] = engine.refuses(function, call)?;
                if interrupt::asked() {
                    bail!("interrupted");
                }
            }
        }
        Ok(())
    }

    /// The inputs of all pairs that both sides compute.
    pub fn inputs(&self, pairs: &[Pair]) -> u64 {
        pairs.iter().filter(|pair| pair.refused == [None, None]).map(|pair| self.inputs_of(pair)).sum()
    }

    fn inputs_of(&self, pair: &Pair) -> u64 {
        self.plan.count() + pair.edges.len() as u64
    }

    /// Compares. `finished` is the work that need not be done again, `journal` gets what is done. Ends early, without an
    /// error, where the user wants to stop.
    ///
    /// # Errors
    /// A library that no longer opens, a journal that cannot be written.
    pub fn run(
        &self,
        pairs: &[Pair],
        finished: Vec<Finished>,
        journal: Option<Journal>,
        bar: &ProgressBar,
    ) -> Result<Vec<Findings>> {
        let mut findings: Vec<Findings> = pairs.iter().map(|_| Findings::default()).collect();
        let mut done = BTreeSet::new();
        for Finished { pair, unit, tally } in finished {
            if pair < pairs.len() && done.insert((pair, unit)) {
                bar.inc(tally.inputs);
                findings[pair].tally.merge(&tally);
            }
        }
        let units = (0..pairs.len()).flat_map(|pair| (0..=self.plan.units()).map(move |unit| (pair, unit)));
        let computed = |(pair, unit): &(usize, u64)| {
            pairs[*pair].refused == [None, None]
                && !done.contains(&(*pair, *unit))
                && !self.is_empty(&pairs[*pair], *unit)
        };
        let work = Work {
            terms: self,
            pairs,
            units: units.filter(computed).collect(),
            next: AtomicUsize::new(0),
            findings: findings.into_iter().map(Mutex::new).collect(),
            journal: journal.map(Mutex::new),
            failed: AtomicBool::new(false),
            bar,
        };
        let results: Vec<Result<()>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(|| work.thread())).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        results.into_iter().collect::<Result<()>>()?;
        Ok(work.findings.into_iter().map(|found| found.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
    }

    fn is_empty(&self, pair: &Pair, unit: u64) -> bool {
        unit == 0 && pair.edges.is_empty()
    }
}

struct Work<'a> {
    terms: &'a Terms<'a>,
    pairs: &'a [Pair],
    /// By pair: unit 0 is the edges, unit n the plan's unit n - 1.
    units: Vec<(usize, u64)>,
    next: AtomicUsize,
    findings: Vec<Mutex<Findings>>,
    journal: Option<Mutex<Journal>>,
    failed: AtomicBool,
    bar: &'a ProgressBar,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work<'_> {
    fn thread(&self) -> Result<()> {
        let result = self.take_units();
        if result.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        match result {
            Err(_) if interrupt::asked() => Ok(()),
            result => result,
        }
    }

    fn take_units(&self) -> Result<()> {
        let mut engines = self.terms.engines()?;
        let mut buffers = Buffers::default();
        while let Some(&(index, unit)) = self.units.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if interrupt::asked() || self.failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            self.bar.set_message(format!("{} {}", self.pairs[index].function.name(), self.pairs[index].path()));
            let (mut tally, whole) = self.unit(index, unit, &mut engines, &mut buffers)?;
            for (side, engine) in engines.iter_mut().enumerate() {
                tally.notes.extend(engine.notes().into_iter().map(|note| (side, note)));
            }
            lock(&self.findings[index]).tally.merge(&tally);
            if let (Some(journal), true) = (&self.journal, whole) {
                lock(journal).add(&Finished { pair: index, unit, tally })?;
            }
        }
        Ok(())
    }

    /// Compares the inputs of one unit. Returns the findings, and whether the unit was gone through to its end.
    fn unit(&self, index: usize, unit: u64, engines: &mut [Engine; 2], buffers: &mut Buffers) -> Result<(Tally, bool)> {
        let (pair, plan) = (&self.pairs[index], self.terms.plan);
        let mut tally = Tally::default();
        let numbers = if unit == 0 { 0..pair.edges.len() as u64 } else { plan.unit(unit - 1) };
        let offset = if unit == 0 { 0 } else { SAMPLE };
        let mut from = numbers.start;
        while from < numbers.end {
            let to = (from + CHUNK).min(numbers.end);
            let allowed = {
                let mut findings = lock(&self.findings[index]);
                let failed = findings.tally.failed.len() + tally.failed.len();
                findings.given_up |= failed >= self.terms.failures;
                if findings.given_up {
                    self.bar.inc(numbers.end - from);
                    return Ok((tally, false));
                }
                self.terms.failures - failed
            };
            if unit == 0 {
                buffers.input.clear();
                buffers.input.extend_from_slice(&pair.edges[from as usize..to as usize]);
            } else {
                plan.inputs(from..to, &mut buffers.input);
            }
            self.chunk(pair, offset + from, engines, buffers, allowed, &mut tally)?;
            self.bar.inc(to - from);
            from = to;
        }
        Ok((tally, true))
    }

    fn chunk(
        &self,
        pair: &Pair,
        number: u64,
        engines: &mut [Engine; 2],
        buffers: &mut Buffers,
        allowed: usize,
        tally: &mut Tally,
    ) -> Result<()> {
        let Buffers { input, output, faults } = buffers;
        let mut reached = input.len();
        let mut failed = Vec::new();
        for (side, engine) in engines.iter_mut().enumerate() {
            output[side].clear();
            output[side].resize(input.len(), f32::NAN);
            faults.clear();
            let task = self.terms.task(pair, side);
            reached = reached.min(engine.compute(task, input, &mut output[side], faults, allowed)?);
            failed.extend(faults.drain(..).map(|Fault { index, what }| Failed {
                number: number + index as u64,
                input: input[index].to_bits(),
                side,
                what,
            }));
        }
        failed.sort_by_key(|failed: &Failed| (failed.number, failed.side));
        failed.retain(|failed| failed.number < number + reached as u64);
        let [a, b] = output;
        tally.compare(number, &input[..reached], &a[..reached], &b[..reached], self.terms.nan, &failed);
        Ok(())
    }
}

/// A thread's memory.
#[derive(Default)]
struct Buffers {
    input: Vec<f32>,
    output: [Vec<f32>; 2],
    faults: Vec<Fault>,
}
