//! A consistent start from a rough guess, and who is named if there is none.

mod common;

use bellcrank::prelude::*;
use common::double_four_bar::{DoubleFourBar, Links};
use common::pendulum::{DoubledPendulum, Pendulum};
use nalgebra::{Vector3, Vector6};

#[test]
fn a_rough_guess_closes_and_keeps_what_is_held() {
    let mechanism = DoubleFourBar::default();
    let (mut q, mut v) = mechanism.start();
    mechanism.guess(&mut q, &mut v);
    let report = assemble(&mechanism, 0.0, &mut q, &mut v).unwrap();
    assert!(report.phi < 1e-14 && report.phi_dot < 1e-14, "{report:?}");
    assert!(report.iterations <= 8, "{report:?}");
    assert_eq!(report.rank, 6);
    assert!((q[0] - 0.2).abs() < 1e-14 && (v[0] - 1.0).abs() < 1e-14);
    // All links are parallel on the branch of the guess.
    assert!(
        (q[2] - q[0] - 1.0).abs() < 1e-13 && (q[1] - q[5]).abs() < 1e-13,
        "{q}"
    );
}

#[test]
fn a_guess_far_away_closes() {
    for seed in 0..50 {
        let scatter = |k: usize| ((seed * 7 + k * 13) as f64 * 0.618).fract() * 1.2 - 0.6;
        let rough = Vector6::from_fn(|i, _| [0.3, 0.9, 1.3, 0.9, 2.3, 0.9][i] + scatter(i));
        let links = Links {
            guess: rough,
            ..Links::default()
        };
        let mechanism: DoubleFourBar = common::Twinned(links);
        let (mut q, mut v) = mechanism.start();
        mechanism.guess(&mut q, &mut v);
        let report = assemble(&mechanism, 0.0, &mut q, &mut v);
        // Some end where the second loop is stretched: a double root, reached only linearly.
        assert!(
            report.is_ok_and(|report| report.phi <= 1e-10),
            "{seed} {report:?}"
        );
    }
}

#[test]
fn redundant_rows_assemble() {
    let mechanism = DoubledPendulum::default();
    let (mut q, mut v) = mechanism.start();
    mechanism.guess(&mut q, &mut v);
    let report = assemble(&mechanism, 0.0, &mut q, &mut v).unwrap();
    assert_eq!(report.rank, 3);
    assert!((q - mechanism.0.0.at(q[2])).norm() < 1e-14);
    assert_eq!(v[2], 2.0);
}

#[test]
fn the_row_that_does_not_close_is_named() {
    let mut mechanism = DoubleFourBar::default();
    mechanism.set_parameter(3, 5.0);
    let stop = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default())
        .err()
        .unwrap();
    let Stop::AssemblyFailed { row, residual, .. } = stop else {
        panic!("{stop}")
    };
    assert_eq!(row, "coupler 0");
    assert!(residual > 0.1);
    assert!(stop.to_string().contains("`coupler 0`"));
}

#[test]
fn a_changed_parameter_starts_from_the_guess() {
    let mut mechanism = Pendulum::default();
    mechanism.set_parameter(0, 0.8);
    let sim = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    let q: Vector3<f64> = sim.state().q;
    assert!((q.xy().norm() - 0.8).abs() < 1e-14, "{q}");
    assert_eq!(sim.state().v[2], 2.0);
}

#[test]
fn the_start_of_the_compiler_is_used_as_it_is() {
    let sim = Simulation::new(Pendulum::default(), Rk4::new(1e-3), NoStabilizer).unwrap();
    assert_eq!(sim.state().q, Pendulum::default().start().0);
}
