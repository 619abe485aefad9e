//! Bellcrank compiles a description of a mechanism into Rust that simulates exactly that mechanism.

pub mod assembly;
pub mod build;
pub mod cache;
#[cfg(feature = "cli")]
pub mod cli;
pub mod description;
pub mod diagnostics;
pub mod door;
pub mod expr;
pub mod formulation;
#[cfg(feature = "cli")]
mod interpret_run;
pub mod kernel;
pub mod model;
pub mod options;
pub mod source;
#[doc(hidden)]
pub mod stub;
pub mod symbolic;
pub mod topology;

pub use stub::{Compiled, compile, outline};
