//! The manifest of an image from its text: which keys and fields are read, and what each may be.

use std::path::Path;

use super::manifest::{Block, ExponentMap, Indices, Manifest};
use crate::error::Result;
use crate::function::ProfileName;
use crate::json::{
    self, Array, Checked, FileName, Flag, FloatBits, Integer, Map, Mistake, Quoted, Read, Reader, Text, Token, Value,
    fields, required, value, wrong,
};
use crate::memory::{self, text};
use crate::profile::{Saturation, SaturationPoint, Section, Specials, Symmetry};

/// The most functions a set may have; the published ones have 17.
const MAX_FUNCTIONS: usize = 256;

type U32 = Integer<0, { u32::MAX as i64 }>;
type I32 = Integer<{ i32::MIN as i64 }, { i32::MAX as i64 }>;

impl Manifest {
    /// Reads `text`. The functions come in the order of their blocks.
    ///
    /// # Errors
    /// [`Error::ProfileFormat`](crate::error::Error::ProfileFormat): not JSON, a key that is missing or of the wrong
    /// kind, a number out of range, maps that are not about the same functions.
    pub fn parse(text: &str, file: &Path) -> Result<Manifest> {
        json::parse(text, file)
    }
}

fields!(ManifestFields::manifest -> Manifest {
    bkt_bin: FileName,
    bkt_entry_cnt: U32,
    ctl_bin: FileName,
    ctl_entry_cnt: U32,
    func_to_bkt_start_idx: Map<U32>,
    func_to_ctl_start_idx: Map<U32>,
    func_exp_to_bkt_start_idx: Map<ExponentMap>,
    func_exp_to_ctl_start_idx: Map<ExponentMap>,
    profile_meta_data: MetaData,
});

impl ManifestFields {
    fn manifest(self) -> Checked<Manifest> {
        const STARTS: &str = "func_to_bkt_start_idx";
        let starts = required!(self, func_to_bkt_start_idx).0;
        let count = starts.len();
        if count > MAX_FUNCTIONS {
            return Err(Mistake::new(text!("{count} functions, more than {MAX_FUNCTIONS}")).in_key(STARTS));
        }
        let mut meta = required!(self, profile_meta_data).0;
        all_of("profile_meta_data", &meta, count)?;
        let mut ctl_starts = required!(self, func_to_ctl_start_idx).0;
        all_of("func_to_ctl_start_idx", &ctl_starts, count)?;
        let mut to_bkt = required!(self, func_exp_to_bkt_start_idx).0;
        all_of("func_exp_to_bkt_start_idx", &to_bkt, count)?;
        let mut to_ctl = required!(self, func_exp_to_ctl_start_idx).0;
        all_of("func_exp_to_ctl_start_idx", &to_ctl, count)?;
        // The fields of each function, in the order of the starts, are its block.
        for (place, (function, start)) in starts.iter().enumerate() {
            let found = meta.iter().skip(place).position(|block| block.function == *function);
            meta.swap(place, place + found.ok_or_else(|| no_function("profile_meta_data", function))?);
            let block = &mut meta[place];
            block.bkt_start = start.0 as u32;
            block.ctl_start = of(&mut ctl_starts, "func_to_ctl_start_idx", function)?.0 as u32;
            block.exp_to_bkt = of(&mut to_bkt, "func_exp_to_bkt_start_idx", function)?;
            block.exp_to_ctl = of(&mut to_ctl, "func_exp_to_ctl_start_idx", function)?;
        }
        let mut blocks = meta;
        blocks.sort_unstable_by(|one, other| {
            one.bkt_start.cmp(&other.bkt_start).then_with(|| one.function.cmp(&other.function))
        });
        Ok(Manifest {
            bkt_bin: required!(self, bkt_bin).0,
            bkt_count: required!(self, bkt_entry_cnt).0 as u32,
            ctl_bin: required!(self, ctl_bin).0,
            ctl_count: required!(self, ctl_entry_cnt).0 as u32,
            blocks,
        })
    }
}

/// What `key` says is of `count` functions.
fn all_of<T>(key: &'static str, all: &[T], count: usize) -> Checked<()> {
    if all.len() != count {
        let reason = text!("{} functions, and func_to_bkt_start_idx has {count}", all.len());
        return Err(Mistake::new(reason).in_key(key));
    }
    Ok(())
}

