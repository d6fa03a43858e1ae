//! The simulators behind the C++ objects: numbered from 1, never freed, found without a lock.
//!
//! There is one for each table set, so one for each directory and content: the loading cache sees to that. A C++ object
//! may be copied and forgotten without our knowledge, so a number stays good for the life of the process.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use pwp_sim_core::Simulator;
use pwp_sim_core::engine::{TableSet, simulator, tables as tables_of};
use pwp_sim_core::{Error, Result};

/// Number `id` stands in block `ilog2(id)`, of twice the size of the block before: blocks never move.
static BLOCKS: [AtomicPtr<Slot>; BLOCK_COUNT] = [const { AtomicPtr::new(ptr::null_mut()) }; BLOCK_COUNT];

const BLOCK_COUNT: usize = 23;

/// The highest number.
pub const LAST: u32 = (1 << BLOCK_COUNT) - 1;

/// Empty (null), then full for good.
type Slot = AtomicPtr<Simulator>;

/// The simulator with this number.
#[inline]
pub fn find(id: u32) -> Option<&'static Simulator> {
    if id == 0 || id > LAST {
        return None;
    }
    let block = BLOCKS[id.ilog2() as usize].load(Ordering::Acquire);
    if block.is_null() {
        return None;
    }
    // SAFETY: block `b` has `1 << b` slots, and `id` less its top bit is below that; blocks and simulators are never
    // freed.
    unsafe { (*block.add(offset(id))).load(Ordering::Acquire).as_ref() }
}

/// The number of the simulator with these tables.
///
/// # Errors
/// [`Error::Internal`] when all numbers are taken, by eight million different contents.
pub fn number(tables: Arc<TableSet>) -> Result<u32> {
    let mut new = None;
    for id in 1..=LAST {
        let simulator = match find(id) {
            Some(simulator) => simulator,
            None => {
                let new = *new.get_or_insert_with(|| Box::into_raw(Box::new(simulator(Arc::clone(&tables)))));
                match slot(id).compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Ok(id),
                    // SAFETY: another thread was first; what it put there is never freed.
                    Err(other) => unsafe { &*other },
                }
            }
        };
        if tables_of(simulator).is_some_and(|known| Arc::ptr_eq(known, &tables)) {
            if let Some(new) = new {
                // SAFETY: ours, and it found no slot.
                drop(unsafe { Box::from_raw(new) });
            }
            return Ok(id);
        }
    }
    Err(Error::Internal("more table sets than a process can hold".to_owned()))
}

/// The slot of a number from 1 to [`LAST`]; makes its block where there is none.
fn slot(id: u32) -> &'static Slot {
    let block = id.ilog2();
    let mut slots = BLOCKS[block as usize].load(Ordering::Acquire);
    if slots.is_null() {
        let new: Box<[Slot]> = (0..1usize << block).map(|_| Slot::default()).collect();
        let new = Box::into_raw(new).cast::<Slot>();
        match BLOCKS[block as usize].compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => slots = new,
            Err(other) => {
                // SAFETY: ours, of that length, and seen by nobody else.
                drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(new, 1 << block)) });
                slots = other;
            }
        }
    }
    // SAFETY: block `b` has `1 << b` slots, as in `find`.
    unsafe { &*slots.add(offset(id)) }
}

/// A number's place in its block: the number less its top bit.
#[inline]
fn offset(id: u32) -> usize {
    (id ^ (1 << id.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn open(directory: &std::path::Path) -> Arc<TableSet> {
        TableSet::open(&pwp_sim_core::Source::Directory(directory.to_owned())).unwrap().unwrap()
    }

    #[test]
    fn every_set_has_one_number_whichever_thread_asks_first() {
        let directories: Vec<_> = (0..20)
            .map(|index| {
                let path = std::env::temp_dir().join(format!("pwp-sim-registry-{}-{index}", std::process::id()));
                std::fs::create_dir_all(&path).unwrap();
                path
            })
            .collect();
        let sets: Vec<_> = directories.iter().map(|path| open(path)).collect();
        let numbers = || sets.iter().map(|set| number(Arc::clone(set)).unwrap()).collect::<Vec<_>>();
        let found: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(numbers)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for other in &found {
            assert_eq!(other, &found[0]);
        }
        assert_eq!(found[0].iter().collect::<HashSet<_>>().len(), sets.len());
        for (&id, set) in found[0].iter().zip(&sets) {
            assert!(Arc::ptr_eq(tables_of(find(id).unwrap()).unwrap(), set));
        }
        for path in directories {
            std::fs::remove_dir(path).unwrap();
        }
    }

    #[test]
    fn a_number_that_was_not_given_finds_nothing() {
        for id in [0, LAST, LAST + 1, u32::MAX] {
            assert!(find(id).is_none());
        }
    }
}
