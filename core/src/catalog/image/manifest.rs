//! The manifest of an image, `<set>.json`: its nine keys and the thirty fields of a function, field by field.
//!
//! What the values must be to one another and to the two binary files is the business of `read`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::catalog::json::{At, Node};
use crate::error::Result;
use crate::function::ProfileName;
use crate::profile::{Clamp, SaturationPoint, Section, Specials, Symmetry};

/// The most functions a set may have; the published ones have 17.
const MAX_FUNCTIONS: usize = 256;

/// For each exponent the index of its octaves: the negative side's, then the positive one's.
pub type ExponentMap = BTreeMap<i32, Vec<u32>>;

/// What the manifest says of one function.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub function: String,
    pub budget: u32,
    pub id: u32,
    /// The first record of its block.
    pub bkt_start: u32,
    /// Its first control word.
    pub ctl_start: u32,
    /// Of each exponent's octaves the first record.
    pub exp_to_bkt: ExponentMap,
    /// Of each exponent's octaves the control word.
    pub exp_to_ctl: ExponentMap,
    pub symmetry: Symmetry,
    pub specials: Specials,
    /// The exponent of each side's first octave.
    pub exp_offset: i32,
    /// The first control word of the positive side.
    pub base_pos: u32,
    /// The first control word of the negative side.
    pub base_neg: u32,
    /// Thresholds, without their sections, indexed by [`Clamp`].
    pub clamps: [SaturationPoint; 4],
    /// The record of each saturation section, indexed by [`Clamp`].
    pub controls: [u32; 4],
}

/// A manifest: the counts and the functions, in the order of their blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub bkt_bin: String,
    pub bkt_count: u32,
    pub ctl_bin: String,
    pub ctl_count: u32,
    pub entries: Vec<Entry>,
}

/// The fields of a saturation point: exponent threshold, mantissa threshold where the format has one, record.
fn clamp_fields(clamp: Clamp) -> (&'static str, Option<&'static str>, &'static str) {
    match clamp {
        Clamp::PosLow => ("small_pos_signal_exp_threshold", None, "pos_small_signal_pwl_control"),
        Clamp::NegLow => ("small_neg_signal_exp_threshold", None, "neg_small_signal_pwl_control"),
        Clamp::PosHigh => (
            "large_pos_signal_exp_threshold",
            Some("large_pos_signal_mantissa_threshold"),
            "pos_large_signal_pwl_control",
        ),
        Clamp::NegHigh => (
            "large_neg_signal_exp_threshold",
            Some("large_neg_signal_mantissa_threshold"),
            "neg_large_signal_pwl_control",
        ),
    }
}

impl Manifest {
    /// Reads `text`. The functions come in the order of their blocks.
    ///
    /// # Errors
    /// [`Error::ProfileFormat`](crate::error::Error::ProfileFormat): not JSON, a key that is missing or of the wrong
    /// kind, a number out of range, maps that are not about the same functions.
    pub fn parse(text: &str, file: &Path) -> Result<Manifest> {
        let node = Node::parse(text, file)?;
        let root = At::root(&node, file);
        let starts = root.key("func_to_bkt_start_idx")?;
        let count = starts.entries()?.len();
        if count > MAX_FUNCTIONS {
            return Err(starts.fail(format!("{count} functions, more than {MAX_FUNCTIONS}")));
        }
        let meta = meta_by_function(&root.key("profile_meta_data")?, count)?;
        for key in ["func_to_ctl_start_idx", "func_exp_to_bkt_start_idx", "func_exp_to_ctl_start_idx"] {
            let map = root.key(key)?;
            if map.entries()?.len() != count {
                return Err(
                    map.fail(format!("{} functions, and func_to_bkt_start_idx has {count}", map.entries()?.len()))
                );
            }
        }
        let mut entries = Vec::with_capacity(count);
        for (function, start) in starts.entries()? {
            let Some((budget, fields)) = meta.get(function) else {
                return Err(root.key("profile_meta_data")?.fail(format!("no function {function}")));
            };
            entries.push(Entry {
                bkt_start: start.u32()?,
                ctl_start: root.key("func_to_ctl_start_idx")?.key(function)?.u32()?,
                exp_to_bkt: exponent_map(&root.key("func_exp_to_bkt_start_idx")?.key(function)?)?,
                exp_to_ctl: exponent_map(&root.key("func_exp_to_ctl_start_idx")?.key(function)?)?,
                ..Entry::from_meta(function, *budget, fields)?
            });
        }
        entries.sort_by_key(|entry| entry.bkt_start);
        Ok(Manifest {
            bkt_bin: root.key("bkt_bin")?.file_name()?.to_owned(),
            bkt_count: root.key("bkt_entry_cnt")?.u32()?,
            ctl_bin: root.key("ctl_bin")?.file_name()?.to_owned(),
            ctl_count: root.key("ctl_entry_cnt")?.u32()?,
            entries,
        })
    }

