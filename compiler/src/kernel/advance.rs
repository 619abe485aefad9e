//! Coordinates moved by a step of the velocities: q along q̇ = T v for unit time, v being the step.
//!
//! Where T is constant that is q + T v. With world axes the Euler parameters of a body have
//! ṗ = ½ (0, ω) ⊗ p, and ¼ (0, ω) ⊗ (0, ω) = −x with x = ¼ ω · ω, so
//!
//! ```text
//! p(1) = cos √x · p + (sin √x / √x) · ṗ
//! ```
//!
//! exactly, with the same length. Axes that are coordinates turn by Rodrigues' formula,
//!
//! ```text
//! a(1) = a + (D N ω × a + ½ N² ω × (ω × a)) / (D² + N² x)        N / D = tan √x / √x
//! ```
//!
//! which is a rotation about ω whatever N / D is. A quotient of cubics gives its angle to round-off for
//! steps of up to one radian, and to 1e-13 up to one and a half: no library function is called, no small
//! angle needs a branch, and steps that are worth taking are far below that. Coordinates that count whole turns have a
//! rate that changes with the others; they are moved by the rate at the beginning.

use super::normalize::set_cross;
use crate::expr::{Binary, Unary};
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Translation;
use crate::kernel::{Array, Name, Slot, Value};
use crate::structure::{Rotation, UnitLength};
use crate::symbolic::Equations;

/// √x is kept above the square root of this: sin √x / √x is 1 to the last bit there, so the quotient
/// needs no branch. The number is normal in single precision too.
const LEAST: f64 = 1e-30;

/// Moves the coordinates.
pub fn advance(equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::Advance);
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
    for rotation in &equations.rotations {
        turn(b, &mut moved, rotation);
    }
    for (i, value) in moved.into_iter().enumerate() {
        draft.write(Array::Coordinates, i, value);
    }
    draft
}

/// ¼ ω · ω
fn quarter_square(b: &mut Builder, spin: &[Value]) -> Value {
    let mut square = b.zero();
    for &w in spin {
        let product = b.mul(w, w);
        square = b.add(square, product);
    }
    let quarter = b.constant(0.25);
    b.mul(quarter, square)
}

/// cos √x and sin √x / √x with x = ¼ ω · ω.
fn half_turn(b: &mut Builder, unit: &UnitLength) -> (Value, Value) {
    let spin = unit.velocities.map(|j| velocity(b, j));
    let x = quarter_square(b, &spin);
    let least = b.constant(LEAST);
    let x = b.binary(Binary::Max, x, least);
    let half = b.unary(Unary::Sqrt, x);
    let (sin, cos) = (b.unary(Unary::Sin, half), b.unary(Unary::Cos, half));
    (cos, b.div(sin, half))
}

fn velocity(b: &mut Builder, j: u32) -> Value {
    b.load(Slot::new(Array::Velocities, j as usize))
}

fn coordinates<const N: usize>(b: &mut Builder, list: [u32; N]) -> [Value; N] {
    list.map(|i| b.load(Slot::new(Array::Coordinates, i as usize)))
}

/// tan √x / √x = N / D: a convergent of its continued fraction 1 / (1 − x / (3 − x / (5 − …))), whose
/// angle 2 atan is off by 2e-16 at √x = ½.
const NUMERATOR: [f64; 4] = [135135.0, -17325.0, 378.0, -1.0];
/// D
const DENOMINATOR: [f64; 4] = [135135.0, -62370.0, 3150.0, -28.0];

/// c₀ + c₁ x + …
fn polynomial(b: &mut Builder, x: Value, coefficients: &[f64]) -> Value {
    let mut sum = b.zero();
    for &c in coefficients.iter().rev() {
        let product = b.mul(sum, x);
        let c = b.constant(c);
        sum = b.add(product, c);
    }
    sum
}

/// D N / (D² + N² x) = sin(2 √x) / (2 √x) and ½ N² / (D² + N² x) = (1 − cos(2 √x)) / (2 √x)².
fn rodrigues(b: &mut Builder, spin: &[Value]) -> (Value, Value) {
    let x = quarter_square(b, spin);
    let n = polynomial(b, x, &NUMERATOR);
    let d = polynomial(b, x, &DENOMINATOR);
    let (nn, dd) = (b.mul(n, n), b.mul(d, d));
    let product = b.mul(nn, x);
    let sum = b.add(dd, product);
    let scale = b.reciprocal(sum);
    let (dn, half) = (b.mul(d, n), b.constant(0.5));
    let (first, second) = (b.mul(dn, scale), b.mul(nn, scale));
    (first, b.mul(half, second))
}

/// Turns the axes of a body.
fn turn(b: &mut Builder, moved: &mut [Value], rotation: &Rotation) {
    match rotation {
        Rotation::Planar { axis, spin, .. } => {
            let w = velocity(b, *spin);
            let (first, second) = rodrigues(b, &[w]);
            let square = b.mul(w, w);
            let (sin, lost) = (b.mul(first, w), b.mul(second, square));
            let [x, y] = coordinates(b, *axis);
            let (less, across) = (b.mul(lost, x), b.mul(sin, y));
            let change = b.add(less, across);
            moved[axis[0] as usize] = b.sub(x, change);
            let (less, across) = (b.mul(lost, y), b.mul(sin, x));
            let change = b.sub(across, less);
            moved[axis[1] as usize] = b.add(y, change);
        }
        Rotation::Spatial { axes, spin } => {
            let spin = spin.map(|j| velocity(b, j));
            let matrix = rotation_matrix(b, &spin);
            for axis in &axes[..2] {
                let old = coordinates(b, *axis);
                for (i, row) in axis.iter().zip(&matrix) {
                    moved[*i as usize] = sum_of_products(b, row, &old);
                }
            }
            set_cross(b, moved, &axes[2], (&axes[0], &axes[1]));
        }
    }
}

/// 1 + a ω̃ + b ω̃², where ω̃² = ω ωᵀ − ω · ω 1.
fn rotation_matrix(b: &mut Builder, w: &[Value; 3]) -> [[Value; 3]; 3] {
    let (first, second) = rodrigues(b, w);
    let along = w.map(|w| b.mul(second, w));
    let across = w.map(|w| b.mul(first, w));
    let squares: [Value; 3] = std::array::from_fn(|i| b.mul(along[i], w[i]));
    let one = b.constant(1.0);
    let mut matrix = [[one; 3]; 3];
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        let others = b.add(squares[j], squares[k]);
        matrix[i][i] = b.sub(one, others);
        let both = b.mul(along[i], w[j]);
        matrix[i][j] = b.sub(both, across[k]);
        matrix[j][i] = b.add(both, across[k]);
    }
    matrix
}

fn sum_of_products(b: &mut Builder, one: &[Value; 3], two: &[Value; 3]) -> Value {
    let mut sum = b.zero();
    for (x, y) in one.iter().zip(two) {
        let product = b.mul(*x, *y);
        sum = b.add(sum, product);
    }
    sum
}
