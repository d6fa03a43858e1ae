//! The inputs that people give: decimals, bit patterns, hexadecimal floats, text from the standard input, arrays.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use half::{bf16, f16};

/// The type of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Dtype {
    /// IEEE-754 binary32.
    #[default]
    F32,
    /// The upper half of a binary32.
    Bf16,
    /// IEEE-754 binary16.
    F16,
}

/// U+2212, which people copy from formulas and [`protect`] puts in.
const MINUS: char = '\u{2212}';

impl Dtype {
    /// The value rounded to this type, to nearest even.
    pub fn round(self, x: f32) -> f32 {
        match self {
            Dtype::F32 => x,
            Dtype::Bf16 => bf16::from_f32(x).to_f32(),
            Dtype::F16 => f16::from_f32(x).to_f32(),
        }
    }

    /// The bits of a value of this type, in hexadecimal.
    pub fn bits(self, x: f32) -> String {
        match self {
            Dtype::F32 => format!("{:08x}", x.to_bits()),
            Dtype::Bf16 => format!("{:04x}", bf16::from_f32(x).to_bits()),
            Dtype::F16 => format!("{:04x}", f16::from_f32(x).to_bits()),
        }
    }

    /// The value as the shortest decimal that reads back as the same value of this type.
    pub fn decimal(self, x: f32) -> String {
        match self {
            Dtype::F32 => format!("{x:?}"),
            Dtype::Bf16 | Dtype::F16 => {
                let digits = (1..=9).map(|digits| format!("{x:.*e}", digits - 1));
                let same = |text: &String| text.parse().is_ok_and(|read| self.round(read) == x);
                let shortest = digits.into_iter().find(same).and_then(|text| text.parse::<f32>().ok());
                format!("{:?}", shortest.unwrap_or(x))
            }
        }
    }

    /// The distance of two values of this type: how many of its values one is further than the other.
    pub fn distance(self, a: f32, b: f32) -> u32 {
        let shift = |x: f32| match self {
            Dtype::F32 => x.to_bits(),
            Dtype::Bf16 => x.to_bits() >> 16,
            Dtype::F16 => {
                let bits = u32::from(f16::from_f32(x).to_bits());
                (bits & 0x8000) << 16 | bits & 0x7fff
            }
        };
        let ordered = |bits: u32, sign: u32| {
            let magnitude = i64::from(bits & (sign - 1));
            if bits & sign == 0 { magnitude } else { -magnitude }
        };
        let sign = if self == Dtype::Bf16 { 0x8000 } else { 0x8000_0000 };
        (ordered(shift(a), sign) - ordered(shift(b), sign)).unsigned_abs() as u32
    }

    /// The value of a text: a decimal (`-0.5`, `1e-3`, `inf`, `nan`), the bits of this type (`0x3f000000`), or a
    /// hexadecimal float (`0x1.8p-3`). It is rounded to this type.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(self, text: &str) -> Result<f32> {
        let (negative, body) = match text.strip_prefix(['-', MINUS]) {
            Some(body) => (true, body),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let digits = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X"));
        let magnitude = match digits {
            Some(digits) if digits.contains(['.', 'p', 'P']) => hexadecimal(digits),
            Some(digits) => {
                ensure!(body == text, "{text}: bits have a sign of their own");
                return self.of_bits(digits).with_context(|| format!("{text} is no bit pattern of this type"));
            }
            None if body.starts_with(['-', '+', MINUS]) => None,
            None => body.parse().ok(),
        };
        let Some(magnitude) = magnitude else {
            bail!(
                "{text:?} is no number: a decimal is due (-0.5, 1e-3, inf, nan), bits (0x3f000000), or a hexadecimal float (0x1.8p-3)"
            );
        };
        Ok(self.round(if negative { -magnitude } else { magnitude }))
    }

    fn of_bits(self, digits: &str) -> Option<f32> {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = u32::from_str_radix(digits, 16).ok().filter(|_| plain)?;
        match self {
            Dtype::F32 => Some(f32::from_bits(bits)),
            Dtype::Bf16 => Some(bf16::from_bits(bits.try_into().ok()?).to_f32()),
            Dtype::F16 => Some(f16::from_bits(bits.try_into().ok()?).to_f32()),
        }
    }
}

/// The float of `1.8p-3`, without its `0x`, rounded once.
fn hexadecimal(text: &str) -> Option<f32> {
    let (digits, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut exponent: i32 = exponent.parse().ok()?;
    if whole.len() + fraction.len() == 0 {
        return None;
    }
    // 52 bits of the number, and in the lowest whether any further bit is set: what a float rounds by.
    let mut mantissa: u64 = 0;
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let of_fraction = i32::from(index >= whole.len());
        if mantissa >> 48 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent = exponent.saturating_sub(4 * of_fraction);
        } else {
            mantissa |= u64::from(digit != 0);
            exponent = exponent.saturating_add(4 * (1 - of_fraction));
        }
    }
    Some(libm::ldexp(mantissa as f64, exponent.clamp(-2000, 2000)) as f32)
}

/// The arguments with the sign of negative numbers written so that no option parser takes them for options.
pub fn protect(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let protected = |argument: OsString| match argument.to_str() {
        Some(text) if text.starts_with('-') && Dtype::F32.parse(text).is_ok() => {
            format!("{MINUS}{}", &text[1..]).into()
        }
        _ => argument,
    };
    arguments.map(protected).collect()
}

