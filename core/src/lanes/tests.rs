//! One suite for every instruction set: each operation gives, lane by lane, what plain Rust gives. Instruction sets that
//! this CPU lacks are named as skipped.

use super::{Lanes, MAX_LANES, Tier, Work};

/// Bit patterns of floats, the odd ones among them, in an order in which each meets each.
fn floats() -> Vec<f32> {
    let mut patterns =
        vec![0, 1, 0x7f_ffff, 0x80_0000, 0x3f80_0000, 0x3fc0_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    let mut x = 0x9e37_79b9u32;
    patterns.extend((0..40).map(|_| {
        x = x.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
        x & i32::MAX as u32
    }));
    patterns.into_iter().flat_map(|bits| [bits, bits | 1 << 31]).map(f32::from_bits).collect()
}

/// Doubles as odd, with bits that no float has.
fn doubles() -> Vec<f64> {
    let wide =
        |(i, x): (usize, f32)| f64::from_bits(f64::from(x).to_bits() ^ (i as u64).wrapping_mul(0x1234_5678_9abc));
    let small = [0.5, -0.5, 1.5, 2.5, -3.49, 1e9, -1e15, 2251799813685247.5].into_iter();
    floats().into_iter().enumerate().map(wide).chain(small).collect()
}

/// Two inputs in every lane, as vectors and as arrays, with the ways to look into a result.
struct Probe<L: Lanes> {
    l: L,
    a: [f32; MAX_LANES],
    b: [f32; MAX_LANES],
    x: [f64; MAX_LANES],
    y: [f64; MAX_LANES],
}

/// A double's words by way of floats, which any bits pass through unchanged.
fn double_lanes<L: Lanes>(l: L, x: L::F64) -> Vec<f64> {
    let (mut low, mut high) = ([0f32; MAX_LANES], [0f32; MAX_LANES]);
    l.store(l.from_bits(l.low_words(x)), &mut low);
    l.store(l.from_bits(l.high_words(x)), &mut high);
    let word = |f: f32| u64::from(f.to_bits());
    let own = (0..L::N).map(|i| f64::from_bits(word(low[i]) | word(high[i]) << 32)).collect::<Vec<_>>();
    // The elements' order, found by numbering them.
    let mut numbers = [0f32; MAX_LANES];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = i as f32;
    }
    let numbered = l.widen(l.load(&numbers));
    let mut order = [0f32; MAX_LANES];
    l.store(l.from_bits(l.high_words(numbered)), &mut order);
    let place = |i: usize| {
        let high = (i as f64).to_bits() >> 32;
        order.iter().take(L::N).position(|f| u64::from(f.to_bits()) == high).expect("every element has a lane")
    };
    (0..L::N).map(|i| own[place(i)]).collect()
}

fn double_vector<L: Lanes>(l: L, x: &[f64; MAX_LANES]) -> L::F64 {
    let mut numbers = [0f32; MAX_LANES];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = i as f32;
    }
    let (_, index) = l.round(l.widen(l.load(&numbers)));
    l.look_up_16(x, index)
}

fn float_lanes<L: Lanes>(l: L, x: L::F32) -> Vec<f32> {
    let mut lanes = [0f32; MAX_LANES];
    l.store(x, &mut lanes);
    lanes[..L::N].to_vec()
}

#[track_caller]
fn same_f32(found: Vec<f32>, expected: impl Fn(usize) -> f32) {
    for (i, y) in found.into_iter().enumerate() {
        let e = expected(i);
        assert!(y.to_bits() == e.to_bits() || y.is_nan() && e.is_nan(), "lane {i}: {y:e}, not {e:e}");
    }
}

#[track_caller]
fn same_f64(found: Vec<f64>, expected: impl Fn(usize) -> f64) {
    for (i, y) in found.into_iter().enumerate() {
        let e = expected(i);
        assert!(y.to_bits() == e.to_bits() || y.is_nan() && e.is_nan(), "lane {i}: {y:e}, not {e:e}");
    }
}

