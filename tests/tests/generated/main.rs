//! Generated code in this process: its allocations, and the errors of single precision.

mod events;
mod joint;
mod reactions;
mod turns;

use allocation_counter::measure;
use bellcrank::prelude::*;
use bellcrank_tests::{
    CamPendulum, FourBar, QuickReturn, SpatialFourBar, SpatialSliderCrank, same_turn, single,
};

/// From the start over steps and projections to outputs and reactions; the spatial four-bar has
/// redundant rows and takes the dense path for its reactions.
#[test]
fn nothing_allocates() {
    let counted = measure(|| {
        run(CamPendulum::default());
        run(FourBar::default());
        run(QuickReturn::default());
        run(SpatialFourBar::default());
        run(SpatialSliderCrank::default());
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(measure(|| drop(core::hint::black_box(Box::new(1)))).count_total > 0);
}

/// A row of a table then costs no search for multipliers of the smallest norm, which takes as long as many steps.
#[test]
fn outputs_that_ask_for_no_force_need_no_multipliers() {
    const { assert!(!SpatialFourBar::REDUNDANT.is_empty()) };
    const { assert!(!SpatialFourBar::OUTPUTS_NEED_MULTIPLIERS) };
}

fn run<M: Mechanism<Scalar = f64>>(mechanism: M) {
    let (mut q, mut v) = mechanism.start();
    mechanism.guess(&mut q, &mut v);
    assert!(assemble(&mechanism, 0.0, &mut q, &mut v).is_ok());
    let method = (Rk4::new(1e-3), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method.0, method.1).unwrap();
    for _ in 0..20 {
        let report = sim.step().unwrap();
        assert!(report.phi < 1e-9 && report.phi_dot < 1e-9);
    }
    let before = sim.frame().time();
    for frame in sim.until(before + 0.02) {
        let frame = frame.unwrap();
        assert!(frame.energy().is_finite() && frame.outputs().is_ok() && frame.reactions().is_ok());
    }
}

/// 1000 steps each round angles of about 1 to 6e-8; the sum of them, grown by the swing, stays below
/// 1e-4.
#[test]
fn single_precision_follows_double_precision() {
    let double = angles(FourBar::default());
    let single = angles(single::FourBar::default());
    assert_eq!(double.len(), single.len());
    for (a, b) in double.iter().zip(&single) {
        assert!((same_turn(*b, *a) - a).abs() < 1e-4, "{a} {b}");
    }
}

/// The four outputs after 1 s.
fn angles<M: Mechanism>(mechanism: M) -> Vec<f64> {
    let step = M::Scalar::from_f64(1e-3);
    let stabilizer = DirectCorrection::default();
    let mut sim = Simulation::new(mechanism, Rk4::new(step), stabilizer).unwrap();
    let ended = sim
        .until(M::Scalar::from_f64(1.0))
        .all(|frame| frame.is_ok());
    assert!(ended);
    let outputs = sim.frame().outputs().unwrap();
    let outputs = (0..M::OUTPUTS.len()).map(|i| outputs[i].to_f64());
    outputs.collect()
}
