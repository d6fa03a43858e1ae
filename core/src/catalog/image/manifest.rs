//! The manifest of an image, `<set>.json`, and its text: nine keys, and thirty fields a function.
//!
//! `schema` reads the text. What the values must be to one another and to the two binary files is the business of `read`.

use crate::function::ProfileName;
use crate::json::Node;
use crate::memory;
use crate::profile::{Saturation, SaturationPoint, Specials, Symmetry};

/// For each exponent the index of its octaves, in ascending order of exponent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExponentMap(Vec<(i32, Indices)>);

/// The indices of one exponent's octaves: the negative side's, then the positive one's, or that of the one there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indices {
    pub first: u32,
    pub second: Option<u32>,
}

impl ExponentMap {
    /// The indices of `exponent`.
    pub fn get(&self, exponent: i32) -> Option<Indices> {
        let place = self.0.binary_search_by_key(&exponent, |entry| entry.0).ok()?;
        Some(self.0[place].1)
    }

    /// Adds an octave of `exponent`. A third one takes the place of the second.
    ///
    /// # Errors
    /// [`NoMemory`](memory::NoMemory)
    pub fn add(&mut self, exponent: i32, index: u32) -> memory::Result<()> {
        match self.0.binary_search_by_key(&exponent, |entry| entry.0) {
            Ok(place) => self.0[place].1.second = Some(index),
            Err(place) => {
                memory::push(&mut self.0, (exponent, Indices { first: index, second: None }))?;
                self.0[place..].rotate_right(1);
            }
        }
        Ok(())
    }

    /// The exponents and their indices.
    pub fn iter(&self) -> impl Iterator<Item = (i32, Indices)> {
        self.0.iter().copied()
    }

    /// How many octaves there are, both sides together: at most 512.
    pub fn octaves(&self) -> u32 {
        self.iter().map(|(_, indices)| indices.iter().count() as u32).sum()
    }
}

impl Indices {
    /// One or two.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// As a list: `[0, 26]`.
impl std::fmt::Display for Indices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The first exponent of a function without octaves.
pub const NO_OCTAVE: i32 = 128;

/// What the manifest says of one function.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
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
    /// The exponent of each side's first octave; [`NO_OCTAVE`] where there is none.
    pub exp_offset: i32,
    /// The first control word of the positive side.
    pub base_pos: u32,
    /// The first control word of the negative side.
    pub base_neg: u32,
    /// Thresholds, without their sections, indexed by [`Saturation`].
    pub saturation_points: [SaturationPoint; 4],
    /// The record of each saturation section, indexed by [`Saturation`].
    pub controls: [u32; 4],
}

/// A manifest: the counts and the functions, in the order of their blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub bkt_bin: String,
    pub bkt_count: u32,
    pub ctl_bin: String,
    pub ctl_count: u32,
    pub blocks: Vec<Block>,
}

/// The fields of a saturation point: exponent threshold, mantissa threshold where the format has one, record.
fn saturation_fields(saturation: Saturation) -> (&'static str, Option<&'static str>, &'static str) {
    match saturation {
        Saturation::PosLow => ("small_pos_signal_exp_threshold", None, "pos_small_signal_pwl_control"),
        Saturation::NegLow => ("small_neg_signal_exp_threshold", None, "neg_small_signal_pwl_control"),
        Saturation::PosHigh => (
            "large_pos_signal_exp_threshold",
            Some("large_pos_signal_mantissa_threshold"),
            "pos_large_signal_pwl_control",
        ),
        Saturation::NegHigh => (
            "large_neg_signal_exp_threshold",
            Some("large_neg_signal_mantissa_threshold"),
            "neg_large_signal_pwl_control",
        ),
    }
}

impl Manifest {
    /// The manifest as text, its functions in the order of `blocks`.
    pub fn to_text(&self) -> String {
        let starts = |start: fn(&Block) -> u32| -> Node {
            self.blocks.iter().map(|block| (block.function.as_str(), start(block).into())).collect()
        };
        let maps = |map: fn(&Block) -> &ExponentMap| -> Node {
            self.blocks.iter().map(|block| (block.function.as_str(), exponent_node(map(block)))).collect()
        };
        let root: Node = [
            ("bkt_bin", Node::from(self.bkt_bin.as_str())),
            ("bkt_entry_cnt", self.bkt_count.into()),
            ("ctl_bin", self.ctl_bin.as_str().into()),
            ("ctl_entry_cnt", self.ctl_count.into()),
            ("func_to_bkt_start_idx", starts(|block| block.bkt_start)),
            ("func_to_ctl_start_idx", starts(|block| block.ctl_start)),
            ("func_exp_to_bkt_start_idx", maps(|block| &block.exp_to_bkt)),
            ("func_exp_to_ctl_start_idx", maps(|block| &block.exp_to_ctl)),
            ("profile_meta_data", Node::Array(self.blocks.iter().map(Block::meta_node).collect())),
        ]
        .into_iter()
        .collect();
        root.to_text()
    }
}

impl Block {
    /// The thirty fields. Those that a table says nothing of have the values of the published manifests, as far as these
    /// are known: [`Constants`], the greatest bounds and no multipass.
    fn meta_node(&self) -> Node {
        let bits = |value: f32| Node::from(value.to_bits());
        let flag = |value: bool| Node::from(u32::from(value));
        let constants = Constants::of(&self.function);
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
            ("imm_bias", constants.imm_bias.into()),
            ("exp_offset", self.exp_offset.into()),
            ("fma_const_0", bits(constants.fma_const_0)),
            ("fma_const_1", bits(0.0)),
            ("fma_indirection_src_sel", constants.fma_indirection_src_sel.into()),
            ("pwl_control_base_pos", self.base_pos.into()),
            ("pwl_control_base_neg", self.base_neg.into()),
        ];
        for saturation in super::layout::SATURATION_ORDER {
            let (exponent, mantissa, control) = saturation_fields(saturation);
            let point = &self.saturation_points[saturation as usize];
            fields.push((exponent, point.sat_point.into()));
            fields.extend(mantissa.map(|mantissa| (mantissa, point.mantissa_point.into())));
            fields.push((control, self.controls[saturation as usize].into()));
        }
        fields.push(("lower_bound", bits(f32::MIN)));
        fields.push(("upper_bound", bits(f32::MAX)));
        fields.push(("use_multipass", false.into()));
        fields.into_iter().collect()
    }
}

/// The fields in which few functions differ from the others, and no table does.
struct Constants {
    imm_bias: u32,
    fma_const_0: f32,
    fma_indirection_src_sel: u32,
}

impl Constants {
    fn of(function: &str) -> Constants {
        let parametric = function == "parametric_relu"; // its slope is an argument
        Constants {
            imm_bias: matches!(function, "reciprocal" | "copy" | "memset_zero" | "is_finite").into(),
            fma_const_0: if parametric { 1.0 } else { 0.0 },
            fma_indirection_src_sel: if parametric { 2 } else { 0 },
        }
    }
}

fn exponent_node(map: &ExponentMap) -> Node {
    let list = |indices: Indices| Node::Array(indices.iter().map(Node::from).collect());
    map.iter().map(|(exponent, indices)| (exponent.to_string(), list(indices))).collect()
}
