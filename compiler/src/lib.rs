//! Bellcrank compiles a description of a mechanism into Rust that simulates exactly that mechanism.

pub mod assembly;
pub mod description;
pub mod diagnostics;
pub mod emit;
pub mod expr;
pub mod formulation;
pub mod kernel;
pub mod model;
pub mod options;
pub mod source;
pub mod symbolic;
pub mod topology;
