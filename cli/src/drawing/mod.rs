//! What every picture has in common: the font, the file formats, an axis with labels of our choice.
//!
//! The text is drawn in DejaVu Sans, which comes with the `dejavu` crate: no font need be installed.

pub mod scale;

use std::sync::Once;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

/// Why a drawing cannot be made.
pub type Failure<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;
/// What drawing comes to.
pub type Drawn<DB> = Result<(), Failure<DB>>;

/// Something that can be drawn in any format.
pub trait Picture {
    /// Draws it.
    ///
    /// # Errors
    /// When the format cannot hold it.
    fn draw<DB: DrawingBackend>(&self, root: &DrawingArea<DB, Shift>) -> Drawn<DB>;
}

fn font() {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        let font = dejavu::sans::regular();
        assert!(register_font("sans-serif", FontStyle::Normal, font).is_ok(), "the embedded font is a valid one");
    });
}

/// The picture as SVG, of this size in pixels.
///
/// # Errors
/// When it cannot be drawn.
pub fn svg(picture: &impl Picture, size: (u32, u32)) -> Result<String> {
    font();
    let mut text = String::new();
    let drawn = picture.draw(&SVGBackend::with_string(&mut text, size).into_drawing_area());
    drawn.map_err(|error| anyhow!("cannot draw: {error}"))?;
    Ok(text)
}

/// The picture as PNG, of this size in pixels.
///
/// # Errors
/// When it cannot be drawn.
pub fn png(picture: &impl Picture, size: (u32, u32)) -> Result<Vec<u8>> {
    font();
    let (width, height) = size;
    let mut pixels = vec![0; width as usize * height as usize * 3];
    let drawn = picture.draw(&BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area());
    drawn.map_err(|error| anyhow!("cannot draw: {error}"))?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}
