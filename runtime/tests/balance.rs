//! The energy balance is watched.

mod common;

use bellcrank::prelude::*;
use bellcrank::{Event, Named, run_with};
use common::line::{At, Law, Line};
use common::pendulum::Pendulum;

fn watched(push: impl Fn(usize, &mut State<Pendulum>)) -> Option<Stop> {
    let mut sim = Simulation::new(
        Pendulum::default(),
        Rk4::new(0.01),
        DirectCorrection::default(),
    )
    .unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    for n in 0..200 {
        let mut state = *sim.state();
        push(n, &mut state);
        sim.set_state(state).unwrap();
        sim.step().unwrap();
        monitor.observe(&sim.frame());
    }
    monitor.end();
    monitor.energy_jump
}

#[test]
fn a_jump_of_the_energy_is_found_with_its_time_and_a_smooth_run_has_none() {
    assert_eq!(watched(|_, _| {}), None);
    for (at, time) in [(1, 0.02), (3, 0.04), (60, 0.61)] {
        let jump = watched(|n, state| {
            if n == at {
                state.v *= 3.0;
            }
        });
        let Some(Stop::EnergyJump {
            since, time: found, ..
        }) = jump
        else {
            panic!("{at}: {jump:?}")
        };
        assert!(
            (found - time).abs() < 1e-9 && since < found,
            "{since} {found}"
        );
    }
}

/// A blow that is shorter than a step: one stage sees it.
struct Blow;

impl Law<0, 0> for Blow {
    const EVENTS: &'static [Event] = &[];
    const START: [f64; 2] = [0.0, 2.0];

    fn force(at: &At) -> f64 {
        if (0.5049..0.5051).contains(&at.time) {
            1e4
        } else {
            0.0
        }
    }

    fn events(_: &At) -> [f64; 0] {
        []
    }
}

fn run_by<L, I>(arguments: &[&str]) -> (u8, String)
where
    L: Law<0, 0> + 'static,
    I: Integrator<Line<L, 0, 0>, NoStabilizer> + Named + 'static,
{
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run_with::<Line<L, 0, 0>, I, NoStabilizer>(&arguments, &mut out, &mut err);
    (code, String::from_utf8(err).unwrap())
}

#[test]
fn a_run_warns_once_and_stops_if_it_is_asked_to() {
    let run = run_by::<Blow, Rk4<f64>>;
    let (code, told) = run(&["--until=1", "--step=0.01"]);
    assert_eq!(code, 0);
    assert_eq!(
        told.matches("warning: between t = 0.5 and t = 0.51")
            .count(),
        1,
        "{told}"
    );
    let (code, told) = run(&["--until=1", "--step=0.01", "--strict-energy"]);
    assert_eq!(code, 1);
    assert!(
        told.starts_with("stop: between t = 0.5 and t = 0.51"),
        "{told}"
    );
    let (_, told) = run(&["--until=0.4", "--step=0.01"]);
    assert!(!told.contains("warning"), "{told}");
}

/// A load of 20 N on a brake of at most 800 N that needs 0.01 m/s to exert three quarters of it. At rest it answers
/// within 12 µs.
struct Brake;

impl Law<0, 0> for Brake {
    const EVENTS: &'static [Event] = &[];
    const START: [f64; 2] = [0.0, 1.0];

    fn force(at: &At) -> f64 {
        20.0 - 800.0 * (at.v / 0.01).tanh()
    }

    fn events(_: &At) -> [f64; 0] {
        []
    }
}

/// A damper that decays within 0.5 ms, and goes on under a changing load.
struct Damper;

impl Law<0, 0> for Damper {
    const EVENTS: &'static [Event] = &[];
    const START: [f64; 2] = [0.0, 1.0];

    fn force(at: &At) -> f64 {
        (100.0 * at.time).sin() - 2000.0 * at.v
    }

    fn events(_: &At) -> [f64; 0] {
        []
    }
}

#[test]
fn a_brake_that_changes_its_force_from_step_to_step_is_told() {
    let (code, told) = run_by::<Brake, Rk4<f64>>(&["--until=0.5", "--step=0.001"]);
    assert_eq!(code, 0);
    assert_eq!(told.matches("a damper or a brake").count(), 1, "{told}");
    assert!(told.contains("`--integrator bdf`"), "{told}");
    let (_, told) = run_by::<Brake, Rk4<f64>>(&["--until=0.05", "--step=0.00001", "--every=10"]);
    assert!(!told.contains("warning"), "{told}");
    let (_, told) = run_by::<Brake, DormandPrince<f64>>(&["--until=0.5", "--step=0.001"]);
    assert!(!told.contains("warning"), "{told}");
    let (_, told) = run_by::<Damper, Rk4<f64>>(&["--until=0.5", "--step=0.001"]);
    assert!(!told.contains("warning"), "{told}");
}
