//! The library's allocator: the system's, with a reserve for when that has nothing left.
//!
//! Rust ends the process where a small allocation fails. Here it gets a block of the reserve instead, and the core is told
//! ([`memory::lend`]), so that what is being loaded is given up as soon as it is asked about. What grows with the files is
//! allocated fallibly and takes nothing from here, so a call in want of memory has a few blocks at a time: the reserve is
//! for hundreds of such calls at once.
//!
//! The reserve is part of the library's zeroed data, which takes no memory before it is used. A block is a bit in a
//! bitmap: no lock, so a `fork` at any moment leaves it whole.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use pwp_sim_core::engine::memory;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

struct Allocator;

/// Blocks of one size, `BYTES` in all.
#[repr(align(64))]
struct Blocks<const SIZE: usize, const BYTES: usize, const WORDS: usize> {
    bytes: UnsafeCell<[u8; BYTES]>,
    /// A bit for each block: whether it is lent.
    lent: [AtomicU64; WORDS],
}

// SAFETY: `bytes` is only pointed into here, and a block is one caller's from the moment in which its bit was set by an
// atomic operation until that caller gives it back.
unsafe impl<const SIZE: usize, const BYTES: usize, const WORDS: usize> Sync for Blocks<SIZE, BYTES, WORDS> {}

/// For most: 256 KiB.
static SMALL: Blocks<256, { 256 * 64 * 16 }, 16> = Blocks::new();
/// For paths and objects: 1 MiB.
static LARGE: Blocks<8192, { 8192 * 64 * 2 }, 2> = Blocks::new();

impl<const SIZE: usize, const BYTES: usize, const WORDS: usize> Blocks<SIZE, BYTES, WORDS> {
    const fn new() -> Self {
        assert!(BYTES == SIZE * 64 * WORDS && SIZE.is_multiple_of(64));
        Blocks { bytes: UnsafeCell::new([0; BYTES]), lent: [const { AtomicU64::new(0) }; WORDS] }
    }

    /// A block for `layout`; null where it does not fit one or none is left.
    fn lend(&self, layout: Layout) -> *mut u8 {
        if layout.size() > SIZE || layout.align() > 64 {
            return ptr::null_mut();
        }
        for (index, word) in self.lent.iter().enumerate() {
            let mut lent = word.load(Ordering::Relaxed);
            while lent != u64::MAX {
                let bit = lent.trailing_ones();
                match word.compare_exchange_weak(lent, lent | 1 << bit, Ordering::Acquire, Ordering::Relaxed) {
                    Ok(_) => return self.bytes.get().cast::<u8>().wrapping_add((index * 64 + bit as usize) * SIZE),
                    Err(other) => lent = other,
                }
            }
        }
        ptr::null_mut()
    }

    /// Takes a block back; false where it is none of these.
    fn take_back(&self, block: *mut u8) -> bool {
        let offset = block.addr().wrapping_sub(self.bytes.get().addr());
        if offset >= BYTES {
            return false;
        }
        let number = offset / SIZE;
        self.lent[number / 64].fetch_and(!(1 << (number % 64)), Ordering::Release);
        true
    }

    fn holds(&self, block: *mut u8) -> bool {
        block.addr().wrapping_sub(self.bytes.get().addr()) < BYTES
    }
}

#[cold]
fn lend(layout: Layout) -> *mut u8 {
    let small = SMALL.lend(layout);
    let block = if small.is_null() { LARGE.lend(layout) } else { small };
    if !block.is_null() {
        memory::lend();
    }
    block
}

/// Whether a block is the reserve's.
#[inline]
fn is_lent(block: *mut u8) -> bool {
    SMALL.holds(block) || LARGE.holds(block)
}

// SAFETY: every block is the system allocator's, which keeps the promises of this trait, or one of the reserve, which is
// as long and as aligned as was asked, nobody else's until it comes back, and never unmapped. Nothing here unwinds.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the layout is good, says the caller of this trait's function.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { lend(layout) } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the layout is good, says the caller of this trait's function.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            return block;
        }
        let block = lend(layout);
        if !block.is_null() {
            // SAFETY: a block of the reserve with room for the layout.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !SMALL.take_back(block) && !LARGE.take_back(block) {
            // SAFETY: not the reserve's, and so the system's with this layout, says the caller.
            unsafe { System.dealloc(block, layout) }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_lent(block) {
            // SAFETY: not the reserve's, and so the system's with this layout, says the caller.
            let moved = unsafe { System.realloc(block, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the size is good for the alignment, says the caller; the new block is another one with room for the
        // lesser of the two sizes; the old one is given up when its bytes are copied.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout::new::<[u64; 4]>();

    #[test]
    fn every_block_is_lent_once_and_again_when_it_came_back() {
        let blocks = Box::new(Blocks::<256, { 256 * 64 * 2 }, 2>::new());
        let all: Vec<*mut u8> = (0..128).map(|_| blocks.lend(LAYOUT)).collect();
        let mut places: Vec<usize> = all.iter().map(|block| block.addr()).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 128);
        assert!(places.iter().all(|place| place % 64 == 0) && all.iter().all(|&block| blocks.holds(block)));
        assert!(blocks.lend(LAYOUT).is_null());
        assert!(blocks.take_back(all[77]));
        assert_eq!(blocks.lend(LAYOUT), all[77]);
        assert!(!blocks.take_back(ptr::dangling_mut()));
    }

    #[test]
    fn what_does_not_fit_a_block_is_not_lent() {
        for layout in [Layout::from_size_align(8193, 8), Layout::from_size_align(8, 128)] {
            assert!(lend(layout.unwrap()).is_null());
        }
    }

    /// In a process of its own: memory that is lent is short for every load that is under way in the process.
    #[test]
    fn a_lent_block_grows_and_shrinks_and_the_core_is_told() {
        let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
        let output = tests.args(["--ignored", "--exact", "reserve::tests::lent_in_its_own_process"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }

    #[test]
    #[ignore = "run by a_lent_block_grows_and_shrinks_and_the_core_is_told"]
    fn lent_in_its_own_process() {
        let watch = memory::Watch::new();
        let block = lend(LAYOUT);
        assert!(watch.check().is_err() && is_lent(block));
        // SAFETY: a block of 32 bytes, as `realloc` and `dealloc` ask; what `realloc` gives is used alone from there on.
        unsafe {
            block.copy_from(b"thirty-two bytes of some content".as_ptr(), 32);
            let more = ALLOCATOR.realloc(block, LAYOUT, 20_000);
            assert_eq!(std::slice::from_raw_parts(more, 32), b"thirty-two bytes of some content");
            let less = ALLOCATOR.realloc(more, Layout::from_size_align_unchecked(20_000, 8), 6);
            assert_eq!(std::slice::from_raw_parts(less, 6), b"thirty");
            ALLOCATOR.dealloc(less, Layout::from_size_align_unchecked(6, 8));
        }
    }
}
