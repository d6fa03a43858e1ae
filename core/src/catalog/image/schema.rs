//! The manifest of an image from its text: which keys and fields are read, and what each may be.

use std::collections::BTreeMap;
use std::path::Path;

use super::manifest::{Block, ExponentMap, Manifest};
use crate::error::Result;
use crate::function::ProfileName;
use crate::json::{
    self, Array, Checked, FileName, Flag, FloatBits, Integer, Map, Mistake, Read, Reader, Text, Token, Value, fields,
    required,
};
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
            return Err(Mistake::new(format!("{count} functions, more than {MAX_FUNCTIONS}")).in_key(STARTS));
        }
        let mut meta = by_function("profile_meta_data", required!(self, profile_meta_data).0, count)?;
        let ctl_starts = required!(self, func_to_ctl_start_idx).0;
        let mut ctl_starts = by_function("func_to_ctl_start_idx", ctl_starts, count)?;
        let to_bkt = required!(self, func_exp_to_bkt_start_idx).0;
        let mut to_bkt = by_function("func_exp_to_bkt_start_idx", to_bkt, count)?;
        let to_ctl = required!(self, func_exp_to_ctl_start_idx).0;
        let mut to_ctl = by_function("func_exp_to_ctl_start_idx", to_ctl, count)?;
        let mut blocks = Vec::with_capacity(count);
        for (function, start) in starts {
            blocks.push(Block {
                bkt_start: start.0 as u32,
                ctl_start: of(&mut ctl_starts, "func_to_ctl_start_idx", &function)?.0 as u32,
                exp_to_bkt: of(&mut to_bkt, "func_exp_to_bkt_start_idx", &function)?,
                exp_to_ctl: of(&mut to_ctl, "func_exp_to_ctl_start_idx", &function)?,
                ..of(&mut meta, "profile_meta_data", &function)?
            });
        }
        blocks.sort_by_key(|block| block.bkt_start);
        Ok(Manifest {
            bkt_bin: required!(self, bkt_bin).0,
            bkt_count: required!(self, bkt_entry_cnt).0 as u32,
            ctl_bin: required!(self, ctl_bin).0,
            ctl_count: required!(self, ctl_entry_cnt).0 as u32,
            blocks,
        })
    }
}

/// What `key` says of each function; there must be `count` of them.
fn by_function<T>(key: &'static str, all: Vec<(String, T)>, count: usize) -> Checked<BTreeMap<String, T>> {
    if all.len() != count {
        let reason = format!("{} functions, and func_to_bkt_start_idx has {count}", all.len());
        return Err(Mistake::new(reason).in_key(key));
    }
    Ok(all.into_iter().collect())
}

/// What `key` says of `function`.
fn of<T>(all: &mut BTreeMap<String, T>, key: &'static str, function: &str) -> Checked<T> {
    all.remove(function).ok_or_else(|| Mistake::new(format!("no function {function}")).in_key(key))
}

/// For each function its fields; no function twice. The published notes leave open whether `profile_meta_data` is an array
/// or an object by function; both are read.
struct MetaData(Vec<(String, Block)>);

impl Value for MetaData {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let blocks = match token {
            Token::Array => Array::<Block>::read(reader, token)?.map(|Array(blocks)| blocks),
            _ => Map::<Block>::read(reader, token)?
                .map(|Map(blocks)| blocks.into_iter().map(|(_, block)| block).collect()),
        };
        Ok(blocks.and_then(|blocks| {
            let named = blocks.into_iter().map(|block| (block.function.clone(), block)).collect::<Vec<_>>();
            let mut functions: Vec<&str> = named.iter().map(|(function, _)| function.as_str()).collect();
            functions.sort_unstable();
            match functions.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => Err(Mistake::new(format!("a second function {}", pair[0]))),
                None => Ok(MetaData(named)),
            }
        }))
    }
}

/// The name of a profile, `exp_400p`.
struct Profile {
    function: String,
    budget: u32,
}

impl Value for Profile {
    fn read<'t>(reader: &mut Reader<'t>, token: Token<'t>) -> Read<Checked<Self>> {
        let profile = |Text(text): Text| match ProfileName::parse(&text) {
            Some(ProfileName { function, budget }) => Ok(Profile { function: function.to_owned(), budget }),
            None => Err(Mistake::new(format!("expected <function>_<N>p, found {text:?}"))),
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
            exp_to_bkt: ExponentMap::new(),
            exp_to_ctl: ExponentMap::new(),
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
        let map = |Map(lists): Map<Array<U32>>| lists.into_iter().map(exponent).collect();
        Ok(Map::read(reader, token)?.and_then(map))
    }
}

/// One exponent of an [`ExponentMap`].
fn exponent((key, Array(indices)): (String, Array<U32>)) -> Checked<(i32, Vec<u32>)> {
    let exponent = key.parse::<i32>().ok().filter(|exponent| (-127..=128).contains(exponent));
    let Some(exponent) = exponent.filter(|exponent| exponent.to_string() == key) else {
        return Err(Mistake::new("expected an exponent from -127 to 128 as the key").in_key(key));
    };
    if !(1..=2).contains(&indices.len()) {
        return Err(Mistake::new(format!("expected one or two indices, found {}", indices.len())).in_key(key));
    }
    Ok((exponent, indices.into_iter().map(|index| index.0 as u32).collect()))
}
