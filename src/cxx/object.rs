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
use super::throw::{self, Outcome};
use super::{debug, registry, runtime};
use pwp_sim_core::engine::{MAX_LENGTH, Route, TableSet};
use pwp_sim_core::{Error, Function, Numerics, Result, Source, Tier};

/// The bits of 1.0, which stands for "no tables".
const NO_TABLES: u32 = 0x3f80_0000;

/// What a construction found.
#[derive(Default)]
struct Found {
    can_use_pwp_table: bool,
    /// The number in [`registry`], 0 for no tables.
    id: u32,
}

/// Constructs a simulator in raw memory.
///
/// # Safety
/// `this` is writable memory for the object, `path` a live string apart from it.
pub unsafe extern "C" fn construct(this: *mut Simulator, path: *const CxxString) -> Outcome<()> {
    // SAFETY: a live string, says the section above.
    let path = unsafe { CxxString::bytes(path) };
    let found = match throw::outcome(b"", || open(Path::new(OsStr::from_bytes(path)))).value() {
        Ok(found) => found,
        Err(failure) => return failure,
    };
    // SAFETY: memory for the object, says the section above.
    unsafe {
        if !construct_string(&raw mut (*this).pwp_path, path) {
            return throw::no_memory();
        }
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
    Outcome::default()
}

/// The tables of `path`. A path that cannot be opened has none and is no error; one that can, but is no directory, has
/// none either and still counts as opened.
fn open(path: &Path) -> Result<Found> {
    if path.as_os_str().len() > MAX_LENGTH {
        return Ok(Found::default()); // no system opens it
    }
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

/// False, and nothing done, where there is no memory.
///
/// # Safety
/// `this` is writable memory for a string.
unsafe fn construct_string(this: *mut CxxString, bytes: &[u8]) -> bool {
    // SAFETY: memory for a string, says the section above; either place has room for the bytes and the NUL.
    unsafe {
        let local = (&raw mut (*this).storage).cast::<u8>();
        let data = if bytes.len() <= LOCAL_CAPACITY {
            (*this).storage = Storage { local: [0; 16] };
            local
        } else {
            let data = runtime::new(bytes.len() + 1);
            if data.is_null() {
                return false;
            }
            (*this).storage = Storage { capacity: bytes.len() };
            data
        };
        ptr::copy_nonoverlapping(bytes.as_ptr(), data, bytes.len());
        data.add(bytes.len()).write(0);
        (*this).data = data;
        (*this).size = bytes.len();
        true
    }
}

impl Simulator {
    /// Whether a call of `function` takes a table, be it ours or one of the caller's own.
    #[inline]
    fn table_is_due(&self, function: Function, numerics: Numerics) -> bool {
        numerics == Numerics::Table && self.can_use_pwp_table != 0 && function != Function::Prelu
    }

    /// The simulator behind this object, if it was made with tables.
    #[inline]
    fn registered(&self) -> Option<&'static pwp_sim_core::Simulator> {
        registry::find(self.tables.max_load_factor.to_bits().wrapping_sub(NO_TABLES))
    }

    /// The path of a call, or none where the table path is due and there is no table.
    #[inline]
    pub fn find_route(&self, function: Function, numerics: Numerics) -> Option<Route<'static>> {
        if !self.table_is_due(function, numerics) {
            return Some(Route::Exact(function, Tier::from_env()));
        }
        Route::find(self.registered()?, function, Numerics::Table)
    }

    /// [`Simulator::find_route`], with an error that says which table is missing and where.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when the table path is due and there is no table, [`Error::InvalidArgument`] when the object
    /// was made by another copy of this library.
    pub fn route(&self, function: Function, numerics: Numerics) -> Result<Route<'static>> {
        self.find_route(function, numerics).ok_or_else(|| match self.registered() {
            Some(simulator) => simulator.table(function).err().unwrap_or_else(|| self.no_tables(function)),
            None if self.tables.max_load_factor.to_bits() == NO_TABLES => self.no_tables(function),
            None => Error::InvalidArgument(
                "the simulator was made by another copy of this library, or its max_load_factor was set".to_owned(),
            ),
        })
    }

    #[cold]
    fn no_tables(&self, function: Function) -> Error {
        Error::NoProfile {
            function: function.name().to_owned(),
            detail: "the simulator's path holds no tables".to_owned(),
        }
    }

    /// Whether the caller put tables of its own into the object.
    #[inline]
    pub fn has_callers_tables(&self) -> bool {
        self.tables.element_count != 0
    }

    /// The table that the caller put into `tables` under this name, where a call takes it. It comes before the
    /// directory's own.
    pub fn callers_table(&self, name: &[u8], function: Function, numerics: Numerics) -> Option<&AfTable> {
        if !self.has_callers_tables() || !self.table_is_due(function, numerics) {
            return None;
        }
        let mut node = self.tables.first;
        // SAFETY: libstdc++ keeps the nodes of a live map in a list that ends with null, each with a live key and table;
        // they change only with the map, which the reference to this object says no one changes.
        while let Some(entry) = unsafe { node.as_ref() } {
            // SAFETY: a node of a live map has a live key, and no one changes the map.
            if unsafe { CxxString::bytes(&entry.key) } == name {
                return Some(&entry.table);
            }
            node = entry.next;
        }
        None
    }
}

/// Destroys a simulator as the implicit destructor would, with whatever the caller put into its `tables`.
///
/// # Safety
/// `this` is a live simulator and is used no more.
pub unsafe fn destroy(this: *mut Simulator) {
    // SAFETY: a live object, says the section above: its map's nodes form a list that ends with null, and what is freed
    // here came from `operator new`, in libstdc++'s code or in `construct_string`, each block once.
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
    // SAFETY: a live string, says the section above: data that is not in the string itself came from `operator new`.
    unsafe {
        if (*this).data != (&raw mut (*this).storage).cast::<u8>() {
            runtime::delete((*this).data);
        }
    }
}

/// # Safety
/// `this` is a live vector and is used no more.
unsafe fn destroy_regions(this: *mut Vector<NonsatRegion>) {
    // SAFETY: a live vector, says the section above: its block, and those of the vectors in it, are null or came from
    // `operator new`.
    unsafe {
        for region in Vector::elements(this) {
            runtime::delete(region.sections.begin);
        }
        runtime::delete((*this).begin);
    }
}
