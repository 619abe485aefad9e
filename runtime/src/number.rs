//! Operations of generated code on a number that may be several lanes. Each lane answers comparisons for itself, and
//! choices follow these answers.

use core::ops::{BitAnd, BitOr, Not};

use crate::Real;

/// One number of type `E`, or several of them that the same instructions compute.
pub trait Number<E: Real>: Real {
    /// The answer to a comparison.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// This value everywhere.
    fn of(value: E) -> Self;
    /// A function of each one by itself.
    fn each(self, function: impl Fn(E) -> E) -> Self;
    /// `self < other`
    fn less(self, other: Self) -> Self::Mask;
    /// `self <= other`
    fn less_equal(self, other: Self) -> Self::Mask;
    /// `self == other`
    fn equal(self, other: Self) -> Self::Mask;
    /// The first value where the mask holds, else the second.
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// 1 where the mask holds, else 0.
    #[inline]
    fn from_mask(mask: Self::Mask) -> Self {
        Self::choose(mask, Self::ONE, Self::ZERO)
    }

    /// Back from what [`Number::from_mask`] gave.
    #[inline]
    fn to_mask(self) -> Self::Mask {
        Self::ZERO.less(self)
    }
}

macro_rules! single {
    ($($type:ty),+) => {$(
        impl Number<$type> for $type {
            type Mask = bool;
            #[inline]
            fn of(value: $type) -> Self {
                value
            }
            #[inline]
            fn each(self, function: impl Fn($type) -> $type) -> Self {
                function(self)
            }
            #[inline]
            fn less(self, other: Self) -> bool {
                self < other
            }
            #[inline]
            fn less_equal(self, other: Self) -> bool {
                self <= other
            }
            #[inline]
            fn equal(self, other: Self) -> bool {
                self == other
            }
            #[inline]
            fn choose(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    )+};
}

single!(f64, f32);
