//! A stabilizer that keeps the energy balance.

mod common;

use bellcrank::prelude::*;
use common::pendulum::{DrivenPendulum, Pendulum};

const UNTIL: f64 = 2.0;

fn run<M: Mechanism<Scalar = f64> + Default, S: Stabilizer<M>>(
    keep: S,
    step: f64,
) -> (State<M>, f64) {
    let mut sim = Simulation::new(M::default(), Rk4::new(step), keep).unwrap();
    let start = sim.frame().balance();
    let mut drift = 0.0_f64;
    for frame in sim.until(UNTIL) {
        drift = drift.max((frame.unwrap().balance() - start).abs());
    }
    (*sim.state(), drift)
}

/// Errors of the position at the end with a step and half of it.
fn slope<M: Mechanism<Scalar = f64> + Default>() -> f64 {
    let (exact, _) = run::<M, _>(DirectCorrection::default(), 1e-4);
    let error = |step: f64| {
        let (end, _) = run::<M, _>(EnergyCorrection::default(), step);
        let pairs = end.q.as_slice().iter().zip(exact.q.as_slice());
        pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    (error(0.02) / error(0.01)).log2()
}

#[test]
fn energy_correction_keeps_the_balance_to_round_off_and_the_order() {
    let (_, plain) = run::<Pendulum, _>(DirectCorrection::default(), 0.01);
    let (_, kept) = run::<Pendulum, _>(EnergyCorrection::default(), 0.01);
    // Round-off of energies of some 10 J against the error of the method; where the pendulum turns back the
    // balance waits, for the error of a few steps.
    assert!(plain > 1e-8 && kept < plain / 100.0, "{plain:e} {kept:e}");
    let order = slope::<Pendulum>();
    assert!((3.7..5.0).contains(&order), "{order}");
}

#[test]
fn with_a_driver_its_work_is_kept_too() {
    let (end, kept) = run::<DrivenPendulum, _>(EnergyCorrection::default(), 0.01);
    let (_, plain) = run::<DrivenPendulum, _>(DirectCorrection::default(), 0.01);
    assert!(kept <= plain, "{kept:e} {plain:e}");
    // With a driver that leaves no degree of freedom there is nothing to correct, and the motion stays unchanged.
    let (same, _) = run::<DrivenPendulum, _>(DirectCorrection::default(), 0.01);
    let off = (end.q - same.q).amax();
    assert!(off < 1e-12, "{off:e}");
}
