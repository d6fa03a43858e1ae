//! The C ABI's view of catalogs: function sets, what they hold, and the loads a list of functions takes
//! (`docs/behaviour.md`, section 8). cbindgen makes the header from this file, so the comments here are the header's.

#![allow(non_camel_case_types, reason = "the names are C's")]

#[cfg(test)]
mod tests;

use std::ffi::{CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;

use super::pwp_sim_status;
use crate::pointers::{Handle, List, Object, Out, Owned, Path, Text, Texts, into_handle};
use pwp_sim_core::catalog::Catalog;
use pwp_sim_core::engine::memory;
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
            let mut bytes = Vec::new();
            memory::reserve(&mut bytes, name.len() + 1)?;
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(0);
            CString::from_vec_with_nul(bytes)
                .map_err(|_| Error::Internal(format!("a name of a catalog with a NUL, {name:?}")))
        };
        let act = |act: &[(String, u32)]| memory::try_collect(act.iter().map(|(function, _)| c(function)));
        let names = catalog.sets.iter().map(|set| Ok::<_, Error>((c(&set.name)?, act(&set.act)?)));
        Ok(pwp_sim_catalog { names: memory::try_collect(names)?, catalog })
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

impl Object for pwp_sim_catalog {
    const WHAT: &str = "the catalog";
}

/// Opens a catalog.
///
/// `dir_or_roster` is a directory with an `act_info.json`, or `"trainium"` or `"with_ln"` for one of the two published
/// rosters, also with `"builtin:"` in front. (A directory of such a name is `"./trainium"`.) Only the `act_info.json` is
/// read, not the tables; to compute with those of a set, give `"<directory>#<set>"` or `"builtin:trainium#<set>"` to
/// pwp_sim_create.
///
/// On success `*out` is a new catalog, to be given to pwp_sim_catalog_close. On failure it is null: PWP_SIM_PROFILE_IO
/// where there is no such roster or file, PWP_SIM_PROFILE_FORMAT where the file is no valid catalog, PWP_SIM_NO_MEMORY where
/// there is not enough memory for it; pwp_sim_last_error names the file, the field and the reason.
///
/// # Safety
/// `dir_or_roster` is null (an error) or NUL-terminated; `out` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_open(
    dir_or_roster: *const c_char,
    out: *mut *mut pwp_sim_catalog,
) -> pwp_sim_status {
    entry!(out = Out(out, "out"), source = Path(dir_or_roster) => {
        out.put(std::ptr::null_mut());
        let source = source.ok_or_else(|| Error::InvalidArgument("the directory or roster is null".to_owned()))?;
        let catalog = pwp_sim_catalog::new(Catalog::named(OsStr::from_bytes(source))?)?;
        out.put(into_handle(catalog)?);
        Ok(())
    })
}

/// Frees a catalog, and the strings that came from it. Null is allowed. No call on it may be under way, and none may
/// follow.
///
/// # Safety
/// `catalog` is null or came from pwp_sim_catalog_open and was not closed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_close(catalog: *mut pwp_sim_catalog) {
    entry!(catalog = Owned(catalog) => {
        drop(catalog);
        Ok(())
    }, or ())
}

/// How many sets the catalog has; 0 for null. A set's index is below it.
///
/// # Safety
/// `catalog` is null or a live catalog.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_catalog_count(catalog: *const pwp_sim_catalog) -> usize {
    entry!(catalog = Handle(catalog) => { Ok(catalog.catalog.sets.len()) }, or 0)
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
    entry!(catalog = Handle(catalog), name = Out(name, "name") => {
        name.put(catalog.names[catalog.set(set)?].0.as_ptr());
        Ok(())
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
    entry!(catalog = Handle(catalog), name = Text(name, "the set name"), set = Out(set, "set") => {
        let none = || Error::InvalidArgument(format!("no set {name:?} among {}", catalog.catalog.sets.len()));
        set.put(catalog.catalog.index(name).ok_or_else(none)?);
        Ok(())
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
    entry!(catalog = Handle(catalog), count = Out(count, "count") => {
        count.put(catalog.catalog.sets[catalog.set(set)?].act.len());
        Ok(())
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
    entry!(
        catalog = Handle(catalog),
        profile_function = Out(profile_function, "profile_function"),
        budget = Out(budget, "budget") =>
    {
        let set = catalog.set(set)?;
        let act = &catalog.catalog.sets[set].act;
        let past = || Error::InvalidArgument(format!("function {index} of {}", act.len()));
        budget.put(act.get(index).ok_or_else(past)?.1);
        profile_function.put(catalog.names[set].1[index].as_ptr());
        Ok(())
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
    entry!(
        catalog = Handle(catalog),
        function = Text(function, "the function name"),
        sets = List(sets, capacity, "sets"),
        count = Out(count, "count") =>
    {
        let holding = catalog.catalog.sets_of(catalog.function(function)?);
        count.put(holding.len());
        sets.put(holding);
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
    entry!(
        catalog = Handle(catalog),
        functions = Texts(functions, n, "functions"),
        sets = List(sets, capacity, "sets"),
        first = List(first, capacity, "first"),
        count = Out(count, "count") =>
    {
        let functions = functions.into_iter().map(|name| catalog.function(name));
        let loads = catalog.catalog.sequence(&functions.collect::<Result<Vec<_>>>()?)?;
        count.put(loads.len());
        sets.put(loads.iter().map(|load| load.set));
        first.put(loads.iter().map(|load| load.functions.start));
        Ok(())
    })
}
