//! The exported C++ symbols. Which of them are published and which inferred: `docs/abi.md`.
//!
//! A mangled name spells the parameter types out, and the original's are not published to the letter. Spellings that
//! pass the same values in the same registers share one body: a string by value is passed by the address of the
//! caller's copy, like a reference.

use std::ffi::c_int;
use std::hint::cold_path;

use super::layout::{AfTable, CxxString, Simulator};
use super::{af_table, object, runtime};
use crate::c::buffers;
use pwp_sim_core::Affine;
use pwp_sim_core::Function;
use pwp_sim_core::engine::Route;
use pwp_sim_core::engine::eval::{self, Unhandled};
use pwp_sim_core::engine::exact;
use pwp_sim_core::{Error, Result};

/// The function of this name; a name that is not UTF-8 is none.
#[inline]
fn named(name: &[u8]) -> Result<Function> {
    Function::of_name(name).ok_or_else(|| Error::UnsupportedFunction(String::from_utf8_lossy(name).into_owned()))
}

/// One element whose scaled input is `v`, where nothing is out of the ordinary: a table of ours, and an input that need
/// not take the steps of the definition; or a closed form. No guard against panics, since nothing here can.
///
/// # Safety
/// `this` is a live simulator.
#[inline]
unsafe fn at_once(this: *const Simulator, name: &[u8], v: f32, alpha: f32, use_pwp: bool) -> Option<f32> {
    // SAFETY: the caller's word, here and below.
    if unsafe { (*this).tables.element_count } != 0 {
        return None;
    }
    // SAFETY: as above.
    match unsafe { object::find_route(this, Function::of_name(name)?, use_pwp)? } {
        Route::Table(table, _) => eval::at_once(table, v),
        Route::Exact(function) => Some(exact::evaluate(function, v, alpha)),
    }
}

/// The table of the caller's own that a call takes, if there is one.
///
/// # Safety
/// `this` is a live simulator.
#[inline]
unsafe fn override_of(
    this: *const Simulator,
    name: &[u8],
    function: Function,
    use_pwp: bool,
) -> Option<*const AfTable> {
    // SAFETY: the caller's word.
    unsafe {
        let (can_use, count) = ((*this).can_use_pwp_table != 0, (*this).tables.element_count);
        if count == 0 || !use_pwp || !can_use || function == Function::Prelu {
            return None;
        }
        object::callers_table(this, name)
    }
}

/// `simulate`, buffer form. The first float is added, the second multiplies. A negative count is a no-op.
///
/// # Safety
/// `this` and `name` are live, `input` is readable and `out` writable for `count` floats.
#[allow(clippy::too_many_arguments, reason = "the original's signature")]
unsafe fn simulate(
    this: *const Simulator,
    name: *const CxxString,
    out: *mut f32,
    input: *const f32,
    addend: f32,
    multiplier: f32,
    alpha: f32,
    count: i64,
    use_pwp: bool,
) {
    // SAFETY: the caller's word, here and below.
    let name = unsafe { CxxString::bytes(name) };
    let affine = Affine { scale: multiplier, bias: addend, alpha };
    if count == 1 && buffers::holds_one(input) && buffers::holds_one(out) {
        // SAFETY: as above.
        let y = unsafe { at_once(this, name, affine.scaled(input.read_unaligned()), alpha, use_pwp) };
        if let Some(y) = y {
            // SAFETY: as above.
            return unsafe { out.write_unaligned(y) };
        }
    }
    cold_path();
    // SAFETY: as above.
    unsafe { simulate_buffers(this, name, out, input, &affine, count, use_pwp) }
}

/// The rest of [`simulate`], out of the way of a call with one element.
///
/// # Safety
/// As [`simulate`].
#[inline(never)]
unsafe fn simulate_buffers(
    this: *const Simulator,
    name: &[u8],
    out: *mut f32,
    input: *const f32,
    affine: &Affine,
    count: i64,
    use_pwp: bool,
) {
    runtime::guarded(name, || {
        let function = named(name)?;
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: the caller's word, here and below.
        if let Some(table) = unsafe { override_of(this, name, function, use_pwp) } {
            buffers::check(out, input, count)?;
            // SAFETY: as above, and the check.
            return unsafe { simulate_callers(table, affine, out, input, count) }.result(function);
        }
        // SAFETY: as above.
        let route = unsafe { object::route(this, function, use_pwp)? };
        buffers::check(out, input, count)?;
        // SAFETY: as above, and the check.
        unsafe { buffers::run(route, affine, out, input, count) }.result(function)
    });
}

/// A buffer through a table of the caller's own.
///
/// # Safety
/// `table` is live, `input` readable and `out` writable for `count` floats, of any alignment.
unsafe fn simulate_callers(
    table: *const AfTable,
    affine: &Affine,
    out: *mut f32,
    input: *const f32,
    count: usize,
) -> Unhandled {
    let mut unhandled = Unhandled::default();
    for index in 0..count {
        // SAFETY: the caller's word.
        unsafe {
            let v = affine.scaled(input.add(index).read_unaligned());
            let y = af_table::evaluate(table, v).unwrap_or_else(|| {
                unhandled.add(index);
                eval::NAN
            });
            out.add(index).write_unaligned(y);
        }
    }
    unhandled
}

