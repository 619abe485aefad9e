//! The motion does not depend on the place of the world's frame, on its handedness, or on the order in which elements
//! are written.

use std::collections::BTreeMap;

use bellcrank_compiler::description::{Description, Space};
use nalgebra::{DVector, Matrix3};
use proptest::collection::vec;
use proptest::prelude::*;

use super::config;
use super::machine::{Machine, Motion, Projected};
use super::mechanism::{Mechanism, Vector};
use super::random_mechanism::{
    Loads, parallel_loop, planar_loop, rods, rotation, spatial_loop, tree, vector,
};
use super::transform::{MIRROR, Placement};

/// Two compilations of the same motion differ by round-off, which the solve amplifies.
const SAME: f64 = 1e-9;

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn a_planar_motion_moves_with_its_frame(
        m in prop_oneof![tree(Space::Planar, 1..=5, Loads::Any), planar_loop(Loads::Any)],
        turn in rotation(Space::Planar),
        shift in vector(Space::Planar),
    ) {
        check_moved(&m, &Placement { rotation: turn.0, angle: turn.1, shift });
    }

    #[test]
    fn a_spatial_motion_moves_with_its_frame(
        m in prop_oneof![
            tree(Space::Spatial, 1..=3, Loads::Any),
            spatial_loop(Loads::Any),
            parallel_loop(Loads::Any),
            rods(Space::Spatial, Loads::Any),
        ],
        turn in rotation(Space::Spatial),
        shift in vector(Space::Spatial),
    ) {
        check_moved(&m, &Placement { rotation: turn.0, angle: turn.1, shift });
    }

    #[test]
    fn a_mirrored_mechanism_moves_mirrored(
        m in prop_oneof![
            tree(Space::Planar, 1..=5, Loads::Any),
            planar_loop(Loads::Any),
            tree(Space::Spatial, 1..=3, Loads::Any),
            spatial_loop(Loads::Any),
        ],
    ) {
        let there = motions(&m.mirrored());
        let mirror = Matrix3::from_diagonal(&MIRROR);
        compare(&motions(&m), &there, &Image { map: mirror, shift: Vector::zeros() });
    }

    #[test]
    fn the_order_of_writing_does_not_matter(
        m in prop_oneof![
            tree(Space::Planar, 2..=5, Loads::Any),
            tree(Space::Spatial, 2..=3, Loads::Any),
            planar_loop(Loads::Any),
            spatial_loop(Loads::Any),
            parallel_loop(Loads::Any),
        ],
        keys in vec(any::<u32>(), 8),
    ) {
        let written = m.description();
        let (here, there) = (accelerations(&written), accelerations(&shuffled(written, &keys)));
        let largest = here.values().fold(1.0, |a: f64, b| a.max(b.abs()));
        for (name, here) in &here {
            let off = (here - there[name]).abs();
            assert!(off < SAME * largest, "{name}: {here} and {}", there[name]);
        }
    }
}

fn check_moved(mechanism: &Mechanism, placement: &Placement) {
    let there = motions(&mechanism.moved(placement));
    let map = placement.rotation.to_rotation_matrix().into_inner();
    compare(
        &motions(mechanism),
        &there,
        &Image {
            map,
            shift: placement.shift,
        },
    );
}

/// An orthogonal map of the world, and a shift.
struct Image {
    map: Matrix3<f64>,
    shift: Vector,
}

/// Every body after 20 steps.
fn motions(mechanism: &Mechanism) -> Vec<Motion> {
    let machine = Machine::new(&mechanism.description());
    machine.motions(&machine.run(1e-3, 20, Projected::Yes).state)
}

/// x′ = S x + b; v′ = S v; A′ = S A for a rotation, S A S for the mirror, whose body frames are mirrored
/// too; ω′ = det S · S ω, because it is an axial vector.
fn compare(here: &[Motion], there: &[Motion], image: &Image) {
    let hand = image.map.determinant().round();
    for (here, there) in here.iter().zip(there) {
        let axes = |m: &Motion| m.rotation.to_rotation_matrix().into_inner();
        let mirrored = if hand < 0.0 {
            image.map
        } else {
            Matrix3::identity()
        };
        let turned = image.map * axes(here) * mirrored - axes(there);
        same(
            "position",
            image.map * here.center + image.shift,
            there.center,
        );
        same(
            "rotation",
            Vector::new(turned.norm(), 0.0, 0.0),
            Vector::zeros(),
        );
        same("velocity", image.map * here.velocity, there.velocity);
        same("spin", hand * image.map * here.spin, there.spin);
        same(
            "acceleration",
            image.map * here.acceleration,
            there.acceleration,
        );
        same(
            "spin rate",
            hand * image.map * here.spin_rate,
            there.spin_rate,
        );
    }
}

fn same(what: &str, here: Vector, there: Vector) {
    let off = (here - there).norm();
    assert!(
        off < SAME * (1.0 + here.norm()),
        "{what}: {here} and {there}"
    );
}

/// Accelerations by the names of their velocities.
fn accelerations(description: &Description) -> BTreeMap<String, f64> {
    let machine = Machine::new(description);
    let names = machine.compiled.system.velocities.iter();
    let values = DVector::from_vec(machine.accelerations(&machine.start()));
    names
        .map(|v| v.name.clone())
        .zip(values.iter().copied())
        .collect()
}

/// Tables in another order.
fn shuffled(mut description: Description, keys: &[u32]) -> Description {
    let key = |name: &str| {
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        keys[digits.parse::<usize>().unwrap() % keys.len()]
    };
    description.bodies.sort_by(|a, _, b, _| key(a).cmp(&key(b)));
    description.joints.sort_by(|a, _, b, _| key(b).cmp(&key(a)));
    description.forces.sort_by(|a, _, b, _| key(a).cmp(&key(b)));
    description
}
