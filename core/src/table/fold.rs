//! The two readings of step 6 of `docs/behaviour.md`, section 4: which results of a folded table are unfolded.
//!
//! They differ only for tables that fold to the negative side. `docs/differences.md` has the reasons for the default.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use once_cell::race::OnceBox;

use crate::profile::Symmetry;

/// A reading of step 6. It is one of the whole process: see [`FoldReading::of_process`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FoldReading {
    /// The results of inputs that the fold reflected are unfolded: those with `v != sel`.
    #[default]
    Reflected,
    /// The results of negative inputs are unfolded, also where the fold leaves those as they are.
    Negative,
}

impl FoldReading {
    /// The environment variable that selects a reading by its name.
    pub const VARIABLE: &str = "PWP_SIM_FOLD";

    /// Both.
    pub const ALL: [FoldReading; 2] = [FoldReading::Reflected, FoldReading::Negative];

    /// The reading's name, the value of [`FoldReading::VARIABLE`]: `reflected`, `negative`.
    pub fn name(self) -> &'static str {
        match self {
            FoldReading::Reflected => "reflected",
            FoldReading::Negative => "negative",
        }
    }

    /// The reading of exactly this name.
    pub fn from_name(name: &str) -> Option<FoldReading> {
        FoldReading::ALL.into_iter().find(|reading| reading.name() == name)
    }

    /// The reading of this process: what [`FoldReading::VARIABLE`] asks for when the first table is laid out. A value that
    /// is no reading is ignored, with one line on stderr.
    pub fn of_process() -> FoldReading {
        // Not a lock: the child of a fork could wait for it for ever. Two threads at once may both read the variable.
        static READING: OnceBox<FoldReading> = OnceBox::new();
        static TOLD: AtomicBool = AtomicBool::new(false);
        *READING.get_or_init(|| {
            let Some(value) = std::env::var_os(FoldReading::VARIABLE) else { return Box::default() };
            let known = value.to_str().and_then(FoldReading::from_name);
            if known.is_none() && !TOLD.swap(true, Ordering::Relaxed) {
                let (variable, [one, other]) = (FoldReading::VARIABLE, FoldReading::ALL.map(FoldReading::name));
                let text = format!("pwp_sim: {variable} is {value:?}, neither {one} nor {other}: ignored\n");
                let _ = std::io::stderr().write_all(text.as_bytes()); // a closed stderr is no error of the caller's
            }
            Box::new(known.unwrap_or_default())
        })
    }

    /// Undoes the fold in the result `y` of the input `v`, which the fold led to `symmetry.fold(v)`.
    #[inline]
    pub fn unfold(self, symmetry: &Symmetry, v: f32, y: f32) -> f32 {
        let due = match self {
            FoldReading::Reflected => v != symmetry.fold(v), // true of a NaN
            FoldReading::Negative => v < 0.0 || v.is_nan(),
        };
        if symmetry.enabled && due {
            let y = if symmetry.invert_sign { -y } else { y };
            return y + symmetry.point;
        }
        y
    }

    /// The sign bit of the inputs whose results are left as they are: 0 or 2^31.
    pub(super) fn untouched(self, symmetry: &Symmetry) -> u32 {
        u32::from(self == FoldReading::Reflected && symmetry.use_neg_region) << 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_found_by_its_name() {
        for reading in FoldReading::ALL {
            assert_eq!(FoldReading::from_name(reading.name()), Some(reading));
        }
        assert_eq!(FoldReading::from_name("Negative"), None);
    }

    /// The input is unfolded iff the reading's word says so: the integer form of the vector evaluators.
    #[test]
    fn the_word_of_a_reading_tells_which_results_are_unfolded() {
        for (reading, use_neg_region) in FoldReading::ALL.into_iter().flat_map(|r| [(r, false), (r, true)]) {
            let symmetry = Symmetry { enabled: true, invert_sign: true, use_neg_region, point: 1.0 };
            for v in [1.5f32, -1.5, f32::MIN_POSITIVE, -f32::MAX] {
                let unfolded = reading.unfold(&symmetry, v, 0.25) == 0.75;
                let word = (v.to_bits() ^ reading.untouched(&symmetry)) >> 31 == 1;
                assert_eq!(unfolded, word, "{reading:?} {use_neg_region} {v}");
            }
        }
    }

    #[test]
    fn only_the_fold_to_the_negative_side_is_read_in_two_ways() {
        for flags in 0..8u32 {
            let [enabled, invert_sign, use_neg_region] = [1, 2, 4].map(|bit| flags & bit != 0);
            let symmetry = Symmetry { enabled, invert_sign, use_neg_region, point: 1.0 };
            let results = FoldReading::ALL.map(|reading| [2.0, -2.0].map(|v| reading.unfold(&symmetry, v, 0.25)));
            assert_eq!(results[0] != results[1], enabled && use_neg_region, "{symmetry:?}");
        }
    }
}
