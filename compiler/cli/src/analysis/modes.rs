//! Frequencies, damping and shapes of small motions about a state.

use std::f64::consts::TAU;

use nalgebra::{Complex, DMatrix, DVector};

use super::linearize::Linear;
use super::mechanism::Mechanism;

/// An eigenvalue below this share of the largest one counts as zero if A lacks rank. Round-off splits a double zero
/// by its square root.
const ZERO: f64 = 1e-6;

/// A singular value of A below this share of the largest one is zero.
const RANK: f64 = 1e-9;

/// A small motion e^(μt).
pub struct Mode {
    /// μ; of a pair that oscillates, the one above the real axis.
    pub eigenvalue: Complex<f64>,
    /// Its kind.
    pub kind: ModeKind,
    /// ζ, scaled so that the largest motion of a body is 1.
    pub shape: DVector<Complex<f64>>,
    /// Velocities of all bodies, with the same scale.
    pub bodies: DVector<Complex<f64>>,
}

/// The kind of a small motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// Nothing drives it and nothing restores it.
    Rigid,
    /// It oscillates and does not grow.
    Oscillating,
    /// It dies out without oscillating.
    Decaying,
    /// It oscillates and grows.
    Flutter,
    /// It grows without oscillating.
    Diverging,
}

impl ModeKind {
    /// A few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Rigid => "rigid-body motion",
            Self::Oscillating => "oscillates",
            Self::Decaying => "dies out",
            Self::Flutter => "unstable, oscillates and grows",
            Self::Diverging => "unstable, goes away",
        }
    }
}

impl Mode {
    /// |μ| / 2π in Hz
    pub fn natural_frequency(&self) -> f64 {
        self.eigenvalue.norm() / TAU
    }

    /// Im μ / 2π in Hz
    pub fn damped_frequency(&self) -> f64 {
        self.eigenvalue.im.abs() / TAU
    }

    /// −Re μ / |μ|
    pub fn damping(&self) -> f64 {
        match self.kind {
            ModeKind::Rigid => 0.0,
            _ => -self.eigenvalue.re / self.eigenvalue.norm(),
        }
    }
}

/// All modes: rigid-body motions first, then by growing frequency.
pub fn modes(linear: &Linear, mechanism: &Mechanism) -> Vec<Mode> {
    let f = linear.coordinates.len();
    if f == 0 {
        return Vec::new();
    }
    let (balanced, scale) = balanced(&linear.a);
    let largest = |values: &[Complex<f64>]| values.iter().map(|v| v.norm()).fold(0.0, f64::max);
    let mut values: Vec<Complex<f64>> = balanced.complex_eigenvalues().iter().copied().collect();
    values.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    let rigid = null_vectors(&balanced);
    let limit = ZERO * largest(&values).max(scale);
    let n_zero = values.iter().take(2 * rigid.len());
    let n_zero = n_zero.filter(|value| value.norm() <= limit).count();
    let mut modes: Vec<(Complex<f64>, ModeKind, DVector<Complex<f64>>)> = rigid
        .into_iter()
        .map(|vector| (Complex::ZERO, ModeKind::Rigid, vector.map(Complex::from)))
        .collect();
    let noise = RANK * largest(&values);
    for value in values.split_off(n_zero) {
        let value = clean(value, noise);
        if value.im >= 0.0 {
            let same = |(other, ..): &&(Complex<f64>, ModeKind, _)| (other - value).norm() < noise;
            let known = modes.iter().filter(same).map(|(.., vector)| vector);
            let vector = eigenvector(&balanced, value, known);
            modes.push((value, kind(value), vector));
        }
    }
    let finished = |(eigenvalue, kind, vector): (_, _, DVector<Complex<f64>>)| {
        let shape = vector.rows(0, f).into_owned();
        let bodies = linear.shapes.map(Complex::from) * &shape;
        let unit = largest_part(&bodies, mechanism).inv();
        Mode {
            eigenvalue,
            kind,
            shape: shape * unit,
            bodies: bodies * unit,
        }
    };
    modes.into_iter().map(finished).collect()
}

