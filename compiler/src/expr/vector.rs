//! Vectors of expressions.

use super::Expr;

/// Three components.
pub type Vector = [Expr; 3];

/// The zero vector.
pub fn zero() -> Vector {
    std::array::from_fn(|_| Expr::zero())
}

/// The unit vector along axis `i`.
pub fn unit(i: usize) -> Vector {
    std::array::from_fn(|k| Expr::constant(if k == i { 1.0 } else { 0.0 }))
}

/// A vector of numbers.
pub fn constant(v: [f64; 3]) -> Vector {
    v.map(Expr::constant)
}

/// a + b
pub fn add(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] + &b[i])
}

/// a − b
pub fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

/// s a
pub fn scale(s: &Expr, a: &Vector) -> Vector {
    std::array::from_fn(|i| s * &a[i])
}

/// a · b
pub fn dot(a: &Vector, b: &Vector) -> Expr {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// a × b
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    let minor = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
