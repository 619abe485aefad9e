//! The suspension of the Iltis over a bump.

use bellcrank::prelude::*;
use bellcrank_tests::{IltisSuspension, body, gaps, iltis_suspension as names, reference};

const REFERENCE: &str = include_str!("../../../models/iltis_suspension/reference.csv");

/// Positions in metres: wheel y and z, the leaf's end, the shock's length. A step that meets the stop of the leaf
/// has an error of its own, which does not fall with the fourth power and depends on where in the step
/// that is: 5e-7 m at 0.5 ms, 1e-6 m at 0.25 ms, but 1.3e-5 m at 1 ms.
#[test]
fn iltis_follows_the_reference_over_the_bump() {
    let rows = reference(REFERENCE);
    assert_eq!(rows.last().unwrap()[0], 6.0);
    assert_eq!(IltisSuspension::FREEDOMS, 1);
    for step in [IltisSuspension::DEFAULTS.step, 0.25e-3] {
        let all = [
            gaps(IltisSuspension::default(), step, &rows),
            gaps(body::IltisSuspension::default(), step, &rows),
        ];
        let positions = [
            names::output::Y,
            names::output::Z,
            names::output::LEAF_Z,
            names::output::SHOCK_LENGTH,
        ];
        for gaps in &all {
            let good = positions.iter().all(|output| gaps[*output] < 1e-5);
            // The speed is off by 3.2e-4 m/s at most, at the same place.
            assert!(good && gaps[names::output::VZ] < 1e-3, "{step}: {all:?}");
        }
    }
}

/// The values that the benchmark gives for checking in the nominal state, to 0.1 N as they are printed. The
/// tyre's is off by all of that, 3829.5 N: the printed radius is rounded to 1 µm, which is 0.46 N.
fn stands(mechanism: impl Mechanism<Scalar = f64>) {
    let (method, keep) = (Rk4::new(1e-3), DirectCorrection::default());
    let sim = Simulation::new(mechanism, method, keep).unwrap();
    let outputs = sim.outputs().unwrap();
    for (output, published) in [
        (names::output::LEAF_FORCE, -2728.9),
        (names::output::SHOCK_FORCE, -128.0),
        (names::output::TYRE_FORCE, 3829.6),
    ] {
        let gap = (outputs[output] - published).abs();
        assert!(gap < 0.1 + 1e-9, "{published}: {gap}");
    }
}

#[test]
fn iltis_has_the_forces_of_the_benchmark() {
    stands(IltisSuspension::default());
    stands(body::IltisSuspension::default());
}
