//! The exported C++ symbols. Which of them are published and which inferred: `docs/abi.md`.
//!
//! A mangled name spells the parameter types out, and the original's are not published to the letter. Spellings that
//! pass the same values in the same registers share one body: a string by value is passed by the address of the
//! caller's copy, like a reference.

use std::ffi::c_int;

use super::layout::{AfTable, CxxString, Simulator};
use super::throw::{self, Outcome, or_throw};
use super::{af_table, object};
use crate::buffers::Buffers;
use crate::one;
use crate::pointers::{Flag, numerics};
use pwp_sim_core::engine::cold_path;
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

/// `simulate`, buffer form, for all but one element where nothing is out of the ordinary.
///
/// # Safety
/// `this` and `name` are alive and not written to, and the buffers as [`Buffers::new`] asks, for the call.
#[allow(clippy::too_many_arguments, reason = "the original's signature")]
unsafe extern "C" fn simulate_body(
    this: *const Simulator,
    name: *const CxxString,
    out: *mut f32,
    input: *const f32,
    addend: f32,
    multiplier: f32,
    alpha: f32,
    count: i64,
    use_pwp: Flag,
) -> Outcome<()> {
    // SAFETY: alive, unchanged and long enough, says the section above.
    let (this, name, buffers) = unsafe { (&*this, CxxString::bytes(name), buffers(out, input, count)) };
    let (affine, numerics) = (Affine { scale: multiplier, bias: addend, alpha }, numerics(use_pwp));
    throw::outcome(name, || {
        let buffers = buffers.checked()?;
        let function = named(name)?;
        let unhandled = match this.callers_table(name, function, numerics) {
            Some(table) => buffers.each(|x| by_callers_table(table, affine.scaled(x))),
            None => buffers.run(this.route(function, numerics)?, &affine),
        };
        unhandled.result(function)
    })
}

/// A call's buffers; a negative count is none.
///
/// # Safety
/// As [`Buffers::new`].
#[inline(always)]
unsafe fn buffers(out: *mut f32, input: *const f32, count: i64) -> Buffers {
    // SAFETY: the same is asked here.
    unsafe { Buffers::new(out, input, usize::try_from(count).unwrap_or(0)) }
}

/// `simulate`, scalar form, where something is out of the ordinary.
///
/// # Safety
/// `this` and `name` are alive and not written to for the call.
unsafe extern "C" fn scalar_body(
    this: *const Simulator,
    name: *const CxxString,
    x: f32,
    alpha: f32,
    use_pwp: Flag,
) -> Outcome<f32> {
    // SAFETY: alive and unchanged, says the section above.
    let (this, name) = unsafe { (&*this, CxxString::bytes(name)) };
    throw::outcome(name, || {
        let (function, numerics) = (named(name)?, numerics(use_pwp));
        let Some(table) = this.callers_table(name, function, numerics) else {
            return this.route(function, numerics)?.evaluate(function, x, alpha);
        };
        by_callers_table(table, x).ok_or(unhandled(function.name()))
    })
}

/// `evaluate_generic`. The last float is alpha, which no table uses.
///
/// # Safety
/// `table` is alive and not written to for the call.
unsafe extern "C" fn generic_body(_this: *const Simulator, table: *const AfTable, x: f32, _alpha: f32) -> Outcome<f32> {
    // SAFETY: alive and unchanged, says the section above.
    let table = unsafe { &*table };
    throw::outcome(b"", || by_callers_table(table, x).ok_or(unhandled("a caller's table")))
}

or_throw!("pwp_sim_cxx_construct", object::construct);
or_throw!("pwp_sim_cxx_simulate", simulate_body);
or_throw!("pwp_sim_cxx_scalar", scalar_body);
or_throw!("pwp_sim_cxx_generic", generic_body);

// SAFETY: the four above: the arguments and promises of their bodies, and the body's value as the result.
unsafe extern "C-unwind" {
    fn pwp_sim_cxx_construct(this: *mut Simulator, path: *const CxxString);
    fn pwp_sim_cxx_simulate(
        this: *const Simulator,
        name: *const CxxString,
        out: *mut f32,
        input: *const f32,
        addend: f32,
        multiplier: f32,
        alpha: f32,
        count: i64,
        use_pwp: Flag,
    );
    fn pwp_sim_cxx_scalar(this: *const Simulator, name: *const CxxString, x: f32, alpha: f32, use_pwp: Flag) -> f32;
    fn pwp_sim_cxx_generic(this: *const Simulator, table: *const AfTable, x: f32, alpha: f32) -> f32;
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
             multiplier: f32, alpha: f32, count: $count, use_pwp: Flag),
            {
                if let Some((x, out)) = buffers(out, input, count.into()).only()
                    && let v = (Affine { scale: multiplier, bias: addend, alpha }).scaled(x)
                    && let Some(y) = at_once(&*this, CxxString::bytes(name), v, alpha, numerics(use_pwp))
                {
                    return out.put(y);
                }
                cold_path();
                pwp_sim_cxx_simulate(this, name, out, input, addend, multiplier, alpha, count.into(), use_pwp)
            }
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
            (this: *const Simulator, name: *const CxxString, x: f32, alpha: f32, use_pwp: Flag) -> f32,
            match at_once(&*this, CxxString::bytes(name), x, alpha, numerics(use_pwp)) {
                Some(y) => y,
                None => pwp_sim_cxx_scalar(this, name, x, alpha, use_pwp),
            }
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
    pwp_sim_cxx_construct(this, path)
);
export!(
    "_ZN6PWPSim9SimulatorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    (this: *mut Simulator, path: *const CxxString),
    pwp_sim_cxx_construct(this, path)
);
export!("_ZN6PWPSim9SimulatorD1Ev", (this: *mut Simulator), object::destroy(this));
export!("_ZN6PWPSim9SimulatorD2Ev", (this: *mut Simulator), object::destroy(this));

// use_pwp_table(), plain and const.
export!("_ZN6PWPSim9Simulator13use_pwp_tableEv", (this: *const Simulator) -> bool, (*this).can_use_pwp_table != 0);
export!("_ZNK6PWPSim9Simulator13use_pwp_tableEv", (this: *const Simulator) -> bool, (*this).can_use_pwp_table != 0);

// evaluate_generic(AFTable&, float, float).
export!(
    "_ZN6PWPSim9Simulator16evaluate_genericERNS_7AFTableEff",
    (this: *const Simulator, table: *const AfTable, x: f32, alpha: f32) -> f32,
    pwp_sim_cxx_generic(this, table, x, alpha)
);
