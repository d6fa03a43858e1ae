//! The readings, one list: `pwp readings` prints it, `docs/differences.md` shows it, `pwp compare` makes its calls.

use pwp_sim_core::profile::Saturation;
use pwp_sim_core::table::FoldReading;
use pwp_sim_core::{Function, Numerics, Table};

use super::probe::Given;
use super::{Follows, Probe, Reading, Told, Topic};

const fn probe(function: Function, path: Numerics, bits: [u32; 3]) -> Told {
    let [input, taken, alternative] = bits;
    Told::Call(Probe { function, path, given: Given::Embedded, input, taken, alternative })
}

const fn exact(function: Function, bits: [u32; 3]) -> Told {
    probe(function, Numerics::Exact, bits)
}

const fn table(function: Function, bits: [u32; 3]) -> Told {
    probe(function, Numerics::Table, bits)
}

const fn field(file: &'static str, field: &'static str, taken: &'static str, alternative: &'static str) -> Told {
    Told::Field { file, field, taken, alternative }
}

const FORMS: &str = "`core/src/exact/scalar.rs`";
const ROSTER: &str = "`core/src/catalog/roster.rs`";
const MANIFEST: &str = "`core/src/catalog/image/manifest.rs`";

/// Whether a flag is as we take it.
fn flag(as_taken: bool) -> Option<Follows> {
    Some(if as_taken { Follows::Ours } else { Follows::Alternative })
}

fn by_its_far_end(table: &Table) -> Option<Follows> {
    Some(match table.fitting_reading()? {
        FoldReading::Reflected => Follows::Ours,
        FoldReading::Negative => Follows::Alternative,
    })
}

fn by_its_sections(table: &Table) -> Option<Follows> {
    match table.sections().len() {
        600..=1219 => Some(Follows::Ours),
        ..=513 => Some(Follows::Alternative),
        count => Some(Follows::Neither(format!("{count} sections"))),
    }
}

fn by_its_threshold(table: &Table) -> Option<Follows> {
    match table.saturation_point(Saturation::PosHigh).sat_point {
        0 => Some(Follows::Ours),
        other => Some(Follows::Neither(format!("{other}"))),
    }
}

