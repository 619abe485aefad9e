//! Units: suffixes of numbers, and the dimensions that they measure.
//!
//! A unit is a ratio `times / over` and a power of π. `29 mm` is therefore 29 / 1000, the double nearest to 0.029,
//! and not 29 × 0.001, which may differ. `60 rpm` is 2π. Angles have no dimension. `Hz` is 1/s and, unlike `rev/s`
//! and `rpm`, has no factor 2π.

use std::f64::consts::PI;
use std::fmt;
use std::ops::{Div, Mul};

use super::expression::Dimension;

/// A unit: a dimension and its size in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitWord {
    times: f64,
    over: f64,
    /// The power of π.
    turns: i8,
    /// Its dimension.
    pub dimension: Dimension,
}

/// The unit with this name.
pub fn unit(name: &str) -> Option<UnitWord> {
    let (_, unit) = UNITS.iter().find(|(known, _)| *known == name)?;
    Some(*unit)
}

/// Every name that `unit` knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|(name, _)| *name)
}

/// The unit of a word in full, or of a unit in other letters: `degrees`, `millimetre`, `RPM`.
pub fn meant(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let one = lower.strip_suffix('s').unwrap_or(&lower);
    let spelled = FULL.iter().find(|(full, _)| *full == one || *full == lower);
    let same = |unit: &&str| unit.to_lowercase() == lower;
    let mut alike = names().filter(same);
    match (spelled, alike.next(), alike.next()) {
        (Some((_, unit)), ..) => Some(unit),
        // `MN` and `mN` are different units.
        (None, Some(unit), None) => Some(unit),
        _ => None,
    }
}

/// Words for units, in the singular.
const FULL: &[(&str, &str)] = &[
    ("meter", "m"),
    ("metre", "m"),
    ("millimeter", "mm"),
    ("millimetre", "mm"),
    ("centimeter", "cm"),
    ("centimetre", "cm"),
    ("kilometer", "km"),
    ("kilometre", "km"),
    ("micron", "um"),
    ("micrometer", "um"),
    ("micrometre", "um"),
    ("inch", "in"),
    ("inche", "in"),
    ("foot", "ft"),
    ("feet", "ft"),
    ("kilogram", "kg"),
    ("kilo", "kg"),
    ("gram", "g"),
    ("tonne", "t"),
    ("ton", "t"),
    ("pound", "lb"),
    ("second", "s"),
    ("sec", "s"),
    ("millisecond", "ms"),
    ("msec", "ms"),
    ("microsecond", "us"),
    ("minute", "min"),
    ("hour", "h"),
    ("hr", "h"),
    ("degree", "deg"),
    ("grad", "deg"),
    ("radian", "rad"),
    ("revolution", "rev"),
    ("rotation", "rev"),
    ("turn", "rev"),
    ("hertz", "Hz"),
    ("newton", "N"),
    ("kilonewton", "kN"),
    ("nms", "N*m*s"),
    ("newtonmeter", "Nm"),
    ("newtonmetre", "Nm"),
    ("joule", "J"),
    ("watt", "W"),
    ("kilowatt", "kW"),
    ("pascal", "Pa"),
];

const NONE: Dimension = Dimension::new(0, 0, 0);
const MASS: Dimension = Dimension::new(1, 0, 0);
const LENGTH: Dimension = Dimension::new(0, 1, 0);
const TIME: Dimension = Dimension::new(0, 0, 1);
const RATE: Dimension = Dimension::new(0, 0, -1);
const FORCE: Dimension = Dimension::new(1, 1, -2);
const ENERGY: Dimension = Dimension::new(1, 2, -2);
const POWER: Dimension = Dimension::new(1, 2, -3);
const PRESSURE: Dimension = Dimension::new(1, -1, -2);

