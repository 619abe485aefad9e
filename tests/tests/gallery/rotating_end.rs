//! Attia's pendulum with a rotating end, in every formulation.

use bellcrank::prelude::*;
use bellcrank_tests::{
    RotatingEndPendulum, body, gaps, joint, momentum, multiplier, reference,
    rotating_end_pendulum as names,
};

const REFERENCE: &str = include_str!("../../../models/rotating_end_pendulum/reference.csv");

/// The largest error is that of the momentum form, 2.5e-8 at 5 ms: RK4 divides it by 16 when the step is
/// halved. The reference has 12 digits.
#[test]
fn rotating_end_follows_the_reference() {
    let rows = reference(REFERENCE);
    assert_eq!(rows.last().unwrap()[0], 5.0);
    for (step, bound) in [(RotatingEndPendulum::DEFAULTS.step, 1e-7), (1e-3, 1e-10)] {
        let all = [
            gaps(body::RotatingEndPendulum::default(), step, &rows),
            gaps(multiplier::RotatingEndPendulum::default(), step, &rows),
            gaps(momentum::RotatingEndPendulum::default(), step, &rows),
            gaps(joint::RotatingEndPendulum::default(), step, &rows),
        ];
        assert!(all.iter().flatten().all(|gap| *gap < bound), "{all:?}");
    }
}

/// Nothing turns rod or rotor about the bearing, and both are round: the spin stays, and so does the
/// energy, 25 kg m² · (2 rad/s)²/2, up to the error of RK4 at 5 ms.
fn keeps_its_spin(mechanism: impl Mechanism<Scalar = f64>) {
    let (method, keep) = (Rk4::new(5e-3), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    let (mut slip, mut drift) = (0.0_f64, 0.0_f64);
    for frame in sim.until(5.0) {
        let frame = frame.unwrap();
        slip = slip.max((frame.output(names::output::SPIN).unwrap() - 2.0).abs());
        drift = drift.max((frame.energy() - 50.0).abs());
    }
    assert!(slip < 1e-6 && drift < 1e-6, "{slip:e} {drift:e}");
}

#[test]
fn rotating_end_keeps_its_spin_and_its_energy() {
    assert_eq!(RotatingEndPendulum::FREEDOMS, 4);
    keeps_its_spin(body::RotatingEndPendulum::default());
    keeps_its_spin(multiplier::RotatingEndPendulum::default());
    keeps_its_spin(momentum::RotatingEndPendulum::default());
    keeps_its_spin(joint::RotatingEndPendulum::default());
}
