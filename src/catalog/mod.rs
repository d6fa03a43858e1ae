//! What the silicon can load: the functions, the sets they come in, and the sets' table images.
//!
//! The functions and the two published rosters are data here ([`functions`], [`roster`]); a user's own catalog is a
//! directory with an `act_info.json` and images. Defined in `docs/behaviour.md`, section 8, and `docs/figures.md`.

pub mod functions;
pub mod hardwired;
pub mod image;
mod json;
pub mod roster;
