//! The functions a catalog knows, by the name of their profile: ids, class and published size, all from
//! [`function::ROWS`](crate::function::ROWS) (`docs/figures.md`, functions).

use crate::function::{Function, ROWS, Row};

/// How the silicon computes a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// No body: the four saturation sections are the whole function.
    Hardwired,
    /// A table of octaves and sections.
    Table,
}

/// The rows with a profile: the 36 functions of a trainium catalog.
pub fn functions() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| row.profile.is_some())
}

/// The row of a profile function: `exp`.
pub fn by_profile(profile: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.profile == Some(profile))
}

/// The row of a function by any of its names: the profile's (`ln`), the compiler's (`Ln`) or the front end's (`log`),
/// looked for in this order.
pub fn by_any_name(name: &str) -> Option<&'static Row> {
    by_profile(name).or_else(|| {
        functions().find(|row| row.name == Some(name)).or_else(|| functions().find(|row| row.front_end == Some(name)))
    })
}

/// The function the simulator computes for a profile function, if it does.
pub fn simulated(profile: &str) -> Option<Function> {
    by_profile(profile)?.function
}

/// Hardwired functions are those with a published table of no section.
pub fn class(row: &Row) -> Class {
    if row.published_sections == Some(0) { Class::Hardwired } else { Class::Table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::roster::RESIDENTS;

    #[test]
    fn the_hardwired_functions_are_the_residents_of_every_trainium_set() {
        let mut hardwired: Vec<&str> =
            functions().filter(|row| class(row) == Class::Hardwired).filter_map(|row| row.profile).collect();
        let mut residents = RESIDENTS.to_vec();
        hardwired.sort_unstable();
        residents.sort_unstable();
        assert_eq!(hardwired, residents);
        assert_eq!(functions().count(), 36);
    }

    #[test]
    fn a_function_is_found_by_each_of_its_names() {
        for name in ["ln", "Ln", "log"] {
            assert_eq!(by_any_name(name).unwrap().function, Some(Function::Ln));
        }
        assert_eq!(by_any_name("erf").unwrap().function, Some(Function::Erf));
        assert_eq!(by_any_name("Is_finite").unwrap().profile, Some("is_finite"));
        assert_eq!(by_any_name("Ln_prime"), None);
        assert_eq!(by_any_name(""), None);
    }

    #[test]
    fn six_functions_of_the_catalog_have_no_simulation() {
        assert_eq!(functions().filter(|row| row.function.is_none()).count(), 6);
        assert_eq!(simulated("derivative_relu"), None);
        assert_eq!(simulated("memset_zero"), Some(Function::MemsetZero));
    }
}