impl<L: Lanes> Probe<L> {
    fn bits_of(&self, x: L::I32) -> Vec<f32> {
        float_lanes(self.l, self.l.from_bits(x))
    }

    #[track_caller]
    fn mask(&self, mask: L::M32, expected: impl Fn(usize) -> bool) {
        let bits = (0..L::N).filter(|&i| expected(i)).fold(0, |bits, i| bits | 1 << i);
        assert_eq!(self.l.lanes(mask), bits);
        assert_eq!(self.l.any(mask), bits != 0);
    }

    #[track_caller]
    fn mask_64(&self, mask: L::M64, expected: impl Fn(usize) -> bool) {
        self.mask(self.l.narrow_mask(mask), expected);
    }

    fn narrow_operations(&self) {
        let Probe { l, a, b, .. } = *self;
        let (va, vb) = (l.load(&a), l.load(&b));
        same_f32(float_lanes(l, va + vb), |i| a[i] + b[i]);
        same_f32(float_lanes(l, va - vb), |i| a[i] - b[i]);
        same_f32(float_lanes(l, va * vb), |i| a[i] * b[i]);
        let (ia, ib) = (l.bits(va), l.bits(vb));
        let (ba, bb) = (a.map(f32::to_bits), b.map(f32::to_bits));
        let exact = |found: Vec<f32>, expected: &dyn Fn(usize) -> u32| {
            for (i, y) in found.iter().enumerate() {
                assert_eq!(y.to_bits(), expected(i), "lane {i}");
            }
        };
        exact(self.bits_of(ia + ib), &|i| ba[i].wrapping_add(bb[i]));
        exact(self.bits_of(ia - ib), &|i| ba[i].wrapping_sub(bb[i]));
        exact(self.bits_of(ia & ib), &|i| ba[i] & bb[i]);
        exact(self.bits_of(ia | ib), &|i| ba[i] | bb[i]);
        exact(self.bits_of(ia ^ ib), &|i| ba[i] ^ bb[i]);
        exact(self.bits_of(l.shl::<3>(ia)), &|i| ba[i] << 3);
        exact(self.bits_of(l.shr::<23>(ia)), &|i| ba[i] >> 23);
        exact(self.bits_of(l.shl_each(ia, ib & l.splat_i32(31))), &|i| ba[i] << (bb[i] & 31));
        exact(self.bits_of(l.shr_each(ia, ib & l.splat_i32(31))), &|i| ba[i] >> (bb[i] & 31));
        exact(self.bits_of(l.by_sign_i32(ib, ia, ib)), &|i| if bb[i] >> 31 == 1 { ba[i] } else { bb[i] });
        self.mask(l.eq_i32(ia, ib), |i| ba[i] == bb[i]);
        self.mask(l.eq_i32(ia, ia), |_| true);
        self.mask(l.nowhere(), |_| false);
        let greater = l.gt_i32(ia, ib);
        self.mask(greater, |i| ba[i] as i32 > bb[i] as i32);
        self.mask(greater | l.is_nan(va), |i| ba[i] as i32 > bb[i] as i32 || a[i].is_nan());
        self.mask(greater & l.not_ge(va, vb), |i| ba[i] as i32 > bb[i] as i32 && !a[i].ge(&b[i]));
        exact(self.bits_of(l.select_i32(greater, ia, ib)), &|i| ba[i].cast_signed().max(bb[i].cast_signed()) as u32);
        exact(self.bits_of(l.zero_if(greater, ib)), &|i| if ba[i] as i32 > bb[i] as i32 { 0 } else { bb[i] });
        exact(float_lanes(l, l.select_f32(greater, vb, va)), &|i| ba[i].cast_signed().min(bb[i].cast_signed()) as u32);
        exact(float_lanes(l, l.by_sign_f32(ia, vb, va)), &|i| if ba[i] >> 31 == 1 { bb[i] } else { ba[i] });
        let mut table = [0u32; 512];
        for (i, entry) in table.iter_mut().enumerate() {
            *entry = (i as u32).wrapping_mul(0x0101_0101);
        }
        exact(self.bits_of(l.look_up_512(&table, ia)), &|i| table[(ba[i] >> 23) as usize]);
        let small: [u32; 32] = std::array::from_fn(|i| table[i * 3]);
        exact(self.bits_of(l.look_up_32(&small, ia)), &|i| small[(ba[i] & 31) as usize]);
        let words: [u32; 8] = std::array::from_fn(|i| table[i * 7 + 1]);
        exact(self.bits_of(l.look_up_8_words(&words, ia)), &|i| words[(ba[i] & 7) as usize]);
        let products = double_lanes(l, l.from_bits_64(l.products(ia, ib)));
        assert!((0..L::N).all(|i| products[i].to_bits() == u64::from(ba[i]) * u64::from(bb[i])), "products");
        same_f32(float_lanes(l, l.splat_f32(a[0])), |_| a[0]);
        exact(self.bits_of(l.splat_i32(ba[0] as i32)), &|_| ba[0]);
        same_f64(double_lanes(l, l.widen(va)), |i| f64::from(a[i]));
        same_f32(float_lanes(l, l.narrow(l.widen(va))), |i| a[i]);
    }

