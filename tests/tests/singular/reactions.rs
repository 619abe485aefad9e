//! Reactions that are read at singular positions.

use bellcrank::prelude::*;

use super::passes::{Model, distances, positions};
use super::{body, joint, momentum, multiplier};

/// They are smooth where nothing has to be pushed through the singular position. The chord of 2 ms is off by 1e-5 N of
/// 25 N, and the multipliers are as good as 1e-6 where nodes of the polynomial and plain solves meet. The smallest
/// multipliers would be off by newtons, and those of the solve by 0.04 N at 1e-4 s and by more the nearer they are.
#[test]
fn reactions_have_their_limit() {
    limits::<multiplier::EvenParallelogram>();
    limits::<momentum::EvenParallelogram>();
    limits::<joint::EvenParallelogram>();
    limits::<body::EvenParallelogram>();
}

fn limits<M: Model>() {
    let positions = positions::<M>();
    assert!(!positions.is_empty(), "{}", M::NAME);
    for (before, time) in positions {
        let read = |distance: f64| {
            let (rk4, keep) = (Rk4::new(1e-3), DirectCorrection::default());
            let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
            sim.set_state(before).unwrap();
            assert!(sim.until(time + distance).all(|frame| frame.is_ok()));
            sim.outputs().unwrap()
        };
        let (early, late) = (read(-1e-3), read(1e-3));
        for distance in distances().filter(|distance| distance.abs() < 0.9e-3) {
            let found = read(distance);
            for k in 0..M::OUTPUTS.len() {
                let expect = early[k] + (late[k] - early[k]) * (distance + 1e-3) / 2e-3;
                let off = (found[k] - expect).abs();
                let what = (M::NAME, M::OUTPUTS[k], time, distance);
                // Farther away rows are those of the plain solve.
                let bound = if distance.abs() < 5e-5 { 1e-3 } else { 0.1 };
                assert!(off < bound, "{what:?}: {} for {expect}", found[k]);
            }
        }
    }
}
