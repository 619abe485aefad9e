//! Sums and norms of vectors of fixed size. They iterate over slices together. After inlining the lengths are
//! constants, and the loop has no bounds checks.

use crate::{Real, Vector};

/// y ← y + a x
#[inline]
pub fn add_scaled<T: Real, V: Vector<T>>(y: &mut V, a: T, x: &V) {
    for (y, x) in y.as_mut_slice().iter_mut().zip(x.as_slice()) {
        *y = a.fused(*x, *y);
    }
}

/// y + a x
#[inline]
pub fn sum_scaled<T: Real, V: Vector<T>>(y: &V, a: T, x: &V) -> V {
    let mut sum = *y;
    add_scaled(&mut sum, a, x);
    sum
}

/// a x
#[inline]
pub fn scaled<T: Real, V: Vector<T>>(x: &V, a: T) -> V {
    sum_scaled(&V::zero(), a, x)
}

/// y ← y + x
#[inline]
pub fn add<T: Real, V: Vector<T>>(y: &mut V, x: &V) {
    for (y, x) in y.as_mut_slice().iter_mut().zip(x.as_slice()) {
        *y += *x;
    }
}

/// x · y
#[inline]
pub fn dot<T: Real, V: Vector<T>>(x: &V, y: &V) -> T {
    let products = x.as_slice().iter().zip(y.as_slice());
    products.fold(T::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// ‖x‖∞, and NaN if any component is NaN or infinite: 0 x is 0 for finite x only, and a maximum would hide a NaN.
/// There are four maxima and four sums, so that they need not wait for each other.
#[inline]
pub fn norm<T: Real, V: Vector<T>>(x: &V) -> T {
    let chunks = x.as_slice().chunks_exact(4);
    let (mut most, mut nothing) = ([T::ZERO; 4], [T::ZERO; 4]);
    let mut take = |k: usize, x: T| {
        let size = x.abs();
        most[k] = if size > most[k] { size } else { most[k] };
        nothing[k] += x * T::ZERO;
    };
    let rest = chunks.remainder();
    rest.iter().enumerate().for_each(|(k, x)| take(k, *x));
    for chunk in chunks {
        chunk.iter().enumerate().for_each(|(k, x)| take(k, *x));
    }
    let largest = most[0].max(most[1]).max(most[2].max(most[3]));
    largest + ((nothing[0] + nothing[1]) + (nothing[2] + nothing[3]))
}

/// ‖x‖∞ and ‖x − y‖∞ of finite numbers. There are four of each, so that they need not wait for each other.
#[inline]
pub fn norm_and_distance<T: Real, V: Vector<T>>(x: &V, y: &V) -> (T, T) {
    let (mut most, mut apart) = ([T::ZERO; 4], [T::ZERO; 4]);
    let mut take = |k: usize, x: T, y: T| {
        let (size, distance) = (x.abs(), (x - y).abs());
        most[k] = if size > most[k] { size } else { most[k] };
        apart[k] = if distance > apart[k] {
            distance
        } else {
            apart[k]
        };
    };
    let (x, y) = (x.as_slice().chunks_exact(4), y.as_slice().chunks_exact(4));
    let rest = x.remainder().iter().zip(y.remainder()).enumerate();
    rest.for_each(|(k, (x, y))| take(k, *x, *y));
    for (x, y) in x.zip(y) {
        let pairs = x.iter().zip(y).enumerate();
        pairs.for_each(|(k, (x, y))| take(k, *x, *y));
    }
    let largest = |of: [T; 4]| of[0].max(of[1]).max(of[2].max(of[3]));
    (largest(most), largest(apart))
}

/// The larger one, and NaN if either is NaN, which `max` would hide.
#[inline]
pub fn larger<T: Real>(a: T, b: T) -> T {
    if a >= b || !a.is_finite() { a } else { b }
}

/// Whether no component is NaN or infinite. Uses that 0 x is 0 for finite x only. There are four sums, so that they
/// need not wait for each other.
#[inline]
pub fn is_finite<T: Real, V: Vector<T>>(x: &V) -> bool {
    let chunks = x.as_slice().chunks_exact(4);
    let tail = chunks
        .remainder()
        .iter()
        .fold(T::ZERO, |sum, x| sum + *x * T::ZERO);
    let mut sums = [tail, T::ZERO, T::ZERO, T::ZERO];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += *x * T::ZERO;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) == T::ZERO
}

/// Whether the number is NaN.
#[inline]
pub fn is_nan<T: Real>(x: T) -> bool {
    x.partial_cmp(&x).is_none()
}

/// Whether the number is above the limit. NaN counts as above.
#[inline]
pub fn exceeds<T: Real>(x: T, limit: T) -> bool {
    x > limit || is_nan(x)
}
