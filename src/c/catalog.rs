//! The C ABI's view of catalogs: function sets, what they hold, and the loads a list of functions takes
//! (`docs/behaviour.md`, section 8). cbindgen makes the header from this file, so the comments here are the header's.

#![allow(non_camel_case_types, reason = "the names are C's")]

#[cfg(test)]
mod tests;

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;

use super::entry::{entry, named, null, put, text};
use super::last_error;
use super::types::pwp_sim_status;
use pwp_sim_core::catalog::Catalog;
use pwp_sim_core::function::FunctionInfo;
use pwp_sim_core::{Error, Result};

/// A catalog: the function sets that the hardware can load, in the order that gives them their indices. Made by
/// pwp_sim_catalog_open, never changed after, shared by any number of threads without a lock.
pub struct pwp_sim_catalog {
    catalog: Catalog,
    /// Of every set its name and its functions' names, for C.
    names: Vec<(CString, Vec<CString>)>,
}

impl pwp_sim_catalog {
    fn new(catalog: Catalog) -> Result<pwp_sim_catalog> {
        let c = |name: &str| {
            CString::new(name).map_err(|_| Error::Internal(format!("a name of a catalog with a NUL, {name:?}")))
        };
        let act = |act: &[(String, u32)]| act.iter().map(|(function, _)| c(function)).collect::<Result<Vec<_>>>();
        let names = catalog.sets.iter().map(|set| Ok((c(&set.name)?, act(&set.act)?))).collect::<Result<_>>()?;
        Ok(pwp_sim_catalog { catalog, names })
    }

    /// Checks the index of a set.
    fn set(&self, index: usize) -> Result<usize> {
        let count = self.catalog.sets.len();
        if index < count { Ok(index) } else { Err(Error::InvalidArgument(format!("set {index} of {count}"))) }
    }

    /// The profile function of this name: a catalog may have functions of its own besides those that are known.
    fn function<'a>(&self, name: &'a str) -> Result<&'a str> {
        if self.catalog.sets.iter().any(|set| set.holds(name)) {
            return Ok(name);
        }
        FunctionInfo::find(name)
            .and_then(|named| named.info.profile)
            .ok_or_else(|| Error::UnsupportedFunction(name.to_owned()))
    }
}

/// # Safety
/// Null, or a catalog that is alive for the call.
unsafe fn opened<'a>(catalog: *const pwp_sim_catalog) -> Result<&'a pwp_sim_catalog> {
    // SAFETY: the caller's word.
    unsafe { catalog.as_ref() }.ok_or_else(|| null("the catalog"))
}

/// Checks that a result has a place, before any result is written.
fn due<T>(out: *const T, what: &str) -> Result<()> {
    if out.is_null() { Err(null(what)) } else { Ok(()) }
}

/// Writes the first `capacity` of `values`.
///
/// # Safety
/// `out` is writable for `capacity` values of any alignment; null only if `capacity` is 0.
unsafe fn put_all(out: *mut usize, capacity: usize, values: impl Iterator<Item = usize>) {
    for (index, value) in values.take(capacity).enumerate() {
        // SAFETY: `index < capacity`, and the caller's word for the rest.
        unsafe { out.add(index).write_unaligned(value) };
    }
}

/// Opens a catalog.
///
/// `dir_or_roster` is a directory with an `act_info.json`, or `"trainium"` or `"with_ln"` for one of the two published
/// rosters, also with `"builtin:"` in front. (A directory of such a name is `"./trainium"`.) Only the `act_info.json` is
/// read, not the tables; to compute with those of a set, give `"<directory>#<set>"` or `"builtin:trainium#<set>"` to
/// pwp_sim_create.
///
/// On success `*out` is a new catalog, to be given to pwp_sim_catalog_close. On failure it is null: PWP_SIM_PROFILE_IO
/// where there is no such roster or file, PWP_SIM_PROFILE_FORMAT where the file is no valid catalog;
/// pwp_sim_last_error names the file, the field and the reason.
///
/// # Safety
/// `dir_or_roster` is null (an error) or NUL-terminated; `out` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_open(
    dir_or_roster: *const c_char,
    out: *mut *mut pwp_sim_catalog,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word, as the comment above has it.
        unsafe { put(out, std::ptr::null_mut())? };
        due(dir_or_roster, "the directory or roster")?;
        // SAFETY: not null, so NUL-terminated by the caller's word.
        let source = OsStr::from_bytes(unsafe { CStr::from_ptr(dir_or_roster) }.to_bytes());
        let catalog = pwp_sim_catalog::new(Catalog::named(source)?)?;
        // SAFETY: as above.
        unsafe { put(out, Box::into_raw(Box::new(catalog))) }
    })
}

