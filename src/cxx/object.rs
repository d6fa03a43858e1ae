//! `PWPSim::Simulator` in the caller's memory: its construction and destruction, and how its tables are found from it.
//!
//! The object must keep its tables while the caller copies, moves, assigns and swaps it without our knowledge. Only
//! what libstdc++ copies with the members stays with it, and an unordered_map copies, moves and swaps its maximum load
//! factor. So `tables` is a valid, empty map whose load factor is the simulator's number in [`registry`]: the floats
//! from 1 (libstdc++'s own, "no tables") to 2, a bit pattern each. Nothing is owned, so nothing is freed twice or
//! leaked, and an empty map never looks at its load factor.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use super::layout::{AfTable, CxxString, LOCAL_CAPACITY, Node, NonsatRegion, Simulator, Storage, Vector};
use super::{debug, registry, runtime};
use pwp_sim_core::Function;
use pwp_sim_core::engine::Route;
use pwp_sim_core::engine::TableSet;
use pwp_sim_core::{Error, Numerics, Result, Source};

/// The bits of 1.0, which stands for "no tables".
const NO_TABLES: u32 = 0x3f80_0000;

/// What a construction found.
struct Found {
    can_use_pwp_table: bool,
    /// The number in [`registry`], 0 for no tables.
    id: u32,
}

/// Constructs a simulator in raw memory.
///
/// # Safety
/// `this` is writable memory for the object, `path` a live string apart from it.
pub unsafe fn construct(this: *mut Simulator, path: *const CxxString) {
    // SAFETY: the caller's word.
    let path = unsafe { CxxString::bytes(path) };
    let found = runtime::guarded(b"", || open(Path::new(OsStr::from_bytes(path))));
    // SAFETY: the caller's word. Nothing here needs to be dropped if the string's block cannot be had.
    unsafe {
        construct_string(&raw mut (*this).pwp_path, path);
        (*this).can_use_pwp_table = found.can_use_pwp_table.into();
        let tables = &raw mut (*this).tables;
        (*tables).buckets = &raw mut (*tables).single_bucket;
        (*tables).bucket_count = 1;
        (*tables).first = ptr::null_mut();
        (*tables).element_count = 0;
        (*tables).max_load_factor = f32::from_bits(NO_TABLES + found.id);
        (*tables).next_resize = 0;
        (*tables).single_bucket = ptr::null_mut();
    }
}

/// The tables of `path`. A path that cannot be opened has none and is no error; one that can, but is no directory, has
/// none either and still counts as opened.
fn open(path: &Path) -> Result<Found> {
    let (found, tables) = match Source::parse(path).and_then(|source| TableSet::open(&source)) {
        Ok(None) => (Found { can_use_pwp_table: false, id: 0 }, None),
        Ok(Some(tables)) => {
            (Found { can_use_pwp_table: true, id: registry::number(Arc::clone(&tables))? }, Some(tables))
        }
        Err(Error::ProfileIo { path: of, .. }) if of == path || !path.is_dir() => {
            // Not to wait for the writer of a pipe.
            const O_NONBLOCK: i32 = 0o4000;
            let opened = std::fs::OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(path).is_ok();
            (Found { can_use_pwp_table: opened, id: 0 }, None)
        }
        // A file that cannot be read does not parse, says the original.
        Err(Error::ProfileIo { path, reason }) => {
            return Err(Error::ProfileFormat { file: path, place: String::new(), reason });
        }
        Err(error) => return Err(error),
    };
    if debug::enabled() {
        debug::log(path, found.can_use_pwp_table, tables.as_deref());
    }
    Ok(found)
}

/// # Safety
/// `this` is writable memory for a string.
unsafe fn construct_string(this: *mut CxxString, bytes: &[u8]) {
    // SAFETY: the caller's word; either place has room for the bytes and the NUL.
    unsafe {
        let local = (&raw mut (*this).storage).cast::<u8>();
        let data = if bytes.len() <= LOCAL_CAPACITY {
            (*this).storage = Storage { local: [0; 16] };
            local
        } else {
            let data = runtime::new(bytes.len() + 1);
            (*this).storage = Storage { capacity: bytes.len() };
            data
        };
        ptr::copy_nonoverlapping(bytes.as_ptr(), data, bytes.len());
        data.add(bytes.len()).write(0);
        (*this).data = data;
        (*this).size = bytes.len();
    }
}

