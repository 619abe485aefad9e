//! Energy: T + V − W is constant.

use bellcrank_compiler::description::Space;
use proptest::prelude::*;

use super::machine::{Machine, Projected};
use super::mechanism::Mechanism;
use super::random_mechanism::{Loads, planar_loop, rods, spatial_loop, tree};
use super::{config, converges};

proptest! {
    #![proptest_config(config(5))]

    #[test]
    fn trees_keep_their_energy(
        m in prop_oneof![
            tree(Space::Planar, 1..=6, Loads::Conservative),
            tree(Space::Spatial, 1..=3, Loads::Conservative),
        ],
    ) {
        check(&m, Work::None);
    }

    #[test]
    fn loops_keep_their_energy(
        m in prop_oneof![
            planar_loop(Loads::Conservative),
            spatial_loop(Loads::Conservative),
            rods(Space::Spatial, Loads::Conservative),
        ],
    ) {
        check(&m, Work::None);
    }

    #[test]
    fn work_is_accounted_for(
        m in prop_oneof![
            tree(Space::Planar, 1..=6, Loads::Any),
            tree(Space::Spatial, 1..=3, Loads::Any),
            planar_loop(Loads::Any),
            spatial_loop(Loads::Any),
        ],
    ) {
        check(&m, Work::Some);
    }
}

/// Whether there are forces without a potential.
#[derive(PartialEq)]
enum Work {
    None,
    Some,
}

/// Over 0.2 s.
fn check(mechanism: &Mechanism, work: Work) {
    let machine = Machine::new(&mechanism.description());
    let start = machine.energy(&machine.start());
    converges(|refined| {
        let run = machine.run(2e-3 / refined as f64, 100 * refined, Projected::Yes);
        if work == Work::None {
            assert_eq!(run.work, 0.0, "only springs and gravity act");
        }
        (machine.energy(&run.state) - run.work - start).abs() / (1.0 + start.abs())
    });
}