/// Frees a catalog, and the strings that came from it. Null is allowed. No call on it may be under way, and none may
/// follow.
///
/// # Safety
/// `catalog` is null or came from pwp_sim_catalog_open and was not closed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_close(catalog: *mut pwp_sim_catalog) {
    if !catalog.is_null() {
        let _ = last_error::guarded(|| {
            // SAFETY: it is the box that pwp_sim_catalog_open made, by the caller's word.
            drop(unsafe { Box::from_raw(catalog) });
            Ok(())
        });
    }
}

/// How many sets the catalog has; 0 for null. A set's index is below it.
///
/// # Safety
/// `catalog` is null or a live catalog.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_count(catalog: *const pwp_sim_catalog) -> usize {
    // SAFETY: the caller's word.
    unsafe { opened(catalog) }.map_or(0, |catalog| catalog.catalog.sets.len())
}

/// The name of a set. The string is the catalog's and lives as long. An index past the sets is
/// PWP_SIM_INVALID_ARGUMENT; `*name` is then not written.
///
/// # Safety
/// `catalog` is null (an error) or live, `name` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_set_name(
    catalog: *const pwp_sim_catalog,
    set: usize,
    name: *mut *const c_char,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word.
        let catalog = unsafe { opened(catalog)? };
        let set_name = &catalog.names[catalog.set(set)?].0;
        // SAFETY: the caller's word.
        unsafe { put(name, set_name.as_ptr()) }
    })
}

/// The index of the set of exactly this name. PWP_SIM_INVALID_ARGUMENT where the catalog has none; `*set` is then not
/// written.
///
/// # Safety
/// `catalog` is null (an error) or live, `name` null (an error) or NUL-terminated, `set` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_set_index(
    catalog: *const pwp_sim_catalog,
    name: *const c_char,
    set: *mut usize,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word.
        let (catalog, name) = unsafe { (opened(catalog)?, text(name, "the set name")?) };
        let none = || Error::InvalidArgument(format!("no set {name:?} among {}", catalog.catalog.sets.len()));
        let index = catalog.catalog.index(name).ok_or_else(none)?;
        // SAFETY: the caller's word.
        unsafe { put(set, index) }
    })
}

/// How many functions a set holds: the length of its act map. An index past the sets is PWP_SIM_INVALID_ARGUMENT.
///
/// # Safety
/// `catalog` is null (an error) or live, `count` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_act_count(
    catalog: *const pwp_sim_catalog,
    set: usize,
    count: *mut usize,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word.
        let catalog = unsafe { opened(catalog)? };
        let act = &catalog.catalog.sets[catalog.set(set)?].act;
        // SAFETY: the caller's word.
        unsafe { put(count, act.len()) }
    })
}

/// Entry `index` of a set's act map, in the order of the file: the name of a profile function ("exp"; the string is the
/// catalog's and lives as long) and its budget, which is 1 for a hardwired function and above 1 the N of the profile
/// `<function>_<N>p`. An index past the sets or past the entries is PWP_SIM_INVALID_ARGUMENT; nothing is then written.
///
/// # Safety
/// `catalog` is null (an error) or live, `profile_function` and `budget` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_act(
    catalog: *const pwp_sim_catalog,
    set: usize,
    index: usize,
    profile_function: *mut *const c_char,
    budget: *mut u32,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word.
        let catalog = unsafe { opened(catalog)? };
        let set = catalog.set(set)?;
        let act = &catalog.catalog.sets[set].act;
        let past = || Error::InvalidArgument(format!("function {index} of {}", act.len()));
        let value = act.get(index).ok_or_else(past)?.1;
        due(profile_function, "profile_function")?;
        due(budget, "budget")?;
        // SAFETY: the caller's word.
        unsafe {
            put(profile_function, catalog.names[set].1[index].as_ptr())?;
            put(budget, value)
        }
    })
}

