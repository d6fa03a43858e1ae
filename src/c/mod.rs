//! The C ABI. cbindgen makes `include/pwp_sim.h` from this folder.
//!
//! Every call is an `entry!`: one way in, in which the arguments are checked first, in their order; then the function is
//! looked up; then its table; then the inputs are computed. So a call that is wrong in two ways gives the same status
//! whichever call it is.

/// The body of an exported call.
///
/// ```text
/// entry!(sim = Handle(sim), out = Out(out, "out") => { ... })
/// entry!(sim = Handle(sim) => { ... }, or false)
/// ```
///
/// Each argument is a type of `pointers` or `buffers`, made of what the call was given and checked in the order written;
/// the first that is bad ends the call. The body then sees what the checks gave. It runs behind the panic boundary and
/// gives a `Result`: of nothing, for a call that returns a status, or of what the call returns, with `or` for failure.
macro_rules! entry {
    ($($argument:ident = $kind:ident($($part:expr),*)),* => $body:block $(, or $failure:expr)?) => {{
        // SAFETY: what each type asks of its pointer is what the exported call's `# Safety` section, which stands in the
        // header, asks of the caller.
        $(let $argument = unsafe { $kind::new($($part),*) };)*
        entry!(@ {
            $(let $argument = $argument.checked()?;)*
            $body
        } $(, $failure)?)
    }};
    (@ $checked:block) => {
        $crate::boundary::run(
            move || $checked.map(|()| $crate::c::types::pwp_sim_status::PWP_SIM_OK),
            $crate::c::types::pwp_sim_status::from,
        )
    };
    (@ $checked:block, $failure:expr) => {
        $crate::boundary::run(move || $checked, |_| $failure)
    };
}

pub mod calls;
pub mod catalog;
pub mod info;
pub mod types;
