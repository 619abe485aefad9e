//! The mechanisms of the gallery against their references, as native code.

mod four_bar;
mod points;
mod press;
mod quick_return;
mod rotating_end;
mod slider_crank;