/// The sets that hold a function, in ascending order of index.
///
/// `function` is a function of the catalog's sets, or else any name of a known one, in this order: that of
/// pwp_sim_simulate ("Ln"), the profile function ("ln"), that of the kernel language ("log"), a profile ("ln_400p").
/// `*count` becomes the number of sets, 0 where none holds it; the first `capacity` of their indices go to `sets`. Ask
/// with `capacity` 0, and then `sets` may be null, to learn how much room is due.
///
/// A name that is no function's is PWP_SIM_UNSUPPORTED_FUNCTION; nothing is then written.
///
/// # Safety
/// `catalog` is null (an error) or live, `function` null (an error) or NUL-terminated, `sets` writable for `capacity`
/// values, `count` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_sets_of(
    catalog: *const pwp_sim_catalog,
    function: *const c_char,
    sets: *mut usize,
    capacity: usize,
    count: *mut usize,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word.
        let (catalog, function) = unsafe { (opened(catalog)?, named(function)?) };
        let holding = catalog.catalog.sets_of(catalog.function(function)?);
        if capacity > 0 {
            due(sets, "sets")?;
        }
        // SAFETY: the caller's word.
        unsafe {
            put(count, holding.len())?;
            put_all(sets, capacity, holding.into_iter());
        }
        Ok(())
    })
}

/// The set loads that a list of `n` functions takes, in order: greedy first fit. The functions since the last load stay
/// together as long as some set holds them all, and the first such set is the one loaded. An empty list takes none.
///
/// `functions` are names as pwp_sim_catalog_sets_of takes them. `*count` becomes the number of loads. For the first
/// `capacity` of them, `sets` gets the set's index and `first` the place in the list of the first function that runs on
/// it. Ask with `capacity` 0, and then both may be null, to learn how much room is due; `n` is always enough.
///
/// A name that is no function's is PWP_SIM_UNSUPPORTED_FUNCTION, a function that no set holds PWP_SIM_NO_PROFILE, and
/// pwp_sim_last_error names it; nothing is then written.
///
/// # Safety
/// `catalog` is null (an error) or live; `functions` has `n` pointers, each null (an error) or NUL-terminated; `sets`
/// and `first` are writable for `capacity` values; `count` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_sequence(
    catalog: *const pwp_sim_catalog,
    functions: *const *const c_char,
    n: usize,
    sets: *mut usize,
    first: *mut usize,
    capacity: usize,
    count: *mut usize,
) -> pwp_sim_status {
    entry(|| {
        // SAFETY: the caller's word.
        let catalog = unsafe { opened(catalog)? };
        if n > 0 {
            due(functions, "functions")?;
        }
        if n > isize::MAX as usize / size_of::<*const c_char>() {
            return Err(Error::InvalidArgument(format!("{n} names do not fit the address space")));
        }
        let mut list = Vec::new();
        for index in 0..n {
            // SAFETY: `index < n`, and the caller's word for the rest.
            let name = unsafe { named(functions.add(index).read_unaligned())? };
            list.push(catalog.function(name)?);
        }
        let loads = catalog.catalog.sequence(&list)?;
        if capacity > 0 {
            due(sets, "sets")?;
            due(first, "first")?;
        }
        // SAFETY: the caller's word.
        unsafe {
            put(count, loads.len())?;
            put_all(sets, capacity, loads.iter().map(|load| load.set));
            put_all(first, capacity, loads.iter().map(|load| load.functions.start));
        }
        Ok(())
    })
}
