//! Laws that jump where a motion comes to rest.

mod common;

use bellcrank::Event;
use bellcrank::prelude::*;
use common::line::{At, Law, Line};

/// A block that dry friction stops at t = 2/3.
struct Friction;

impl Law<0, 0> for Friction {
    const EVENTS: &'static [Event] = &[];
    const START: [f64; 2] = [0.0, 2.0];

    fn force(at: &At) -> f64 {
        match at.v.partial_cmp(&0.0) {
            Some(core::cmp::Ordering::Greater) => -3.0,
            Some(core::cmp::Ordering::Less) => 3.0,
            _ => 0.0,
        }
    }

    fn events(_: &At) -> [f64; 0] {
        []
    }
}

/// A mass that a wall kicks on once: a jump that steps pass.
struct Kicked;

impl Law<0, 0> for Kicked {
    const EVENTS: &'static [Event] = &[];
    const START: [f64; 2] = [0.0, 2.0];

    fn force(at: &At) -> f64 {
        if at.x < 1.0 { -1.0 } else { 5.0 }
    }

    fn events(_: &At) -> [f64; 0] {
        []
    }
}

#[test]
fn a_block_at_rest_with_dry_friction_stops_an_adaptive_run() {
    for tolerance in [1e-8, 1e-10, 1e-12] {
        let integrator = DormandPrince::new(tolerance);
        let mut sim =
            Simulation::new(Line::<Friction, 0, 0>::default(), integrator, NoStabilizer).unwrap();
        let stop = sim.at(2.0).err().expect("it never ends");
        let Stop::Discontinuous { time, name, .. } = stop else {
            panic!("{stop}")
        };
        assert_eq!(name, "v");
        // It crawls on by less than a thousand steps of the tolerance.
        assert!((time - 2.0 / 3.0).abs() < 1e-3, "{time}");
        assert!(sim.steps() < 2000, "{}", sim.steps());
        assert!(
            stop.to_string().contains("smooth what jumps there"),
            "{stop}"
        );
    }
}

#[test]
fn a_jump_that_the_motion_passes_stops_nothing() {
    let integrator = DormandPrince::new(1e-10);
    let mut sim =
        Simulation::new(Line::<Kicked, 0, 0>::default(), integrator, NoStabilizer).unwrap();
    // x = 1 at 2 − √2 with v = √2; then 5 t²/2 more.
    let rest = 2.0 - (2.0 - 2.0_f64.sqrt());
    let x = 1.0 + 2.0_f64.sqrt() * rest + 2.5 * rest * rest;
    let got = sim.at(2.0).unwrap().coordinates()[0];
    // The step over the jump errs by some tolerances in speed, which go on for 1.4 s.
    assert!((got - x).abs() < 1e-7, "{got} {x}");
}
