//! The `mechanism!` macro.