    fn wide_operations(&self) {
        let Probe { l, x, y, .. } = *self;
        let (vx, vy) = (double_vector(l, &x), double_vector(l, &y));
        same_f64(double_lanes(l, vx), |i| x[i]);
        same_f64(double_lanes(l, vx + vy), |i| x[i] + y[i]);
        same_f64(double_lanes(l, vx - vy), |i| x[i] - y[i]);
        same_f64(double_lanes(l, vx * vy), |i| x[i] * y[i]);
        same_f64(double_lanes(l, vx / vy), |i| x[i] / y[i]);
        same_f64(double_lanes(l, l.sqrt(vx)), |i| x[i].sqrt());
        same_f64(double_lanes(l, l.abs(vx)), |i| x[i].abs());
        same_f64(double_lanes(l, l.neg(vx)), |i| -x[i]);
        same_f64(double_lanes(l, l.copysign(vx, vy)), |i| x[i].copysign(y[i]));
        same_f64(double_lanes(l, l.splat_f64(x[1])), |_| x[1]);
        same_f32(float_lanes(l, l.narrow(vx)), |i| x[i] as f32);
        self.mask_64(l.eq_f64(vx, vy), |i| x[i] == y[i]);
        self.mask_64(l.lt_f64(vx, vy), |i| x[i] < y[i]);
        self.mask_64(l.le_f64(vx, vy), |i| x[i] <= y[i]);
        self.mask_64(l.not_ge_f64(vx, vy), |i| !x[i].ge(&y[i]));
        self.mask_64(l.le_f64(vx, vy) & l.eq_f64(vy, vx), |i| x[i] == y[i]);
        self.mask_64(l.lt_f64(vx, vy) | l.lt_f64(vy, vx), |i| x[i].lt(&y[i]) || x[i].gt(&y[i]));
        same_f64(double_lanes(l, l.select_f64(l.lt_f64(vx, vy), vx, vy)), |i| if x[i] < y[i] { x[i] } else { y[i] });
        let (ix, iy) = (l.bits_64(vx), l.bits_64(vy));
        let (bx, by) = (x.map(f64::to_bits), y.map(f64::to_bits));
        let exact = |found: L::I64, expected: &dyn Fn(usize) -> u64| {
            for (i, y) in double_lanes(l, l.from_bits_64(found)).iter().enumerate() {
                assert_eq!(y.to_bits(), expected(i), "lane {i}");
            }
        };
        exact(ix + iy, &|i| bx[i].wrapping_add(by[i]));
        exact(ix - iy, &|i| bx[i].wrapping_sub(by[i]));
        exact(ix & iy, &|i| bx[i] & by[i]);
        exact(ix | iy, &|i| bx[i] | by[i]);
        exact(ix ^ iy, &|i| bx[i] ^ by[i]);
        exact(l.shl_64::<52>(ix), &|i| bx[i] << 52);
        exact(l.shr_64::<45>(ix), &|i| bx[i] >> 45);
        exact(l.splat_i64(bx[2] as i64), &|_| bx[2]);
        self.mask_64(l.eq_i64(ix, iy), |i| bx[i] == by[i]);
        self.mask_64(l.gt_i64(ix, iy), |i| bx[i] as i64 > by[i] as i64);
        exact(l.select_i64(l.gt_i64(ix, iy), ix, iy), &|i| (bx[i] as i64).max(by[i] as i64) as u64);
        let table = |i: usize| i as f64 * 1.25 - 3.0;
        let (eight, sixteen) = (std::array::from_fn(table), std::array::from_fn(table));
        same_f64(double_lanes(l, l.look_up_8(&eight, ix)), |i| eight[bx[i] as usize & 7]);
        same_f64(double_lanes(l, l.look_up_16(&sixteen, ix)), |i| sixteen[bx[i] as usize & 15]);
        let (rounded, integers) = l.round(vx);
        let (rounded, back) = (double_lanes(l, rounded), double_lanes(l, l.double_of(integers)));
        for i in (0..L::N).filter(|&i| x[i].abs() <= 2f64.powi(51)) {
            let nearest = x[i].round_ties_even();
            assert_eq!((rounded[i], back[i]), (nearest, nearest), "{:e}", x[i]);
        }
    }