    /// The manifest as text, its functions in the order of `entries`.
    pub fn to_text(&self) -> String {
        let starts = |start: fn(&Entry) -> u32| -> Node {
            self.entries.iter().map(|entry| (entry.function.as_str(), start(entry).into())).collect()
        };
        let maps = |map: fn(&Entry) -> &ExponentMap| -> Node {
            self.entries.iter().map(|entry| (entry.function.as_str(), exponent_node(map(entry)))).collect()
        };
        let root: Node = [
            ("bkt_bin", Node::from(self.bkt_bin.as_str())),
            ("bkt_entry_cnt", self.bkt_count.into()),
            ("ctl_bin", self.ctl_bin.as_str().into()),
            ("ctl_entry_cnt", self.ctl_count.into()),
            ("func_to_bkt_start_idx", starts(|entry| entry.bkt_start)),
            ("func_to_ctl_start_idx", starts(|entry| entry.ctl_start)),
            ("func_exp_to_bkt_start_idx", maps(|entry| &entry.exp_to_bkt)),
            ("func_exp_to_ctl_start_idx", maps(|entry| &entry.exp_to_ctl)),
            ("profile_meta_data", Node::Array(self.entries.iter().map(Entry::meta_node).collect())),
        ]
        .into_iter()
        .collect();
        root.to_text()
    }
}

impl Entry {
    /// The entry from its fields in `profile_meta_data`; starts and maps are left empty.
    fn from_meta(function: &str, budget: u32, meta: &At) -> Result<Entry> {
        let mut clamps = [SaturationPoint::default(); 4];
        let mut controls = [0; 4];
        for clamp in Clamp::ALL {
            let (exponent, mantissa, control) = clamp_fields(clamp);
            clamps[clamp as usize] = SaturationPoint {
                sat_point: meta.key(exponent)?.i32()?,
                mantissa_point: mantissa.map_or(Ok(0), |mantissa| meta.key(mantissa)?.i32())?,
                section: Section::default(),
            };
            controls[clamp as usize] = meta.key(control)?.u32()?;
        }
        Ok(Entry {
            function: function.to_owned(),
            budget,
            id: meta.key("func_id")?.u32()?,
            bkt_start: 0,
            ctl_start: 0,
            exp_to_bkt: ExponentMap::new(),
            exp_to_ctl: ExponentMap::new(),
            symmetry: Symmetry {
                enabled: meta.key("symmetry_opt_en")?.flag()?,
                invert_sign: meta.key("sym_invert_sign_point")?.flag()?,
                use_neg_region: meta.key("symmetry_opt_use_neg_region")?.flag()?,
                point: meta.key("symmetry_point")?.float_bits()?,
            },
            specials: Specials {
                zero: meta.key("fzero_result")?.float_bits()?,
                nan: meta.key("fnan_result")?.float_bits()?,
                pos_inf: meta.key("fpinf_result")?.float_bits()?,
                neg_inf: meta.key("fninf_result")?.float_bits()?,
            },
            exp_offset: meta.key("exp_offset")?.i32()?,
            base_pos: meta.key("pwl_control_base_pos")?.u32()?,
            base_neg: meta.key("pwl_control_base_neg")?.u32()?,
            clamps,
            controls,
        })
    }

