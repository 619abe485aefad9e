//! The functions of `Real` that the platform does not define, and the ones that it does.

use bellcrank::{Real, fused};

#[test]
fn zero_has_no_sign() {
    assert_eq!(
        [-2.0_f64, -0.0, 0.0, 3.0].map(Real::sign),
        [-1.0, 0.0, 0.0, 1.0]
    );
    assert!(Real::sign(f64::NAN).is_nan());
}

#[test]
fn the_remainder_has_the_sign_of_the_divisor() {
    let cases = [
        (7.0, 3.0, 1.0),
        (-7.0, 3.0, 2.0),
        (7.0, -3.0, -2.0),
        (-7.0, -3.0, -1.0),
        (6.0, 3.0, 0.0),
    ];
    for (a, b, expected) in cases {
        assert_eq!(a.modulo(b), expected);
        assert_eq!((a as f32).modulo(b as f32), expected as f32);
    }
}

/// (1 + ε)(1 − ε) − 1 is −ε² if it is rounded once and 0 if it is rounded twice.
#[test]
fn a_fused_sum_is_rounded_once_or_twice_as_the_target_can() {
    let e = f64::EPSILON;
    let sum = fused(1.0 + e, 1.0 - e, -1.0);
    assert!(sum == -e * e || sum == 0.0, "{sum}");
    assert_eq!(fused(2.0_f32, 3.0, 4.0), 10.0);
}

#[test]
fn functions_agree_with_the_platform_to_an_ulp() {
    for x in [0.1_f64, 0.5, 0.9] {
        let pairs = [
            (Real::sin(x), x.sin()),
            (Real::cos(x), x.cos()),
            (Real::tan(x), x.tan()),
            (Real::asin(x), x.asin()),
            (Real::acos(x), x.acos()),
            (Real::atan(x), x.atan()),
            (Real::sinh(x), x.sinh()),
            (Real::cosh(x), x.cosh()),
            (Real::tanh(x), x.tanh()),
            (Real::exp(x), x.exp()),
            (Real::ln(x), x.ln()),
            (Real::sqrt(x), x.sqrt()),
            (Real::floor(-x), -1.0),
            (Real::atan2(x, -2.0), x.atan2(-2.0)),
            (Real::powf(x, 1.7), x.powf(1.7)),
            (Real::sin_cos(x).1, x.cos()),
        ];
        for (index, (ours, platform)) in pairs.into_iter().enumerate() {
            assert!(
                (ours - platform).abs() <= f64::EPSILON * 2.0 * platform.abs(),
                "{index} {x}"
            );
        }
    }
}
