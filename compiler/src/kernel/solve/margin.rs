//! Margin of a solve: its distance to a singular position.

use crate::expr::Binary;
use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;

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
        least = Some(match least {
            None => scaled,
            Some(least) => builder.binary(Binary::Min, least, scaled),
        });
    }
    least.unwrap_or_else(|| builder.constant(1.0))
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
    let values = traces.iter().map(|trace| trace[value.0 as usize]);
    let largest = values.fold(0.0, f64::max);
    match largest > 0.0 && largest.is_finite() {
        true => largest,
        false => 1.0,
    }
}
