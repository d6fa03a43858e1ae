//! The C ABI's data types, and what fills them. The status is `status.rs`.

#![allow(non_camel_case_types, reason = "the names are C's")]

use pwp_sim_core::profile::{Saturation, Section};
use pwp_sim_core::table::{Octave, Place, Table};

/// Where an input lands in a table.
#[doc = "cbindgen:rename-all=None"]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pwp_sim_place {
    /// At or beyond the high threshold of the positive side.
    PWP_SIM_PLACE_POS_HIGH = 0,
    /// At or below the low threshold of the positive side.
    PWP_SIM_PLACE_POS_LOW = 1,
    /// At or beyond the high threshold, in magnitude, of the negative side.
    PWP_SIM_PLACE_NEG_HIGH = 2,
    /// At or below the low threshold, in magnitude, of the negative side.
    PWP_SIM_PLACE_NEG_LOW = 3,
    /// In a section of an octave.
    PWP_SIM_PLACE_OCTAVE = 4,
    /// A zero or an infinity: no section, a result of its own, given as `d0`.
    PWP_SIM_PLACE_SPECIAL = 5,
}

/// One section: the cubic `d0 + d1*t + d2*t*t + d3*t*t*t` with `t = v - x`, and where it stands.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pwp_sim_section {
    /// The centre of the section.
    pub x: f32,
    /// The value at the centre.
    pub d0: f32,
    /// The coefficient of t.
    pub d1: f32,
    /// The coefficient of t*t.
    pub d2: f32,
    /// The coefficient of t*t*t.
    pub d3: f32,
    /// Which kind of place it is. The fields below are 0 unless it is PWP_SIM_PLACE_OCTAVE.
    pub place: pwp_sim_place,
    /// Whether the octave is one of the negative side.
    pub negative: bool,
    /// The octave's unbiased exponent, -127 to 128.
    pub exponent: i32,
    /// The section's index in its octave.
    pub index: u32,
    /// The section's number in the table, negative octaves first. Meaningless where the profile does not give the
    /// section (it is then all zero).
    pub number: u32,
}

impl pwp_sim_section {
    fn new(section: &Section, place: pwp_sim_place) -> Self {
        let Section { x, d0, d1, d2, d3 } = *section;
        Self { x, d0, d1, d2, d3, place, negative: false, exponent: 0, index: 0, number: 0 }
    }

    /// Where the scaled input `v` lands in `table`; none where no section covers it.
    pub fn of(table: &Table, v: f32) -> Option<Self> {
        let specials = table.specials();
        let special = match v {
            0.0 => Some(specials.zero),
            f32::INFINITY => Some(specials.pos_inf),
            f32::NEG_INFINITY => Some(specials.neg_inf),
            _ => None,
        };
        if let Some(d0) = special {
            return Some(Self::new(&Section { d0, ..Section::default() }, pwp_sim_place::PWP_SIM_PLACE_SPECIAL));
        }
        let place = table.locate(table.fold(v))?;
        let section = table.section(place);
        Some(match place {
            Place::Saturated(Saturation::PosHigh) => Self::new(section, pwp_sim_place::PWP_SIM_PLACE_POS_HIGH),
            Place::Saturated(Saturation::PosLow) => Self::new(section, pwp_sim_place::PWP_SIM_PLACE_POS_LOW),
            Place::Saturated(Saturation::NegHigh) => Self::new(section, pwp_sim_place::PWP_SIM_PLACE_NEG_HIGH),
            Place::Saturated(Saturation::NegLow) => Self::new(section, pwp_sim_place::PWP_SIM_PLACE_NEG_LOW),
            Place::Octave { slot, index } => Self {
                negative: slot >= 256,
                exponent: (slot & 255) as i32 - 127,
                index,
                number: table.octaves()[slot].first + index,
                ..Self::new(section, pwp_sim_place::PWP_SIM_PLACE_OCTAVE)
            },
        })
    }
}

