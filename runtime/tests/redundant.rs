//! Redundant constraint equations that contradict the others by rounding, and by more.

mod common;

use bellcrank::prelude::*;
use common::pendulum::{Bar, Doubled, DoubledPendulum};

fn pendulum(off: f64) -> DoubledPendulum {
    common::Twinned(Doubled(Bar::default(), off))
}

/// The angle after 2 s and the violation then, by way of the guess where the start is not consistent.
fn run(off: f64) -> Result<(f64, f64), Stop> {
    let (rk4, keep) = (Rk4::new(1e-3), DirectCorrection::default());
    let mut sim = Simulation::new(pendulum(off), rk4, keep)?;
    sim.at(2.0)?;
    Ok((sim.state().q[2], sim.report().phi))
}

/// The motion is that of the exact mechanism up to what was rounded, and the report does not hide the contradiction.
#[test]
fn a_rounded_pin_runs_and_is_reported() {
    let (exact, _) = run(0.0).unwrap();
    for off in [1e-12, 1e-10, 1e-8, 1e-6] {
        let (angle, phi) = run(off).unwrap();
        // The pin moves by no more than `off`, and 2 s at 3 rad/s make some of it.
        assert!((angle - exact).abs() < 10.0 * off + 1e-12, "{off}: {angle}");
        assert!(phi > 0.3 * off && phi < 1.1 * off, "{off}: {phi}");
    }
}

#[test]
fn the_guess_is_assembled_as_far_as_rounding_lets() {
    let mechanism = pendulum(1e-8);
    let (mut q, mut v) = mechanism.start();
    mechanism.guess(&mut q, &mut v);
    let report = assemble(&mechanism, 0.0, &mut q, &mut v).unwrap();
    assert!(report.phi > 3e-9 && report.phi < 1.1e-8, "{report:?}");
    let mut phi = <DoubledPendulum as Mechanism>::Multipliers::zeros();
    mechanism.constraints(0.0, &q, &mut phi);
    // Round-off of lengths below 1 m.
    assert!(phi[0].abs() < 1e-15 && phi[1].abs() < 1e-15, "{phi}");
}

/// A centimetre is no rounding.
#[test]
fn a_pin_in_another_place_is_refused() {
    let stop = run(1e-2).unwrap_err();
    let Stop::Contradiction { row, residual, .. } = stop else {
        panic!("{stop}");
    };
    assert_eq!(row, "pin again y");
    assert!((residual - 1e-2).abs() < 1e-12, "{residual}");
    let words = stop.to_string();
    assert!(
        words.contains("`pin again y`") && words.contains("left out as redundant"),
        "{words}"
    );
}
