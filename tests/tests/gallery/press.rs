//! The double-action press: three loops, opened at different joints, in absolute coordinates and in points.

use bellcrank::prelude::*;
use bellcrank_tests::{DoubleActionPress, body, gaps, momentum, multiplier, reference};

const REFERENCE: &str = include_str!("../../../models/double_action_press/reference.csv");

/// `$check(what, mechanism)` for each formulation, with the compiler's cuts and with two other sets.
macro_rules! for_each_way {
    ($check:expr) => {
        for_each_way!($check, body);
        for_each_way!($check, multiplier);
        for_each_way!($check, momentum);
    };
    ($check:expr, $way:ident) => {
        let what = stringify!($way);
        $check(what, $way::DoubleActionPress::default());
        $check(
            &format!("{what}, on rocker"),
            $way::on_rocker::DoubleActionPress::default(),
        );
        $check(
            &format!("{what}, on holder"),
            $way::on_holder::DoubleActionPress::default(),
        );
    };
}

/// All nine columns in SI units. The largest error is that of the spring's force in points, 3e-8 N at
/// 0.5 ms and 2e-9 N at 0.25 ms; the reference is good to 1e-11.
fn follows<M: Mechanism<Scalar = f64> + Clone>(what: &str, mechanism: M) {
    let rows = reference(REFERENCE);
    assert_eq!(rows.last().unwrap()[0], 5.0);
    assert_eq!(M::OUTPUTS.len() + 1, rows[0].len());
    for (step, bound) in [(M::DEFAULTS.step, 1e-7), (0.25e-3, 1e-8)] {
        let gaps = gaps(mechanism.clone(), step, &rows);
        assert!(gaps.iter().all(|gap| *gap < bound), "{what}: {gaps:?}");
    }
}

#[test]
fn press_follows_the_reference_wherever_it_is_cut() {
    for_each_way!(follows);
}

/// Motor and dampers do work. Energy less work drifts by RK4's error in the state and in the integral of the
/// power, 1.2e-8 J; the joints stay closed to round-off.
fn balances<M: Mechanism<Scalar = f64>>(what: &str, mechanism: M) {
    let (method, keep) = (Rk4::new(M::DEFAULTS.step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    let start = sim.frame().balance();
    let mut drift = 0.0_f64;
    for frame in sim.until(5.0) {
        let frame = frame.unwrap();
        drift = drift.max((frame.balance() - start).abs());
        assert!(frame.report().phi < 1e-12 && frame.report().phi_dot < 1e-11);
    }
    assert!(drift < 1e-7, "{what}: {drift:e}");
}

#[test]
fn press_balances_energy_and_work() {
    for_each_way!(balances);
}

/// Forces and torques of all joints, after a second.
fn reactions<M: Mechanism<Scalar = f64>>(mechanism: M) -> Vec<f64> {
    let (method, keep) = (Rk4::new(M::DEFAULTS.step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    assert!(sim.until(1.0).all(|frame| frame.is_ok()));
    sim.reactions().unwrap().as_slice().to_vec()
}

/// Forces reach 200 N and differ by 2e-8 N, because the states of the two formulations differ.
#[test]
fn reactions_do_not_depend_on_the_cuts() {
    let expected = reactions(DoubleActionPress::default());
    let same = |what: &str, found: Vec<f64>| {
        let pairs = expected.iter().zip(&found);
        let gap = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(gap < 1e-6, "{what}: {gap:e}");
    };
    for_each_way!(|what, mechanism| same(what, reactions(mechanism)));
}

/// Seven bodies with ten joints of two rows each: three loops. In points the size depends on the tree,
/// because joints in it share theirs.
#[test]
fn press_has_three_loops_and_one_freedom() {
    assert_eq!(DoubleActionPress::FREEDOMS, 1);
    assert_eq!(DoubleActionPress::JOINTS.len(), 10);
    assert_eq!(DoubleActionPress::REDUNDANT.len(), 0);
    assert_eq!(body::DoubleActionPress::VELOCITIES.len(), 21);
    assert_eq!(body::DoubleActionPress::CONSTRAINTS.len(), 20);
    assert_eq!(multiplier::DoubleActionPress::VELOCITIES.len(), 14);
    assert_eq!(
        multiplier::on_holder::DoubleActionPress::VELOCITIES.len(),
        16
    );
    assert_eq!(momentum::DoubleActionPress::VELOCITIES.len(), 16);
}