    /// What is only bounded, on doubles of moderate size, and what chooses.
    fn approximations(&self) {
        let Probe { l, a, b, x, y } = *self;
        let fraction = |x: f64| 1.0 + (x.to_bits() & ((1 << 52) - 1)) as f64 / (1u64 << 52) as f64;
        let (x, y) = (x.map(fraction), y.map(|y| fraction(y) * f64::exp2((y.to_bits() >> 55) as f64 - 256.0)));
        let (vx, vy) = (double_vector(l, &x), double_vector(l, &y));
        let sums = [double_lanes(l, l.mul_add(vx, vy, vx)), double_lanes(l, l.neg_mul_add(vx, vy, vx))];
        for i in 0..L::N {
            let once = [x[i].mul_add(y[i], x[i]), (-x[i]).mul_add(y[i], x[i])];
            let twice = [x[i] * y[i] + x[i], x[i] - x[i] * y[i]];
            for (k, sum) in sums.iter().enumerate() {
                assert!(sum[i] == once[k] || sum[i] == twice[k], "{:e} {:e}: {:e}", x[i], y[i], sum[i]);
            }
        }
        for (i, q) in double_lanes(l, l.quotient(vx, vy)).iter().enumerate() {
            assert!((q / (x[i] / y[i]) - 1.0).abs() < f64::exp2(-41.9), "{:e} / {:e}: {q:e}", x[i], y[i]);
        }
        let normal = |x: f32| if x.is_nan() { 1.5 } else { x.abs().clamp(f32::MIN_POSITIVE, f32::MAX) };
        let positive = a.map(normal);
        for (i, r) in double_lanes(l, l.inverse_root(l.load(&positive))).iter().enumerate() {
            let error = r * f64::from(positive[i]).sqrt() - 1.0;
            assert!(error.abs() < f64::exp2(-40.6), "{:e}: {r:e}, {error:e}", positive[i]);
        }
        let (va, vb) = (l.load(&a), l.load(&b));
        let choose = |a: f32, b: f32, first: bool| if first && !b.is_nan() { a } else { b };
        let numbers = |i: usize| !a[i].is_nan() || b[i].is_nan();
        let (least, most) = (float_lanes(l, l.min_f32(va, vb)), float_lanes(l, l.max_f32(va, vb)));
        for i in (0..L::N).filter(|&i| numbers(i)) {
            // Of two zeros either may come.
            let same = |x: f32, y: f32| x == y || x.is_nan() && y.is_nan();
            assert!(same(least[i], choose(a[i], b[i], a[i] < b[i])), "{:e} {:e}: {:e}", a[i], b[i], least[i]);
            assert!(same(most[i], choose(a[i], b[i], a[i] > b[i])), "{:e} {:e}: {:e}", a[i], b[i], most[i]);
        }
        same_f64(double_lanes(l, l.max_f64(vx, vy)), |i| x[i].max(y[i]));
    }

