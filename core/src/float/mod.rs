//! What the numeric model needs of the machine's floats: the system's libm, and the thread's floating-point environment.
//! Below everything else.

pub mod environment;
pub mod libm;

/// The NaN that every build of the evaluators gives: `7fc00000`. IEEE-754 leaves the sign and payload of a computed
/// NaN open and CPUs differ in them, so a NaN that comes out of the arithmetic is replaced by this one.
pub const NAN: f32 = f32::from_bits(0x7fc0_0000);
