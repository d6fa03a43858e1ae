//! What the numeric model needs of the machine's floats: the system's libm, and the thread's floating-point environment.
//! Below everything else.

pub mod environment;
pub mod libm;