const UNITS: &[(&str, UnitWord)] = &[
    ("m", UnitWord::new(1.0, 1.0, LENGTH)),
    ("mm", UnitWord::new(1.0, 1e3, LENGTH)),
    ("cm", UnitWord::new(1.0, 1e2, LENGTH)),
    ("km", UnitWord::new(1e3, 1.0, LENGTH)),
    ("um", UnitWord::new(1.0, 1e6, LENGTH)),
    ("µm", UnitWord::new(1.0, 1e6, LENGTH)),
    ("in", UnitWord::new(254.0, 1e4, LENGTH)),
    ("ft", UnitWord::new(3048.0, 1e4, LENGTH)),
    ("kg", UnitWord::new(1.0, 1.0, MASS)),
    ("g", UnitWord::new(1.0, 1e3, MASS)),
    ("t", UnitWord::new(1e3, 1.0, MASS)),
    ("lb", UnitWord::new(45_359_237.0, 1e8, MASS)),
    ("s", UnitWord::new(1.0, 1.0, TIME)),
    ("ms", UnitWord::new(1.0, 1e3, TIME)),
    ("us", UnitWord::new(1.0, 1e6, TIME)),
    ("µs", UnitWord::new(1.0, 1e6, TIME)),
    ("min", UnitWord::new(60.0, 1.0, TIME)),
    ("h", UnitWord::new(3600.0, 1.0, TIME)),
    ("rad", UnitWord::new(1.0, 1.0, NONE)),
    ("mrad", UnitWord::new(1.0, 1e3, NONE)),
    ("deg", UnitWord::turning(1.0, 180.0, NONE)),
    ("°", UnitWord::turning(1.0, 180.0, NONE)),
    ("rev", UnitWord::turning(2.0, 1.0, NONE)),
    ("turn", UnitWord::turning(2.0, 1.0, NONE)),
    ("Hz", UnitWord::new(1.0, 1.0, RATE)),
    ("kHz", UnitWord::new(1e3, 1.0, RATE)),
    ("rpm", UnitWord::turning(2.0, 60.0, RATE)),
    ("N", UnitWord::new(1.0, 1.0, FORCE)),
    ("mN", UnitWord::new(1.0, 1e3, FORCE)),
    ("kN", UnitWord::new(1e3, 1.0, FORCE)),
    ("MN", UnitWord::new(1e6, 1.0, FORCE)),
    ("lbf", UnitWord::new(44_482_216_152_605.0, 1e13, FORCE)),
    ("Nm", UnitWord::new(1.0, 1.0, ENERGY)),
    ("Nmm", UnitWord::new(1.0, 1e3, ENERGY)),
    ("kNm", UnitWord::new(1e3, 1.0, ENERGY)),
    ("J", UnitWord::new(1.0, 1.0, ENERGY)),
    ("kJ", UnitWord::new(1e3, 1.0, ENERGY)),
    ("W", UnitWord::new(1.0, 1.0, POWER)),
    ("kW", UnitWord::new(1e3, 1.0, POWER)),
    ("Pa", UnitWord::new(1.0, 1.0, PRESSURE)),
    ("kPa", UnitWord::new(1e3, 1.0, PRESSURE)),
    ("MPa", UnitWord::new(1e6, 1.0, PRESSURE)),
    ("GPa", UnitWord::new(1e9, 1.0, PRESSURE)),
    ("bar", UnitWord::new(1e5, 1.0, PRESSURE)),
];

/// Dimensions that have a word; all others are given by their formula.
const WORDS: &[(Dimension, &str)] = &[
    (NONE, "number or angle"),
    (MASS, "mass"),
    (LENGTH, "length"),
    (TIME, "time"),
    (RATE, "angular rate or frequency"),
    (Dimension::new(0, 0, -2), "angular acceleration"),
    (Dimension::new(0, 1, -1), "velocity"),
    (Dimension::new(0, 1, -2), "acceleration"),
    (Dimension::new(0, 2, 0), "area"),
    (Dimension::new(0, 3, 0), "volume"),
    (Dimension::new(1, 2, 0), "moment of inertia"),
    (FORCE, "force"),
    (ENERGY, "torque or energy"),
    (POWER, "power"),
    (PRESSURE, "pressure"),
];

impl UnitWord {
    const fn new(times: f64, over: f64, dimension: Dimension) -> Self {
        Self {
            times,
            over,
            turns: 0,
            dimension,
        }
    }

    /// With a factor π.
    const fn turning(times: f64, over: f64, dimension: Dimension) -> Self {
        Self {
            turns: 1,
            ..Self::new(times, over, dimension)
        }
    }

    /// A number of this unit, in SI units: number · times · πⁿ / over, rounded once, with the double
    /// nearest to π.
    pub fn to_si(self, number: f64) -> f64 {
        let mut value = Exact(number, 0.0).times(self.times);
        for _ in 0..self.turns.unsigned_abs() {
            value = match self.turns > 0 {
                true => value.times(PI),
                false => value.over(PI),
            };
        }
        value.over(self.over).rounded()
    }

    /// The unit to a whole power; upside down if it is negative.
    pub fn powi(self, exponent: i8) -> Self {
        let n = i32::from(exponent).abs();
        let (times, over) = (self.times.powi(n), self.over.powi(n));
        let dimension = self.dimension.powi(exponent.into());
        let (times, over) = match exponent < 0 {
            true => (over, times),
            false => (times, over),
        };
        Self {
            turns: self.turns.saturating_mul(exponent),
            ..Self::new(times, over, dimension)
        }
    }
}

impl Mul for UnitWord {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let dimension = self.dimension * other.dimension;
        Self {
            turns: self.turns.saturating_add(other.turns),
            ..Self::new(self.times * other.times, self.over * other.over, dimension)
        }
    }
}

/// A number and its rounding error.
#[derive(Clone, Copy)]
struct Exact(f64, f64);

impl Exact {
    fn times(self, x: f64) -> Self {
        let product = self.0 * x;
        Self(product, self.0.mul_add(x, -product) + self.1 * x)
    }

    fn over(self, x: f64) -> Self {
        let quotient = self.0 / x;
        Self(quotient, ((-quotient).mul_add(x, self.0) + self.1) / x)
    }