/// What `key` says of `function`.
fn of<T>(all: &mut Vec<(String, T)>, key: &'static str, function: &str) -> Checked<T> {
    let place = all.iter().position(|(name, _)| name == function).ok_or_else(|| no_function(key, function))?;
    Ok(all.swap_remove(place).1)
}

fn no_function(key: &'static str, function: &str) -> Box<Mistake> {
    Mistake::new(text!("no function {function}")).in_key(key)
}

/// For each function its fields; no function twice. The published notes leave open whether `profile_meta_data` is an array
/// or an object by function; both are read.
struct MetaData(Vec<Block>);

impl Value for MetaData {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let blocks = match token {
            Token::Array => Array::<Block>::read(reader, token)?.map(|Array(blocks)| blocks),
            _ => match Map::<Block>::read(reader, token)? {
                Ok(Map(blocks)) => Ok(memory::collect(blocks.into_iter().map(|(_, block)| block))?),
                Err(mistake) => Err(mistake),
            },
        };
        let blocks = match blocks {
            Ok(blocks) => blocks,
            Err(mistake) => return Ok(Err(mistake)),
        };
        let mut functions = memory::collect(blocks.iter().map(|block| block.function.as_str()))?;
        functions.sort_unstable();
        if let Some(pair) = functions.windows(2).find(|pair| pair[0] == pair[1]) {
            return Ok(Err(Mistake::new(text!("a second function {}", pair[0]))));
        }
        Ok(Ok(MetaData(blocks)))
    }
}

/// The name of a profile, `exp_400p`.
struct Profile {
    function: String,
    budget: u32,
}

impl Value for Profile {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let profile = |Text(mut text): Text| match ProfileName::parse(&text) {
            Some(ProfileName { function, budget }) => {
                text.truncate(function.len());
                Ok(Profile { function: text, budget })
            }
            None => Err(Mistake::new(text!("expected <function>_<N>p, found {text:?}"))),
        };
        Ok(Text::read(reader, token)?.and_then(profile))
    }
}

fields!(BlockFields::block -> Block {
    func_name: Profile,
    func_id: U32,
    fnan_result: FloatBits,
    fpinf_result: FloatBits,
    fninf_result: FloatBits,
    fzero_result: FloatBits,
    symmetry_opt_en: Flag,
    sym_invert_sign_point: Flag,
    symmetry_opt_use_neg_region: Flag,
    symmetry_point: FloatBits,
    exp_offset: I32,
    pwl_control_base_pos: U32,
    pwl_control_base_neg: U32,
    small_pos_signal_exp_threshold: I32,
    pos_small_signal_pwl_control: U32,
    small_neg_signal_exp_threshold: I32,
    neg_small_signal_pwl_control: U32,
    large_pos_signal_exp_threshold: I32,
    large_pos_signal_mantissa_threshold: I32,
    pos_large_signal_pwl_control: U32,
    large_neg_signal_exp_threshold: I32,
    large_neg_signal_mantissa_threshold: I32,
    neg_large_signal_pwl_control: U32,
});

