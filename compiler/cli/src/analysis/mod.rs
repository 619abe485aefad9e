//! Questions that need no motion: does it close, how does it move, where does it rest, how does it vibrate.
//!
//! All work on equations in absolute coordinates that were compiled for analyses: joints are rows that hold, and
//! every joint coordinate is a row that is watched and holds only where a question asks for it. With N the motions
//! that the rows leave, orthonormal in the metric of M,
//!
//! ```text
//! E s = r        s = E⁺ r + N y        E N = 0        Nᵀ M N = 1
//! ```
//!
//! answers every one of them in a few lines. Derivatives come from jets, so they are exact.

/// A rough guess closed, or what stays open.
pub mod assemble;
/// Rows that hold are brought to their values.
pub mod close;
/// Where forces balance.
mod equilibrium;
/// The fastest motion near the start.
pub mod fastest;
/// Functions of a kernel along a curve.
mod jet;
/// A joint coordinate driven through a range.
pub mod kinematics;
/// A state and everything linear about it.
pub mod linearize;
/// The loop that a joint belongs to.
mod loops;
/// The equations as numbers.
pub mod mechanism;
/// Frequencies, damping and shapes.
pub mod modes;
/// Motions that rows leave.
mod motions;
/// What stays open, in words.
pub mod open;
/// A place where a function along a path is zero.
mod root;
/// Equilibrium, what holds it, and reactions.
pub mod statics;
/// Reactions where constraints are redundant.
mod stresses;
/// The angle at which a coupler pushes.
pub mod transmission;