/// A saturation point: its threshold, compared as 32-bit signed integers, and its section.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pwp_sim_clamp {
    /// The threshold's biased exponent.
    pub sat_point: i32,
    /// The threshold's mantissa.
    pub mantissa_point: i32,
    /// The section's centre and coefficients.
    pub x: f32,
    /// As in pwp_sim_section.
    pub d0: f32,
    /// As in pwp_sim_section.
    pub d1: f32,
    /// As in pwp_sim_section.
    pub d2: f32,
    /// As in pwp_sim_section.
    pub d3: f32,
}

/// The octaves of one sign.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pwp_sim_octaves {
    /// How many octaves the profile has, be they empty; where it is 0 the next two are 0 as well.
    pub count: u32,
    /// The unbiased exponent of the first.
    pub first: i32,
    /// The unbiased exponent of the last.
    pub last: i32,
}

impl pwp_sim_octaves {
    fn of(octaves: &[Octave]) -> Self {
        let present = |octave: &Octave| octave.present;
        let exponent = |slot: Option<usize>| slot.map_or(0, |slot| slot as i32 - 127);
        Self {
            count: octaves.iter().filter(|octave| octave.present).count() as u32,
            first: exponent(octaves.iter().position(present)),
            last: exponent(octaves.iter().rposition(present)),
        }
    }
}

/// What a function's table is made of.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct pwp_sim_table_info_t {
    /// Inputs are folded to one sign: those of the other are reflected.
    pub symmetry_en: bool,
    /// The result of a reflected input is negated.
    pub symmetry_invert_sign_opt: bool,
    /// The fold goes to the negative side, so the positive inputs are the reflected ones. With the environment variable
    /// PWP_SIM_FOLD=negative, read once a process, it is the results of the negative inputs that change even so.
    pub symmetry_opt_use_neg_region: bool,
    /// Then added to the result of a reflected input.
    pub symmetry_point: f32,
    /// The result for either zero.
    pub zero_result: f32,
    /// Loaded and shown; never returned.
    pub nan_result: f32,
    /// The result for +inf.
    pub pinf_result: f32,
    /// The result for -inf.
    pub ninf_result: f32,
    /// High threshold of the positive side.
    pub pos_high: pwp_sim_clamp,
    /// Low threshold of the positive side.
    pub pos_low: pwp_sim_clamp,
    /// High threshold, in magnitude, of the negative side.
    pub neg_high: pwp_sim_clamp,
    /// Low threshold, in magnitude, of the negative side.
    pub neg_low: pwp_sim_clamp,
    /// Sections that the profile gives in all octaves, without the four above.
    pub num_sections: u32,
    /// The positive octaves.
    pub pos: pwp_sim_octaves,
    /// The negative octaves.
    pub neg: pwp_sim_octaves,
}

impl pwp_sim_table_info_t {
    /// Describes `table`.
    pub fn of(table: &Table) -> Self {
        let saturation = |saturation: Saturation| {
            let point = table.saturation_point(saturation);
            let Section { x, d0, d1, d2, d3 } = point.section;
            pwp_sim_clamp { sat_point: point.sat_point, mantissa_point: point.mantissa_point, x, d0, d1, d2, d3 }
        };
        let (symmetry, specials) = (table.symmetry(), table.specials());
        Self {
            symmetry_en: symmetry.enabled,
            symmetry_invert_sign_opt: symmetry.invert_sign,
            symmetry_opt_use_neg_region: symmetry.use_neg_region,
            symmetry_point: symmetry.point,
            zero_result: specials.zero,
            nan_result: specials.nan,
            pinf_result: specials.pos_inf,
            ninf_result: specials.neg_inf,
            pos_high: saturation(Saturation::PosHigh),
            pos_low: saturation(Saturation::PosLow),
            neg_high: saturation(Saturation::NegHigh),
            neg_low: saturation(Saturation::NegLow),
            num_sections: table.sections().len() as u32,
            pos: pwp_sim_octaves::of(&table.octaves()[..256]),
            neg: pwp_sim_octaves::of(&table.octaves()[256..]),
        }
    }
}
