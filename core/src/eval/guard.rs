//! When a plain product may stand in for the system's `pow`.
//!
//! The definition takes the cube of `t`, a float, as `pow(t, 3.0)`; the fast evaluators take it as `t * t * t` in
//! double. `t * t` is exact there (48 bits), so the product is the correctly rounded cube, and `pow` is within one unit
//! in the last place of it. The float that comes out is then the same unless the double sum lies next to a point where
//! its rounding to float changes. This file says what "next to" is, and proves it: [`accepts`] is for threads that round
//! to nearest and keep denormals, and the vector tiers repeat it; [`accepts_in_any_mode`] is for every thread.
//!
//! # Proof
//!
//! Let `c` be the rounded cube, `c'` what `pow` gives, `d` the double `d3`, `s` the sum without the cubic term;
//! `q = c * d`, `r = q + s`, and `q'`, `r'` the same from `c'`, each operation rounded.
//!
//! * `c` is 0, infinite or NaN: so is `c'`, since `pow` is exact there; then `r' = r`. Otherwise `c` is a normal
//!   double, at least `2^-447` in magnitude and below `2^384`.
//! * `d` is 0, infinite or NaN: `q' = q`, since `c'` and `c` have one sign; then `r' = r`. Otherwise `q` is a normal
//!   double, at least `2^-596` and below `2^512`. So `q = 0` means that `r' = r`, and no product underflows or
//!   overflows.
//! * `s` infinite or NaN: `r' = r`, up to the bits of a NaN.
//! * Otherwise `|q' - q| <= 2^-51 |q|` or so: `2^-52` from the cube, and two roundings of `2^-53`. If
//!   `|q| <= 2^10 |r|` (up to a relative `2^-20`), then `|r' - r|` is at most `2^-41 |r|` and a rounding, so `r'` is
//!   within `2^12 + 2` units in the last place of `r`, in double.
//! * For `2^-126 <= |r|` the rounding to float changes only where the low 29 bits of a double are `2^28`, the halfway
//!   points, the one to infinity among them. A sum whose low 29 bits are 2^13 or more from that has all of the above
//!   neighbourhood on its side, twice over. Below `2^-126` the halfway points are elsewhere: those sums are refused,
//!   unless `q = 0`.
//!
//! # In any mode
//!
//! Rounded in another direction, each operation may be off by a whole unit in the last place, and `pow` by two (the
//! tests look). So `c` and `c'` are within `3 * 2^-52` of each other, `q` and `q'` within `5 * 2^-52`, and where
//! `|q| <= 2^10 |r|`, `r` and `r'` within `2^-39.6 |r|` and two roundings: `2^13.5` units. The rounding to float then
//! changes at a halfway point or at a float itself, where the low 28 bits are 0; a sum whose low 28 bits are 2^15 or
//! more from that has the neighbourhood on its side, twice over. An exact sum is such a float, and is refused; but with
//! `q = 0` no sum can change, so that the evaluator asks for that too. Flushing denormals changes neither `c` nor
//! `q`, which are none, and no float but those below `2^-126`.

/// Sums within this many units of a halfway point are refused: one in 32,768.
pub const MARGIN: i32 = 1 << 13;

/// The most that the exponent of the product may exceed that of the sum, in a double's high 32 bits.
pub const EXCESS: i32 = 10 << 20;

/// The high 32 bits of `2^-126` in double.
pub const LEAST_SUM: i32 = 0x3810_0000;

/// The most negative value that `(low << 3) + 8 * MARGIN` takes far from a halfway point, `low` the low 32 bits of the
/// sum: the shift drops all but 29 bits and puts the halfway point where signed integers wrap.
pub const FAR: i32 = i32::MIN + 16 * MARGIN;

/// Whether `sum as f32`, where `sum = product + s` and `product = t * t * t * d3`, is the definition's result, on a
/// thread that rounds to nearest and keeps denormals. May say no where it is.
#[cfg(test)]
fn accepts(product: f64, sum: f64) -> bool {
    let high = |d: f64| (d.to_bits() >> 32) as i32 & i32::MAX; // of the magnitude
    let (product, low) = (high(product), sum.to_bits() as i32);
    let sum = if high(sum) < LEAST_SUM { 0 } else { high(sum) };
    product - EXCESS <= sum && (low << 3).wrapping_add(8 * MARGIN) >= FAR
}

/// The margin of [`accepts_in_any_mode`]: it refuses one sum in 4,096.
const WIDE_MARGIN: u32 = 1 << 15;

