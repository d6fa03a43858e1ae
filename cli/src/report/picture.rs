//! One picture a function: above, the function with its table; below, the error in ULP. Both over the input on one
//! log-scaled axis, with the octaves, the sections and the clamps marked.
//!
//! The text is drawn in DejaVu Sans, which comes with the `dejavu` crate: no font need be installed.

use std::path::Path;
use std::sync::Once;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::axis::superscript;
use super::curves::{Curves, FLOOR, Line};
use super::layout::Layout;
use super::legend::{self, Drawn, Failure, Key, SHADE};
use super::measure::{Measurement, Part};
use super::scale::Scale;
use super::subject::Subject;
use super::text::number;
use crate::output;

/// The size in pixels.
pub const SIZE: (u32, u32) = (1200, 900);

const TRUE: RGBColor = BLACK;
const TABLE: RGBColor = RGBColor(230, 120, 20);
const DARK: RGBColor = RGBColor(190, 75, 0);
const FORM: RGBColor = RGBColor(0, 114, 178);
const EDGE: RGBColor = RGBColor(110, 110, 110);
const LOW: RGBColor = RGBColor(150, 175, 225);
const HIGH: RGBColor = RGBColor(245, 215, 130);
const FAINT: RGBColor = RGBColor(228, 228, 228);

type Panel<'a, DB> = ChartContext<'a, DB, Cartesian2d<Scale, Scale>>;

/// Writes the picture of a subject into `directory`, as SVG and as PNG.
///
/// # Errors
/// When a file cannot be written.
pub fn write(directory: &Path, subject: &Subject, measurement: &Measurement) -> Result<()> {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        let font = dejavu::sans::regular();
        assert!(register_font("sans-serif", FontStyle::Normal, font).is_ok(), "the embedded font is a valid one");
    });
    let layout = Layout::of(subject);
    let picture = Picture { subject, measurement, curves: Curves::of(subject, measurement, &layout), layout };
    let file = |extension: &str| directory.join(format!("{}.{extension}", subject.file_name()));
    output::write_file(&file("svg"), picture.svg()?.as_bytes())?;
    output::write_file(&file("png"), &picture.png()?)
}

struct Picture<'a> {
    subject: &'a Subject,
    measurement: &'a Measurement,
    layout: Layout,
    curves: Curves,
}

