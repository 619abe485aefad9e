//! States between the ends of steps.

mod common;

use bellcrank::{Bdf, DirectCorrection, DormandPrince, NoStabilizer, Rk4, Simulation, Stop};
use common::pendulum::Pendulum;

fn adaptive() -> Simulation<Pendulum, DormandPrince<f64>, DirectCorrection> {
    let integrator = DormandPrince::new(1e-9);
    Simulation::new(Pendulum::default(), integrator, DirectCorrection::default()).unwrap()
}

/// Steps go on beyond the time that is read, but an input that is set then holds from that time on.
#[test]
fn what_is_set_holds_from_the_time_that_was_read() {
    let (mut read, mut stepped) = (adaptive(), adaptive());
    read.at(0.1).unwrap();
    read.set_input(0, 3.0);
    assert!(stepped.until(0.1).all(|frame| frame.is_ok()));
    stepped.set_input(0, 3.0);
    let (one, other) = (
        read.at(0.5).unwrap().outputs(),
        stepped.at(0.5).unwrap().outputs(),
    );
    // A few steps of the tolerance.
    assert!((one.unwrap()[0] - other.unwrap()[0]).abs() < 1e-7);
    for n in 0..100 {
        read.at(0.5 + 1e-4 * f64::from(n)).unwrap();
        read.set_input(0, 0.0);
    }
}

#[test]
fn what_steps_have_passed_is_not_invented() {
    let mut sim = adaptive();
    sim.at(1.0).unwrap();
    assert!(matches!(sim.at(0.1), Err(Stop::Passed { time: 0.1, .. })));
    let mut sim = Simulation::new(Pendulum::default(), Rk4::new(0.01), NoStabilizer).unwrap();
    sim.at(0.5).unwrap();
    assert!(matches!(sim.at(0.4), Err(Stop::Passed { since: 0.5, .. })));
    assert!(matches!(sim.at(f64::NAN), Err(Stop::BadStep { .. })));
}

#[test]
fn a_tolerance_is_positive() {
    let bad = Simulation::new(Pendulum::default(), DormandPrince::new(-1e-6), NoStabilizer);
    assert!(matches!(bad.err(), Some(Stop::BadTolerance { .. })));
}

/// Orders beyond the highest are the highest.
#[test]
fn orders_stay_in_range() {
    assert_eq!(Bdf::fixed(9, 1e-3), Bdf::fixed(5, 1e-3));
    assert_eq!(
        Bdf::new(1e-6).with_highest(0),
        Bdf::new(1e-6).with_highest(1)
    );
}
