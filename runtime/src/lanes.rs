//! Numbers side by side in a register of the processor. Each lane has the bits that the scalar type would have: sums,
//! products, quotients and roots are rounded alike, and both fuse the same multiplications and additions. All other
//! functions are those of the scalar type, lane by lane.

use core::cmp::Ordering;
use core::fmt::{self, Display, Formatter};
use core::ops::{
    Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign,
};

use crate::real::multiply_add;
use crate::{Number, Real};

/// Several numbers of the scalar type `E`.
pub trait Lanes<E: Real>: Number<E> {
    /// Number of lanes.
    const N: usize;
    /// One of them.
    fn lane(self, lane: usize) -> E;
    /// Sets one of them.
    fn set_lane(&mut self, lane: usize, value: E);
    /// A mask that holds where the bit of the lane is set.
    fn mask(bits: u32) -> Self::Mask;
    /// The lanes where a mask holds, as bits.
    fn bits(mask: Self::Mask) -> u32;
}

/// A scalar type of which `N` fit side by side.
pub trait Width<const N: usize>: Real {
    /// So many of them.
    type Lanes: Lanes<Self>;
}

/// A mask of the lanes in which a comparison holds.
#[derive(Clone, Copy, Debug)]
pub struct LaneMask<W>(W);

impl<W: BitAnd<Output = W>> BitAnd for LaneMask<W> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl<W: BitOr<Output = W>> BitOr for LaneMask<W> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<W: Not<Output = W>> Not for LaneMask<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Operators of the register's type.
macro_rules! operators {
    ($name:ident: $($trait:ident $method:ident $assign:ident $assign_method:ident),+) => {$(
        impl $trait for $name {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
        impl $assign for $name {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0.$method(other.0);
            }
        }
    )+};
}

/// Functions of one argument, lane by lane.
macro_rules! by_lane {
    ($type:ty: $($function:ident),+) => {$(
        #[inline]
        fn $function(self) -> Self {
            self.each(<$type as Real>::$function)
        }
    )+};
}

/// Functions of two arguments, lane by lane.
macro_rules! by_pair {
    ($type:ty: $($function:ident),+) => {$(
        #[inline]
        fn $function(self, other: Self) -> Self {
            let (a, b) = (self.0.to_array(), other.0.to_array());
            Self(core::array::from_fn(|k| <$type as Real>::$function(a[k], b[k])).into())
        }
    )+};
}

macro_rules! lanes {
    ($name:ident, $wide:ident, $type:ident, $n:literal, $doc:literal) => {
        #[doc = $doc]
        ///
        /// A comparison by `<` and `==`, and [`Real::is_finite`], hold if they hold in every lane. [`Real::to_f64`] and
        /// [`Display`] show the first lane.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name(wide::$wide);

        operators!($name: Add add AddAssign add_assign, Sub sub SubAssign sub_assign,
            Mul mul MulAssign mul_assign, Div div DivAssign div_assign);

        impl Neg for $name {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        impl PartialEq for $name {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.0.simd_eq(other.0).all()
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                let (a, b) = (self.0.to_array(), other.0.to_array());
                let first = a[0].partial_cmp(&b[0]);
                let same = (1..$n).all(|k| a[k].partial_cmp(&b[k]) == first);
                first.filter(|_| same)
            }
            #[inline]
            fn lt(&self, other: &Self) -> bool {
                self.0.simd_lt(other.0).all()
            }
            #[inline]
            fn gt(&self, other: &Self) -> bool {
                other.0.simd_lt(self.0).all()
            }
            #[inline]
            fn le(&self, other: &Self) -> bool {
                self.0.simd_le(other.0).all()
            }
            #[inline]
            fn ge(&self, other: &Self) -> bool {
                other.0.simd_le(self.0).all()
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(&self.0.to_array()[0], f)
            }
        }

        impl Real for $name {
            const EPSILON: Self = Self(wide::$wide::new([$type::EPSILON; $n]));
            const ZERO: Self = Self(wide::$wide::new([0.0; $n]));
            const ONE: Self = Self(wide::$wide::new([1.0; $n]));
            #[inline]
            fn from_f64(value: f64) -> Self {
                Self::of(value as $type)
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self.lane(0).to_f64()
            }
            #[inline]
            fn is_finite(self) -> bool {
                self.0.is_finite().all()
            }
            #[inline]
            fn abs(self) -> Self {
                Self(self.0.abs())
            }
            #[inline]
            fn sqrt(self) -> Self {
                Self(self.0.sqrt())
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                (Real::sin(self), Real::cos(self))
            }
            #[inline(always)]
            fn fused(self, factor: Self, more: Self) -> Self {
                Self(multiply_add!(self.0, factor.0, more.0))
            }
            by_lane!($type: exp, ln, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, floor, sign);
            by_pair!($type: atan2, powf, min, max, modulo);
        }

        impl Number<$type> for $name {
            type Mask = LaneMask<wide::$wide>;
            #[inline]
            fn of(value: $type) -> Self {
                Self(wide::$wide::splat(value))
            }
            #[inline]
            fn each(self, function: impl Fn($type) -> $type) -> Self {
                Self(self.0.to_array().map(function).into())
            }
            #[inline]
            fn less(self, other: Self) -> Self::Mask {
                LaneMask(self.0.simd_lt(other.0))
            }
            #[inline]
            fn less_equal(self, other: Self) -> Self::Mask {
                LaneMask(self.0.simd_le(other.0))
            }
            #[inline]
            fn equal(self, other: Self) -> Self::Mask {
                LaneMask(self.0.simd_eq(other.0))
            }
            #[inline]
            fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self {
                Self(mask.0.select(yes.0, no.0))
            }
        }

        impl Lanes<$type> for $name {
            const N: usize = $n;
            #[inline]
            fn lane(self, lane: usize) -> $type {
                self.0.to_array()[lane]
            }
            #[inline]
            fn set_lane(&mut self, lane: usize, value: $type) {
                self.0.as_mut_array()[lane] = value;
            }
            #[inline]
            fn mask(bits: u32) -> Self::Mask {
                let one = |k: usize| if bits & (1 << k) == 0 { 0.0 } else { 1.0 };
                Self(core::array::from_fn(one).into()).to_mask()
            }
            #[inline]
            fn bits(mask: Self::Mask) -> u32 {
                mask.0.to_bitmask()
            }
        }

        impl Width<$n> for $type {
            type Lanes = $name;
        }
    };
}

lanes!(F64x4, f64x4, f64, 4, "Four doubles.");
lanes!(F64x8, f64x8, f64, 8, "Eight doubles.");
lanes!(F32x8, f32x8, f32, 8, "Eight singles.");
lanes!(F32x16, f32x16, f32, 16, "Sixteen singles.");
