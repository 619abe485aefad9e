//! Starts at singular positions whose velocity does not say how to go on.

use bellcrank::Vector;
use bellcrank::prelude::*;

use super::passes::Model;
use super::{body, joint, momentum, multiplier, swing};

/// A level parallelogram at rest may move on as either of both.
#[test]
fn a_singular_start_at_rest_is_told() {
    fn told<M: Model>() {
        let (rk4, keep) = (Rk4::new(1e-3), DirectCorrection::default());
        let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
        let mut rest = *sim.state();
        rest.v = M::Velocities::zero();
        sim.set_state(rest).unwrap();
        let stop = sim.step().unwrap_err();
        assert!(matches!(stop, Stop::Undetermined { .. }), "{stop}");
    }
    told::<multiplier::Parallelogram>();
    told::<momentum::Parallelogram>();
    told::<joint::Parallelogram>();
    told::<body::Parallelogram>();
    told::<swing::Parallelogram>();
}

/// The rows contradict each other there, and yet it does not lock.
#[test]
fn a_velocity_along_no_branch_is_told() {
    fn told<M: Model>() {
        let (rk4, keep) = (Rk4::new(1e-3), DirectCorrection::default());
        let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
        let read = sim.outputs().err();
        let stop = read.unwrap_or_else(|| sim.step().unwrap_err());
        assert!(matches!(stop, Stop::Undetermined { .. }), "{stop}");
    }
    told::<multiplier::CrossedSlider>();
    told::<momentum::CrossedSlider>();
    told::<joint::CrossedSlider>();
    told::<body::CrossedSlider>();
    told::<swing::CrossedSlider>();
}
