//! What holds for every subcommand alike: one table of them, in `commands.rs`, and a test for each kind of trouble.

mod arguments;
mod commands;
mod interrupts;
mod names;
mod sources;
mod streams;