/// The path of a call, or none where the table path is due and there is no table.
///
/// # Safety
/// `this` is a live simulator.
#[inline]
pub unsafe fn find_route(this: *const Simulator, function: Function, use_pwp: bool) -> Option<Route<'static>> {
    // SAFETY: the caller's word.
    let (can_use, factor) = unsafe { ((*this).can_use_pwp_table != 0, (*this).tables.max_load_factor) };
    if !use_pwp || !can_use || function == Function::Prelu {
        return Some(Route::Exact(function));
    }
    Route::find(simulator_of(factor)?, function, Numerics::Table)
}

/// [`find_route`], with an error that says which table is missing and where.
///
/// # Safety
/// `this` is a live simulator.
///
/// # Errors
/// [`Error::NoProfile`] when the table path is due and there is no table.
#[inline]
pub unsafe fn route(this: *const Simulator, function: Function, use_pwp: bool) -> Result<Route<'static>> {
    // SAFETY: the caller's word.
    match unsafe { find_route(this, function, use_pwp) } {
        Some(route) => Ok(route),
        // SAFETY: the caller's word.
        None => Err(unsafe { no_table(this, function) }),
    }
}

/// The simulator behind an object with this load factor.
#[inline]
fn simulator_of(factor: f32) -> Option<&'static pwp_sim_core::Simulator> {
    registry::find(factor.to_bits().wrapping_sub(NO_TABLES))
}

/// # Safety
/// `this` is a live simulator.
#[cold]
unsafe fn no_table(this: *const Simulator, function: Function) -> Error {
    // SAFETY: the caller's word.
    let of = simulator_of(unsafe { (*this).tables.max_load_factor });
    of.and_then(|simulator| simulator.table(function).err()).unwrap_or_else(|| Error::NoProfile {
        function: function.name().to_owned(),
        detail: "the simulator's path holds no tables".to_owned(),
    })
}

/// The table that the caller put into `tables` under this name. It comes before the directory's own.
///
/// # Safety
/// `this` is a live simulator.
#[cold]
pub unsafe fn callers_table(this: *const Simulator, name: &[u8]) -> Option<*const AfTable> {
    // SAFETY: the caller's word: a live map's list of nodes.
    unsafe {
        let mut node = (*this).tables.first;
        while !node.is_null() {
            if CxxString::bytes(&raw const (*node).key) == name {
                return Some(&raw const (*node).table);
            }
            node = (*node).next;
        }
        None
    }
}

/// Destroys a simulator as the implicit destructor would, with whatever the caller put into its `tables`.
///
/// # Safety
/// `this` is a live simulator and is used no more.
pub unsafe fn destroy(this: *mut Simulator) {
    // SAFETY: the caller's word; what is freed was allocated by libstdc++ code, here or in the client, each once.
    unsafe {
        let tables = &raw mut (*this).tables;
        let mut node: *mut Node = (*tables).first;
        while !node.is_null() {
            let next = (*node).next;
            destroy_regions(&raw mut (*node).table.pos_region);
            destroy_regions(&raw mut (*node).table.neg_region);
            destroy_string(&raw mut (*node).key);
            runtime::delete(node);
            node = next;
        }
        if (*tables).buckets != &raw mut (*tables).single_bucket {
            runtime::delete((*tables).buckets);
        }
        destroy_string(&raw mut (*this).pwp_path);
    }
}

/// # Safety
/// `this` is a live string and is used no more.
unsafe fn destroy_string(this: *mut CxxString) {
    // SAFETY: the caller's word; data that is not the string's own came from `operator new`.
    unsafe {
        if (*this).data != (&raw mut (*this).storage).cast::<u8>() {
            runtime::delete((*this).data);
        }
    }
}

/// # Safety
/// `this` is a live vector and is used no more.
unsafe fn destroy_regions(this: *mut Vector<NonsatRegion>) {
    // SAFETY: the caller's word; a vector's block is null or came from `operator new`.
    unsafe {
        for region in Vector::elements(this) {
            runtime::delete(region.sections.begin);
        }
        runtime::delete((*this).begin);
    }
}
