//! Structure of the equations that the solves use: coordinates that turn together, inertia in axes that turn with a
//! body, and the tree of links.
//!
//! A formulation makes the structure, and `derive` passes it on unchanged. It refers to coordinates, velocities and
//! rows by their index and names no joint, body or other element. These types and the equations are all that the kernel
//! knows of a mechanism.

mod expressions;
mod tree;
mod turning;

pub use tree::{LinkStep, LocalLink, LoopEquation, OwnPoint, OwnTurn, RigidLink, Screw, Tree};
pub use turning::{BodyInertia, Rotation, UnitLength};
