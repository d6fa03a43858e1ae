//! The picture of `pwp plot`: two panels over one range.

use plotters::coord::Shift;
use plotters::prelude::*;
use pwp_sim_core::Function;
use pwp_sim_core::engine::{eval, exact};

use super::Curve;
use super::curves::{self, Line};
use crate::drawing::scale::Scale;
use crate::drawing::{Drawn, Failure, Picture};

/// The size in pixels.
pub const SIZE: (u32, u32) = (1200, 900);

/// The colours of the tables, in the order in which they are named; they are taken again from the first.
const COLORS: [RGBColor; 5] = [
    RGBColor(230, 120, 20),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 81, 160),
    RGBColor(130, 90, 40),
];
const FAINT: RGBColor = RGBColor(228, 228, 228);

/// The numbers of ULP that are labelled.
const ULPS: [u32; 10] = [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Everything that is drawn.
pub struct Plot {
    title: String,
    range: (f64, f64),
    form: Vec<Line>,
    tables: Vec<Drawing>,
}

/// What is drawn of one table.
struct Drawing {
    name: String,
    values: Vec<Line>,
    errors: Vec<Line>,
    edges: Vec<f64>,
}

impl Plot {
    /// The picture of a function and these tables over a range.
    pub(super) fn new(name: &str, function: Option<Function>, range: (f32, f32), tables: &[Curve]) -> Plot {
        let form = function.map(|function| curves::values(range, |x| Some(exact::evaluate(function, x, 0.0))));
        let drawing = |curve: &Curve| Drawing {
            name: curve.name.clone(),
            values: curves::values(range, |x| eval::evaluate(&curve.table, x)),
            errors: function.map(|function| curves::errors(range, &curve.table, function)).unwrap_or_default(),
            edges: curves::edges(range, &curve.table),
        };
        Plot {
            title: format!("{name} from {:?} to {:?}", range.0, range.1),
            range: (f64::from(range.0), f64::from(range.1)),
            form: form.unwrap_or_default(),
            tables: tables.iter().map(drawing).collect(),
        }
    }

    fn colored(&self) -> impl Iterator<Item = (&Drawing, RGBColor)> {
        self.tables.iter().zip(COLORS.into_iter().cycle())
    }

    /// The least and the greatest value, with some room.
    fn value_range(&self) -> (f64, f64) {
        let lines = self.form.iter().chain(self.tables.iter().flat_map(|table| &table.values));
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, y) in lines.flatten() {
            (least, greatest) = (least.min(*y), greatest.max(*y));
        }
        if least > greatest {
            return (-1.0, 1.0); // nothing finite to draw
        }
        let room = ((greatest - least) * 0.05).max(greatest.abs().max(least.abs()) * 1e-6).max(f64::MIN_POSITIVE);
        (least - room, greatest + room)
    }

    fn upper<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let (bottom, top) = self.value_range();
        let mut panel = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(30)
            .y_label_area_size(90)
            .build_cartesian_2d(self.range.0..self.range.1, bottom..top)?;
        panel
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .label_style(("sans-serif", 14))
            .draw()?;
        for (row, (table, color)) in self.colored().enumerate() {
            // A row of marks a table, from the bottom.
            let height = (top - bottom) * 0.025;
            let foot = bottom + height * 1.2 * row as f64;
            let marks =
                table.edges.iter().map(|x| PathElement::new([(*x, foot), (*x, foot + height)], color.stroke_width(1)));
            panel.draw_series(marks)?;
            let label = format!("{} (marks: where its sections meet)", table.name);
            lines(&mut panel, &table.values, color.stroke_width(4), &label)?;
        }
        lines(&mut panel, &self.form, BLACK.stroke_width(1), "closed form")?;
        panel
            .configure_series_labels()
            .label_font(("sans-serif", 14))
            .background_style(WHITE.mix(0.8))
            .border_style(FAINT)
            .position(SeriesLabelPosition::UpperLeft)
            .draw()
    }

    fn lower<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let all = self.tables.iter().flat_map(|table| &table.errors).flatten();
        let worst = all.map(|(_, error)| *error).fold(1.1, f64::max);
        let height = |ulp: &u32| (1.0 + f64::from(*ulp)).log10();
        let ticks = ULPS.iter().map(height).filter(|tick| *tick <= worst * 1.05).collect();
        let mut panel = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(90)
            .build_cartesian_2d(self.range.0..self.range.1, Scale::new((0.0, worst * 1.05), ticks))?;
        panel
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 15))
            .x_desc("input")
            .y_desc("ULP from the closed form")
            .y_label_formatter(&|tick| format!("{:.0}", 10f64.powf(*tick) - 1.0))
            .draw()?;
        for (table, color) in self.colored() {
            for line in &table.errors {
                panel.draw_series(LineSeries::new(line.iter().copied(), color.stroke_width(1)))?;
            }
        }
        Ok(())
    }
}

type Panel<'a, DB> =
    ChartContext<'a, DB, Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>>;

/// Draws the lines of one curve, with one entry in the legend.
fn lines<DB: DrawingBackend>(
    panel: &mut Panel<'_, DB>,
    lines: &[Line],
    style: ShapeStyle,
    label: &str,
) -> Result<(), Failure<DB>> {
    for (index, line) in lines.iter().enumerate() {
        let series = panel.draw_series(LineSeries::new(line.iter().copied(), style))?;
        if index == 0 {
            series.label(label).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        }
    }
    Ok(())
}

impl Picture for Plot {
    fn draw<DB: DrawingBackend>(&self, root: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        root.fill(&WHITE)?;
        root.draw(&Text::new(self.title.clone(), (24, 14), ("sans-serif", 24)))?;
        let (_, body) = root.split_vertically(48);
        if self.tables.iter().all(|table| table.errors.is_empty()) {
            self.upper(&body)?;
        } else {
            let (upper, lower) = body.split_vertically((SIZE.1 - 48) / 2);
            self.upper(&upper)?;
            self.lower(&lower)?;
        }
        root.present()
    }
}
