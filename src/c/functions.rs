//! The C ABI: the calls of `include/pwp_sim.h` that tell of functions: which there are, their names and numbers, and how
//! the silicon computes them (`docs/behaviour.md`, section 2, and `docs/figures.md`). The comments here are the header's.

#![allow(non_camel_case_types, reason = "the names are C's")]

#[cfg(test)]
mod tests;

use std::ffi::{CString, c_char};

use super::calls::FunctionId;
use super::pwp_sim_status;
use crate::pointers::{List, Name, Out, Text};
use pwp_sim_core::catalog::roster;
use pwp_sim_core::function::Class;
use pwp_sim_core::{Error, Function};

/// How the silicon computes a function.
#[doc = "cbindgen:rename-all=None"]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pwp_sim_class {
    /// It does not: the closed form is all there is.
    PWP_SIM_CLASS_CLOSED_FORM = 0,
    /// Without sections: the four saturation sections are the whole function.
    PWP_SIM_CLASS_HARDWIRED = 1,
    /// By a table of octaves and sections.
    PWP_SIM_CLASS_TABLE = 2,
}

impl From<Class> for pwp_sim_class {
    fn from(class: Class) -> Self {
        match class {
            Class::Hardwired => Self::PWP_SIM_CLASS_HARDWIRED,
            Class::Table => Self::PWP_SIM_CLASS_TABLE,
            _ => Self::PWP_SIM_CLASS_CLOSED_FORM,
        }
    }
}

/// The names and numbers of a function. The strings are static.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pwp_sim_function_info_t {
    /// The compiler's name, which pwp_sim_simulate takes: "Ln".
    pub name: *const c_char,
    /// The profile function: "ln". Null for a function without one.
    pub profile: *const c_char,
    /// The profile that a directory is expected to hold: "ln_40p". Null where none is loaded.
    pub profile_name: *const c_char,
    /// The name in the kernel language: "log". Null for a function without one.
    pub front_end: *const c_char,
    /// The function.
    pub function: FunctionId,
    /// How the silicon computes it.
    pub function_class: pwp_sim_class,
    /// The compiler's BIR ordinal; -1 for a function without one.
    pub bir: i32,
    /// The silicon's code of the function, on trainium; -1 where none is published.
    pub neuron_id: i32,
    /// The N of `<profile>_<N>p` in profile_name; 0 where that is null.
    pub budget: u32,
    /// Sections of the published table of that profile; 0 for a hardwired function, -1 where none is published.
    pub published_sections: i32,
}

impl pwp_sim_function_info_t {
    fn of(function: Function) -> Self {
        let (info, names) = (function.info(), function.c_names());
        let c = |name: &'static Option<CString>| name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr());
        let number = |number: Option<u32>| number.map_or(-1, |number| number as i32);
        Self {
            name: names.name.as_ptr(),
            profile: c(&names.profile),
            profile_name: c(&names.profile_name),
            front_end: c(&names.front_end),
            function: function as FunctionId,
            function_class: info.class().into(),
            bir: number(info.bir.map(u32::from)),
            neuron_id: number(info.neuron_id),
            budget: info.budget,
            published_sections: number(info.published_sections),
        }
    }
}

/// A published profile of a function: the profile `<profile>_<budget>p`, where `<profile>` is the function's.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct pwp_sim_profile_t {
    /// The budget, 1 for a hardwired function.
    pub budget: u32,
    /// The sections of all octaves, without the four of the saturation points.
    pub sections: u32,
    /// The octaves of both signs.
    pub octaves: u32,
}

/// How many functions there are.
#[unsafe(no_mangle)]
pub extern "C" fn pwp_sim_function_count() -> usize {
    Function::all().len()
}

/// The function of this index, below pwp_sim_function_count, in ascending order of their values. An index past the
/// functions is PWP_SIM_INVALID_ARGUMENT; `*out` is then not written.
///
/// # Safety
/// `out` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_function_at(index: usize, out: *mut FunctionId) -> pwp_sim_status {
    entry!(out = Out(out, "out") => {
        let past = || Error::InvalidArgument(format!("function {index} of {}", Function::all().len()));
        out.put(Function::all().nth(index).ok_or_else(past)? as FunctionId);
        Ok(())
    })
}

/// Looks up a function by its exact, case-sensitive name. PWP_SIM_UNSUPPORTED_FUNCTION for an unknown one; `*out` is
/// then not written.
///
/// # Safety
/// `name` is null or NUL-terminated, `out` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_function_from_name(name: *const c_char, out: *mut FunctionId) -> pwp_sim_status {
    entry!(name = Name(name), out = Out(out, "out") => {
        out.put(name.function()? as FunctionId);
        Ok(())
    })
}

/// Looks up a function by any of its names, in this order: that of pwp_sim_simulate ("Ln"), the profile function ("ln"),
/// that of the kernel language ("log"), a profile ("ln_400p", whatever its number). PWP_SIM_UNSUPPORTED_FUNCTION for a name
/// that is no function's, and for that of one that catalogs have and no library computes ("is_finite"); `*out` is then not
/// written.
///
/// # Safety
/// `name` is null or NUL-terminated, `out` null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_function_from_any_name(name: *const c_char, out: *mut FunctionId) -> pwp_sim_status {
    entry!(name = Text(name, "the function name"), out = Out(out, "out") => {
        out.put(Function::from_any_name(name)? as FunctionId);
        Ok(())
    })
}

/// The name of a function, a static string; null for an integer that is none of the enum's.
#[unsafe(no_mangle)]
pub extern "C" fn pwp_sim_function_name(function: FunctionId) -> *const c_char {
    entry!(=> { Ok(Function::from_id(function)?.c_name().as_ptr()) }, or std::ptr::null())
}

/// The names and numbers of a function. PWP_SIM_UNSUPPORTED_FUNCTION for an integer that is none of the enum's; `*out` is
/// then not written.
///
/// # Safety
/// `out` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_function_info(
    function: FunctionId,
    out: *mut pwp_sim_function_info_t,
) -> pwp_sim_status {
    entry!(out = Out(out, "out") => {
        out.put(pwp_sim_function_info_t::of(Function::from_id(function)?));
        Ok(())
    })
}

/// The published profiles of a function, in ascending order of their budgets: ln has two, Ln_prime none.
///
/// `*count` becomes their number; the first `capacity` of them go to `profiles`. Ask with `capacity` 0, and then `profiles`
/// may be null, to learn how much room is due. PWP_SIM_UNSUPPORTED_FUNCTION for an integer that is none of the enum's;
/// nothing is then written.
///
/// # Safety
/// `profiles` is writable for `capacity` values; `count` is null (an error) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwp_sim_function_profiles(
    function: FunctionId,
    profiles: *mut pwp_sim_profile_t,
    capacity: usize,
    count: *mut usize,
) -> pwp_sim_status {
    entry!(profiles = List(profiles, capacity, "profiles"), count = Out(count, "count") => {
        let profile = Function::from_id(function)?.info().profile;
        let sizes = roster::SIZES.iter().filter(|size| profile == Some(size.profile.function));
        let mut published: Vec<pwp_sim_profile_t> = sizes
            .map(|size| pwp_sim_profile_t {
                budget: size.profile.budget,
                sections: size.sections,
                octaves: size.octaves,
            })
            .collect();
        published.sort_unstable_by_key(|profile| profile.budget);
        count.put(published.len());
        profiles.put(published);
        Ok(())
    })
}
