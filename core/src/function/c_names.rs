//! The names of every function for C, with their NULs: made once a process.

use std::ffi::{CStr, CString};

use once_cell::race::OnceBox;

use super::{COUNT, FUNCTIONS, Function};

/// A function's names for C.
#[derive(Debug)]
#[non_exhaustive]
pub struct CNames {
    /// [`Function::name`].
    pub name: CString,
    /// The profile function.
    pub profile: Option<CString>,
    /// [`Function::profile_name`].
    pub profile_name: Option<CString>,
    /// The front end's name.
    pub front_end: Option<CString>,
}

impl CNames {
    fn of(function: Function) -> CNames {
        // No name has a NUL, a test says.
        let c = |name: &str| CString::new(name).unwrap_or_default();
        let info = function.info();
        CNames {
            name: c(function.name()),
            profile: info.profile.map(c),
            profile_name: function.profile_name().map(|profile| c(&profile.to_string())),
            front_end: info.front_end.map(c),
        }
    }
}

impl Function {
    /// The function's names for C.
    pub fn c_names(self) -> &'static CNames {
        // Not a cell that waits: a fork may leave one half filled.
        static NAMES: OnceBox<[CNames; COUNT]> = OnceBox::new();
        let all = || {
            Box::new(std::array::from_fn(|index| {
                CNames::of(FUNCTIONS[index].function.expect("the first are the simulator's functions"))
            }))
        };
        &NAMES.get_or_init(all)[self.index()]
    }

    /// [`Function::name`] for C.
    pub fn c_name(self) -> &'static CStr {
        &self.c_names().name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_for_c_are_the_others() {
        let text = |name: &Option<CString>| name.as_ref().map(|name| name.to_str().unwrap().to_owned());
        for function in Function::all() {
            let (names, info) = (function.c_names(), function.info());
            assert_eq!(function.c_name().to_str(), Ok(function.name()));
            assert_eq!(text(&names.profile).as_deref(), info.profile);
            assert_eq!(text(&names.front_end).as_deref(), info.front_end);
            assert_eq!(text(&names.profile_name), function.profile_name().map(|profile| profile.to_string()));
        }
    }
}
