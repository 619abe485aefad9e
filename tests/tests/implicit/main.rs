//! Implicit integrators on native code.

mod jumps;
mod loops;
mod orders;
mod stiffness;