/// The inputs of the arguments: numbers, `-` for the standard input, and files of arrays. Without arguments, the standard
/// input.
///
/// # Errors
/// A text that is no number, a file that cannot be read or holds no array of floats.
pub fn read(arguments: &[String], dtype: Dtype) -> Result<Vec<f32>> {
    let standard = ["-".to_owned()];
    let mut values = Vec::new();
    for argument in if arguments.is_empty() { &standard } else { arguments } {
        let bytes = match argument.as_str() {
            "-" => {
                let mut bytes = Vec::new();
                std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read the standard input")?;
                bytes
            }
            name if Path::new(name).extension().is_some_and(|extension| extension == "npy") => {
                std::fs::read(name).with_context(|| format!("cannot read {name}"))?
            }
            number => {
                values.push(dtype.parse(number)?);
                continue;
            }
        };
        if bytes.starts_with(b"\x93NUMPY") {
            let array = array(&bytes).with_context(|| format!("cannot read the array of {argument}"))?;
            values.extend(array.into_iter().map(|x| dtype.round(x)));
            continue;
        }
        let text = std::str::from_utf8(&bytes).ok().filter(|_| argument == "-");
        let text = text.with_context(|| format!("{argument} is neither text nor an array"))?;
        let numbers = text.split(|c: char| c.is_whitespace() || c == ',').filter(|number| !number.is_empty());
        for number in numbers {
            values.push(dtype.parse(number)?);
        }
    }
    Ok(values)
}

/// The elements of a `.npy` array of floats of 16, 32 or 64 bits, in the order in which they are stored.
fn array(bytes: &[u8]) -> Result<Vec<f32>> {
    use npyz::TypeChar::Float;
    let file = npyz::NpyFile::new(bytes)?;
    let npyz::DType::Plain(kind) = file.dtype() else { bail!("it has records, not numbers") };
    match (kind.type_char(), kind.size_field()) {
        (Float, 2) => Ok(file.into_vec::<f16>()?.into_iter().map(f16::to_f32).collect()),
        (Float, 4) => Ok(file.into_vec::<f32>()?),
        (Float, 8) => Ok(file.into_vec::<f64>()?.into_iter().map(|x| x as f32).collect()),
        _ => bail!("its elements are {kind}, not floats of 16, 32 or 64 bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> u32 {
        Dtype::F32.parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_bits()
    }

    #[test]
    fn decimals_bits_and_hexadecimal_floats_are_numbers() {
        for (text, due) in [
            ("0.5", 0x3f00_0000),
            ("-0.5", 0xbf00_0000),
            ("+2", 0x4000_0000),
            ("1e-3", 0x3a83_126f),
            ("-inf", 0xff80_0000),
            ("-0", 0x8000_0000),
            ("0x3f000000", 0x3f00_0000),
            ("0xFF800001", 0xff80_0001),
            ("0x0", 0),
            ("0x1.8p-3", 0x3e40_0000),
            ("-0x1p4", 0xc180_0000),
            ("0x.8p0", 0x3f00_0000),
            ("0x1p-149", 1),
            ("0x1p-150", 0),
            ("0x1.000001p-150", 1),
            ("0x1.ffffffp127", 0x7f80_0000),
            ("0x1.000001p0", 0x3f80_0000),
            ("0x1.0000010000000000000001p0", 0x3f80_0001),
            ("0x1.000003p0", 0x3f80_0002),
            ("0x1000000000000000000p-72", 0x3f80_0000),
            ("\u{2212}1", 0xbf80_0000),
        ] {
            assert_eq!(bits(text), due, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", "--1", "x", "0x", "0x123456789", "-0x3f000000", "0xg", "0x1.8", "1.5p3", "0x.p1", "+-1"] {
            let wrong = text != "0x1.8"; // a hexadecimal float without an exponent is one
            assert_eq!(Dtype::F32.parse(text).is_err(), wrong, "{text}");
        }
    }

    #[test]
    fn narrow_types_round_and_have_bits_and_decimals_of_their_own() {
        assert_eq!(Dtype::Bf16.parse("3.14159").unwrap(), 3.140625);
        assert_eq!(Dtype::Bf16.parse("0x4049").unwrap(), 3.140625);
        assert_eq!((Dtype::Bf16.bits(3.140625), Dtype::Bf16.decimal(3.140625)), ("4049".into(), "3.14".into()));
        assert_eq!((Dtype::F16.bits(-2.0), Dtype::F16.decimal(0.099_975_586)), ("c000".into(), "0.1".into()));
        assert!(Dtype::Bf16.parse("0x14049").is_err());
        assert_eq!((Dtype::Bf16.distance(1.0, 1.0078125), Dtype::F16.distance(1.0, -1.0)), (1, 2 * 0x3c00));
        assert_eq!(Dtype::Bf16.distance(-1.0, 1.0), 2 * 0x3f80);
    }

    #[test]
    fn only_negative_numbers_are_protected() {
        let arguments = ["-0.5", "--json", "-inf", "-h", "-", "-0x1p4", "1"].map(OsString::from);
        let protected = protect(arguments.into_iter());
        assert_eq!(protected, ["\u{2212}0.5", "--json", "\u{2212}inf", "-h", "-", "\u{2212}0x1p4", "1"]);
    }
}