/// Every point that is inferred, or of which two things are published.
#[rustfmt::skip]
pub static READINGS: [Reading; 34] = [
    Reading {
        id: "double-libm", topic: Topic::Forms, place: FORMS, look: None,
        taken: "the closed forms call the double libm and round its result",
        alternative: "they call the float libm (its result here is that of glibc 2.36)",
        told: exact(Function::Tanh, [0x3e99_999a, 0x3e95_26ee, 0x3e95_26ed]),
    },
    Reading {
        id: "double-arithmetic", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Rsqrt` is `1.0 / sqrt(d)` in double, rounded once",
        alternative: "the root and the quotient are floats",
        told: exact(Function::Rsqrt, [0x3fc0_0000, 0x3f51_05ec, 0x3f51_05eb]),
    },
    Reading {
        id: "lrelu-slope", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Lrelu`'s slope is the double 0.01",
        alternative: "it is the float 0.01",
        told: exact(Function::Lrelu, [0xc120_0000, 0xbdcc_cccd, 0xbdcc_cccc]),
    },
    Reading {
        id: "derivative-erf-factor", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Derivative_Erf` multiplies by 1.1283792",
        alternative: "by 2 / sqrt(pi) in full, 1.1283791670955126",
        told: exact(Function::DerivativeErf, [0xc0a0_0000, 0x2d89_d7a8, 0x2d89_d7a7]),
    },
    Reading {
        id: "derivative-gelu-factor", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Derivative_Gelu` multiplies by 0.3989423",
        alternative: "by 1 / sqrt(2 pi) in full, 0.3989422804014327",
        told: exact(Function::DerivativeGelu, [0xc100_0000, 0xa936_06fb, 0xa936_06fa]),
    },
    Reading {
        id: "gelu-root", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Gelu` divides by 1.414213562373095, the double below the one nearest to the root of 2",
        alternative: "by the root of 2, 1.4142135623730951",
        told: Told::Nothing("no call: no float result differs at 20,000 inputs from -5 to -8, where the sum cancels most"),
    },
    Reading {
        id: "composite-order", topic: Topic::Forms, place: FORMS, look: None,
        taken: "products and sums inside the composite forms are taken in the order of `docs/behaviour.md`",
        alternative: "in another order, such as `0.044715 * d * d * d` or `d * (1 / (exp(-d) + 1))`",
        told: Told::Nothing("no call: the two differ in the last bit of a double, and no float result differs at 400,000 inputs"),
    },
    Reading {
        id: "mish-softplus", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Mish` rounds its softplus to float before the tangent",
        alternative: "the softplus stays a double",
        told: exact(Function::Mish, [0xc120_0000, 0xb9ee_055e, 0xb9ee_055f]),
    },
    Reading {
        id: "gelu-sigmoid-product", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Gelu_apprx_sigmoid` rounds `1.702 * d` to float before the sigmoid",
        alternative: "the product stays a double",
        told: exact(Function::GeluApprxSigmoid, [0xc120_0000, 0xb4d9_dc2b, 0xb4d9_dc32]),
    },
    Reading {
        id: "derivative-silu", topic: Topic::Forms, place: FORMS, look: None,
        taken: "`Derivative_silu` is `(d + e + 1) * e / s^2`, which is 0.5 at 0, as the derivative is",
        alternative: "`(d * e + 1) * e / s^2`, which is 0.25 there",
        told: exact(Function::DerivativeSilu, [0, 0x3f00_0000, 0x3e80_0000]),
    },
    Reading {
        id: "cubic-square", topic: Topic::Tables, place: "`core/src/eval/definition.rs`", look: None,
        taken: "`t * t` of the cubic is a product in double",
        alternative: "it is rounded to float",
        told: table(Function::Exp, [0x410b_b2e9, 0x45c1_87f9, 0x45c1_87f8]),
    },
    Reading {
        id: "fold", topic: Topic::Tables, place: "`core/src/table/fold.rs`, and below", look: Some(("sigmoid_40p", by_its_far_end)),
        taken: "the results of reflected inputs are unfolded, `v != sel`",
        alternative: "those of negative inputs (`PWP_SIM_FOLD=negative`)",
        told: table(Function::Sigmoid, [0x3f80_0000, 0x3f3b_26a8, 0x3e89_b2b0]),
    },
    Reading {
        id: "mish-table", topic: Topic::Tables, place: "`core/src/simulator/route.rs`", look: None,
        taken: "`Mish` takes its table where tables are asked for, as every function but `Prelu`",
        alternative: "it stays exact",
        told: table(Function::Mish, [0x3f80_0000, 0x3f5d_7717, 0x3f5d_7716]),
    },
    Reading {
        id: "derivative-gelu-table", topic: Topic::Tables, place: "`core/src/simulator/route.rs`", look: None,
        taken: "`Derivative_Gelu` takes its table where tables are asked for",
        alternative: "it stays exact, and is NaN there",
        // A special result, which is the same by either reading of the fold.
        told: table(Function::DerivativeGelu, [0x7f80_0000, 0x3f80_0000, 0x7fc0_0000]),
    },
    Reading {
        id: "nested-section", topic: Topic::Profiles, place: "`core/src/profile/read.rs`", look: None,
        taken: "a saturation point with both inline boxes and a nested `section` takes the nested one",
        alternative: "it takes the inline ones",
        told: Told::Call(Probe {
            function: Function::Exp, path: Numerics::Table, given: Given::Nested,
            input: 0x42c8_0000, taken: 0x4000_0000, alternative: 0x3f80_0000,
        }),
    },
    Reading {
        id: "sigmoid-symmetry", topic: Topic::Profiles, place: "`docs/figures.md`", look: Some(("sigmoid_40p", |table| flag(table.symmetry().enabled))),
        taken: "sigmoid and tanh fold, as their published flags say (1, 1, 1 and 1, 1, 0)",
        alternative: "they do not: \"symmetry_en=false (exp, sigmoid, tanh)\"",
        told: field("`sigmoid_40p.json`", "`symmetry_en`", "true", "false"),
    },
    Reading {
        id: "reciprocal-symmetry", topic: Topic::Profiles, place: "`cli/src/generate/shape.rs`", look: Some(("reciprocal_400p", |table| flag(table.symmetry().enabled))),
        taken: "reciprocal is odd: it folds to the positive side",
        alternative: "its `symmetry_en` is 0",
        told: field("`reciprocal_400p.json`", "`symmetry_en`", "true", "false"),
    },
    Reading {
        id: "derivative-symmetry", topic: Topic::Profiles, place: "`cli/src/generate/shape.rs`", look: Some(("derivative_silu_32p", |table| flag(table.symmetry().enabled))),
        taken: "the embedded tables of the derivatives fold, to one side with all of the published octaves (tables.md)",
        alternative: "they store both sides, as a note has it of `derivative_*`",
        told: field("`derivative_silu_32p.json`", "`symmetry_en`", "true", "false"),
    },
    Reading {
        id: "profile-names", topic: Topic::Profiles, place: "`core/src/function/info.rs`", look: None,
        taken: "a function's file has the budget of the trainium sets, `sigmoid_40p.json`. Published are exp, reciprocal, sqrt, \
                reciprocal_sqrt, ln, leaky_relu and the `_1p` residents",
        alternative: "it has another; the one with the largest is then taken",
        told: field("the directory of profiles", "the names of its files", "those of `pwp functions`", "others"),
    },
    Reading {
        id: "func-map", topic: Topic::Interface, place: "`core/src/function/info.rs`", look: None,
        taken: "29 functions load a file",
        alternative: "the original's FuncMap is said to have 32 entries; the other three are not named",
        told: Told::Nothing("no call: which names the other three have is not known"),
    },
    Reading {
        id: "simulate-spelling", topic: Topic::Interface, place: "[abi.md](abi.md)", look: None,
        taken: "the C++ `simulate` takes the name by reference and the count as int; plausible aliases are exported too",
        alternative: "one of the aliases, or another",
        told: field("the original `libpwp_sim.so`", "its dynamic symbols (`pwp abi-check`)", "`..8simulateERKNSt7__cxx1112basic_string..PfPKffffib`", "others"),
    },
    Reading {
        id: "dtype-casts", topic: Topic::Interface, place: "`core/src/element/mod.rs`", look: None,
        taken: "operands of 16 bits are widened, and each result is rounded once, to nearest even",
        alternative: "results are rounded otherwise, or more than once",
        told: Told::Nothing("no call: the original's calls take floats alone"),
    },
    Reading {
        id: "set-order", topic: Topic::Images, place: ROSTER, look: None,
        taken: "in a set whose order is not published the tables stand first, then the residents in the order of `exp_and_others` or \
                of the roster. Three sets of the older target may have some residents first, by the sizes of their manifests: \
                `softplus_tanh_and_others`, `trig_and_small`, `erf_and_others`",
        alternative: "the residents stand first, as in `sqrt_and_others`",
        told: field("`natural_log.json`", "`func_to_bkt_start_idx`, ln", "0", "52"),
    },
    Reading {
        id: "set-order-sqrt", topic: Topic::Images, place: ROSTER, look: None,
        taken: "in the older target's `sqrt_and_others` too the residents stand first: its manifest's size agrees",
        alternative: "the table stands first",
        told: field("`sqrt_and_others.json` of with_ln", "`func_to_bkt_start_idx`, sqrt", "28", "0"),
    },
    Reading {
        id: "set-order-sigmoid", topic: Topic::Images, place: ROSTER, look: None,
        taken: "sigmoid stands behind tanh and those residents that the older target's set has, with copy: no other seven have eleven \
                words. Then erf and arctan",
        alternative: "erf or arctan stand before sigmoid's residents, or behind the last ones",
        told: field("`sigmoid_and_others.json`", "`func_to_bkt_start_idx`, erf", "936", "another"),
    },
    Reading {
        id: "ln-sections", topic: Topic::Images, place: ROSTER, look: Some(("ln_40p", by_its_sections)),
        taken: "`ln_40p` has 1219 sections and `ln_400p` 513: the published sizes of the sets add up only so, with \
                `derivative_erf_400p` at 466, and with 1219 `natural_log_exp_and_others` would pass the 2047 of a control word",
        alternative: "`ln_40p` has 513 and `ln_400p` 1219, as a note says",
        told: field("`natural_log.json`", "`bkt_entry_cnt`", "1275", "569"),
    },
    Reading {
        id: "ln-multipass", topic: Topic::Images, place: ROSTER, look: None,
        taken: "no function takes two passes: `use_multipass` is false everywhere, and the published `ln_4p_0mp` (775 sections) and \
                `ln_4p_1mp` (832) are in no set, fit no set's size, and are no names of files that are loaded",
        alternative: "`ln` is computed with these two",
        told: field("`natural_log.json`", "`use_multipass`, ln", "false", "true"),
    },
    Reading {
        id: "manifest-sizes", topic: Topic::Images, place: MANIFEST, look: None,
        taken: "our manifests are within 100 bytes of their published sizes. Keys, order, counts and indices are the published ones; \
                which of the thresholds, bounds, results and codes that are not published have other digits is open",
        alternative: "the original's digits",
        told: field("`small.json` of trainium", "its size in bytes", "19567", "19534"),
    },
    Reading {
        id: "meta-data", topic: Topic::Images, place: MANIFEST, look: None,
        taken: "`profile_meta_data` is written as an array, and read as either",
        alternative: "it is an object by function",
        told: field("`<set>.json`", "`profile_meta_data`", "an array", "an object"),
    },
    Reading {
        id: "bounds", topic: Topic::Images, place: MANIFEST, look: None,
        taken: "the bounds of all functions are exp's, the least and the greatest finite float; `imm_bias` is an integer. Neither is \
                read, nor is `exp_offset`, which is 128 for a function without octaves",
        alternative: "other functions have bounds of their own; `imm_bias` is the pattern of a float",
        told: field("`<set>.json`", "`lower_bound`, `imm_bias`", "`ff7fffff`, 1", "others, `3f800000`"),
    },
    Reading {
        id: "one-side", topic: Topic::Images, place: "`core/src/catalog/image/read.rs`, `core/src/catalog/image/write.rs`", look: None,
        taken: "where one side is stored, it is the one whose `pwl_control_base` is the function's first word; where both are, the side \
                that inputs fold to. Written, both are the first word where the positive side alone is stored, the positive base \
                points past a negative side, as sigmoid's, and a positive side whose inputs fold to the negative has its negative \
                base past it",
        alternative: "another field tells the side",
        told: field("`<set>.json`", "`pwl_control_base_pos`, `pwl_control_base_neg`", "as here", "others"),
    },
    Reading {
        id: "octave-layout", topic: Topic::Images, place: "`core/src/catalog/image/read.rs`, `core/src/catalog/image/write.rs`", look: None,
        taken: "an octave's list is as long as its extract size addresses, also where a clamp cuts it short, as in the published exp; \
                absent octaves below or between the present ones of a side read back as empty, since an image counts them from \
                one exponent. Inputs there are unhandled either way",
        alternative: "a shorter list",
        told: field("a profile made of the images", "`num_sections`", "2^`extract_size`", "the sections stored"),
    },
    Reading {
        id: "hardwired", topic: Topic::Images, place: "`core/src/catalog/hardwired.rs`", look: Some(("identity_1p", by_its_threshold)),
        taken: "the hardwired functions' thresholds stand at exponent 0, so that all inputs but zeros and infinities are beyond the high \
                one; `parametric_relu` has slope 0 below zero, its slope being an argument",
        alternative: "other thresholds, and another slope",
        told: field("`identity_1p.json`", "`sat_point_pos_high`, `sat_point`", "0", "another"),
    },
    Reading {
        id: "function-codes", topic: Topic::Images, place: ROSTER, look: None,
        taken: "the function codes of the older target are trainium's but for the two that are published, `reciprocal` 15 and `abs` 22; \
                a code that is not published is 0",
        alternative: "other codes differ too",
        told: field("`<set>.json` of with_ln", "`func_id`", "trainium's", "others"),
    },
];
