//! Numerical methods that assembly, analyses and the interpreted run share.

mod gauss_newton;

use nalgebra::DVector;

pub use gauss_newton::{Closed, Closing, close};

/// A state of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

impl State {
    /// The velocities as a vector.
    pub fn velocities(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.v)
    }

    /// The same position at rest.
    pub fn at_rest(&self) -> Self {
        Self {
            v: vec![0.0; self.v.len()],
            ..self.clone()
        }
    }
}