impl BlockFields {
    /// The block, with its starts and maps left empty.
    fn block(self) -> Checked<Block> {
        let Profile { function, budget } = required!(self, func_name);
        let point = |sat_point: I32, mantissa_point: I32| SaturationPoint {
            sat_point: sat_point.0 as i32,
            mantissa_point: mantissa_point.0 as i32,
            section: Section::default(),
        };
        let none = || Integer(0); // a low saturation point has no mantissa
        let mut saturation_points = [SaturationPoint::default(); 4];
        saturation_points[Saturation::PosLow as usize] = point(required!(self, small_pos_signal_exp_threshold), none());
        saturation_points[Saturation::NegLow as usize] = point(required!(self, small_neg_signal_exp_threshold), none());
        saturation_points[Saturation::PosHigh as usize] = point(
            required!(self, large_pos_signal_exp_threshold),
            required!(self, large_pos_signal_mantissa_threshold),
        );
        saturation_points[Saturation::NegHigh as usize] = point(
            required!(self, large_neg_signal_exp_threshold),
            required!(self, large_neg_signal_mantissa_threshold),
        );
        let mut controls = [0; 4];
        controls[Saturation::PosLow as usize] = required!(self, pos_small_signal_pwl_control).0 as u32;
        controls[Saturation::NegLow as usize] = required!(self, neg_small_signal_pwl_control).0 as u32;
        controls[Saturation::PosHigh as usize] = required!(self, pos_large_signal_pwl_control).0 as u32;
        controls[Saturation::NegHigh as usize] = required!(self, neg_large_signal_pwl_control).0 as u32;
        Ok(Block {
            function,
            budget,
            id: required!(self, func_id).0 as u32,
            bkt_start: 0,
            ctl_start: 0,
            exp_to_bkt: ExponentMap::default(),
            exp_to_ctl: ExponentMap::default(),
            symmetry: Symmetry {
                enabled: required!(self, symmetry_opt_en).0,
                invert_sign: required!(self, sym_invert_sign_point).0,
                use_neg_region: required!(self, symmetry_opt_use_neg_region).0,
                point: required!(self, symmetry_point).0,
            },
            specials: Specials {
                zero: required!(self, fzero_result).0,
                nan: required!(self, fnan_result).0,
                pos_inf: required!(self, fpinf_result).0,
                neg_inf: required!(self, fninf_result).0,
            },
            exp_offset: required!(self, exp_offset).0 as i32,
            base_pos: required!(self, pwl_control_base_pos).0 as u32,
            base_neg: required!(self, pwl_control_base_neg).0 as u32,
            saturation_points,
            controls,
        })
    }
}

impl Value for ExponentMap {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        if !matches!(token, Token::Object) {
            return wrong(reader, token, "an object");
        }
        // The last value of each exponent, and what is no exponent.
        let mut last: Vec<(i32, Checked<Indices>)> = Vec::new();
        let mut no_exponent = None;
        reader.members(|reader, key| {
            let indices = value::<Indices>(reader)?;
            let Some(exponent) = exponent(key)? else {
                if no_exponent.is_none() {
                    let reason = text!("expected an exponent from -127 to 128 as the key");
                    no_exponent = Some(Mistake::new(reason).in_key(key.text()?.unwrap_or_default()));
                }
                return Ok(());
            };
            match last.iter_mut().find(|entry| entry.0 == exponent) {
                Some(entry) => entry.1 = indices,
                None => memory::push(&mut last, (exponent, indices))?,
            }
            Ok(())
        })?;
        if let Some(mistake) = no_exponent {
            return Ok(Err(mistake));
        }
        let mut map = ExponentMap::default();
        for (exponent, indices) in last {
            match indices {
                Ok(indices) => indices.iter().try_for_each(|index| map.add(exponent, index))?,
                Err(mistake) => return Ok(Err(mistake.in_key(text!("{exponent}")))),
            }
        }
        Ok(Ok(map))
    }
}

/// The exponent that a key is: -127 to 128, in plain decimal digits.
fn exponent(key: Quoted) -> memory::Result<Option<i32>> {
    let unescaped;
    let text = match key.raw() {
        Some(text) => text,
        None => {
            unescaped = key.text()?.unwrap_or_default();
            &unescaped
        }
    };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits == "0" && text == digits || !digits.starts_with(['0', '+']);
    Ok(text.parse().ok().filter(|exponent| plain && (-127..=128).contains(exponent)))
}

/// A list of one or two.
impl Value for Indices {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        if !matches!(token, Token::Array) {
            return wrong(reader, token, "an array");
        }
        let (mut indices, mut count, mut mistake) = ([0; 2], 0, None);
        reader.items(|reader| {
            if mistake.is_some() {
                return reader.skip_value();
            }
            match value::<U32>(reader)? {
                Ok(index) => {
                    if let Some(place) = indices.get_mut(count) {
                        *place = index.0 as u32;
                    }
                    count += 1;
                }
                Err(first) => mistake = Some(first.in_index(count)),
            }
            Ok(())
        })?;
        let [first, second] = indices;
        Ok(match (mistake, count) {
            (Some(mistake), _) => Err(mistake),
            (None, 1 | 2) => Ok(Indices { first, second: (count == 2).then_some(second) }),
            (None, _) => Err(Mistake::new(text!("expected one or two indices, found {count}"))),
        })
    }
}