/// Undamped frequencies in Hz, from ζ̈ = A₂₁ ζ alone; frequencies that are not real are left out.
pub fn undamped(linear: &Linear) -> Vec<f64> {
    let f = linear.coordinates.len();
    if f == 0 {
        return Vec::new();
    }
    let stiffness = -linear.a.view((f, 0), (f, f)).into_owned();
    let scale = stiffness.amax();
    let squares = stiffness.complex_eigenvalues();
    let real = squares
        .iter()
        .filter(|square| square.im.abs() <= RANK * scale);
    let real = real.filter(|square| square.re >= -RANK * scale);
    let mut list: Vec<f64> = real.map(|square| square.re.max(0.0).sqrt() / TAU).collect();
    list.sort_by(f64::total_cmp);
    list
}

/// A with velocities in units of the frequency of A₂₁, so that eigenvalues are exact to round-off.
fn balanced(a: &DMatrix<f64>) -> (DMatrix<f64>, f64) {
    let f = a.nrows() / 2;
    let scale = a.view((f, 0), (f, f)).amax().sqrt();
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let mut balanced = a.clone();
    balanced.view_mut((0, f), (f, f)).scale_mut(scale);
    balanced.view_mut((f, 0), (f, f)).scale_mut(1.0 / scale);
    (balanced, scale)
}

fn null_vectors(a: &DMatrix<f64>) -> Vec<DVector<f64>> {
    let svd = a.clone().svd(false, true);
    let Some(v_t) = svd.v_t else {
        return Vec::new();
    };
    let limit = RANK * svd.singular_values.max();
    let small = (0..a.ncols()).filter(|k| svd.singular_values[*k] <= limit);
    small.map(|k| v_t.row(k).transpose()).collect()
}

/// Sets parts that are round-off to zero.
fn clean(value: Complex<f64>, noise: f64) -> Complex<f64> {
    let part = |x: f64| if x.abs() <= noise { 0.0 } else { x };
    Complex::new(part(value.re), part(value.im))
}

fn kind(value: Complex<f64>) -> ModeKind {
    match (value.re > 0.0, value.im == 0.0) {
        (false, false) => ModeKind::Oscillating,
        (false, true) => ModeKind::Decaying,
        (true, false) => ModeKind::Flutter,
        (true, true) => ModeKind::Diverging,
    }
}

/// Inverse iteration, orthogonal to the known vectors of the same eigenvalue.
fn eigenvector<'v>(
    a: &DMatrix<f64>,
    value: Complex<f64>,
    known: impl Iterator<Item = &'v DVector<Complex<f64>>> + Clone,
) -> DVector<Complex<f64>> {
    const ROUNDS: usize = 4;
    let n = a.nrows();
    // A small shift, so that the matrix has an inverse.
    let aside = value + Complex::new(1e-10, 1e-10) * (value.norm() + a.amax());
    let shifted = a.map(Complex::from) - DMatrix::identity(n, n) * aside;
    let factor = shifted.lu();
    let mut vector = DVector::from_fn(n, |k, _| Complex::new(1.0, 0.3 * (k as f64 + 1.0).sin()));
    for _ in 0..ROUNDS {
        for other in known.clone() {
            let part = other.dotc(&vector) / Complex::from(other.norm_squared());
            vector -= other * part;
        }
        vector = factor.solve(&vector).unwrap_or(vector);
        vector /= Complex::from(vector.norm());
    }
    vector
}

/// The largest part, with lengths relative to the size of the mechanism.
fn largest_part(bodies: &DVector<Complex<f64>>, mechanism: &Mechanism) -> Complex<f64> {
    let weighed = |(index, part): (usize, &Complex<f64>)| match mechanism.is_turn(index) {
        true => *part,
        false => *part / mechanism.size(),
    };
    let parts = bodies.iter().enumerate().map(weighed);
    // The first of equals, so that round-off does not decide.
    let first =
        |best: Complex<f64>, next: Complex<f64>| match next.norm() > best.norm() * (1.0 + 1e-6) {
            true => next,
            false => best,
        };
    let part = parts.fold(Complex::ZERO, first);
    if part.norm() > 0.0 {
        part
    } else {
        Complex::ONE
    }
}
