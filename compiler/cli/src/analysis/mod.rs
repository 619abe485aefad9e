//! Analyses without a simulation: assembly, kinematics, equilibrium, vibration.
//!
//! All work on equations in absolute coordinates that were compiled for analyses. The equations of joints hold. Every
//! joint coordinate also has a constraint equation, which holds only where an analysis asks for it. Let E be the rows
//! of D that hold, and N the motions that they leave, orthonormal in the metric of M:
//!
//! ```text
//! E s = r        s = E⁺ r + N y        E N = 0        Nᵀ M N = 1
//! ```
//!
//! These formulas answer each question in a few lines. Derivatives come from jets, so they are exact.

/// Closes a rough guess, or reports the joints that stay open.
pub mod assemble;
/// Brings the equations that hold to their values.
pub mod close;
/// The position where forces balance.
mod equilibrium;
/// The fastest motion near the start.
pub mod fastest;
/// Functions of a kernel along a curve.
mod jet;
/// Drives a joint coordinate through a range.
pub mod kinematics;
/// A state and its linear system.
pub mod linearize;
/// The loop that a joint belongs to.
mod loops;
/// The equations as numbers.
pub mod mechanism;
/// Frequencies, damping and shapes.
pub mod modes;
/// Motions that the constraint equations leave.
mod motions;
/// Messages for joints that stay open.
pub mod open;
/// A root of a function along a path.
mod root;
/// Equilibrium, holding efforts and reactions.
pub mod statics;
/// Reactions where constraints are redundant.
mod stresses;
/// The angle at which a coupler pushes.
pub mod transmission;
