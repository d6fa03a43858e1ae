//! The names by which people may call a function.

use anyhow::{Result, bail};
use pwp_sim::function::ROWS;

use crate::truth::Curve;

/// The curve of a compiler name (`Gelu_apprx_tanh`), a front-end name (`gelu_dx`) or a profile name
/// (`reciprocal_sqrt`).
///
/// # Errors
/// Where no function has the name; the text lists those that are close.
pub fn curve(name: &str) -> Result<Curve> {
    let row = ROWS.iter().find(|row| [row.name, row.front_end, row.profile].contains(&Some(name)));
    if let Some(curve) = row.and_then(|row| row.profile).and_then(|profile| profile.parse().ok()) {
        return Ok(curve);
    }
    let lower = name.to_lowercase();
    let close = |known: &&str| {
        let known = known.to_lowercase();
        known.contains(&lower) || lower.contains(&known)
    };
    let known = ROWS.iter().flat_map(|row| [row.name, row.front_end, row.profile]).flatten();
    let mut near: Vec<&str> = if lower.is_empty() { Vec::new() } else { known.filter(close).collect() };
    near.sort_unstable();
    near.dedup();
    if near.is_empty() {
        bail!("no function is called {name:?}");
    }
    bail!("no function is called {name:?}; there are {}", near.join(", "));
}