/// [`accepts`] on any thread, whatever its rounding direction and its treatment of denormals. Says no to NaN, and where
/// the product is zero, which makes every sum the definition's, yes only by chance.
#[inline(always)]
pub fn accepts_in_any_mode(product: f64, sum: f64) -> bool {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    let from_boundary = (sum.to_bits() as u32).wrapping_add(WIDE_MARGIN) << 4;
    let comparable = product.abs() * (1.0 / 1024.0);
    // Magnitudes compare as integers: comparing floats raises an exception for NaN, which a host may trap on.
    let sum = sum.abs().to_bits();
    let least = comparable.to_bits().max(LEAST.to_bits());
    least <= sum && sum <= f64::INFINITY.to_bits() && from_boundary >= WIDE_MARGIN << 5
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;
    use crate::table::samples::Rng;

    #[test]
    fn sums_next_to_a_halfway_point_are_refused_up_to_the_margin() {
        let half = 1.0 + f64::EPSILON * f64::from(1 << 28); // halfway between 1 and the next float
        let near = |units: i64| f64::from_bits(half.to_bits().wrapping_add_signed(units));
        for (units, accepted) in [(0, false), (1, false), (-1, false), (8191, false), (-8192, false), (8192, true)] {
            assert_eq!(accepts(1.0, near(units)), accepted, "{units}");
        }
        assert!(accepts(1.0, near(-8193)) && accepts(1.0, 1.0) && accepts(-1.0, -1.0));
    }

    #[test]
    fn a_product_that_cancels_is_refused() {
        assert!(accepts(1024.0, 1.0) && !accepts(2048.0, 1.0) && !accepts(-2048.0, 1.0));
    }

    #[test]
    fn sums_below_the_normal_floats_need_an_exact_product() {
        let least = f64::from(f32::MIN_POSITIVE);
        assert!(accepts(least, least) && !accepts(least / 2.0, least / 2.0) && !accepts(1e-150, 0.0));
        assert!(accepts(0.0, 0.0) && accepts(-0.0, -0.0) && accepts(0.0, least / 2.0));
    }

    #[test]
    fn infinite_sums_are_accepted() {
        assert!(accepts(0.0, f64::INFINITY) && accepts(f64::INFINITY, f64::INFINITY) && accepts(1.0, f64::NAN));
    }

    /// A cube's factor, its coefficient, and a term that makes the sum comparable to the product, nearly cancel it, or any.
    fn random_terms(rng: &mut Rng) -> Option<(f64, f64, f64)> {
        let t = f64::from(f32::from_bits(rng.next() as u32));
        let d3 = f64::from(f32::from_bits(rng.next() as u32));
        let cube = t * t * t;
        if cube == 0.0 || !cube.is_finite() {
            return None;
        }
        let s = match rng.below(3) {
            0 => -cube * d3 * (1.0 + f64::from(rng.next() as i32) * 2f64.powi(-(rng.below(44) as i32))),
            1 => f64::from(((cube * d3) as f32) * (rng.next() as i8 as f32)),
            _ => f64::from(f32::from_bits(rng.next() as u32)),
        };
        Some((t, d3, s))
    }

    /// The claim itself: whether `accepts` accepts, and then that cubes up to `units` apart give the same float.
    #[inline(never)]
    fn settles((t, d3, s): (f64, f64, f64), units: u64, accepts: fn(f64, f64) -> bool) -> bool {
        let (t, d3, s) = black_box((t, d3, s));
        let cube = t * t * t;
        let product = cube * d3;
        let sum = product + s;
        if !accepts(product, sum) {
            return false;
        }
        for neighbour in [cube.to_bits() - units, cube.to_bits() + units].map(f64::from_bits) {
            let (ours, theirs) = (sum as f32, (neighbour * d3 + s) as f32);
            assert!(ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan()), "{t:e} {d3:e} {s:e}");
        }
        true
    }

    #[test]
    fn accepted_sums_round_as_the_sums_of_both_neighbouring_cubes_do() {
        let mut rng = Rng(3);
        let terms = (0..4_000_000).filter_map(|_| random_terms(&mut rng));
        let refused = terms.filter(|&terms| !settles(terms, 1, accepts)).count();
        assert!(refused > 1000, "the test must reach both answers");
    }

    #[test]
    fn in_any_mode_sums_next_to_a_float_are_refused_too() {
        assert!(!accepts_in_any_mode(1.0, f64::NAN) && !accepts_in_any_mode(f64::NAN, f64::NAN));
        assert!(!accepts_in_any_mode(1.0, f64::INFINITY) && !accepts_in_any_mode(1.0, 0.0));
        let near = |units: i64| f64::from_bits(1f64.to_bits().wrapping_add_signed(units));
        for boundary in [0, 1 << 28, 1 << 29] {
            for (units, accepted) in [(-32_769, true), (-32_768, false), (0, false), (32_767, false), (32_768, true)] {
                assert_eq!(accepts_in_any_mode(1.0, near(boundary + units)), accepted, "{boundary} {units}");
            }
        }
        let least = f64::from(f32::MIN_POSITIVE) * (1.0 + 2f64.powi(-30));
        assert!(accepts_in_any_mode(least, least) && !accepts_in_any_mode(least / 2.0, least / 2.0));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn in_any_mode_cubes_are_near_and_accepted_sums_round_alike() {
        use crate::float::{environment::with_mxcsr, libm};
        for control in [0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0xffc0] {
            let mut rng = Rng(4);
            let terms: Vec<_> = (0..500_000).filter_map(|_| random_terms(&mut rng)).collect();
            let (refused, apart) = with_mxcsr(control, || {
                let refused = terms.iter().filter(|&&terms| !settles(terms, 3, accepts_in_any_mode)).count();
                let apart = terms.iter().map(|&(t, ..)| {
                    let t = black_box(t);
                    (t * t * t).to_bits().abs_diff(libm::pow(t, 3.0).to_bits())
                });
                (refused, apart.max())
            });
            assert!(refused > 100, "{control:x}: the test must reach both answers");
            assert!(apart <= Some(3), "{control:x}: pow is {apart:?} units from the product");
        }
    }
}
