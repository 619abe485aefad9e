//! Margin of a solve: its distance to a singular position, and the smallest pivots that solves allow.

use crate::expr::Binary;
use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::options::Scalar;

/// Smallest pivot of a product of rows, such as S = D M⁻¹ Dᵀ, as a share of its diagonal entry. It is well above the
/// rounding that is left of a row that depends on the others. For doubles this is 1e-5 on D, squared.
pub fn threshold_of_products(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => 1e-10,
        Scalar::F32 => 1e-5,
    }
}

/// Smallest pivot of a bordered matrix, as a share of its terms: ε = √u with the round-off u.
///
/// A pivot just above ε lets what follows grow by 1/ε, so that the round-off in a later pivot is u/ε = ε: one that
/// should vanish is still seen. Where rows become dependent this is an angle of 1e-4 for doubles.
pub fn threshold_of_borders(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => f64::EPSILON.sqrt(),
        Scalar::F32 => f64::from(f32::EPSILON).sqrt(),
    }
}

/// A pivot, and the size below which it cannot be distinguished from round-off.
pub struct Pivot {
    /// δ_k
    pub value: Value,
    /// The least that it may be.
    pub limit: Value,
}

/// The least of (δ_k − limit_k) / p_k over the pivots; 1 if there are none. p_k is the largest that the pivot is at
/// the assembled states, so that the margin is near 1 at a usual state, falls with the square of the distance to a
/// singular position, and is not positive where the solve cannot be trusted.
pub fn margin(builder: &mut Builder, traces: &[Vec<f64>], pivots: &[Pivot]) -> Value {
    let mut least = None;
    for pivot in pivots {
        let scaled = scaled(builder, traces, pivot);
        least = Some(smaller(builder, least, scaled));
    }
    least.unwrap_or_else(|| builder.constant(1.0))
}

/// The smaller one of what is the least so far and the next one.
pub fn smaller(builder: &mut Builder, least: Option<Value>, next: Value) -> Value {
    match least {
        None => next,
        Some(least) => builder.binary(Binary::Min, least, next),
    }
}

/// The largest value at the assembled states.
pub fn largest(traces: &[Vec<f64>], value: Value) -> f64 {
    let values = traces.iter().map(|trace| trace[value.0 as usize]);
    values.fold(0.0, f64::max)
}

/// (δ_k − limit_k) / p_k, each term scaled by itself: the second is then a number where the limit is one.
fn scaled(builder: &mut Builder, traces: &[Vec<f64>], pivot: &Pivot) -> Value {
    let factor = builder.constant(1.0 / usual(traces, pivot.value));
    let size = builder.mul(pivot.value, factor);
    let limit = builder.mul(pivot.limit, factor);
    builder.sub(size, limit)
}

/// The largest value at the assembled states; 1 where there is none that a pivot could have.
fn usual(traces: &[Vec<f64>], value: Value) -> f64 {
    let largest = largest(traces, value);
    match largest > 0.0 && largest.is_finite() {
        true => largest,
        false => 1.0,
    }
}
