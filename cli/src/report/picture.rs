//! One picture a function: above, the function with its table; below, the error in ULP. Both over the input on one
//! log-scaled axis, with the octaves, the sections and the clamps marked.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use pwp_sim_core::catalog::hardwired::hardwired;
use pwp_sim_core::engine::file;

use super::axis::superscript;
use super::curves::{COLUMNS, Curves, FLOOR, Line, MARK, brush};
use super::layout::Layout;
use super::legend::{self, Drawn, Failure, Key, SHADE};
use super::measure::Measurement;
use super::slot::Part;
use super::subject::Subject;
use super::tally::{Loss, Tally};
use super::text::{LINES, number};
use crate::drawing::{self, scale::Scale};

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
/// Inputs without an error, in the order of [`Loss::ALL`].
const LOST: [RGBColor; 3] = [RED, RGBColor(150, 0, 190), BLACK];

/// How many characters of the headline go into one line.
const HEADLINE: usize = 150;

type Panel<'a, DB> = ChartContext<'a, DB, Cartesian2d<Scale, Scale>>;

/// Writes the picture of a subject into `directory`, as SVG and as PNG.
///
/// # Errors
/// When a file cannot be written.
pub fn write(directory: &Path, subject: &Subject, measurement: &Measurement) -> Result<()> {
    let picture = Picture::new(subject, measurement);
    let file = |extension: &str| directory.join(format!("{}.{extension}", subject.file_name()));
    file::write(&file("svg"), drawing::svg(&picture, SIZE)?.as_bytes())?;
    Ok(file::write(&file("png"), &drawing::png(&picture, SIZE)?)?)
}

/// A picture as SVG, with what is needed to say what is at a pixel of it.
#[derive(Debug)]
pub struct Drawing {
    /// The picture.
    pub svg: String,
    /// What it shows of the inputs.
    pub layout: Layout,
    /// The pixels from the first to the last position on the axis of inputs.
    pub inputs: Range<i32>,
    /// The pixels from the top of the upper panel to the bottom of the lower one.
    pub height: Range<i32>,
}

/// Draws the picture of a subject.
///
/// # Errors
/// When it cannot be drawn.
pub fn svg(subject: &Subject, measurement: &Measurement) -> Result<Drawing> {
    let picture = Picture::new(subject, measurement);
    let svg = drawing::svg(&picture, SIZE)?;
    let (mut inputs, mut height) = (0..0, SIZE.1 as i32..0);
    for (across, down) in picture.panels.take() {
        inputs = across;
        height = height.start.min(down.start)..height.end.max(down.end);
    }
    Ok(Drawing { svg, layout: picture.layout, inputs, height })
}

/// The first line of a subject's picture: the function, its table and the number of sections.
pub fn title(subject: &Subject) -> String {
    let name = subject.name();
    match (&subject.table, subject.sections()) {
        (None, _) => format!("{name}: closed form"),
        (Some((profile, _)), Some(0)) if subject.info.profile.and_then(hardwired).is_some() => {
            format!("{name}: hardwired, {profile}")
        }
        (Some((profile, _)), None | Some(0)) => format!("{name}: table {profile}, no sections"),
        (Some((profile, _)), Some(sections)) => format!("{name}: table {profile}, {sections} sections"),
    }
}

struct Picture<'a> {
    subject: &'a Subject,
    measurement: &'a Measurement,
    layout: Layout,
    curves: Curves,
    /// Where the panels were drawn, in pixels: across and down.
    panels: RefCell<Vec<(Range<i32>, Range<i32>)>>,
}

impl drawing::Picture for Picture<'_> {
    fn draw<DB: DrawingBackend>(&self, root: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        root.fill(&WHITE)?;
        root.draw(&Text::new(title(self.subject), (24, 14), ("sans-serif", 24)))?;
        let mut y = 47;
        for line in self.headlines() {
            root.draw(&Text::new(line, (24, y), ("sans-serif", 15)))?;
            y += 19;
        }
        let rows = legend::rows(root, &self.keys(), SIZE.0 - 48)?;
        for row in &rows {
            legend::draw(&root.margin(y + 6, SIZE.1 as i32 - y - 36, 24, 4), row)?;
            y += 26;
        }
        let (_, body) = root.split_vertically(y + 14);
        let (upper, lower) = body.split_vertically((SIZE.1 as i32 - y - 14) / 2);
        self.upper(&upper)?;
        self.lower(&lower)?;
        root.present()
    }
}

