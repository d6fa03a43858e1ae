//! What a load costs: memory at most a multiple of the files plus a constant, and time in proportion to them, at 1, 10 and
//! 60 MB, whatever is in the files. `docs/reliability.md` states the multiples. The shapes are those that make the most of
//! each byte: short members, equal keys, long strings, and what is refused at the end of the file.
//!
//! Memory is what the thread has asked the allocator for at its peak, the text of the file included. Time is the thread's
//! processor time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pwp_sim_core::catalog::Catalog;
use pwp_sim_core::catalog::image::{self, Image, Member, Paths};
use pwp_sim_core::profile::{self, Profile, Region, Section};
use pwp_sim_core::{Error, Result, Table};

/// Beside the multiples: the table's 512 octaves and their words, and the text of an error.
const CONSTANT: usize = 128 << 10;
/// Bytes of memory for each byte of a profile, of an image's binary files, and of a manifest or an act_info.json, where
/// a member of seven bytes has a name, a value and a place in the order of names.
const PROFILE: f64 = 3.0;
const RECORDS: f64 = 4.0;
const NAMES: f64 = 28.0;

const SIZES: [usize; 3] = [1_000_000, 10_000_000, 60_000_000];

/// Loads of which the fastest counts: what else runs on the machine takes caches and half of a core, which makes a load
/// slower and never faster.
const TRIES: usize = 5;

/// Counts what the thread has.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn count(more: usize, less: usize) {
    let live = LIVE.get().wrapping_add(more);
    PEAK.set(PEAK.get().max(live));
    LIVE.set(live.wrapping_sub(less));
}

// SAFETY: every block is the system allocator's, which keeps the promises of this trait; counting touches two cells that need
// no allocation and have no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the layout is good, says the caller of this trait's function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the block is the system's with this layout, says the caller of this trait's function.
        unsafe { System.dealloc(block, layout) }
    }

    // The worst: the old block and the new one are there at once.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the block is the system's with this layout and the size is good for it, says the caller.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// The processor time of this thread, in seconds.
fn seconds() -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const THREAD_CPUTIME: i32 = 3;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: POSIX's function, with a place for the time; the two words are Linux's on 64-bit machines.
    assert_eq!(unsafe { clock_gettime(THREAD_CPUTIME, &mut time) }, 0);
    time.seconds as f64 + time.nanoseconds as f64 * 1e-9
}

/// Loads what `make` writes at each size, and holds the load to the bounds. `good` is whether it must succeed.
/// Shapes that take long for each byte, by the mistakes in them, are only tried at the two smaller sizes.
fn holds<T>(name: &str, multiple: f64, good: bool, make: impl Fn(&Path, usize), load: impl Fn(&Path) -> Result<T>) {
    let directory = tempfile::tempdir().unwrap();
    let time = |bytes: u64| {
        let start = seconds();
        let loaded = load(directory.path());
        ((seconds() - start) / bytes as f64, loaded)
    };
    let (mut least, mut last) = (f64::INFINITY, (0, 0.0)); // the time of a byte
    let sizes = if name.contains("mistakes") { &SIZES[..2] } else { &SIZES[..] };
    for &size in sizes {
        make(directory.path(), size);
        let files = std::fs::read_dir(directory.path()).unwrap();
        let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
        assert!((bytes as usize).abs_diff(size) < size / 8, "{name}: {bytes} bytes, not about {size}");
        let before = LIVE.get();
        PEAK.set(before);
        let (taken, loaded) = time(bytes);
        let peak = PEAK.get() - before;
        match loaded {
            Ok(_) => assert!(good, "{name}: it was to be refused"),
            Err(error @ Error::ProfileFormat { .. }) => assert!(!good && error.text().len() < 4096, "{name}: {error}"),
            Err(error) => panic!("{name}: {error}"),
        }
        let factor = (peak as f64 - CONSTANT as f64).max(0.0) / bytes as f64;
        println!("{name:24} {bytes:9} bytes: {factor:5.2} times, {:6.2} ns a byte", taken * 1e9);
        assert!(factor <= multiple, "{name}: {factor:.2} times its {bytes} bytes, more than {multiple}");
        if size == SIZES[0] {
            least = (1..TRIES).map(|_| time(bytes).0).fold(taken, f64::min);
        }
        last = (bytes, taken);
    }
    // Of a square it would be 10 or 60 times as much. A byte costs more where the caches end.
    let (bytes, mut taken) = last;
    let linear = |taken: f64| taken < 6.0 * least;
    for _ in 1..TRIES {
        if linear(taken) {
            break;
        }
        taken = taken.min(time(bytes).0);
    }
    assert!(linear(taken), "{name}: the time is not linear: {least:e} and {taken:e} s a byte");
}

