//! The exported C++ symbols. Which of them are published and which inferred: `docs/abi.md`.
//!
//! A mangled name spells the parameter types out, and the original's are not published to the letter. Spellings that
//! pass the same values in the same registers share one body: a string by value is passed by the address of the
//! caller's copy, like a reference.

use std::ffi::c_int;
use std::hint::cold_path;

use super::layout::{AfTable, CxxString, Simulator};
use super::{af_table, object, runtime};
use crate::buffers::Buffers;
use crate::one;
use crate::pointers::numerics;
use pwp_sim_core::{Affine, Error, Function, Numerics, Result};

/// The function of this name; a name that is not UTF-8 is none.
#[inline]
fn named(name: &[u8]) -> Result<Function> {
    Function::of_name(name).ok_or_else(|| Error::UnsupportedFunction(String::from_utf8_lossy(name).into_owned()))
}

/// One element whose scaled input is `v`, where nothing is out of the ordinary.
#[inline(always)]
fn at_once(this: &Simulator, name: &[u8], v: f32, alpha: f32, numerics: Numerics) -> Option<f32> {
    if this.has_callers_tables() {
        return None;
    }
    one::at_once(this.find_route(Function::of_name(name)?, numerics)?, v, alpha)
}

/// A caller's own table at the scaled input `v`.
fn by_callers_table(table: &AfTable, v: f32) -> Option<f32> {
    // SAFETY: the reference says that the table is alive and that no one changes it.
    unsafe { af_table::evaluate(table, v) }
}

/// `simulate`, buffer form. The first float is added, the second multiplies.
fn simulate(this: &Simulator, name: &[u8], buffers: Buffers, affine: &Affine, numerics: Numerics) {
    if let Some((x, out)) = buffers.only()
        && let Some(y) = at_once(this, name, affine.scaled(x), affine.alpha, numerics)
    {
        return out.put(y);
    }
    cold_path();
    simulate_buffers(this, name, buffers, affine, numerics);
}

/// The rest of [`simulate`], out of the way of a call with one element.
#[inline(never)]
fn simulate_buffers(this: &Simulator, name: &[u8], buffers: Buffers, affine: &Affine, numerics: Numerics) {
    runtime::or_throw(name, || {
        let buffers = buffers.checked()?;
        let function = named(name)?;
        let unhandled = match this.callers_table(name, function, numerics) {
            Some(table) => buffers.each(|x| by_callers_table(table, affine.scaled(x))),
            None => buffers.run(this.route(function, numerics)?, affine),
        };
        unhandled.result(function)
    });
}

/// `simulate`, scalar form.
fn simulate_scalar(this: &Simulator, name: &[u8], x: f32, alpha: f32, numerics: Numerics) -> f32 {
    if let Some(y) = at_once(this, name, x, alpha, numerics) {
        return y;
    }
    runtime::or_throw(name, || {
        let function = named(name)?;
        let Some(table) = this.callers_table(name, function, numerics) else {
            return one::evaluate(function, this.route(function, numerics)?, x, alpha);
        };
        by_callers_table(table, x).ok_or(unhandled(function.name()))
    })
}

/// `evaluate_generic`.
fn evaluate_generic(table: &AfTable, x: f32) -> f32 {
    runtime::or_throw(b"", || by_callers_table(table, x).ok_or(unhandled("a caller's table")))
}

/// The error of a call with one input, which no section covers.
fn unhandled(function: &'static str) -> Error {
    Error::UnhandledSection { function, count: 1, first: 0 }
}

/// Defines an exported symbol.
macro_rules! export {
    ($symbol:expr, ($($argument:ident: $type:ty),*) $(-> $result:ty)?, $body:expr) => {
        const _: () = {
            #[unsafe(export_name = $symbol)]
            #[allow(clippy::too_many_arguments, reason = "the original's signature")]
            unsafe extern "C-unwind" fn exported($($argument: $type),*) $(-> $result)? {
                // SAFETY: the original's contract, which its callers keep: objects and names are alive and not written to
                // during the call, and the buffers as long as the count says, unless that is not above 0.
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
            simulate(
                &*this,
                CxxString::bytes(name),
                Buffers::new(out, input, usize::try_from(count).unwrap_or(0)), // a negative count is a no-op
                &Affine { scale: multiplier, bias: addend, alpha },
                numerics(use_pwp),
            )
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
            simulate_scalar(&*this, CxxString::bytes(name), x, alpha, numerics(use_pwp))
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
    evaluate_generic(&*table, x)
);
