//! The spatial slider-crank.

use bellcrank::prelude::*;
use bellcrank_tests::{body, joint, momentum, multiplier, reference};

const REFERENCE: &str = include_str!("../../../models/spatial_slider_crank/reference.csv");

/// Largest errors of slider and crank over 5 s.
fn errors(mechanism: impl Mechanism<Scalar = f64>, step: f64) -> (f64, f64) {
    let (method, keep) = (Rk4::new(step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    let (mut slider, mut crank) = (0.0_f64, 0.0_f64);
    for row in reference(REFERENCE).iter().take_while(|row| row[0] <= 5.0) {
        assert!(sim.until(row[0]).all(|frame| frame.is_ok()));
        let outputs = sim.outputs().unwrap();
        slider = slider.max((outputs[0] - row[1]).abs());
        crank = crank.max((outputs[1] - row[2]).abs());
    }
    (slider, crank)
}

fn follows<M: Mechanism<Scalar = f64> + Clone>(what: &str, bound: f64, mechanism: M) {
    let (slider, crank) = errors(mechanism.clone(), 1e-3);
    assert!(
        slider < bound && crank < bound,
        "{what}: {slider:e} {crank:e} at 1 ms"
    );
    let (slider, crank) = errors(mechanism, 1e-4);
    assert!(
        slider < 1e-8 && crank < 1e-8,
        "{what}: {slider:e} {crank:e} at 0.1 ms"
    );
}

/// The tip of the crank passes the slider's axis at half of its radius, and then the universal joint, whose angles are
/// coordinates in `joint`, turns twice as fast as the crank: RK4 leaves 1.6e-5 rad at 1 ms and a thirtieth at each half
/// of the step, against 1.9e-6 rad in points.
#[test]
fn slider_crank_follows_the_reference() {
    follows("body", 1e-5, body::SpatialSliderCrank::default());
    follows(
        "multiplier",
        1e-5,
        multiplier::SpatialSliderCrank::default(),
    );
    follows("momentum", 1e-5, momentum::SpatialSliderCrank::default());
    follows("joint", 3e-5, joint::SpatialSliderCrank::default());
}
