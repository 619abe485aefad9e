//! Implicit integrators on native code.

mod loops;
mod orders;
mod stiffness;