    /// Beyond the range of doubles there is no rounding error.
    fn rounded(self) -> f64 {
        let sum = self.0 + self.1;
        if sum.is_nan() { self.0 } else { sum }
    }
}

impl Dimension {
    /// From the exponents of kilogram, metre and second.
    pub const fn new(mass: i8, length: i8, time: i8) -> Self {
        Self { mass, length, time }
    }

    /// The dimension to a whole power. Exponents beyond the range of `i8` stay at its ends.
    pub fn powi(self, exponent: i32) -> Self {
        self.map(|own| i32::from(own).saturating_mul(exponent))
    }

    /// In SI units: `kg·m²/s²`; `1` without a dimension.
    pub fn formula(self) -> String {
        let all = [("kg", self.mass), ("m", self.length), ("s", self.time)];
        let product = |over: bool| {
            let part = all.iter().filter(|(_, n)| *n != 0 && (*n < 0) == over);
            let names: Vec<_> = part
                .map(|(unit, n)| power(unit, n.unsigned_abs()))
                .collect();
            names.join("·")
        };
        match (product(false).as_str(), product(true).as_str()) {
            ("", "") => "1".to_owned(),
            (top, "") => top.to_owned(),
            ("", bottom) => format!("1/{bottom}"),
            (top, bottom) if bottom.contains('·') => format!("{top}/({bottom})"),
            (top, bottom) => format!("{top}/{bottom}"),
        }
    }

    fn map(self, f: impl Fn(i8) -> i32) -> Self {
        let bound = |own| f(own).clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        Self::new(bound(self.mass), bound(self.length), bound(self.time))
    }
}

fn power(unit: &str, exponent: u8) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if exponent == 1 {
        return unit.to_owned();
    }
    let digits = exponent.to_string();
    let raised = digits
        .bytes()
        .map(|digit| DIGITS[usize::from(digit - b'0')]);
    unit.chars().chain(raised).collect()
}

impl Mul for Dimension {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(
            self.mass.saturating_add(other.mass),
            self.length.saturating_add(other.length),
            self.time.saturating_add(other.time),
        )
    }
}

impl Div for Dimension {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Self::new(
            self.mass.saturating_sub(other.mass),
            self.length.saturating_sub(other.length),
            self.time.saturating_sub(other.time),
        )
    }
}

/// In words where there are some, else the formula.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match WORDS.iter().find(|(dimension, _)| dimension == self) {
            Some((_, word)) => f.write_str(word),
            None => f.write_str(&self.formula()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn quantities_are_rounded_once() {
        for n in 1..2000 {
            let text = format!("{}.{:03}", n / 1000, n % 1000);
            let mm = unit("mm").map(|mm| mm.to_si(f64::from(n)));
            assert_eq!(mm, text.parse().ok());
        }
    }

    #[test]
    fn turns_are_rounded_once() {
        use std::f64::consts::{FRAC_PI_2, TAU};
        let check = |number: f64, name: &str, expect: f64| {
            let value = unit(name).map(|unit| unit.to_si(number));
            assert_eq!(value, Some(expect), "{number} {name}");
        };
        for (number, expect) in [(180.0, PI), (90.0, FRAC_PI_2), (360.0, TAU)] {
            check(number, "deg", expect);
        }
        for n in 1..=360 {
            let divisor = f64::from(n);
            check(divisor, "rev", divisor * TAU);
            if 360 % n == 0 {
                check(180.0 / divisor, "deg", PI / divisor);
                check(60.0 * divisor, "rpm", divisor * TAU);
            }
        }
        check(30.0, "deg", PI / 6.0);
        check(1.0, "rpm", PI / 30.0);
        check(1e308, "rev", f64::INFINITY);
    }

    #[test]
    fn a_power_of_a_turn_keeps_its_power_of_pi() {
        let deg = unit("deg").expect("a unit");
        assert_eq!((deg * deg.powi(-1)).to_si(3.0), 3.0);
        assert_eq!(deg.powi(2).to_si(180.0 * 180.0), PI * PI);
        assert_eq!(deg.powi(-1).to_si(PI), 180.0);
    }

    #[test]
    fn names_are_unique() {
        assert_eq!(names().collect::<BTreeSet<_>>().len(), UNITS.len());
    }

    #[test]
    fn dimensions_speak() {
        let check = |dimension: Dimension, word: &str, formula: &str| {
            assert_eq!(dimension.to_string(), word);
            assert_eq!(dimension.formula(), formula);
        };
        check(LENGTH, "length", "m");
        check(ENERGY, "torque or energy", "kg·m²/s²");
        check(NONE, "number or angle", "1");
        check(RATE, "angular rate or frequency", "1/s");
        check(PRESSURE, "pressure", "kg/(m·s²)");
        check(FORCE * FORCE, "kg²·m²/s⁴", "kg²·m²/s⁴");
        check(ENERGY / FORCE, "length", "m");
        check(LENGTH.powi(1000), "m¹²⁷", "m¹²⁷");
    }
}
