//! The `pwp` command.

fn main() {}
