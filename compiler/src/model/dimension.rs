//! Dimensions of the quantities in a description.
//!
//! Only what carries a unit has a dimension: quantities, and the constants, parameters and inputs that
//! were given as quantities. Plain numbers, time and measures have none that is known, so a law in
//! plain SI numbers is never refused; a product with an unknown factor is unknown.

use crate::description::expression::Dimension;
use crate::expr::Expr;

/// An expression and its dimension, if known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Typed {
    /// The value.
    pub expr: Expr,
    /// Its dimension; `None` is unknown.
    pub dimension: Option<Dimension>,
}

impl Typed {
    /// An expression of unknown dimension.
    pub fn plain(expr: Expr) -> Self {
        Self {
            expr,
            dimension: None,
        }
    }

    /// An expression of this dimension.
    pub fn new(expr: Expr, dimension: Option<Dimension>) -> Self {
        Self { expr, dimension }
    }
}

/// kg^mass · m^length · s^time
pub(super) const fn of(mass: i8, length: i8, time: i8) -> Dimension {
    Dimension { mass, length, time }
}

pub(super) const NONE: Dimension = of(0, 0, 0);
pub(super) const ANGLE: Dimension = NONE;
pub(super) const MASS: Dimension = of(1, 0, 0);
pub(super) const LENGTH: Dimension = of(0, 1, 0);
pub(super) const TIME: Dimension = of(0, 0, 1);
pub(super) const INERTIA: Dimension = of(1, 2, 0);
pub(super) const DENSITY: Dimension = of(1, -3, 0);
pub(super) const SPEED: Dimension = of(0, 1, -1);
pub(super) const RATE: Dimension = of(0, 0, -1);
pub(super) const ACCELERATION: Dimension = of(0, 1, -2);
pub(super) const FORCE: Dimension = of(1, 1, -2);
pub(super) const TORQUE: Dimension = of(1, 2, -2);

/// Dimension of a · b.
pub(super) fn product(a: Option<Dimension>, b: Option<Dimension>) -> Option<Dimension> {
    let (a, b) = (a?, b?);
    Some(of(
        a.mass.checked_add(b.mass)?,
        a.length.checked_add(b.length)?,
        a.time.checked_add(b.time)?,
    ))
}

/// Dimension of a / b.
pub(super) fn quotient(a: Option<Dimension>, b: Option<Dimension>) -> Option<Dimension> {
    product(a, power(b, -1.0))
}

/// Dimension of aⁿ; unknown where its exponents would not be whole.
pub(super) fn power(a: Option<Dimension>, n: f64) -> Option<Dimension> {
    let a = a?;
    let scale = |exponent: i8| {
        let scaled = f64::from(exponent) * n;
        (scaled.fract() == 0.0 && scaled.abs() <= 100.0).then_some(scaled as i8)
    };
    Some(of(scale(a.mass)?, scale(a.length)?, scale(a.time)?))
}

/// The dimension in words, or in base units.
pub fn describe(dimension: Dimension) -> String {
    let known = [
        (NONE, "an angle or a pure number"),
        (MASS, "a mass"),
        (LENGTH, "a length"),
        (TIME, "a time"),
        (INERTIA, "a moment of inertia"),
        (DENSITY, "a density"),
        (SPEED, "a speed"),
        (RATE, "an angular rate"),
        (ACCELERATION, "an acceleration"),
        (FORCE, "a force"),
        (TORQUE, "a torque or an energy"),
        (of(1, 0, -2), "a stiffness"),
        (of(1, 0, -1), "a damping"),
        (of(1, 2, -1), "a rotational damping"),
    ];
    let word = known.iter().find(|(d, _)| *d == dimension);
    word.map_or_else(|| base_units(dimension), |(_, word)| (*word).to_owned())
}

fn base_units(dimension: Dimension) -> String {
    let factors = [
        ("kg", dimension.mass),
        ("m", dimension.length),
        ("s", dimension.time),
    ];
    let written: Vec<String> = factors
        .iter()
        .filter(|(_, n)| *n != 0)
        .map(|(unit, n)| match n {
            1 => (*unit).to_owned(),
            n => format!("{unit}^{n}"),
        })
        .collect();
    format!("a quantity in {}", written.join("*"))
}
