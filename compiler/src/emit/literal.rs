//! Numbers as literals that read back to the same bits.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::imports::Imports;
use super::names::identifier;
use crate::options::Scalar;

/// The number as an expression; a minus sign is its only operator.
pub fn number(value: f64, scalar: Scalar, imports: &Imports) -> TokenStream {
    let value = nearest(value, scalar);
    let size = magnitude(value.abs(), scalar, imports);
    if value.is_sign_negative() && !value.is_nan() {
        quote!(-#size)
    } else {
        size
    }
}

/// The nearest number of the scalar type. A finite number stays finite: a number beyond the range of single precision
/// becomes its largest number, so that zero times it is still zero.
pub fn nearest(value: f64, scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => value,
        Scalar::F32 if value.is_finite() => f64::from((value as f32).clamp(f32::MIN, f32::MAX)),
        Scalar::F32 => f64::from(value as f32),
    }
}

fn magnitude(value: f64, scalar: Scalar, imports: &Imports) -> TokenStream {
    let kind = identifier(scalar_name(scalar));
    if value.is_nan() {
        return quote!(#kind::NAN);
    }
    if value.is_infinite() {
        return quote!(#kind::INFINITY);
    }
    if let Some((name, _)) = NAMED
        .iter()
        .find(|(_, known)| nearest(*known, scalar) == value)
    {
        return imports.constant(scalar, name);
    }
    let text = shortest(value, scalar);
    if looks_like_a_constant(&text) {
        imports.note_near_constant();
    }
    let literal: Literal = text
        .parse()
        .unwrap_or_else(|_| Literal::f64_unsuffixed(value));
    quote!(#literal)
}

/// `f64` or `f32`
pub fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F64 => "f64",
        Scalar::F32 => "f32",
    }
}

/// The shortest decimal that reads back to the same bits.
fn shortest(value: f64, scalar: Scalar) -> String {
    match scalar {
        Scalar::F64 => format!("{value:?}"),
        Scalar::F32 => format!("{:?}", value as f32),
    }
}

/// True for numbers that `clippy::approx_constant` finds: a truncated or rounded known constant of some digits.
fn looks_like_a_constant(text: &str) -> bool {
    let known = NAMED.iter().map(|(_, value)| *value).chain(UNNAMED);
    let digits = text
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    digits >= 2
        && known
            .into_iter()
            .any(|value| value.to_string().starts_with(text) || format!("{value:.digits$}") == text)
}

const NAMED: [(&str, f64); 19] = {
    use std::f64::consts::*;
    [
        ("E", E),
        ("FRAC_1_PI", FRAC_1_PI),
        ("FRAC_1_SQRT_2", FRAC_1_SQRT_2),
        ("FRAC_2_PI", FRAC_2_PI),
        ("FRAC_2_SQRT_PI", FRAC_2_SQRT_PI),
        ("FRAC_PI_2", FRAC_PI_2),
        ("FRAC_PI_3", FRAC_PI_3),
        ("FRAC_PI_4", FRAC_PI_4),
        ("FRAC_PI_6", FRAC_PI_6),
        ("FRAC_PI_8", FRAC_PI_8),
        ("LN_2", LN_2),
        ("LN_10", LN_10),
        ("LOG2_E", LOG2_E),
        ("LOG2_10", LOG2_10),
        ("LOG10_E", LOG10_E),
        ("LOG10_2", LOG10_2),
        ("PI", PI),
        ("SQRT_2", SQRT_2),
        ("TAU", TAU),
    ]
};

/// Constants that have no stable name in every supported compiler: the golden ratio, Euler's γ, √3,
/// 1/√3, 1/√π, 1/√(2π).
const UNNAMED: [f64; 6] = [
    1.618033988749895,
    0.5772156649015329,
    1.7320508075688772,
    0.5773502691896257,
    0.5641895835477563,
    0.3989422804014327,
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NEAR_PI: f64 = 314.0 / 100.0;

    fn text(value: f64, scalar: Scalar) -> String {
        let imports = Imports::new(quote!(::bellcrank), scalar, "Press");
        let text = number(value, scalar, &imports).to_string();
        let lines = [
            imports.lines(),
            imports.near_constants().unwrap_or_default(),
        ];
        format!("{text} {}{}", lines[0], lines[1]).replace(' ', "")
    }

    #[test]
    fn literals_are_short_and_safe() {
        let check = |value, expected| assert_eq!(text(value, Scalar::F64), expected);
        check(2.25, "2.25");
        check(-1.0, "-1.0");
        check(1e21, "1e21");
        check(std::f64::consts::PI, "PIuse::core::f64::consts::{PI};");
        check(
            -std::f64::consts::FRAC_PI_2,
            "-FRAC_PI_2use::core::f64::consts::{FRAC_PI_2};",
        );
        check(
            NEAR_PI,
            "3.14#[allow(clippy::approx_constant,reason=\"lengthsandanglesmaycomenearto\
             constantsofmathematics\")]",
        );
        check(f64::INFINITY, "f64::INFINITY");
        check(f64::NAN, "f64::NAN");
        check(-0.0, "-0.0");
    }

    #[test]
    fn single_precision_keeps_finite_numbers_finite() {
        let check = |value, expected| assert_eq!(text(value, Scalar::F32), expected);
        check(0.1, "0.1");
        check(1.0 / 3.0, "0.33333334");
        check(-1e300, "-3.4028235e38");
        check(1e-300, "0.0");
        check(std::f64::consts::PI, "PIuse::core::f32::consts::{PI};");
    }

    proptest! {
        #[test]
        fn literals_read_back_to_the_same_bits(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            prop_assert_eq!(shortest(value, Scalar::F64).parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }
}
