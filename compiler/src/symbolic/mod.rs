//! Their derivatives: the only folder that names Symbolica.
//!
//! With y all coordinates and auxiliaries and ẏ their rates (linear in v):
//! Φ̇ = Φ_y ẏ + Φ_t,  D = ∂Φ̇/∂v,  γ = −(Φ̇_y ẏ + Φ̇_t),  M = ∂²T/∂v²,  Q = Σ effort · ∂flow/∂v.

use crate::expr::Expr;

/// A sparse row: columns in growing order, structural zeros left out.
pub type SparseRow = Vec<(u32, Expr)>;

/// The derived equations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equations {
    /// How many coordinates q.
    pub n_coordinates: usize,
    /// How many velocities v.
    pub n_velocities: usize,
    /// Definitions of the auxiliaries, in order.
    pub auxiliaries: Vec<Expr>,
    /// q̇ = T v
    pub rates: Vec<Expr>,
    /// Groups of coordinates that together have unit length.
    pub unit: Vec<[u32; 4]>,
    /// Φ
    pub phi: Vec<Expr>,
    /// Φ_t
    pub phi_t: Vec<Expr>,
    /// D
    pub jacobian: Vec<SparseRow>,
    /// γ
    pub gamma: Vec<Expr>,
    /// M, all entries of the symmetric matrix.
    pub mass: Vec<SparseRow>,
    /// Q, gyroscopic terms included.
    pub forces: Vec<Expr>,
    /// Power of the applied forces that no potential accounts for.
    pub power: Expr,
    /// Kinetic energy.
    pub kinetic: Expr,
    /// Potential energy.
    pub potential: Expr,
    /// What the assembly holds: values.
    pub hold_values: Vec<Expr>,
    /// What the assembly holds: rates.
    pub hold_rates: Vec<Expr>,
    /// What the assembly holds: ∂rate/∂v.
    pub hold_jacobian: Vec<SparseRow>,
    /// Named outputs, in terms of accelerations and multipliers too.
    pub outputs: Vec<Expr>,
    /// Force and torque on the second body of each joint, in terms of multipliers.
    pub reactions: Vec<[Expr; 6]>,
}