impl Picture<'_> {
    fn svg(&self) -> Result<String> {
        let mut text = String::new();
        let drawn = self.draw(&SVGBackend::with_string(&mut text, SIZE).into_drawing_area());
        drawn.map_err(|error| anyhow!("cannot draw: {error}"))?;
        Ok(text)
    }

    fn png(&self) -> Result<Vec<u8>> {
        let (width, height) = SIZE;
        let mut pixels = vec![0; width as usize * height as usize * 3];
        let drawn = self.draw(&BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area());
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

    fn draw<DB: DrawingBackend>(&self, root: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        root.fill(&WHITE)?;
        root.draw(&Text::new(self.title(), (24, 14), ("sans-serif", 24)))?;
        root.draw(&Text::new(self.subtitle(), (24, 47), ("sans-serif", 15)))?;
        let (head, body) = root.split_vertically(106);
        legend::draw(&head.margin(72, 4, 24, 4), &self.keys())?;
        let (upper, lower) = body.split_vertically((SIZE.1 - 106) / 2);
        self.upper(&upper)?;
        self.lower(&lower)?;
        root.present()
    }

    fn title(&self) -> String {
        match (&self.subject.table, self.subject.sections()) {
            (Some((profile, _)), Some(0)) => format!("{}: hardwired, {profile}", self.subject.name()),
            (Some((profile, _)), sections) => {
                format!("{}: table {profile}, {} sections", self.subject.name(), sections.unwrap_or_default())
            }
            (None, _) => format!("{}: closed form", self.subject.name()),
        }
    }

    fn subtitle(&self) -> String {
        let worst = |what: &str, parts: &[Part]| {
            let tally = self.measurement.total(parts);
            let peak = tally.worst_ulp;
            match tally.seen {
                0 => None,
                _ if peak.error == 0.0 => Some(format!("{what}: no error")),
                _ => Some(format!("{what}: worst {} ULP at {:?}", number(peak.error), peak.input())),
            }
        };
        let clamps = [Part::LowClamp, Part::HighClamp];
        let lines = [("sections", &[Part::Sections][..]), ("clamps", &clamps), ("closed form", &[Part::Form])];
        lines.into_iter().filter_map(|(what, parts)| worst(what, parts)).collect::<Vec<_>>().join("      ")
    }

    fn keys(&self) -> Vec<(Key, &'static str)> {
        let band = |part| self.layout.bands.iter().any(|band| band.part == part);
        let keys = [
            (true, Key::Line(TRUE, 1), "true function"),
            (self.subject.table.is_some(), Key::Line(TABLE, 5), "table, and its error"),
            (!self.curves.form_error.is_empty(), Key::Line(FORM, 1), "error of the closed form"),
            (!self.layout.sections.is_empty(), Key::Tick(EDGE), "section edges"),
            (band(Part::LowClamp), Key::Fill(LOW), "low clamp"),
            (band(Part::HighClamp), Key::Fill(HIGH), "high clamp"),
            (true, Key::Dashed(TRUE), "0.5 ULP (exact)"),
            (!self.curves.lost.is_empty(), Key::Tick(RED), "NaN for a number"),
        ];
        keys.into_iter().filter(|(shown, ..)| *shown).map(|(_, key, text)| (key, text)).collect()
    }

    fn upper<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let (bottom, top) = self.curves.value_range;
        let mut panel = self.panel(area, (bottom, top), self.curves.value_ticks())?;
        let label = |y: &f64| self.curves.value_label(*y);
        self.mesh(&mut panel, &format!("{}(x)", self.subject.name()), &label)?;
        draw_lines(&mut panel, &self.curves.table, TABLE.stroke_width(5))?;
        draw_lines(&mut panel, &self.curves.truth, TRUE.stroke_width(1))?;
        let tick = bottom + 0.04 * (top - bottom);
        let edges = self.layout.sections.iter();
        panel.draw_series(edges.map(|&x| PathElement::new([(x, bottom), (x, tick)], EDGE.stroke_width(1))))?;
        Ok(())
    }

    fn lower<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let (floor, top) = self.curves.decades;
        let step = ((top - floor) / 10.0).ceil().max(1.0) as usize;
        let ticks = (floor as i32..=top as i32).step_by(step).map(f64::from).collect();
        let mut panel = self.panel(area, (floor, top), ticks)?;
        let label = |decade: &f64| match decade.round() as i32 {
            -2 => format!("≤ {FLOOR}"),
            decade @ -1..=3 => 10f64.powi(decade).to_string(),
            decade => format!("10{}", superscript(decade)),
        };
        self.mesh(&mut panel, "error in ULP, log-scaled", &label)?;
        let half = 0.5f64.log10();
        let (first, last) = self.layout.axis.range();
        panel.draw_series(DashedLineSeries::new([(first, half), (last, half)], 6, 4, TRUE.stroke_width(1)))?;
        for line in &self.curves.table_error {
            panel.draw_series(AreaSeries::new(line.iter().copied(), floor, TABLE.mix(0.3)))?;
        }
        // One pixel wide: the corners of a wider line that jumps up and down stick out of the panel.
        draw_lines(&mut panel, &self.curves.form_error, FORM.stroke_width(1))?;
        draw_lines(&mut panel, &self.curves.table_error, DARK.stroke_width(1))?;
        let mark = top - 0.04 * (top - floor);
        let lost = self.curves.lost.iter();
        panel.draw_series(lost.map(|&x| PathElement::new([(x, mark), (x, top)], RED.stroke_width(2))))?;
        Ok(())
    }

    /// A panel over the inputs with the clamps and the octaves drawn.
    fn panel<'p, DB: DrawingBackend>(
        &self,
        area: &'p DrawingArea<DB, Shift>,
        (bottom, top): (f64, f64),
        ticks: Vec<f64>,
    ) -> Result<Panel<'p, DB>, Failure<DB>> {
        let inputs = Scale::new(self.layout.axis.range(), self.layout.axis.ticks(24));
        let mut panel = ChartBuilder::on(area)
            .margin_right(28)
            .margin_top(6)
            .margin_left(6)
            .x_label_area_size(52)
            .y_label_area_size(84)
            .build_cartesian_2d(inputs, Scale::new((bottom, top), ticks))?;
        for band in &self.layout.bands {
            let color = if band.part == Part::LowClamp { LOW } else { HIGH };
            panel.draw_series([Rectangle::new([(band.from, bottom), (band.to, top)], color.mix(SHADE).filled())])?;
        }
        let upright = |x: f64, color: RGBColor| PathElement::new([(x, bottom), (x, top)], color.stroke_width(1));
        panel.draw_series(self.layout.axis.octaves().into_iter().map(|x| upright(x, FAINT)))?;
        panel.draw_series(self.layout.clamp_edges().into_iter().map(|x| upright(x, EDGE)))?;
        Ok(panel)
    }

    fn mesh<DB: DrawingBackend>(
        &self,
        panel: &mut Panel<'_, DB>,
        name: &str,
        label: &dyn Fn(&f64) -> String,
    ) -> Drawn<DB> {
        panel
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|x| self.layout.axis.label(*x))
            .y_label_formatter(label)
            .x_desc("input x, log-scaled (a vertical line an octave)")
            .y_desc(name)
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 16))
            .draw()
    }
}

fn draw_lines<DB: DrawingBackend>(panel: &mut Panel<'_, DB>, lines: &[Line], style: ShapeStyle) -> Drawn<DB> {
    for line in lines {
        panel.draw_series(LineSeries::new(line.iter().copied(), style))?;
    }
    Ok(())
}
