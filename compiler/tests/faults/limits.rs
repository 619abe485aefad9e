//! Inputs without measure.
