//! The mechanisms of the gallery against their references, as native code.

mod four_bar;
mod points;
mod quick_return;
mod slider_crank;
