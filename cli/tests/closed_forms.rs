//! The closed forms against MPFR: within one ULP of the true function, but for the inputs that
//! `docs/differences.md` lists. There the distance is bounded by what the form's own roundings explain.

use pwp_cli::report::sample;
use pwp_cli::report::slot::SLOTS;
use pwp_cli::report::subject::ALPHA;
use pwp_cli::truth::Curve;
use pwp_cli::truths::Truths;
use pwp_cli::unit::{Outcome, Truth};
use pwp_sim_core::Function;
use pwp_sim_core::engine::exact::evaluate;

/// 2^-24, the relative error of one rounding to float; at most one ULP.
const ROUNDING: f64 = 1.0 / 16_777_216.0;

/// How far the form may be from the truth at `x`, in ULP of size `unit`.
fn tolerance(function: Function, x: f32, unit: f64) -> f64 {
    use Function::*;
    let d = f64::from(x).abs();
    match function {
        // `erf(z) + 1.0` and `tanh(z) + 1.0` cancel for negative x: each is off by up to 2^-52, times x / 2.
        Gelu | GeluApprxTanh if x < 0.0 => 1.0 + d * f64::EPSILON / unit,
        // `1.702 * d` is rounded to float, which moves its exponential by as many roundings as the argument is large;
        // the sigmoid and the product round once each. In the denormals the sigmoid's rounding grows by the factor x.
        GeluApprxSigmoid => 1.5 + if x < 0.0 { 1.702 * d } else { 0.5 },
        // The square is rounded to float, in the same way.
        DerivativeErf => 2.0 + d * d,
        // Softplus is rounded to float; where it is a denormal that is up to 2^-150, times x.
        Mish if x < 0.0 => 1.5 + if x < -87.0 { 0.5 * d } else { 0.0 },
        // `erf` near -1 is a float: its rounding is what remains when 1 is added.
        DerivativeGelu if x < 0.0 => 1.0 + 2.0 * ROUNDING / unit,
        _ => 1.0,
    }
}

/// Inputs at which the form is NaN and the function has a value.
fn is_lost(function: Function, x: f32) -> bool {
    use Function::*;
    match function {
        Silu | Gelu | GeluApprxTanh | GeluApprxSigmoid | Mish => x == f32::NEG_INFINITY,
        DerivativeGelu => x.is_infinite(),
        DerivativeSilu => x >= f32::from_bits(DERIVATIVE_SILU_NAN) || x == f32::NEG_INFINITY,
        DerivativeGeluApprxSigmoid => x >= f32::from_bits(DERIVATIVE_GELU_NAN) || x == f32::NEG_INFINITY,
        _ => false,
    }
}

/// The first NaN of Derivative_silu: 354.89136.
const DERIVATIVE_SILU_NAN: u32 = 0x43b1_7218;
/// The first NaN of Derivative_Gelu_apprx_sigmoid: 208.51431.
const DERIVATIVE_GELU_NAN: u32 = 0x4350_83aa;

#[test]
fn every_form_is_within_its_distance_of_the_function() {
    for function in Function::all() {
        let curve = Curve::of(function, ALPHA);
        for input in (0..SLOTS).flat_map(|slot| sample::inputs(slot, 64, None)) {
            let x = f32::from_bits(input.bits);
            let truth = Truth::high(curve, x);
            let lost = is_lost(function, x);
            match truth.compare(evaluate(function, x, ALPHA)) {
                Outcome::Nan => assert!(lost, "{function:?} is NaN at {x:?} ({:08x})", input.bits),
                Outcome::Number => panic!("{function:?} has no value at {x:?} ({:08x})", input.bits),
                Outcome::Error { ulp, .. } => {
                    assert!(!lost, "{function:?} is no NaN at {x:?} ({:08x})", input.bits);
                    let most = tolerance(function, x, truth.unit);
                    assert!(ulp <= most, "{function:?} at {x:?} ({:08x}): {ulp} ULP, not {most}", input.bits);
                }
            }
        }
    }
}