    fn rows(&self) {
        #[repr(C, align(32))]
        struct Row([f32; 4], [f64; 2]);
        let Probe { l, a, b, x, y } = *self;
        let rows: [Row; MAX_LANES] = std::array::from_fn(|i| Row([a[i], b[i], x[i] as f32, 7.0], [x[i], y[i]]));
        let mut places = [0f32; MAX_LANES];
        for (i, place) in places.iter_mut().enumerate() {
            *place = f32::from_bits((i as u32 * 5 + 3) % 16 * 32);
        }
        let row = |lane: usize| &rows[(lane * 5 + 3) % 16];
        let offsets = l.bits(l.load(&places));
        let base = rows.as_ptr().cast();
        // SAFETY: the offsets are multiples of 32 within the sixteen rows.
        let (floats, doubles) = unsafe { (l.row_floats(base, &offsets), l.row_doubles(base, &offsets)) };
        for (column, floats) in floats.into_iter().enumerate() {
            same_f32(float_lanes(l, floats), |i| row(i).0[column]);
        }
        for (column, doubles) in doubles.into_iter().enumerate() {
            same_f64(double_lanes(l, doubles), |i| row(i).1[column]);
        }
    }
}

/// A window of the inputs, repeated from the start where they end.
fn window<T: Copy>(of: &[T], from: usize) -> [T; MAX_LANES] {
    std::array::from_fn(|i| of[(from + i) % of.len()])
}

/// Which operations a test looks at.
#[derive(Clone, Copy)]
enum Check {
    Narrow,
    Wide,
    Approximations,
    Rows,
}

impl Work for Check {
    /// The vector length.
    type Output = usize;

    #[inline(always)]
    fn on_lanes<L: Lanes>(self, l: L) -> usize {
        let (f, d) = (floats(), doubles());
        for apart in 0..f.len() {
            for from in (0..f.len()).step_by(L::N) {
                let (a, b) = (window(&f, from), window(&f, from + apart));
                let (x, y) = (window(&d, from + 11), window(&d, from + 11 + apart));
                let probe = Probe { l, a, b, x, y };
                match self {
                    Check::Narrow => probe.narrow_operations(),
                    Check::Wide => probe.wide_operations(),
                    Check::Approximations => probe.approximations(),
                    Check::Rows => probe.rows(),
                }
            }
        }
        L::N
    }

    fn one_by_one(self) -> usize {
        1
    }
}

/// Runs a check on every instruction set that this CPU has.
fn check(operations: Check) {
    for name in Tier::NAMES {
        let Some(tier) = Tier::named(name) else {
            eprintln!("skipped: this CPU has no {name}");
            continue;
        };
        let lanes = tier.run(MAX_LANES, operations);
        assert_eq!(lanes > 1, tier != Tier::Scalar, "{name} must have run on its vectors");
        assert_eq!(tier.run_whole(true, operations), lanes, "{name} with fused multiply-adds");
    }
}

#[test]
fn operations_on_32_bits_are_those_of_plain_rust_in_every_lane() {
    check(Check::Narrow);
}

#[test]
fn operations_on_64_bits_are_those_of_plain_rust_in_every_lane() {
    check(Check::Wide);
}

#[test]
fn approximations_keep_their_bounds_in_every_lane() {
    check(Check::Approximations);
}

#[test]
fn rows_come_as_columns_in_the_order_of_their_offsets() {
    check(Check::Rows);
}