impl<'a> Picture<'a> {
    fn new(subject: &'a Subject, measurement: &'a Measurement) -> Picture<'a> {
        let layout = Layout::of(subject);
        let curves = Curves::of(subject, measurement, &layout);
        Picture { subject, measurement, layout, curves, panels: RefCell::default() }
    }

    /// The worst errors and the counts of inputs without one: in one line, or in a line each where that is too long.
    fn headlines(&self) -> Vec<String> {
        let lines = LINES.into_iter().filter_map(|(name, parts)| headline(name, &self.measurement.total(parts)));
        let lines: Vec<String> = lines.collect();
        let one = lines.join("      ");
        if one.chars().count() <= HEADLINE { vec![one] } else { lines }
    }

    fn keys(&self) -> Vec<(Key, &'static str)> {
        let band = |part| self.layout.bands.iter().any(|band| band.part == part);
        let lost = |loss: Loss| !self.curves.lost[loss as usize].is_empty();
        let keys = [
            (true, Key::Line(TRUE, 1), "true function"),
            (self.subject.table.is_some(), Key::Line(TABLE, 5), "table, and its error"),
            (!self.curves.form_error.is_empty(), Key::Line(FORM, 1), "error of the closed form"),
            (!self.layout.sections.is_empty(), Key::Tick(EDGE), "section edges"),
            (band(Part::LowClamp), Key::Fill(LOW), "low clamp"),
            (band(Part::HighClamp), Key::Fill(HIGH), "high clamp"),
            (true, Key::Dashed(TRUE), "0.5 ULP (exact)"),
            (lost(Loss::Nan), Key::Tick(LOST[0]), "NaN for a number"),
            (lost(Loss::Number), Key::Tick(LOST[1]), "a number for NaN"),
            (lost(Loss::Unhandled), Key::Tick(LOST[2]), "unhandled"),
        ];
        keys.into_iter().filter(|(shown, ..)| *shown).map(|(_, key, text)| (key, text)).collect()
    }

    fn upper<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let (bottom, top) = self.curves.value_range;
        let mut panel = self.panel(area, (bottom, top), self.curves.value_ticks())?;
        let label = |y: &f64| self.curves.value_label(*y);
        self.mesh(&mut panel, &format!("{}(x)", self.subject.name()), &label)?;
        let range = self.layout.axis.range();
        let pixel = (top - bottom) / f64::from(panel.plotting_area().dim_in_pixel().1);
        for line in &self.curves.table {
            let surface = brush(line, range, (bottom, top), 2, 2.0 * pixel);
            panel.draw_series([Polygon::new(surface, TABLE.filled())])?;
        }
        if self.subject.table.is_some() && self.curves.table.is_empty() {
            self.say(&panel, "the table gives no number here")?;
        }
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
        let total = self.measurement.total(&Part::ALL);
        if self.curves.table_error.is_empty() && self.curves.form_error.is_empty() {
            self.say(&panel, "no result has an error to show")?;
        } else if total.measured == total.seen && total.worst_ulp.error == 0.0 {
            self.say(&panel, "every result is exact")?;
        }
        // A mark is three pixels wide, so that one alone is seen.
        let (width, height) = ((last - first) / COLUMNS, MARK * (top - floor));
        let lost = self.curves.lost.iter().zip(LOST).filter(|(lost, _)| !lost.is_empty());
        for (row, (lost, color)) in lost.enumerate() {
            let mark = top - row as f64 * height;
            let corners = |x: f64| {
                let x = x.clamp(first + 1.5 * width, last - 1.5 * width);
                [(x - 1.5 * width, mark), (x + 1.5 * width, mark - 0.8 * height)]
            };
            panel.draw_series(lost.iter().map(|&x| Rectangle::new(corners(x), color.filled())))?;
        }
        Ok(())
    }

    /// Writes words into the middle of a panel.
    fn say<DB: DrawingBackend>(&self, panel: &Panel<'_, DB>, words: &str) -> Drawn<DB> {
        let area = panel.plotting_area().strip_coord_spec();
        let (width, height) = area.dim_in_pixel();
        let style = ("sans-serif", 16).into_font().color(&DARK).pos(Pos::new(HPos::Center, VPos::Center));
        area.draw(&Text::new(words.to_owned(), (width as i32 / 2, height as i32 / 4), style))
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
        self.panels.borrow_mut().push(panel.plotting_area().get_pixel_range());
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
            .x_desc("input x, log-scaled (a vertical line per octave)")
            .y_desc(name)
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 16))
            .draw()
    }
}

/// What is said of some inputs; nothing where there are none.
fn headline(name: &str, tally: &Tally) -> Option<String> {
    let worst = match tally.worst_ulp() {
        _ if tally.seen == 0 => return None,
        None => None,
        Some(peak) if peak.error == 0.0 => Some("no error".to_owned()),
        Some(peak) => Some(format!("worst {} ULP at {:?}", number(peak.error), peak.input())),
    };
    let lost = Loss::ALL.into_iter().map(|loss| (loss, tally.lost(loss).count)).filter(|(_, count)| *count > 0);
    let lost = lost.map(|(loss, count)| format!("{count} {}", loss.name()));
    let parts: Vec<String> = worst.into_iter().chain(lost).collect();
    let of = if tally.measured == tally.seen { String::new() } else { format!(" of {} inputs", tally.seen) };
    Some(format!("{name}: {}{of}", parts.join(", ")))
}

fn draw_lines<DB: DrawingBackend>(panel: &mut Panel<'_, DB>, lines: &[Line], style: ShapeStyle) -> Drawn<DB> {
    for line in lines {
        panel.draw_series(LineSeries::new(line.iter().copied(), style))?;
    }
    Ok(())
}