    /// The thirty fields. Those the tables know nothing of are 0, and the bounds of the input none.
    fn meta_node(&self) -> Node {
        let bits = |value: f32| Node::from(value.to_bits());
        let flag = |value: bool| Node::from(u32::from(value));
        let unread = || Node::from(0u32);
        let mut fields = vec![
            ("func_name", Node::String(ProfileName { function: &self.function, budget: self.budget }.to_string())),
            ("func_id", self.id.into()),
            ("fnan_result", bits(self.specials.nan)),
            ("fpinf_result", bits(self.specials.pos_inf)),
            ("fninf_result", bits(self.specials.neg_inf)),
            ("fzero_result", bits(self.specials.zero)),
            ("symmetry_opt_en", flag(self.symmetry.enabled)),
            ("sym_invert_sign_point", flag(self.symmetry.invert_sign)),
            ("symmetry_opt_use_neg_region", flag(self.symmetry.use_neg_region)),
            ("symmetry_point", bits(self.symmetry.point)),
            ("imm_bias", unread()),
            ("exp_offset", self.exp_offset.into()),
            ("fma_const_0", unread()),
            ("fma_const_1", unread()),
            ("fma_indirection_src_sel", unread()),
            ("pwl_control_base_pos", self.base_pos.into()),
            ("pwl_control_base_neg", self.base_neg.into()),
        ];
        for clamp in super::layout::CLAMP_ORDER {
            let (exponent, mantissa, control) = clamp_fields(clamp);
            let point = &self.clamps[clamp as usize];
            fields.push((exponent, point.sat_point.into()));
            fields.extend(mantissa.map(|mantissa| (mantissa, point.mantissa_point.into())));
            fields.push((control, self.controls[clamp as usize].into()));
        }
        fields.push(("lower_bound", bits(f32::NEG_INFINITY)));
        fields.push(("upper_bound", bits(f32::INFINITY)));
        fields.push(("use_multipass", unread()));
        fields.into_iter().collect()
    }
}

/// The fields of each function, by its name without budget, and its budget. The published notes leave open whether
/// `profile_meta_data` is an array or an object by function; both are read, an array is written.
fn meta_by_function<'a>(meta: &At<'a>, count: usize) -> Result<BTreeMap<&'a str, (u32, At<'a>)>> {
    let found = if meta.is_array() { meta.items()?.len() } else { meta.entries()?.len() };
    if found != count {
        return Err(meta.fail(format!("{found} functions, and func_to_bkt_start_idx has {count}")));
    }
    let all: Vec<At> =
        if meta.is_array() { meta.items()?.collect() } else { meta.entries()?.map(|(_, fields)| fields).collect() };
    let mut by_function = BTreeMap::new();
    for fields in all {
        let name = fields.key("func_name")?;
        let Some(ProfileName { function, budget }) = ProfileName::parse(name.string()?) else {
            return Err(name.fail(format!("expected <function>_<N>p, found {:?}", name.string()?)));
        };
        if by_function.insert(function, (budget, fields)).is_some() {
            return Err(name.fail(format!("a second function {function}")));
        }
    }
    Ok(by_function)
}

fn exponent_map(map: &At) -> Result<ExponentMap> {
    let mut exponents = ExponentMap::new();
    for (key, list) in map.entries()? {
        let exponent = key.parse::<i32>().ok().filter(|exponent| (-127..=128).contains(exponent));
        let Some(exponent) = exponent.filter(|exponent| exponent.to_string() == key) else {
            return Err(list.fail("expected an exponent from -127 to 128 as the key"));
        };
        let indices: Vec<u32> = list.items()?.map(|index| index.u32()).collect::<Result<_>>()?;
        if !(1..=2).contains(&indices.len()) {
            return Err(list.fail(format!("expected one or two indices, found {}", indices.len())));
        }
        exponents.insert(exponent, indices);
    }
    Ok(exponents)
}

fn exponent_node(map: &ExponentMap) -> Node {
    let list = |indices: &Vec<u32>| Node::Array(indices.iter().map(|&index| index.into()).collect());
    map.iter().map(|(exponent, indices)| (exponent.to_string(), list(indices))).collect()
}