/// `simulate`, scalar form.
///
/// # Safety
/// `this` and `name` are live.
unsafe fn simulate_scalar(this: *const Simulator, name: *const CxxString, x: f32, alpha: f32, use_pwp: bool) -> f32 {
    // SAFETY: the caller's word, here and below.
    let name = unsafe { CxxString::bytes(name) };
    // SAFETY: as above.
    if let Some(y) = unsafe { at_once(this, name, x, alpha, use_pwp) } {
        return y;
    }
    runtime::guarded(name, || {
        let function = named(name)?;
        // SAFETY: as above.
        let y = match unsafe { override_of(this, name, function, use_pwp) } {
            // SAFETY: as above.
            Some(table) => unsafe { af_table::evaluate(table, x) },
            // SAFETY: as above.
            None => match unsafe { object::route(this, function, use_pwp)? } {
                Route::Exact(function) => Some(exact::evaluate(function, x, alpha)),
                Route::Table(table, _) => eval::evaluate(table, x),
            },
        };
        y.ok_or(Error::UnhandledSection { function: function.name(), count: 1, first: 0 })
    })
}

/// Defines an exported symbol.
macro_rules! export {
    ($symbol:expr, ($($argument:ident: $type:ty),*) $(-> $result:ty)?, $body:expr) => {
        const _: () = {
            #[unsafe(export_name = $symbol)]
            #[allow(clippy::too_many_arguments, reason = "the original's signature")]
            unsafe extern "C-unwind" fn exported($($argument: $type),*) $(-> $result)? {
                // SAFETY: a C++ caller's arguments of the types that the symbol spells.
                unsafe { $body }
            }
        };
    };
}

/// `simulate` in one spelling of its types, as a member function and as a const one.
macro_rules! export_simulate {
    ($parameters:literal, $count:ty) => {
        export_simulate!(@ concat!("_ZN6PWPSim9Simulator8simulate", $parameters), $count);
        export_simulate!(@ concat!("_ZNK6PWPSim9Simulator8simulate", $parameters), $count);
    };
    (@ $symbol:expr, $count:ty) => {
        export!(
            $symbol,
            (this: *const Simulator, name: *const CxxString, out: *mut f32, input: *const f32, addend: f32,
             multiplier: f32, alpha: f32, count: $count, use_pwp: bool),
            simulate(this, name, out, input, addend, multiplier, alpha, count.into(), use_pwp)
        );
    };
}

/// The scalar form in one spelling, as a member function and as a const one.
macro_rules! export_scalar {
    ($parameters:literal) => {
        export_scalar!(@ concat!("_ZN6PWPSim9Simulator8simulate", $parameters));
        export_scalar!(@ concat!("_ZNK6PWPSim9Simulator8simulate", $parameters));
    };
    (@ $symbol:expr) => {
        export!(
            $symbol,
            (this: *const Simulator, name: *const CxxString, x: f32, alpha: f32, use_pwp: bool) -> f32,
            simulate_scalar(this, name, x, alpha, use_pwp)
        );
    };
}

// (std::string const& or std::string, float*, float const* or float*, float, float, float, int or unsigned, bool)
export_simulate!("ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfPKffffib", c_int);
export_simulate!("ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfPKffffjb", u32);
export_simulate!("ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfS9_fffib", c_int);
export_simulate!("ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfS9_fffjb", u32);
export_simulate!("ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfPKffffib", c_int);
export_simulate!("ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfPKffffjb", u32);
export_simulate!("ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfS7_fffib", c_int);
export_simulate!("ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPfS7_fffjb", u32);

// (std::string const& or std::string, float, float, bool)
export_scalar!("ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEffb");
export_scalar!("ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEffb");

// Simulator(std::string const&), complete and base object; ~Simulator(), likewise.
export!(
    "_ZN6PWPSim9SimulatorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    (this: *mut Simulator, path: *const CxxString),
    object::construct(this, path)
);
export!(
    "_ZN6PWPSim9SimulatorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    (this: *mut Simulator, path: *const CxxString),
    object::construct(this, path)
);
export!("_ZN6PWPSim9SimulatorD1Ev", (this: *mut Simulator), object::destroy(this));
export!("_ZN6PWPSim9SimulatorD2Ev", (this: *mut Simulator), object::destroy(this));

// use_pwp_table(), plain and const.
export!("_ZN6PWPSim9Simulator13use_pwp_tableEv", (this: *const Simulator) -> bool, (*this).can_use_pwp_table != 0);
export!("_ZNK6PWPSim9Simulator13use_pwp_tableEv", (this: *const Simulator) -> bool, (*this).can_use_pwp_table != 0);

// evaluate_generic(AFTable&, float, float): the last float is alpha, which no table uses.
export!(
    "_ZN6PWPSim9Simulator16evaluate_genericERNS_7AFTableEff",
    (_this: *const Simulator, table: *const AfTable, x: f32, _alpha: f32) -> f32,
    runtime::guarded(b"", || {
        let unhandled = Error::UnhandledSection { function: "a caller's table", count: 1, first: 0 };
        af_table::evaluate(table, x).ok_or(unhandled)
    })
);
