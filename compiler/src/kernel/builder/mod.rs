//! Builds functions: from expressions to instructions, each value once.

/// After this point nothing is dead, and everything stands just before its first use until it is scheduled.
pub mod draft;
/// One instruction after another, each value once, by named rewrites.
pub mod instructions;
/// Expressions → values.
pub mod translate;
/// Conditions and choices.
mod truth;

pub use instructions::Builder;
pub use truth::Truth;
