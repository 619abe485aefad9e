//! Couplings and screws: random trees with them keep what every mechanism keeps, and what a coupling ties
//! stays tied.

use bellcrank_compiler::description::{Description, JointType, Number, Space};
use proptest::prelude::*;

use super::machine::{Machine, Projected};
use super::mechanism::{LEAD, Mechanism};
use super::random_mechanism::{Loads, coupled_tree};
use super::{config, energy, equations, reactions};
use crate::formulations;

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn planar_trees_with_couplings(m in coupled_tree(Space::Planar, 4, Loads::Any)) {
        check(&m);
    }

    #[test]
    fn spatial_trees_with_couplings(m in coupled_tree(Space::Spatial, 3, Loads::Any)) {
        check(&m);
    }
}

proptest! {
    #![proptest_config(config(3))]

    #[test]
    fn couplings_do_no_work(m in coupled_tree(Space::Spatial, 4, Loads::Conservative)) {
        check(&m);
    }
}

fn check(mechanism: &Mechanism) {
    let machine = Machine::new(&reporting(mechanism));
    equations::check(&machine);
    reactions::check(mechanism, &machine);
    energy::check(mechanism, &machine);
    formulations::check(&machine.compiled, &machine.compiled.assembly.states);
    stays_tied(mechanism, &machine);
}

/// Two joint coordinates, and the motion of the second for one unit of the first.
struct Tie {
    ends: [(usize, &'static str); 2],
    ratio: f64,
}

fn ties(mechanism: &Mechanism) -> Vec<Tie> {
    let couplings = mechanism.couplings.iter().map(|coupling| Tie {
        ends: coupling.ends,
        ratio: coupling.ratio,
    });
    let joints = mechanism.joints.iter().enumerate();
    let screws = joints.filter(|(_, joint)| joint.kind == JointType::Screw);
    let screws = screws.map(|(index, _)| Tie {
        ends: [(index, "angle"), (index, "displacement")],
        ratio: LEAD / std::f64::consts::TAU,
    });
    couplings.chain(screws).collect()
}

/// With both coordinates of every tie as outputs.
fn reporting(mechanism: &Mechanism) -> Description {
    let mut description = mechanism.description();
    for (joint, coordinate) in ties(mechanism).into_iter().flat_map(|tie| tie.ends) {
        let joint = &mechanism.joints[joint].name;
        let value = Number::Text(format!("{joint}.{coordinate}"));
        let name = format!("{joint}_{coordinate}");
        description.outputs.insert(name, value);
    }
    description
}

/// b − b₀ = ρ (a − a₀), to the round-off of a projection in a mechanism of a few metres.
fn stays_tied(mechanism: &Mechanism, machine: &Machine) {
    let (start, later) = (machine.start(), machine.run(5e-3, 60, Projected::Yes).state);
    for tie in ties(mechanism) {
        let [a, b] = tie.ends.map(|(joint, coordinate)| {
            let name = format!("{}_{coordinate}", mechanism.joints[joint].name);
            machine.output(&name, &later) - machine.output(&name, &start)
        });
        let off = b - tie.ratio * a;
        assert!(off.abs() < 1e-12, "{:?}: {off:e}", tie.ends);
    }
}
