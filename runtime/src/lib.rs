//! Runtime of compiled mechanisms: integrators, projection stabilizers, assembly of a consistent start.
//!
//! Generated code implements [`Mechanism`]; everything else here is generic over it. Nothing allocates
//! in a step, and without the feature `std` nothing needs an operating system.
#![cfg_attr(not(feature = "std"), no_std)]

mod mechanism;
mod real;
mod storage;

pub use mechanism::{Acceleration, Defaults, Dense, Energy, Mechanism};
pub use real::Real;
pub use storage::{Matrix, Vector};

#[doc(hidden)]
pub use nalgebra;
