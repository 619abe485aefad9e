//! The floating-point type of a mechanism, with the maths functions that `core` does not have.

use core::fmt::{Debug, Display};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A floating-point number. The functions are the platform's with the feature `std`, and libm's,
/// which give the same bits everywhere, with the feature `libm` or without `std`.
#[allow(missing_docs, reason = "the names are the mathematical ones")]
pub trait Real:
    nalgebra::Scalar
    + Copy
    + Default
    + Debug
    + Display
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// Distance from 1 to the next number.
    const EPSILON: Self;
    const ZERO: Self;
    const ONE: Self;
    /// The nearest number to `value`.
    fn from_f64(value: f64) -> Self;
    /// As a double.
    fn to_f64(self) -> f64;
    fn is_finite(self) -> bool;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn sin_cos(self) -> (Self, Self);
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn floor(self) -> Self;
    fn atan2(self, other: Self) -> Self;
    fn powf(self, exponent: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// −1, 0 or 1: unlike `signum`, zero has no sign.
    fn sign(self) -> Self;
    /// Floored remainder: the result has the sign of the divisor.
    fn modulo(self, divisor: Self) -> Self;
}
