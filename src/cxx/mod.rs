//! The C++ ABI: the original library's own symbols (`docs/behaviour.md`, section 7; every symbol is in `docs/abi.md`).
//!
//! A client of the original holds a `PWPSim::Simulator` inside its own objects, and copies and destroys it with code
//! that was compiled into the client. So what we construct there is two valid libstdc++ objects and nothing of ours:
//! [`object`] says how the tables are found from it again.
//!
//! [`layout`] alone knows what libstdc++'s objects look like, [`runtime`] what its heap's functions are called, [`throw`]
//! how to leave a call by an exception, [`symbols`] what the original's functions are called.

mod af_table;
mod debug;
mod layout;
mod object;
mod registry;
mod runtime;
mod symbols;
mod throw;
