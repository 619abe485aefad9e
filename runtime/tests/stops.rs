//! Every way to end, once.

mod common;

use bellcrank::prelude::*;
use bellcrank::{Quantity, Workspace};
use common::double_four_bar::{DoubleFourBar, Links};
use common::pendulum::{Bar, Pendulum};
use common::rotor::Rotor;
use nalgebra::{Vector3, Vector6};

#[test]
fn a_step_must_be_positive() {
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let stop = Simulation::new(Rotor, Rk4::new(step), NoStabilizer).err();
        assert!(
            matches!(stop, Some(Stop::BadStep { .. })),
            "{step} {stop:?}"
        );
    }
    let mut sim = Simulation::new(Rotor, Rk4::new(0.1), NoStabilizer).unwrap();
    assert!(matches!(
        sim.until(f64::NAN).next(),
        Some(Err(Stop::BadStep { .. }))
    ));
    assert!(sim.until(-1.0).next().is_none());
}

/// No number of steps leads there, whatever the method.
#[test]
fn a_time_must_be_finite() {
    for time in [f64::NAN, f64::INFINITY] {
        let mut fixed = Simulation::new(Rotor, Rk4::new(0.1), NoStabilizer).unwrap();
        assert!(matches!(fixed.at(time), Err(Stop::BadStep { .. })));
        let adaptive = DormandPrince::new(1e-6);
        let mut adaptive = Simulation::new(Rotor, adaptive, NoStabilizer).unwrap();
        assert!(matches!(adaptive.at(time), Err(Stop::BadStep { .. })));
        let (q, v) = Rotor.start();
        let stop = adaptive.set_state(State::new(time, q, v)).unwrap_err();
        let Stop::NotFinite { what, .. } = stop else {
            panic!("{stop}")
        };
        assert_eq!(what, Quantity::Time);
        assert_eq!(adaptive.time(), 0.0);
    }
}

#[test]
fn a_step_must_move_the_time() {
    let mut sim = Simulation::new(Rotor, Rk4::new(1e-9), NoStabilizer).unwrap();
    let (q, v) = Rotor.start();
    sim.set_state(State::new(1e9, q, v)).unwrap();
    let stop = sim.step().unwrap_err();
    assert_eq!(
        stop,
        Stop::StepTooSmall {
            time: 1e9,
            step: 1e-9
        }
    );
}

#[test]
fn what_is_not_finite_is_named_and_not_carried_on() {
    let mut sim = Simulation::new(
        Pendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    sim.step().unwrap();
    let before = *sim.state();
    sim.set_input(0, f64::NAN);
    let stop = sim.step().unwrap_err();
    let Stop::NotFinite { what, name, .. } = stop else {
        panic!("{stop}")
    };
    assert_eq!((what, name), (Quantity::Accelerations, "x"));
    // This mechanism has no law that could be to blame.
    let told = stop.to_string();
    assert!(
        told.contains("take a smaller step, and if there are laws"),
        "{told}"
    );
    assert_eq!(*sim.state(), before);
    sim.set_input(0, 0.0);
    assert!(sim.step().is_ok());
    let state = State::new(0.0, Vector3::new(0.0, f64::INFINITY, 0.0), Vector3::zeros());
    let stop = sim.set_state(state).unwrap_err();
    assert!(stop.to_string().contains("coordinate `y`"), "{stop}");
}

#[test]
fn a_row_that_is_not_a_number_is_no_redundant_row() {
    let mut workspace = Workspace::zero();
    let q = Vector3::new(0.0, 0.0, f64::NAN);
    let state = State::new(0.0, q, Vector3::zeros());
    let stop = workspace
        .evaluate(&Pendulum::default(), state.view())
        .unwrap_err();
    let Stop::NotFinite { what, name, .. } = stop else {
        panic!("{stop}")
    };
    assert_eq!((what, name), (Quantity::Constraints, "pin along x"));
}

#[test]
fn a_state_too_far_away_does_not_project() {
    let mechanism = DoubleFourBar::default();
    let mut sim = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    // A coupler of no length has no direction to be corrected in.
    let far = Vector6::new(0.5, 0.8, 0.5, 0.8, 40.0, -3.0);
    sim.set_state(State::new(0.0, far, Vector6::zeros()))
        .unwrap();
    let stop = sim.step().unwrap_err();
    assert!(
        matches!(stop, Stop::ProjectionFailed { passes: 1.., .. }),
        "{stop}"
    );
}

#[test]
fn rows_that_contradict_each_other_lock() {
    let mechanism = DoubleFourBar::default();
    let mut workspace = Workspace::zero();
    // Flat, with tops that fly apart: the couplers would need an acceleration that the links forbid.
    let (q, v) = (
        Vector6::new(1.0, 0.0, 2.0, 0.0, 3.0, 0.0),
        Vector6::new(0.0, 1.0, 0.0, -2.0, 0.0, 1.0),
    );
    let state = State::new(0.5, q, v);
    let stop = workspace.evaluate(&mechanism, state.view()).unwrap_err();
    assert_eq!(
        stop,
        Stop::Singular {
            time: 0.5,
            rank: 3,
            rows: 5
        }
    );
    assert!(stop.to_string().contains("rank 3"));
}

#[test]
fn a_mechanism_that_cannot_close_does_not_start() {
    let links = Links {
        lengths: [1.0, 1.0, 1.0, 1.0, 9.0],
        ..Links::default()
    };
    let mechanism: DoubleFourBar = common::Twinned(links);
    let stop = Simulation::new(mechanism, Rk4::new(1e-3), NoStabilizer).err();
    // The misfit is shared by the rows of the loop that cannot close.
    let Some(Stop::AssemblyFailed { row, .. }) = stop else {
        panic!("{stop:?}")
    };
    assert!(["link 1", "link 2", "coupler 1"].contains(&row), "{row}");
}

#[test]
fn every_stop_is_an_error_with_a_next_move() {
    let bar = Bar {
        parameters: [f64::NAN, 0.0, 0.0],
        ..Bar::default()
    };
    let mechanism: Pendulum = common::Twinned(bar);
    let stop = Simulation::new(mechanism, Rk4::new(1e-3), NoStabilizer)
        .err()
        .unwrap();
    let error: &dyn core::error::Error = &stop;
    assert!(error.to_string().contains("; "), "{error}");
}