/// `size` bytes: `before`, items as `item` numbers them between commas, and `after`.
fn filled(size: usize, before: &str, after: &str, mut item: impl FnMut(usize, &mut String)) -> String {
    let mut text = String::with_capacity(size + 4096);
    text.push_str(before);
    for number in 0.. {
        if number > 0 {
            text.push(',');
        }
        item(number, &mut text);
        if text.len() + after.len() >= size {
            break;
        }
    }
    text + after
}

/// The text of a profile with `regions` on the positive side, and `extra` members.
fn profile_text(around: &str, size: usize, item: impl FnMut(usize, &mut String)) -> String {
    let text = profile::to_json(&Profile::default(), &[]);
    let (before, after) = text.split_once(r#""pos_exponents":[]"#).expect("an empty side");
    let (open, close) = around.split_once('@').expect("a place for the items");
    filled(size, &format!("{before}{open}"), &format!("{close}{after}"), item)
}

fn hold_profile(name: &str, good: bool, text: impl Fn(usize) -> String) {
    let file = |directory: &Path| directory.join("exp_400p.json");
    let make = |directory: &Path, size| std::fs::write(file(directory), text(size)).unwrap();
    holds(name, PROFILE, good, make, |directory| Table::new(&profile::load(&file(directory))?));
}

const SECTION: &str = r#"{"x":{"int":0},"d0":{"int":0},"d1":{"int":0},"d2":{"int":0},"d3":{"int":0}}"#;

#[test]
fn a_profile_of_one_long_octave_is_within_its_bounds() {
    let around = r#""pos_exponents":[{"exponent":0,"num_sections":8388608,"extract_size":23,"exponent_sections":[@]}]"#;
    hold_profile("profile, sections", true, |size| profile_text(around, size, |_, text| text.push_str(SECTION)));
}

#[test]
fn a_profile_of_many_octaves_is_within_its_bounds() {
    for sections in ["", SECTION] {
        let region = format!(r#"{{"exponent":0,"num_sections":1,"extract_size":0,"exponent_sections":[{sections}]}}"#);
        let name = if sections.is_empty() { "profile, empty octaves" } else { "profile, octaves" };
        hold_profile(name, true, |size| profile_text(r#""pos_exponents":[@]"#, size, |_, text| text.push_str(&region)));
    }
}

#[test]
fn what_a_profile_does_not_read_is_within_its_bounds() {
    let unread = r#""pos_exponents":[],"notes":[@]"#;
    hold_profile("profile, unread numbers", true, |size| profile_text(unread, size, |_, text| text.push('0')));
    hold_profile("profile, unread objects", true, |size| profile_text(unread, size, |_, text| text.push_str("{}")));
    hold_profile("profile, escapes", true, |size| {
        profile_text(unread, size, |_, text| text.extend(["\"", &r"\u0041".repeat(1000), "\""]))
    });
}

#[test]
fn a_profile_that_is_refused_is_within_its_bounds() {
    let cut = |size| {
        let mut text = profile_text(r#""pos_exponents":[@]"#, size, |_, text| text.push_str("[]"));
        text.truncate(text.len() - 1);
        text
    };
    hold_profile("profile, cut", false, cut);
    hold_profile("profile, mistakes", false, |size| {
        profile_text(r#""pos_exponents":[@]"#, size, |_, text| text.push_str("{}"))
    });
}

fn hold_act_info(name: &str, good: bool, before: &str, after: &str, item: impl Fn(usize, &mut String)) {
    let make = |directory: &Path, size| {
        std::fs::write(directory.join("act_info.json"), filled(size, before, after, &item)).unwrap();
    };
    holds(name, NAMES, good, make, Catalog::open);
}

/// What follows the sets of an act_info.json.
const AFTER_SETS: &str = r#"],"pwp_file_keys":["bkt_bin","ctrl_bin","profile_json"]}"#;
const SET: &str = r#"{"name":"a","bkt_bin":"b","ctrl_bin":"c","profile_json":"d","act":{"#;

#[test]
fn a_catalog_of_many_sets_is_within_its_bounds() {
    hold_act_info("act_info, sets", true, r#"{"act_func_sets":["#, AFTER_SETS, |number, text| {
        text.extend([&SET.replace("\"a\"", &format!("\"{number}\"")), "\"f\":1}}"]);
    });
}

#[test]
fn a_set_of_many_functions_is_within_its_bounds() {
    let (before, after) = (format!(r#"{{"act_func_sets":[{SET}"#), format!("}}}}{AFTER_SETS}"));
    let name = |number: usize, text: &mut String| text.extend(["\"", &format!("{number:x}"), "\":"]);
    hold_act_info("act_info, functions", true, &before, &after, |number, text| {
        name(number, text);
        text.push('1');
    });
    hold_act_info("act_info, one function", true, &before, &after, |_, text| text.push_str("\"f\":1"));
    hold_act_info("act_info, mistakes", false, &before, &after, |number, text| {
        name(number, text);
        text.push('0');
    });
}

#[test]
fn a_catalog_that_is_refused_is_within_its_bounds() {
    let before = r#"{"act_func_sets":[],"pwp_file_keys":["#;
    hold_act_info("act_info, keys", false, before, "]}", |_, text| text.push_str("\"\""));
    hold_act_info("act_info, equal sets", false, r#"{"act_func_sets":["#, AFTER_SETS, |_, text| {
        text.extend([SET, "}}"]);
    });
}

fn hold_image(name: &str, multiple: f64, good: bool, make: impl Fn(usize) -> Image) {
    let paths = |directory: &Path| Paths::of_set(directory, "s");
    let write = |directory: &Path, size| make(size).save(&paths(directory)).unwrap();
    holds(name, multiple, good, write, |directory| {
        let paths: Paths = paths(directory);
        image::read(&Image::load(&paths)?, &paths)
    });
}

/// An image of one function with one octave of so many sections.
fn image_of(sections: usize) -> Image {
    let sections = vec![Section::default(); sections];
    let extract_size = sections.len().next_power_of_two().trailing_zeros();
    let octave = Region { exponent: 0, num_sections: 1 << extract_size, extract_size, sections };
    let table = Table::new(&Profile { pos: vec![octave], ..Profile::default() }).unwrap();
    image::write("s", &[Member::new("exp", 400, Arc::new(table))], image::TRAINIUM_STRIDE).unwrap()
}

/// An image whose manifest has `size` bytes, filled with items at the mark `@` in `around`, which stands for `member`.
fn manifest_of(member: &str, around: &str, size: usize, item: impl FnMut(usize, &mut String)) -> Image {
    let mut image = image_of(1);
    let (before, after) = image.manifest.split_once(member).expect("the member");
    let (open, close) = around.split_once('@').expect("a place for the items");
    image.manifest = filled(size, &format!("{before}{open}"), &format!("{close}{after}"), item);
    image
}

#[test]
fn an_image_of_many_records_is_within_its_bounds() {
    hold_image("image, records", RECORDS, true, |size| image_of(size / 32 - 60));
}

#[test]
fn a_manifest_is_within_its_bounds() {
    let key = "\"func_to_bkt_start_idx\": {";
    hold_image("manifest, unread", NAMES, true, |size| {
        manifest_of(key, &format!("\"notes\":[@],{key}"), size, |_, text| text.push('0'))
    });
    hold_image("manifest, equal keys", NAMES, true, |size| {
        manifest_of(key, &format!("{key}@,"), size, |_, text| text.push_str("\"exp\":0"))
    });
}

#[test]
fn a_manifest_that_is_refused_is_within_its_bounds() {
    let key = "\"func_exp_to_bkt_start_idx\": {";
    hold_image("manifest, functions", NAMES, false, |size| {
        manifest_of(key, &format!("{key}@,"), size, |number, text| text.extend(["\"", &format!("{number:x}"), "\":{}"]))
    });
    hold_image("manifest, exponents", NAMES, false, |size| {
        manifest_of(key, &format!("{key}\"f\":{{@}},"), size, |number, text| {
            text.extend(["\"", &(number % 256).to_string(), "\":[1]"]);
        })
    });
    hold_image("manifest, mistakes", NAMES, false, |size| {
        manifest_of(key, &format!("{key}@,"), size, |number, text| text.extend(["\"", &format!("{number:x}"), "\":0"]))
    });
}

#[test]
fn a_file_beyond_the_limit_is_refused_before_it_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path: PathBuf = directory.path().join("exp_400p.json");
    std::fs::File::create(&path).unwrap().set_len(10 << 30).unwrap(); // a hole of 10 GiB
    let before = LIVE.get();
    PEAK.set(before);
    let error = profile::load(&path).unwrap_err();
    assert!(matches!(&error, Error::ProfileFormat { .. }), "{error}");
    assert!(PEAK.get() - before < CONSTANT, "{} bytes", PEAK.get() - before);
}
