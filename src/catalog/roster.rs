//! The published rosters: which sets a catalog has and what is in them (`docs/figures.md`).
/// The hardwired functions of every trainium set, in the order of the published `exp_and_others`.
pub const RESIDENTS: [&str; 13] = [
    "identity",
    "copy",
    "leaky_relu",
    "parametric_relu",
    "abs",
    "sign",
    "memset_zero",
    "relu",
    "derivative_relu",
    "derivative_leaky_relu",
    "derivative_identity",
    "is_finite",
    "square",
];
