//! What the tests of tables and of everything above share: a generator of random numbers and tables made with it.

use crate::profile::{Profile, Region, Saturation, SaturationPoint, Section, Specials, Symmetry};
use crate::table::{FoldReading, Table};

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `0..n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// True once in `n`.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A float in about `[-2, 2]`, often a round one.
    pub(crate) fn float(&mut self) -> f32 {
        let f = self.next() as i32 as f32 / 2f32.powi(30);
        if self.one_in(4) { f.round() } else { f }
    }
}

/// How the coefficients of a random table look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coefficients {
    /// Of moderate size.
    Plain,
    /// Moderate, without cubic terms.
    Quadratic,
    /// Moderate, without quadratic and cubic terms.
    Straight,
    /// Any bit pattern: infinities, NaN, denormals, all sizes.
    Wild,
    /// Only a cubic term, of a power of two: sums on halfway points, the guard's worst case.
    Cubes,
    /// Terms that nearly cancel.
    Cancelling,
}

impl Coefficients {
    pub(crate) const ALL: [Coefficients; 6] = [
        Coefficients::Plain,
        Coefficients::Quadratic,
        Coefficients::Straight,
        Coefficients::Wild,
        Coefficients::Cubes,
        Coefficients::Cancelling,
    ];

    /// A section for inputs about `centre`.
    fn section(self, rng: &mut Rng, centre: f32) -> Section {
        let mut d = || rng.float();
        let plain = Section { x: centre, d0: d(), d1: d(), d2: d(), d3: d() };
        match self {
            Coefficients::Plain => plain,
            Coefficients::Quadratic => Section { d3: 0.0, ..plain },
            Coefficients::Straight => Section { d2: 0.0, d3: 0.0, ..plain },
            Coefficients::Wild => Section::from_bits([0; 5].map(|_: u32| match rng.below(8) {
                0 => [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0001, 0x7f80_0001][rng.below(5) as usize],
                1 => rng.next() as u32 & 0x807f_ffff,
                2 => (rng.next() as u32) & 0x8000_0000,
                3 => rng.float().to_bits(),
                _ => rng.next() as u32,
            })),
            Coefficients::Cubes => {
                let d3 = 2f32.powi(rng.below(60) as i32 - 30);
                Section { x: 0.0, d0: 0.0, d1: 0.0, d2: 0.0, d3: if rng.one_in(2) { -d3 } else { d3 } }
            }
            Coefficients::Cancelling => {
                let (c, d3) = (f64::from(centre), rng.float());
                let d0 = (-c * c * c * f64::from(d3)) as f32;
                Section { x: 0.0, d0, d1: 0.0, d2: 0.0, d3 }
            }
        }
    }
}

/// How the regions of a random table look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) coefficients: Coefficients,
    pub(crate) symmetry: Symmetry,
    /// Whether octaves may be absent, too short, or too sparse to be laid out.
    pub(crate) holes: bool,
}

/// A fold by three flags.
pub(crate) fn symmetry(rng: &mut Rng, flags: u64) -> Symmetry {
    Symmetry {
        enabled: flags & 1 != 0,
        invert_sign: flags & 2 != 0,
        use_neg_region: flags & 4 != 0,
        point: [0.0, -0.0, 1.0, rng.float()][rng.below(4) as usize],
    }
}

/// A random table of a random shape.
pub(crate) fn random_table(rng: &mut Rng) -> Table {
    let coefficients = Coefficients::ALL[rng.below(6) as usize];
    let flags = rng.below(8);
    let shape = Shape { coefficients, symmetry: symmetry(rng, flags), holes: rng.one_in(2) };
    table_of(rng, shape)
}

/// A random straight table of at most 18 rows: three octaves a side.
pub(crate) fn small_straight_table(rng: &mut Rng, flags: u64) -> Table {
    let shape = Shape { coefficients: Coefficients::Straight, symmetry: symmetry(rng, flags), holes: false };
    let mut profile = table_of(rng, shape).to_profile();
    for regions in [&mut profile.pos, &mut profile.neg] {
        regions.retain(|region| (-1..=1).contains(&region.exponent));
        for region in regions {
            (region.num_sections, region.extract_size) = (2, 1);
            region.sections.truncate(2);
        }
    }
    for (high, low) in [(Saturation::PosHigh, Saturation::PosLow), (Saturation::NegHigh, Saturation::NegLow)] {
        let points = &mut profile.saturation_points;
        (points[high as usize].sat_point, points[high as usize].mantissa_point) = (129, 0);
        (points[low as usize].sat_point, points[low as usize].mantissa_point) = (125, 0x7f_ffff);
    }
    Table::new(&profile).unwrap()
}

/// A random table of the given shape.
pub(crate) fn table_of(rng: &mut Rng, shape: Shape) -> Table {
    let specials = Specials {
        zero: [0.0, -0.0, 1.0, rng.float()][rng.below(4) as usize],
        nan: f32::NAN,
        pos_inf: [f32::INFINITY, f32::from_bits(0xffc1_2345), 1.0, -0.0][rng.below(4) as usize],
        neg_inf: [0.0, f32::NEG_INFINITY, f32::from_bits(0x7fc0_0000), -2.0][rng.below(4) as usize],
    };
    let mut profile = Profile { symmetry: shape.symmetry, specials, ..Profile::default() };
    for negative in [false, true] {
        let (low, high) = (rng.below(16) as i32 + 100, rng.below(16) as i32 + 122);
        let whole = shape.holes && rng.one_in(4);
        let octaves = if whole { 0..256 } else { low..high + 1 };
        let regions = octaves.filter_map(|biased| region(rng, &shape, negative, biased)).collect();
        let mantissa = |rng: &mut Rng| match rng.below(4) {
            0 => 0,
            1 => 0x7f_ffff,
            _ => rng.below(1 << 23) as i32,
        };
        let section = |rng: &mut Rng, biased: i32| {
            let far = f32::from_bits((biased as u32) << 23);
            let saturation = if rng.one_in(3) { Coefficients::Straight } else { shape.coefficients };
            saturation.section(rng, if negative { -far } else { far })
        };
        let mut point = |sat_point, biased| SaturationPoint {
            sat_point,
            mantissa_point: mantissa(rng),
            section: section(rng, biased),
        };
        let (mut h, mut l) = (point(high, high), point(low, low));
        if whole {
            let odd = [i32::MIN, -1, 0, 254, 255, 256, 300, i32::MAX];
            h.sat_point = odd[4 + rng.below(4) as usize];
            l.sat_point = odd[rng.below(4) as usize % 3];
            h.mantissa_point = [i32::MIN, -1, 0, 1 << 23, i32::MAX][rng.below(5) as usize];
        }
        let (side, high, low) = match negative {
            false => (&mut profile.pos, Saturation::PosHigh, Saturation::PosLow),
            true => (&mut profile.neg, Saturation::NegHigh, Saturation::NegLow),
        };
        *side = regions;
        profile.saturation_points[high as usize] = h;
        profile.saturation_points[low as usize] = l;
    }
    let reading = FoldReading::ALL[rng.below(2) as usize];
    Table::with_reading(&profile, reading).unwrap()
}

fn region(rng: &mut Rng, shape: &Shape, negative: bool, biased: i32) -> Option<Region> {
    let holes = shape.holes && rng.one_in(4);
    if holes && rng.one_in(3) {
        return None;
    }
    let extract_size = if holes { rng.below(24) } else { rng.below(9) } as u32;
    let full = 1u64 << extract_size;
    let num_sections = if holes { rng.below(full + 1) } else { full };
    // Some lists are shorter than they say.
    let given = match rng.below(8) {
        0 => rng.below(num_sections + 1),
        1 => 0,
        _ => num_sections,
    };
    let section = |index: u64| {
        let middle = ((2 * index + 1) << (23 - extract_size)) as u32 >> 1;
        let sign = u32::from(negative) << 31;
        let centre = f32::from_bits(sign | (biased as u32) << 23 | middle);
        shape.coefficients.section(rng, centre)
    };
    let sections = (0..given.min(300)).map(section).collect();
    Some(Region { exponent: biased - 127, num_sections: num_sections as u32, extract_size, sections })
}

/// A section by section copy of the published shape of `exp_400p`: middles of intervals, Taylor coefficients there.
pub(crate) fn exp_table() -> Table {
    let side = |sign: u32, last: u64| {
        let octaves = (-19i32..=6).map(|exponent| {
            let extract_size = (exponent + 2).max(0) as u32;
            let given = if exponent == 6 { last } else { 1 << extract_size };
            let sections = (0..given as u32).map(|index| {
                let width = 1u32 << (23 - extract_size);
                let first = sign | ((exponent + 127) as u32) << 23 | (index * width);
                let x = f32::from_bits(first + (width - 1) / 2);
                let y = f64::from(x).exp();
                Section { x, d0: y as f32, d1: y as f32, d2: (y / 2.0) as f32, d3: (y / 6.0) as f32 }
            });
            Region { exponent, num_sections: 1 << extract_size, extract_size, sections: sections.collect() }
        });
        octaves.collect()
    };
    let saturation = |sat_point, mantissa_point, bits| SaturationPoint {
        sat_point,
        mantissa_point,
        section: Section::from_bits(bits),
    };
    let low = saturation(108, 0, [0, 0x3f80_0000, 0x3f80_0000, 0x3f00_0000, 0x3e2a_aaab]);
    let high = saturation(133, 3_240_472, [0, 0x7f80_0000, 0, 0, 0]);
    Table::new(&Profile {
        specials: Specials { zero: 1.0, nan: f32::NAN, pos_inf: f32::INFINITY, neg_inf: 0.0 },
        pos: side(0, 99),
        neg: side(0x8000_0000, 134),
        saturation_points: [high, low, saturation(133, 4_362_891, [0; 5]), low],
        ..Profile::default()
    })
    .unwrap()
}