/// The first of the inputs `first..=last` whose error is above `most`.
fn first_above(function: Function, most: f64, first: u32, last: u32) -> Option<u32> {
    let mut found = None;
    Truths::new(Curve::of(function, ALPHA)).walk(first, last, &mut |block| {
        let error = |index: usize| match block.truth(index).compare(evaluate(
            function,
            f32::from_bits(block.first + index as u32),
            ALPHA,
        )) {
            Outcome::Error { ulp, .. } => ulp,
            Outcome::Nan | Outcome::Number => f64::INFINITY,
        };
        let index = found.is_none().then(|| (0..block.len).find(|&index| error(index) > most)).flatten();
        found = found.or(index.map(|index| block.first + index as u32));
    });
    found
}

/// The first inputs that `docs/differences.md` names, by magnitude. They were found by going through all inputs of that
/// sign; the test goes through the last 65536 before them.
#[test]
fn the_forms_break_down_where_the_documents_say() {
    use Function::*;
    type Find = Box<dyn Fn(u32, u32) -> Option<u32>>;
    let holds = |holds: fn(f32) -> bool, function| -> Find {
        Box::new(move |first, last| (first..=last).find(|&bits| holds(evaluate(function, f32::from_bits(bits), ALPHA))))
    };
    let nan = |function| holds(f32::is_nan, function);
    let zero = |function| holds(|y| y == 0.0, function);
    let off = |function, most: f64| -> Find { Box::new(move |first, last| first_above(function, most, first, last)) };
    let documented = [
        ("Derivative_silu is NaN", DERIVATIVE_SILU_NAN, nan(DerivativeSilu)),
        ("Derivative_Gelu_apprx_sigmoid is NaN", DERIVATIVE_GELU_NAN, nan(DerivativeGeluApprxSigmoid)),
        ("Gelu is off by more than 1 ULP", 0xc0c2_7526, off(Gelu, 1.0)),
        ("Gelu is off by more than 1000 ULP", 0xc0e7_2dbd, off(Gelu, 1000.0)),
        ("Gelu is -0", 0xc105_fd80, zero(Gelu)),
        ("Gelu_apprx_tanh is off by more than 1 ULP", 0xc0b1_de14, off(GeluApprxTanh, 1.0)),
        ("Gelu_apprx_tanh is off by more than 1000 ULP", 0xc0cc_b583, off(GeluApprxTanh, 1000.0)),
        ("Gelu_apprx_tanh is -0", 0xc0e6_66bc, zero(GeluApprxTanh)),
        ("Derivative_Gelu is off by more than 1 ULP", 0xbe85_4880, off(DerivativeGelu, 1.0)),
        ("Derivative_Gelu is off by more than 1000 ULP near its zero", 0xbf40_2b57, off(DerivativeGelu, 1000.0)),
        ("Derivative_Gelu is off by more than 1000 ULP in its tail", 0xc086_127f, off(DerivativeGelu, 1000.0)),
        ("Mish is off by more than 2 ULP", 0xc2b0_b44d, off(Mish, 2.0)),
        ("Gelu_apprx_sigmoid is off by more than 2 ULP", 0xbfaa_9254, off(GeluApprxSigmoid, 2.0)),
        ("Derivative_Erf is off by more than 2 ULP", 0x3f68_189a, off(DerivativeErf, 2.0)),
    ];
    for (what, bits, find) in documented {
        let first = find((bits - 0xffff).max(bits & 0xff80_0000), bits);
        assert_eq!(first, Some(bits), "{what} from {:?} on", f32::from_bits(bits));
    }
}

#[test]
fn the_tails_that_end_in_zero_stay_there() {
    for (function, first) in [(Function::Gelu, 0xc105_fd80u32), (Function::GeluApprxTanh, 0xc0e6_66bc)] {
        let zeros = (first..0xff80_0000).step_by(4099).map(f32::from_bits);
        assert!(zeros.into_iter().all(|x| evaluate(function, x, ALPHA).to_bits() == 0x8000_0000), "{function:?}");
    }
}
