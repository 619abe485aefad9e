//! The margin of a solve, which measures the distance to a singular position, and the smallest pivots that the solves
//! allow.

use crate::expr::Binary;
use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::options::Scalar;

/// Smallest pivot of a product of rows, such as S = D M⁻¹ Dᵀ, as a share of its diagonal entry. A row that depends on
/// the others leaves round-off, which is well below this. For doubles it is the square of 1e-5, the corresponding share
/// of a row of D.
pub fn threshold_of_products(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => 1e-10,
        Scalar::F32 => 1e-5,
    }
}

/// Smallest pivot of a bordered matrix, as a share of its terms: ε = √u with the round-off u.
///
/// A pivot just above ε amplifies later terms by 1/ε, so the round-off in a later pivot is u/ε = ε. A later pivot that
/// should vanish is therefore still recognised. For doubles ε corresponds to an angle of 1e-4 between rows that become
/// dependent.
pub fn threshold_of_borders(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => f64::EPSILON.sqrt(),
        Scalar::F32 => f64::from(f32::EPSILON).sqrt(),
    }
}

/// A pivot, and the limit below which it cannot be distinguished from round-off.
pub struct Pivot {
    /// δ_k
    pub value: Value,
    /// The limit.
    pub limit: Value,
}

/// The smallest (δ_k − limit_k) / p_k over the pivots; 1 if there are none. p_k is the largest value of the pivot at
/// the assembled states. The margin is near 1 at a usual state and falls with the square of the distance to a singular
/// position. The solve cannot be trusted where the margin is not positive.
pub fn margin(builder: &mut Builder, traces: &[Vec<f64>], pivots: &[Pivot]) -> Value {
    let mut least = None;
    for pivot in pivots {
        let scaled = scaled(builder, traces, pivot);
        least = Some(smaller(builder, least, scaled));
    }
    least.unwrap_or_else(|| builder.constant(1.0))
}

/// The smaller of the least value so far and the next value.
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

/// (δ_k − limit_k) / p_k. Each term is scaled by itself, so a constant limit gives a constant term.
fn scaled(builder: &mut Builder, traces: &[Vec<f64>], pivot: &Pivot) -> Value {
    let factor = builder.constant(1.0 / usual(traces, pivot.value));
    let size = builder.mul(pivot.value, factor);
    let limit = builder.mul(pivot.limit, factor);
    builder.sub(size, limit)
}

/// The largest value at the assembled states; 1 if that value is not positive or not finite.
fn usual(traces: &[Vec<f64>], value: Value) -> f64 {
    let largest = largest(traces, value);
    match largest > 0.0 && largest.is_finite() {
        true => largest,
        false => 1.0,
    }
}
