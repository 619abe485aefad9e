//! Descriptions of mechanisms that repeat one pattern, as large as one likes.

use std::ops::RangeInclusive;

pub mod chain;
mod four_bars;
mod kuka;
mod scissor_lift;

/// Mechanisms of one pattern.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What the number counts.
    pub counts: &'static str,
    /// The numbers that it is made for.
    pub sizes: RangeInclusive<usize>,
    /// The description, as TOML.
    pub write: fn(usize) -> String,
}

/// Every family.
pub const FAMILIES: &[Family] = &[four_bars::FAMILY, kuka::FAMILY, scissor_lift::FAMILY];
