//! The simulators behind the C++ objects: numbered, never freed, found without a lock.
//!
//! There is one for each table set, so one for each directory and content: the loading cache sees to that. A C++ object
//! may be copied and forgotten without our knowledge, so a number stays good for the life of the process.
//!
//! A process may hold several copies of this library, and an object made by one may be used through another. So the
//! copies number apart: a copy takes its numbers in chunks, a chunk belongs to a thread-specific data key of the system,
//! and the system gives a key to no one else while it is taken. Another copy's numbers are then found in no chunk here.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use pwp_sim_core::Simulator;
use pwp_sim_core::engine::memory::{self, Watch};
use pwp_sim_core::engine::{TableSet, simulator, tables as tables_of};
use pwp_sim_core::{Error, Result};

/// The bits of a number that say which of its chunk it is, from 1.
const CHUNK_BITS: u32 = 13;

const CHUNK: usize = 1 << CHUNK_BITS;

/// One more than the highest key of the system: `PTHREAD_KEYS_MAX` of glibc.
const KEYS: usize = 1024;

/// A number is below two to the power of the bits that a float from 1 to 2 has for it.
const _: () = assert!(KEYS * CHUNK == 1 << (f32::MANTISSA_DIGITS - 1));

/// Empty (null), then full for good.
type Slot = AtomicPtr<Simulator>;

/// Simulators in the order they came; the first slot stays empty, so that 0 is no number.
struct Chunk {
    key: usize,
    slots: Box<[Slot]>,
    next: AtomicPtr<Chunk>,
}

/// The slots of this copy's chunks by key, and the chunks in the order they came.
static BY_KEY: [AtomicPtr<Slot>; KEYS] = [const { AtomicPtr::new(ptr::null_mut()) }; KEYS];
static FIRST: AtomicPtr<Chunk> = AtomicPtr::new(ptr::null_mut());

// SAFETY: POSIX declares these so.
unsafe extern "C" {
    fn pthread_key_create(key: *mut c_uint, destructor: Option<unsafe extern "C" fn(*mut c_void)>) -> c_int;
    fn pthread_key_delete(key: c_uint) -> c_int;
}

/// The simulator with this number, or none where this copy of the library did not give it.
#[inline]
pub fn find(id: u32) -> Option<&'static Simulator> {
    let slots = BY_KEY.get(id as usize >> CHUNK_BITS)?.load(Ordering::Acquire);
    if slots.is_null() {
        return None;
    }
    // SAFETY: not null: the slots of a chunk that is in the chain, `CHUNK` of them and never freed; and in a slot is null
    // or a simulator, which is never freed.
    unsafe { (*slots.add(id as usize % CHUNK)).load(Ordering::Acquire).as_ref() }
}

/// The number of the simulator with these tables.
///
/// # Errors
/// [`Error::Internal`] when all numbers are taken, or the system has no more keys; [`Error::NoMemory`].
pub fn number(tables: Arc<TableSet>) -> Result<u32> {
    let mut new: Option<Box<Simulator>> = None;
    let mut link = &FIRST;
    loop {
        let chunk = chunk_at(link)?;
        for (place, slot) in chunk.slots.iter().enumerate().skip(1) {
            let mut known = slot.load(Ordering::Acquire);
            if known.is_null() {
                let of_tables = || boxed(simulator(Arc::clone(&tables)));
                let mine = Box::into_raw(new.take().map_or_else(of_tables, Ok)?);
                match slot.compare_exchange(ptr::null_mut(), mine, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Ok((chunk.key * CHUNK + place) as u32),
                    Err(other) => known = other,
                }
                // SAFETY: the box from above, which found no slot.
                new = Some(unsafe { Box::from_raw(mine) });
            }
            // SAFETY: not null; what is in a slot is never freed.
            if tables_of(unsafe { &*known }).is_some_and(|known| Arc::ptr_eq(known, &tables)) {
                return Ok((chunk.key * CHUNK + place) as u32);
            }
        }
        link = &chunk.next;
    }
}

/// A box that may be kept.
fn boxed<T>(value: T) -> Result<Box<T>> {
    let watch = Watch::new();
    let boxed = Box::new(value);
    watch.check()?;
    Ok(boxed)
}

/// The chunk behind `link`; makes one where there is none.
fn chunk_at(link: &'static AtomicPtr<Chunk>) -> Result<&'static Chunk> {
    let mut chunk = link.load(Ordering::Acquire);
    if chunk.is_null() {
        chunk = make_chunk(link)?;
    }
    // SAFETY: not null: a chunk that is in the chain, and these are never freed.
    let chunk: &'static Chunk = unsafe { &*chunk };
    // By whoever comes first: no number is given before its chunk can be found.
    BY_KEY[chunk.key].store(chunk.slots.as_ptr().cast_mut(), Ordering::Release);
    Ok(chunk)
}

/// Puts a new chunk behind `link`, or gives the one that another thread put there first.
fn make_chunk(link: &AtomicPtr<Chunk>) -> Result<*mut Chunk> {
    let slots = memory::collect(std::iter::repeat_with(Slot::default).take(CHUNK))?.into_boxed_slice();
    let mut chunk = boxed(Chunk { key: 0, slots, next: AtomicPtr::default() })?;
    let mut key = 0;
    // SAFETY: a place for the key, and no destructor.
    let status = unsafe { pthread_key_create(&mut key, None) };
    if status != 0 || key as usize >= KEYS {
        return Err(Error::Internal("the system has no key for another chunk of simulators".to_owned()));
    }
    chunk.key = key as usize;
    let chunk = Box::into_raw(chunk);
    match link.compare_exchange(ptr::null_mut(), chunk, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Ok(chunk),
        Err(other) => {
            // SAFETY: the key and the chunk from above, which nobody else knows.
            unsafe {
                pthread_key_delete(key);
                drop(Box::from_raw(chunk));
            }
            Ok(other)
        }
    }
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
        for id in [0, (1 << 23) - 1, 1 << 23, u32::MAX] {
            assert!(find(id).is_none());
        }
    }
}
