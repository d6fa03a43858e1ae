//! The legend of a picture: a line of keys and words in a strip of its own, where it hides nothing.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// How strongly the clamps are tinted, in the picture and here.
pub(super) const SHADE: f64 = 0.4;

/// Why a drawing cannot be written.
pub(super) type Failure<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;
/// What drawing comes to.
pub(super) type Drawn<DB> = Result<(), Failure<DB>>;

/// What stands before the words.
#[derive(Debug, Clone, Copy)]
pub enum Key {
    /// A line of this width.
    Line(RGBColor, u32),
    /// A dashed line.
    Dashed(RGBColor),
    /// A surface.
    Fill(RGBColor),
    /// A short upright line.
    Tick(RGBColor),
}

/// A line of keys and words.
pub type Row<'t> = Vec<(Key, &'t str)>;

/// The pixels between two entries.
const GAP: u32 = 18;

/// The pixels of a key and of the space after it.
const KEY: u32 = 31;

/// The entries in rows of at most `width` pixels.
///
/// # Errors
/// When the text cannot be measured.
pub fn rows<'t, DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    entries: &[(Key, &'t str)],
    width: u32,
) -> Result<Vec<Row<'t>>, Failure<DB>> {
    let (mut rows, mut taken) = (vec![Vec::new()], 0);
    for &(key, text) in entries {
        let entry = KEY + area.estimate_text_size(text, &("sans-serif", 14).into_text_style(area))?.0;
        if taken > 0 && taken + entry > width {
            rows.push(Vec::new());
            taken = 0;
        }
        taken += entry + GAP;
        rows.last_mut().expect("there is a first row").push((key, text));
    }
    Ok(rows)
}

/// Draws the entries from the left end of `area` on, at half its height.
///
/// # Errors
/// When the drawing cannot be written.
pub fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, entries: &[(Key, &str)]) -> Drawn<DB> {
    let middle = area.dim_in_pixel().1 as i32 / 2;
    let mut left = 0;
    for (key, text) in entries {
        let line = |from: i32, to: i32, color: RGBColor, width: u32| {
            area.draw(&PathElement::new([(left + from, middle), (left + to, middle)], color.stroke_width(width)))
        };
        match *key {
            Key::Line(color, width) => line(0, 24, color, width)?,
            Key::Dashed(color) => (0..3).try_for_each(|dash| line(dash * 9, dash * 9 + 6, color, 1))?,
            Key::Fill(color) => {
                let corners = [(left, middle - 7), (left + 24, middle + 7)];
                area.draw(&Rectangle::new(corners, color.mix(SHADE).filled()))?;
                area.draw(&Rectangle::new(corners, BLACK.mix(0.3)))?;
            }
            Key::Tick(color) => {
                let upright = |x: i32| PathElement::new([(x, middle - 6), (x, middle + 6)], color.stroke_width(1));
                [4, 12, 20].into_iter().try_for_each(|x| area.draw(&upright(left + x)))?;
            }
        }
        let style = ("sans-serif", 14).into_font().color(&BLACK);
        let anchored = style.pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new((*text).to_owned(), (left + KEY as i32, middle), anchored.clone()))?;
        left += (KEY + area.estimate_text_size(text, &anchored)?.0 + GAP) as i32;
    }
    Ok(())
}
