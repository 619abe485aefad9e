//! Coordinates and inertia that turn with an angular velocity.

use crate::expr::Expr;
use crate::expr::vector::Vector;

/// The Euler parameters of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitLength {
    /// e0 … e3
    pub coordinates: [u32; 4],
    /// The angular velocity that turns them, in world axes.
    pub velocities: [u32; 3],
}

/// The axes of a body as coordinates, and the angular velocity that turns them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// cos φ and sin φ, or an arm that turns.
    Planar {
        /// The components of the x axis, or of the arm.
        axis: [u32; 2],
        /// Length of the axis or the arm.
        length: f64,
        /// φ̇
        spin: u32,
    },
    /// The columns of the rotation matrix.
    Spatial {
        /// The three axes.
        axes: [[u32; 3]; 3],
        /// ω in world axes.
        spin: [u32; 3],
    },
}

/// The rotational part A J Aᵀ of a body's M, with axes A in which J is constant.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyInertia {
    /// ω in world axes.
    pub velocities: [u32; 3],
    /// The columns of A.
    pub axes: [Vector; 3],
    /// J
    pub tensor: [[Expr; 3]; 3],
}
