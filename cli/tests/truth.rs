//! The true functions: against published digits, against the closed forms, and the series against difference quotients.

use pwp_cli::truth::Curve;
use pwp_sim_core::engine::exact;
use pwp_sim_core::function::Function;

#[test]
fn known_digits_hold() {
    let digits = [
        ("erf", 0.5, 0.520_499_877_813_046_5),
        ("sigmoid", 1.0, 0.731_058_578_630_004_9),
        ("tanh", 0.5, 0.462_117_157_260_009_76),
        ("softplus", 0.0, std::f64::consts::LN_2),
        ("gelu", 1.0, 0.841_344_746_068_542_9),
        ("gelu", -10.0, -7.619_853_024_160_527e-23),
        ("mish", 1.0, 0.865_098_388_267_310_3),
        ("silu", -1.0, -0.268_941_421_369_995_1),
        ("derivative_silu", 0.0, 0.5),
        ("derivative_erf", 0.0, std::f64::consts::FRAC_2_SQRT_PI),
        ("derivative_sigmoid", 0.0, 0.25),
        ("derivative_tanh", 0.0, 1.0),
        ("exp", -87.5, (-87.5f64).exp()),
        ("reciprocal", 3.0, 1.0 / 3.0),
        ("arctan", 1.0, std::f64::consts::FRAC_PI_4),
    ];
    for (name, x, expected) in digits {
        let got = name.parse::<Curve>().unwrap().high(x).to_f64();
        assert!((got - expected).abs() <= 4e-16 * expected.abs(), "{name}({x}) = {got:e}, expected {expected:e}");
    }
}

#[test]
fn every_function_has_a_curve_of_its_own_name() {
    for curve in Curve::all() {
        assert_eq!(curve.name().parse(), Ok(curve));
    }
    for function in Function::all().filter(|&function| function != Function::LnPrime) {
        assert_eq!(Some(Curve::of(function, 1.0).name()), function.info().profile);
    }
}

#[test]
fn closed_forms_are_within_an_ulp_where_they_are_well_conditioned() {
    // Composites round inner results to float, so their error is a few ULP of the parts.
    let loose = [Function::GeluApprxSigmoid, Function::DerivativeGelu, Function::DerivativeErf, Function::Mish];
    for function in Function::all() {
        let curve = Curve::of(function, 0.25);
        for i in 0..400 {
            let x = (i as f32 - 120.0) * 0.0171 + 0.001;
            let (form, truth) = (exact::evaluate(function, x, 0.25), curve.value(x));
            if truth.is_nan() {
                assert!(form.is_nan(), "{function:?}({x}) = {form}");
                continue;
            }
            let bound = if loose.contains(&function) { 16.0 * f32::EPSILON } else { 0.0 };
            let apart = (form - truth).abs();
            let ulp = (truth.abs().next_up() - truth.abs()).max(f32::MIN_POSITIVE);
            assert!(apart <= ulp.max(bound), "{function:?}({x}) = {form:e}, true {truth:e}");
        }
    }
}

#[test]
fn series_predict_the_function_nearby() {
    for curve in Curve::all() {
        for x in [0.1875f32, 0.75, 1.5, 2.5, 5.0] {
            let [d0, d1, d2, d3] = curve.taylor(x).map(|c| c.to_f64());
            assert_eq!(d0, curve.high(x).to_f64());
            let t = 2f64.powi(-12);
            let near = curve.high((f64::from(x) + t) as f32).to_f64();
            let predicted = d0 + t * (d1 + t * (d2 + t * d3));
            // What is left is of the fourth order; d4 is at most x^-5 in all of them.
            let scale = d0.abs().max(1e-3);
            assert!((near - predicted).abs() <= scale * (1000.0 * t.powi(4) + 1e-15), "{} at {x}", curve.name());
            let without = (near - (d0 + t * (d1 + t * d2))).abs();
            assert!((near - predicted).abs() <= without + 1e-15 * scale, "{} at {x}: d3", curve.name());
        }
    }
}

#[test]
fn limits_and_nan() {
    for curve in Curve::all() {
        assert!(curve.value(f32::NAN).is_nan());
    }
    assert_eq!(Curve::Exp.value(f32::NEG_INFINITY), 0.0);
    assert_eq!(Curve::Exp.value(f32::MAX), f32::INFINITY);
    assert_eq!(Curve::Softplus.value(f32::MAX), f32::MAX);
    assert_eq!(Curve::Gelu.value(-f32::MAX), 0.0);
    assert_eq!(Curve::Silu.value(f32::NEG_INFINITY), 0.0);
    assert!(Curve::Sqrt.value(-1.0).is_nan());
    assert!(Curve::Ln.value(-1.0).is_nan());
}
