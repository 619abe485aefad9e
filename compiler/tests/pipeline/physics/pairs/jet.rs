//! Numbers along a motion, as polynomials in time up to the second power. Their coefficients are what differences of
//! vanishing step would give, so rows need no derivatives by hand.

use std::ops::{Add, Mul, Neg, Sub};

use crate::physics::mechanism::Vector;

/// c₀ + c₁ ε + c₂ ε²
#[derive(Clone, Copy, Debug, Default)]
pub struct Jet(pub [f64; 3]);

/// A point or a direction along a motion.
pub type Path = [Jet; 3];

impl Jet {
    pub fn sqrt(self) -> Self {
        let [a, b, c] = self.0;
        let root = a.sqrt();
        let first = b / (2.0 * root);
        Self([root, first, (c - first * first) / (2.0 * root)])
    }

    /// θ = atan2(y, x), by θ̇ = (x ẏ − y ẋ)/(x² + y²).
    pub fn atan2(self, x: Self) -> Self {
        let ([y0, y1, y2], [x0, x1, x2]) = (self.0, x.0);
        let square = x0 * x0 + y0 * y0;
        let rate = (x0 * y1 - y0 * x1) / square;
        let square_rate = 2.0 * (x0 * x1 + y0 * y1);
        let second = (2.0 * (x0 * y2 - y0 * x2) - rate * square_rate) / square;
        Self([y0.atan2(x0), rate, second / 2.0])
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|c| -c))
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a * d, a * e + b * d, a * f + b * e + c * d])
    }
}

impl Mul<Jet> for f64 {
    type Output = Jet;
    fn mul(self, jet: Jet) -> Jet {
        Jet(jet.0.map(|c| self * c))
    }
}

/// a · b
pub fn dot(a: &Path, b: &Path) -> Jet {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a − b
pub fn minus(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| a[k] - b[k])
}

/// A vector with its rate and half of its second derivative.
pub fn path(value: Vector, rate: Vector, half_second: Vector) -> Path {
    std::array::from_fn(|k| Jet([value[k], rate[k], half_second[k]]))
}
