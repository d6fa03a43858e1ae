//! The system's double-precision libm, declared. The closed forms and the cube of the table path are defined by it
//! (`docs/behaviour.md`, sections 2 and 4), so no Rust port may stand in for it.

// SAFETY: C11 7.12 declares these for every double; they read no memory of ours and touch only `errno` and the
// floating-point exception flags.
#[allow(missing_docs)] // the names are the documentation
unsafe extern "C" {
    pub safe fn atan(x: f64) -> f64;
    pub safe fn erf(x: f64) -> f64;
    pub safe fn exp(x: f64) -> f64;
    pub safe fn log(x: f64) -> f64;
    pub safe fn log1p(x: f64) -> f64;
    pub safe fn pow(x: f64, y: f64) -> f64;
    pub safe fn sin(x: f64) -> f64;
    pub safe fn tanh(x: f64) -> f64;
}
