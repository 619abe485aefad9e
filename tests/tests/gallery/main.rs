//! The mechanisms of the gallery against their references, as native code.

mod discrete;
mod double_four_bar;
mod five_arm;
mod flyball;
mod four_bar;
mod iltis;
mod kuka;
mod points;
mod press;
mod quick_return;
mod rotating_end;
mod simple_pendulum;
mod slider_crank;
mod yamaha_engine;
