//! The names by which people may call a function, and what they may have meant by others.

#[cfg(feature = "mpfr")]
use anyhow::Context;
use anyhow::{Result, bail};
use pwp_sim_core::function::{FUNCTIONS, FunctionInfo, Named, ProfileName};

#[cfg(feature = "mpfr")]
use crate::truth::Curve;

/// The most names that are suggested.
const SUGGESTIONS: usize = 5;

/// The function of a compiler name (`Gelu_apprx_tanh`), a profile function (`reciprocal_sqrt`), a front-end name
/// (`gelu_dx`) or the name of a profile (`ln_400p`), as [`FunctionInfo::find`] has them.
///
/// # Errors
/// Where no function has the name; the text lists those that are near.
pub fn find(name: &str) -> Result<Named> {
    if let Some(named) = FunctionInfo::find(name) {
        return Ok(named);
    }
    let near = near(name);
    if near.is_empty() {
        bail!(
            "no function is named {name}; known are the compiler's names (Gelu), the front end's (gelu_dx), the \
             profiles' (derivative_gelu) and these with a budget (derivative_gelu_40p)"
        );
    }
    bail!("no function is named {name}; near it are {}", near.join(", "));
}

/// The curve of a function with a profile, by the names of [`find`].
///
/// # Errors
/// As [`find`], and where the function has no profile.
#[cfg(feature = "mpfr")]
pub fn curve(name: &str) -> Result<Curve> {
    let curve = find(name)?.info.profile.and_then(|profile| profile.parse().ok());
    curve.with_context(|| format!("{name} has no profile, so there is no table to make"))
}

/// The known names nearest to `name`: those that it is part of or that are part of it, and those that a few slips of the
/// keyboard lead to, the likeliest first. Case does not count, nor does a budget.
fn near(name: &str) -> Vec<&'static str> {
    let meant = ProfileName::parse(name).map_or(name, |profile| profile.function).to_lowercase();
    if meant.is_empty() {
        return Vec::new();
    }
    let distance = |known: &str| {
        let known = known.to_lowercase();
        let slips = slips(&meant, &known);
        // One slip in three letters, two in six.
        let few = slips <= meant.chars().count().min(known.chars().count()).div_ceil(3).min(3);
        (few || known.contains(&meant) || meant.contains(&known)).then_some(slips)
    };
    let known = FUNCTIONS.iter().flat_map(FunctionInfo::names);
    let mut near: Vec<(usize, &str)> = known.filter_map(|known| Some((distance(known)?, known))).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, known)| known).take(SUGGESTIONS).collect()
}

/// How many letters must be put in, taken out or changed to make one text of the other.
fn slips(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    // The distances of what was read of `one` to every beginning of `other`.
    let mut distances: Vec<usize> = (0..=other.len()).collect();
    for letter in one.chars() {
        let mut diagonal = distances[0];
        distances[0] += 1;
        for (index, &known) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != known);
            diagonal = distances[index + 1];
            distances[index + 1] = change.min(diagonal + 1).min(distances[index] + 1);
        }
    }
    distances[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (one, other, count) in
            [("", "", 0), ("tanh", "tanh", 0), ("tahn", "tanh", 2), ("", "ln", 2), ("exq", "exp", 1)]
        {
            assert_eq!((slips(one, other), slips(other, one)), (count, count), "{one} {other}");
        }
    }

    #[test]
    fn a_slip_of_the_keyboard_suggests_what_was_meant() {
        for (name, meant) in [
            ("sigmiod", "sigmoid"),
            ("TANH", "Tanh"),
            ("softpls", "softplus"),
            ("gelu_apprx", "gelu_apprx_tanh"),
            ("exq_400p", "exp"),
        ] {
            let text = find(name).unwrap_err().to_string();
            assert!(text.contains(name) && near(name).contains(&meant), "{text}");
        }
    }

    #[test]
    fn what_is_near_no_name_suggests_none() {
        for name in ["", "zzzzzzzz", "é"] {
            assert_eq!(near(name), Vec::<&str>::new(), "{name}");
            assert!(find(name).unwrap_err().to_string().contains("known are"));
        }
    }
}
