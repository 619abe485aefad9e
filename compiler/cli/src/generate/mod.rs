//! Descriptions of mechanisms that repeat one pattern, of any size.

use std::ops::RangeInclusive;

pub mod chain;
mod four_bars;
mod kuka;
mod scissor_lift;
mod walker;

/// Mechanisms of one pattern.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The meaning of the number.
    pub counts: &'static str,
    /// The allowed numbers.
    pub sizes: RangeInclusive<usize>,
    /// The description, as TOML.
    pub write: fn(usize) -> String,
}

/// Every family.
pub const FAMILIES: &[Family] = &[
    four_bars::FAMILY,
    kuka::FAMILY,
    scissor_lift::FAMILY,
    walker::FAMILY,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Models of the gallery that are generated: family, size, and the file.
    const KEPT: [(&str, usize, &str); 3] = [
        (
            "four-bars",
            10,
            include_str!("../../../../models/four_bars_10/model.toml"),
        ),
        (
            "scissor-lift",
            3,
            include_str!("../../../../models/scissor_lift/model.toml"),
        ),
        (
            "walker",
            3,
            include_str!("../../../../models/jansen_walker/model.toml"),
        ),
    ];

    #[test]
    fn models_that_are_generated_are_what_is_generated() {
        for (name, n, kept) in KEPT {
            let family = FAMILIES.iter().find(|family| family.name == name);
            let text = (family.expect("a family of that name").write)(n);
            assert!(
                text == kept,
                "`bellcrank generate {name} {n}` prints something else"
            );
        }
    }
}
