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
    /// See [`fused`].
    fn fused(self, factor: Self, more: Self) -> Self;
}

/// `a · b + c`, rounded once where the target has an instruction for it, and twice where it would be a call
/// of a library. Without `std`, and with `libm`, which promises the same bits on all targets, always twice.
#[inline(always)]
pub fn fused<T: Real>(a: T, b: T, c: T) -> T {
    a.fused(b, c)
}

/// Multiplies and adds as [`fused`] promises it, with the method that rounds once.
macro_rules! multiply_add {
    ($a:expr, $b:expr, $c:expr) => {{
        #[cfg(all(
            feature = "std",
            not(feature = "libm"),
            any(target_feature = "fma", target_arch = "aarch64")
        ))]
        let sum = $a.mul_add($b, $c);
        #[cfg(not(all(
            feature = "std",
            not(feature = "libm"),
            any(target_feature = "fma", target_arch = "aarch64")
        )))]
        let sum = $a * $b + $c;
        sum
    }};
}
#[cfg(feature = "batch")]
pub(crate) use multiply_add;

/// Functions with one argument whose last bits differ between platforms.
macro_rules! unary {
    ($type:ty, $($name:ident = $libm:ident),+ $(,)?) => {$(
        #[inline]
        fn $name(self) -> Self {
            #[cfg(all(feature = "std", not(feature = "libm")))]
            return <$type>::$name(self);
            #[cfg(not(all(feature = "std", not(feature = "libm"))))]
            return libm::$libm(self);
        }
    )+};
}

/// Functions with two arguments whose last bits differ between platforms.
macro_rules! binary {
    ($type:ty, $($name:ident = $libm:ident),+ $(,)?) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self {
            #[cfg(all(feature = "std", not(feature = "libm")))]
            return <$type>::$name(self, other);
            #[cfg(not(all(feature = "std", not(feature = "libm"))))]
            return libm::$libm(self, other);
        }
    )+};
}

/// Functions that are exact everywhere, so the platform's are taken whenever there is one.
macro_rules! exact {
    ($type:ty, $($name:ident = $libm:ident),+ $(,)?) => {$(
        #[inline]
        fn $name(self) -> Self {
            #[cfg(feature = "std")]
            return <$type>::$name(self);
            #[cfg(not(feature = "std"))]
            return libm::$libm(self);
        }
    )+};
}

macro_rules! shared {
    ($type:ty) => {
        const EPSILON: Self = <$type>::EPSILON;
        const ZERO: Self = 0.0;
        const ONE: Self = 1.0;
        #[inline]
        fn from_f64(value: f64) -> Self {
            value as $type
        }
        #[inline]
        fn to_f64(self) -> f64 {
            f64::from(self)
        }
        #[inline]
        fn is_finite(self) -> bool {
            <$type>::is_finite(self)
        }
        #[inline]
        fn abs(self) -> Self {
            <$type>::abs(self)
        }
        #[inline]
        fn min(self, other: Self) -> Self {
            <$type>::min(self, other)
        }
        #[inline]
        fn max(self, other: Self) -> Self {
            <$type>::max(self, other)
        }
        #[inline]
        fn sign(self) -> Self {
            if self == 0.0 { 0.0 } else { self.signum() }
        }
        #[inline]
        fn modulo(self, divisor: Self) -> Self {
            let remainder = self % divisor;
            let opposite = (remainder < 0.0) != (divisor < 0.0);
            if remainder != 0.0 && opposite {
                remainder + divisor
            } else {
                remainder
            }
        }
        #[inline(always)]
        fn fused(self, factor: Self, more: Self) -> Self {
            multiply_add!(self, factor, more)
        }
    };
}

impl Real for f64 {
    shared!(f64);
    exact!(f64, sqrt = sqrt, floor = floor);
    unary!(
        f64,
        exp = exp,
        ln = log,
        sin = sin,
        cos = cos,
        tan = tan,
        asin = asin,
        acos = acos
    );
    unary!(f64, atan = atan, sinh = sinh, cosh = cosh, tanh = tanh);
    binary!(f64, atan2 = atan2, powf = pow);
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        (Real::sin(self), Real::cos(self))
    }
}

impl Real for f32 {
    shared!(f32);
    exact!(f32, sqrt = sqrtf, floor = floorf);
    unary!(
        f32,
        exp = expf,
        ln = logf,
        sin = sinf,
        cos = cosf,
        tan = tanf,
        asin = asinf,
        acos = acosf
    );
    unary!(f32, atan = atanf, sinh = sinhf, cosh = coshf, tanh = tanhf);
    binary!(f32, atan2 = atan2f, powf = powf);
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        (Real::sin(self), Real::cos(self))
    }
}
