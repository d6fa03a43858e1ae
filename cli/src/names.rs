//! The names by which people may call a function.

#[cfg(feature = "mpfr")]
use anyhow::Context;
use anyhow::{Result, bail};
use pwp_sim_core::function::{ROWS, Row};

#[cfg(feature = "mpfr")]
use crate::truth::Curve;

/// The row of a compiler name (`Gelu_apprx_tanh`), a front-end name (`gelu_dx`) or a profile name (`reciprocal_sqrt`).
///
/// # Errors
/// Where no function has the name; the text lists those that are close.
pub fn row(name: &str) -> Result<&'static Row> {
    if let Some(row) = ROWS.iter().find(|row| [row.name, row.front_end, row.profile].contains(&Some(name))) {
        return Ok(row);
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
        bail!(
            "no function is called {name:?}; known are the compiler's names (Gelu), the front end's (gelu_dx) and the \
             profiles' (derivative_gelu)"
        );
    }
    bail!("no function is called {name:?}; there are {}", near.join(", "));
}

/// The curve of a function with a profile, by the names of [`row`].
///
/// # Errors
/// As [`row`], and where the function has no profile.
#[cfg(feature = "mpfr")]
pub fn curve(name: &str) -> Result<Curve> {
    let curve = row(name)?.profile.and_then(|profile| profile.parse().ok());
    curve.with_context(|| format!("{name} has no profile, so there is no table to make"))
}
