//! Implicit integrators on native code.

mod jumps;
mod light_cart;
mod loops;
mod orders;
mod stiffness;
