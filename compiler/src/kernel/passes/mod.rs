//! Passes over a finished function. Each keeps the values, and changes the order or the form of operations.

/// Sums in the order in which their terms are there.
pub mod balance;
/// Estimates the cycles of a function in which every operation begins as soon as it can.
pub mod cycles;
/// After this point values that depend on parameters only are computed when parameters are set.
pub mod hoist;
/// Minus signs back to where they cost nothing.
pub mod place_signs;
/// Instructions in the order in which a processor can begin them.
pub mod schedule;
