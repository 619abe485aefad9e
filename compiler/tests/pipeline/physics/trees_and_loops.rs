//! Random trees and loops under gravity and all kinds of forces: each mechanism is compiled once and
//! asked for its equations, its reactions and its energy.

use bellcrank_compiler::description::Space;
use proptest::prelude::*;

use super::machine::Machine;
use super::mechanism::Mechanism;
use super::random_mechanism::{
    Loads, parallel_loop, planar_loop, rods, spatial_loop, thin_leaves, thin_tree, tree,
};
use super::{config, energy, equations, reactions};
use crate::formulations;

proptest! {
    #![proptest_config(config(6))]

    #[test]
    fn planar_trees(m in either(|loads| tree(Space::Planar, 1..=8, loads).boxed())) {
        check(&m);
    }

    #[test]
    fn spatial_trees(m in either(|loads| tree(Space::Spatial, 1..=4, loads).boxed())) {
        check(&m);
    }

    #[test]
    fn planar_loops(m in either(|loads| planar_loop(loads).boxed())) {
        check(&m);
    }

    #[test]
    fn spatial_loops(m in either(|loads| spatial_loop(loads).boxed())) {
        check(&m);
    }

    #[test]
    fn redundant_loops(m in either(|loads| parallel_loop(loads).boxed())) {
        check(&m);
    }

    #[test]
    fn bodies_on_rods(
        m in either(|loads| {
            prop_oneof![rods(Space::Planar, loads), rods(Space::Spatial, loads)].boxed()
        }),
    ) {
        check(&m);
    }

    #[test]
    fn rods_and_point_masses_without_spin(
        m in either(|loads| {
            let (plane, space) = (thin_leaves(Space::Planar, loads), thin_leaves(Space::Spatial, loads));
            prop_oneof![1 => plane, 2 => space].boxed()
        }),
    ) {
        check(&m);
    }

    /// Where a moment of inertia is zero, a motion may come near states in which it has no inertia at all, so
    /// these are asked at the start only.
    #[test]
    fn rods_and_point_masses_that_turn(
        m in prop_oneof![1 => thin_tree(Space::Planar), 2 => thin_tree(Space::Spatial)],
    ) {
        let machine = Machine::new(&m.description());
        equations::check_semidefinite(&machine);
        formulations::check(&machine.compiled, &machine.compiled.assembly.states);
    }
}

proptest! {
    #![proptest_config(config(1))]

    /// Eight bodies are slow to compile without optimisation, so there is one of them.
    #[test]
    fn a_large_spatial_tree(m in tree(Space::Spatial, 8..=8, Loads::Any)) {
        check(&m);
    }
}

/// With springs only, or with everything.
fn either(
    mechanism: impl Fn(Loads) -> BoxedStrategy<Mechanism>,
) -> impl Strategy<Value = Mechanism> {
    prop_oneof![mechanism(Loads::Conservative), mechanism(Loads::Any)]
}

fn check(mechanism: &Mechanism) {
    let machine = Machine::new(&mechanism.description());
    equations::check(&machine);
    reactions::check(mechanism, &machine);
    energy::check(mechanism, &machine);
    formulations::check(&machine.compiled, &machine.compiled.assembly.states);
}
