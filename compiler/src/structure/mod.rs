//! Structure of the equations that the solves use: coordinates that turn together, inertia in axes that turn, and the
//! tree of links.
//!
//! A formulation states it and derivatives leave it as it is. It names no joint, no body and no element of a
//! description, so the kernel knows of a mechanism only what is written here and in the equations.

mod expressions;
mod tree;
mod turning;

pub use tree::{LinkStep, LocalLink, LoopEquation, OwnPoint, OwnTurn, RigidLink, Screw, Tree};
pub use turning::{BodyInertia, Rotation, UnitLength};
