//! Coordinates moved by a step of the velocities: q along q̇ = T v for unit time, v being the step.
//!
//! Where T is constant that is q + T v. With world axes the Euler parameters of a body have
//! ṗ = ½ (0, ω) ⊗ p, and ¼ (0, ω) ⊗ (0, ω) = −x with x = ¼ ω · ω, so
//!
//! ```text
//! p(1) = cos √x · p + (sin √x / √x) · ṗ
//! ```
//!
//! exactly, with the same length. Coordinates that count whole turns have a rate that changes with the
//! others; they are moved by the rate at the beginning.

use super::build::Builder;
use super::draft::Draft;
use super::translate::Translation;
use super::{Array, Name, Slot, Value};
use crate::expr::{Binary, Unary};
use crate::formulation::Unit;
use crate::symbolic::Equations;

/// √x is kept above the square root of this: sin √x / √x is 1 to the last bit there, so the quotient
/// needs no branch. The number is normal in single precision too.
const LEAST: f64 = 1e-30;

/// Moves the coordinates.
pub fn advance(equations: &Equations) -> Draft {
    let mut draft = Draft::new(Name::Advance);
    let b = &mut draft.builder;
    let mut translation = Translation::new(&equations.auxiliaries);
    let rates = equations.rates.iter();
    let rates: Vec<Value> = rates.map(|rate| translation.value(b, rate)).collect();
    let place = |b: &mut Builder, i: usize| b.load(Slot::new(Array::Coordinates, i));
    let mut moved: Vec<Value> = Vec::with_capacity(rates.len());
    for (i, &rate) in rates.iter().enumerate() {
        let q = place(b, i);
        moved.push(b.add(q, rate));
    }
    for unit in &equations.unit {
        let (cos, sinc) = half_turn(b, unit);
        for i in unit.coordinates.map(|i| i as usize) {
            let p = place(b, i);
            let (old, new) = (b.mul(cos, p), b.mul(sinc, rates[i]));
            moved[i] = b.add(old, new);
        }
    }
    for (i, value) in moved.into_iter().enumerate() {
        draft.write(Array::Coordinates, i, value);
    }
    draft
}

/// cos √x and sin √x / √x with x = ¼ ω · ω.
fn half_turn(b: &mut Builder, unit: &Unit) -> (Value, Value) {
    let mut square = b.zero();
    for j in unit.velocities {
        let w = b.load(Slot::new(Array::Velocities, j as usize));
        let product = b.mul(w, w);
        square = b.add(square, product);
    }
    let (quarter, least) = (b.constant(0.25), b.constant(LEAST));
    let x = b.mul(quarter, square);
    let x = b.binary(Binary::Max, x, least);
    let half = b.unary(Unary::Sqrt, x);
    let (sin, cos) = (b.unary(Unary::Sin, half), b.unary(Unary::Cos, half));
    (cos, b.div(sin, half))
}
