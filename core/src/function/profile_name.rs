//! The name of a profile, `<function>_<N>p`: the one place that reads and writes it.

use std::fmt;

/// A profile function and its budget, `exp` and 400: written `exp_400p`, and `exp_400p.json` as a file.
///
/// The budget is a whole number of 32 bits in plain decimal digits: no sign, no leading zero. So each profile has one
/// name, and `exp_04p.json` is no profile's file. The function is what stands before the last underscore, and not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProfileName<'a> {
    /// The profile function: `exp`.
    pub function: &'a str,
    /// The budget, the N of `exp_<N>p`; 1 for a hardwired function.
    pub budget: u32,
}

impl<'a> ProfileName<'a> {
    /// The profile of this name, `exp_400p`; none where it is no profile's name.
    pub fn parse(name: &'a str) -> Option<ProfileName<'a>> {
        let (function, digits) = name.strip_suffix('p')?.rsplit_once('_')?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        if function.is_empty() || !plain {
            return None;
        }
        Some(ProfileName { function, budget: digits.parse().ok()? })
    }

    /// The profile of this file name, `exp_400p.json`; none where it is no profile's.
    pub fn of_file(file_name: &'a str) -> Option<ProfileName<'a>> {
        ProfileName::parse(file_name.strip_suffix(".json")?)
    }

    /// The name of the profile's file: `exp_400p.json`.
    pub fn file_name(&self) -> String {
        format!("{self}.json")
    }
}

impl fmt::Display for ProfileName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}p", self.function, self.budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_splits_at_the_last_underscore_before_the_digits_and_is_written_the_same() {
        for (function, budget) in [("exp", 400), ("gelu_apprx_tanh", 40), ("a_4p", 0), ("exp", u32::MAX)] {
            let name = ProfileName { function, budget };
            assert_eq!(ProfileName::parse(&name.to_string()), Some(name));
            assert_eq!(ProfileName::of_file(&name.file_name()), Some(name));
        }
        assert_eq!(ProfileName { function: "exp", budget: 400 }.file_name(), "exp_400p.json");
    }

    #[test]
    fn what_has_another_spelling_is_no_name() {
        for name in
            ["exp_04p", "exp_00p", "exp_+4p", "exp_-4p", "exp_p", "exp_4", "_4p", "exp", "p", "", "ln_4p_0mp", "exp_4P"]
        {
            assert_eq!(ProfileName::parse(name), None, "{name}");
        }
        assert_eq!(ProfileName::parse("exp_4294967296p"), None);
        assert_eq!(ProfileName::parse("exp_\u{664}p"), None); // a digit, but not one of ours
        for name in ["exp_4p", "exp_4p.json~", "exp_4p.JSON", "exp_4pXjson"] {
            assert_eq!(ProfileName::of_file(name), None, "{name}");
        }
    }
}
