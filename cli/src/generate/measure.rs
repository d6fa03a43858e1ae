//! How far a float is from the true value: in units in the last place or absolute.

/// A place where the function is next to zero and its relative error says little.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Where the place begins.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
    /// Inside, a unit in the last place is that of the larger of the value and this.
    pub floor: f64,
}

/// A measure of error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// `|got - true|`.
    Absolute,
    /// `|got - true|` in units in the last place of the true value: `2^(e - 23)` for a value in `[2^e, 2^(e+1))`,
    /// `denormal` below the normal floats.
    Ulp {
        /// Where the function is next to zero away from the origin.
        crossing: Option<Crossing>,
        /// The unit of a denormal value: `2^-149` strictly.
        denormal: f64,
    },
}

/// The distance of two denormal floats, 2^-149.
pub const LEAST: f64 = f64::from_bits((1023 - 149) << 52);

/// Units in the last place, everywhere.
pub const STRICT: Measure = Measure::Ulp { crossing: None, denormal: LEAST };

/// One unit in the last place of a float near `value`, [`LEAST`] below the normal ones.
pub fn ulp(value: f64) -> f64 {
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    2f64.powi(exponent.clamp(-126, 127) - 23)
}

impl Measure {
    /// The unit that the error at input `v`, whose true value is `truth`, is counted in.
    pub fn unit(&self, v: f32, truth: f64) -> f64 {
        match self {
            Measure::Absolute => 1.0,
            Measure::Ulp { crossing, denormal } => match crossing {
                Some(place) if place.from <= v && v <= place.to => ulp(truth.abs().max(place.floor)),
                _ if truth.abs() < f64::from(f32::MIN_POSITIVE) => *denormal,
                _ => ulp(truth),
            },
        }
    }

    /// The error of `got` at the input `v`; infinite where only one of the two is a number or overflows.
    pub fn error(&self, v: f32, got: f32, truth: f64) -> f64 {
        let rounded = truth as f32;
        if !rounded.is_finite() || !got.is_finite() {
            let same = got == rounded || (got.is_nan() && rounded.is_nan());
            return if same { 0.0 } else { f64::INFINITY };
        }
        (f64::from(got) - truth).abs() / self.unit(v, truth)
    }

    /// The name of the unit, for people.
    pub fn name(&self) -> &'static str {
        match self {
            Measure::Absolute => "absolute",
            Measure::Ulp { .. } => "ULP",
        }
    }
}
