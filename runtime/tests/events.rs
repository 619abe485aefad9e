//! Zero crossings: their times, the variables that they set, and the run after them.

mod common;

use allocation_counter::measure;
use bellcrank::prelude::*;
use bellcrank::{Direction, Event, Quantity};
use common::line::{At, Law, Line};

const GRAVITY: f64 = 9.81;
const HEIGHT: f64 = 2.0;

const fn event(name: &'static str, direction: Direction, sets: &'static [usize]) -> Event {
    let stops = false;
    Event {
        name,
        direction,
        sets,
        stops,
    }
}

fn rk4<L: Law<E, T>, const E: usize, const T: usize>(
    step: f64,
) -> Simulation<Line<L, E, T>, Rk4<f64>, NoStabilizer> {
    Simulation::new(Line::default(), Rk4::new(step), NoStabilizer).unwrap()
}

fn adaptive<L: Law<E, T>, const E: usize, const T: usize>(
    tolerance: f64,
) -> Simulation<Line<L, E, T>, DormandPrince<f64>, NoStabilizer> {
    let method = DormandPrince::new(tolerance);
    Simulation::new(Line::default(), method, NoStabilizer).unwrap()
}

/// Falls until it lands.
struct Fall;

impl Law<1, 0> for Fall {
    const EVENTS: &'static [Event] = &[Event {
        stops: true,
        ..event("landing", Direction::Falling, &[])
    }];
    const START: [f64; 2] = [HEIGHT, 0.0];
    fn force(_: &At) -> f64 {
        -GRAVITY
    }
    fn events(at: &At) -> [f64; 1] {
        [at.x]
    }
}

/// t = √(2 h / g), and both methods integrate a parabola without error.
#[test]
fn a_fall_ends_when_the_ground_is_hit() {
    let expected = (2.0 * HEIGHT / GRAVITY).sqrt();
    let check = |frame: Frame<Line<Fall, 1, 0>>, step: f64| {
        assert_eq!(frame.stopped(), Some("landing"));
        assert!(frame.events().eq(["landing"]));
        let error = (frame.time() / expected - 1.0).abs();
        // Round-off of some dozen steps, and of time itself.
        assert!(error < 1e-12, "{error:e}");
        // Just after the crossing, by up to two tolerances of 10⁻¹³ of the step, at 6.3 m/s.
        let x = frame.coordinates()[0];
        assert!(x < 0.0 && x > -2.0 * 1e-13 * step * 6.3, "{x:e}");
    };
    let mut sim = rk4::<Fall, 1, 0>(1e-2);
    check(sim.until(10.0).last().unwrap().unwrap(), 1e-2);
    // The steps grow without bound, so the last one would have been longer than the fall.
    let mut sim = adaptive::<Fall, 1, 0>(1e-9);
    check(sim.until(10.0).last().unwrap().unwrap(), expected);
    check(sim.at(10.0).unwrap(), expected);
}

#[test]
fn a_wider_tolerance_takes_less_work() {
    let counts = |tolerance: Option<f64>| {
        let mut sim = rk4::<Fall, 1, 0>(1e-2);
        if let Some(tolerance) = tolerance {
            sim.set_event_tolerance(tolerance);
        }
        let last = sim.until(10.0).last().unwrap().unwrap();
        (last.report().counts.evaluations, last.time())
    };
    let ((fine, when), (coarse, about)) = (counts(None), counts(Some(1e-2)));
    assert!(coarse < fine, "{coarse} {fine}");
    // Two tolerances of a hundredth of the step.
    assert!((when - about).abs() < 2.0 * 1e-2 * 1e-2);
}

/// A harmonic oscillator that counts.
struct Counted;

impl Law<3, 3> for Counted {
    const EVENTS: &'static [Event] = &[
        event("up", Direction::Rising, &[0]),
        event("down", Direction::Falling, &[1]),
        event("through", Direction::Both, &[0]),
    ];
    const START: [f64; 2] = [0.0, 1.0];
    fn force(at: &At) -> f64 {
        -at.x
    }
    fn events(at: &At) -> [f64; 3] {
        [at.x - 0.5, at.x - 0.5, at.x]
    }
    fn transitions(at: &At) -> [f64; 3] {
        let [a, b] = [at.variables[0], at.variables[1]];
        [a + 1.0, b + 1.0, a + 100.0]
    }
}

/// x = sin t: rises through ½ at π/6 + 2πk, falls through it at 5π/6 + 2πk, and passes zero at πk, where it
/// also starts, which does not count.
#[test]
fn directions_are_told_apart_and_a_start_at_zero_does_not_count() {
    let mut sim = rk4::<Counted, 3, 3>(1e-2);
    let mut times = Vec::new();
    for frame in sim.until(10.0) {
        let frame = frame.unwrap();
        times.extend(frame.events().map(|name| (name, frame.time())));
    }
    let pi = std::f64::consts::PI;
    let expected = [
        ("up", pi / 6.0),
        ("down", 5.0 * pi / 6.0),
        ("through", pi),
        ("through", 2.0 * pi),
        ("up", 13.0 * pi / 6.0),
        ("down", 17.0 * pi / 6.0),
        ("through", 3.0 * pi),
    ];
    assert!(
        times
            .iter()
            .map(|(name, _)| name)
            .eq(expected.iter().map(|(name, _)| name))
    );
    for ((_, found), (_, expected)) in times.iter().zip(&expected) {
        // The error of RK4 at this step: t h⁴ / 120 in the phase.
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    assert_eq!(sim.variables().as_slice(), [302.0, 2.0]);
    sim.reset().unwrap();
    assert_eq!(sim.variables().as_slice(), [0.0, 0.0]);
    let again = sim.until(1.0).last().unwrap().unwrap();
    assert_eq!(again.variables().as_slice(), [1.0, 0.0]);
}

#[test]
fn steps_go_on_to_the_times_that_they_would_have_ended_at() {
    let mut sim = rk4::<Counted, 3, 3>(1e-2);
    let frames = sim.until(2.0).map(Result::unwrap);
    let (cut, whole): (Vec<_>, Vec<_>) = frames.partition(|frame| frame.report().cut);
    assert_eq!(cut.len(), 1);
    let times: Vec<_> = whole.iter().map(|frame| frame.time()).collect();
    let expected: Vec<_> = (1..=200).map(|n| f64::from(n) * 1e-2).collect();
    assert_eq!(times, expected);
}

/// Frames that are kept are those of their time, whatever events have changed since.
#[test]
fn frames_keep_their_variables() {
    let mut sim = rk4::<Counted, 3, 3>(1e-2);
    let frames: Vec<_> = sim.until(1.0).map(Result::unwrap).collect();
    for frame in &frames {
        let expected = f64::from(frame.time() > std::f64::consts::FRAC_PI_6);
        assert_eq!(frame.output(0).unwrap(), expected, "{}", frame.time());
    }
}

/// Steps of the adaptive method are longer than the distance of the rows, and an event ends one of them.
#[test]
fn samples_before_an_event_know_the_variables_before_it() {
    let mut sim = adaptive::<Counted, 3, 3>(1e-6);
    for n in 1..=300 {
        let time = f64::from(n) * 1e-2;
        let frame = sim.at(time).unwrap();
        let expected = f64::from(time > std::f64::consts::FRAC_PI_6);
        assert_eq!(frame.output(0).unwrap(), expected, "{time}");
        // Ten tolerances of the steps so far.
        assert!((frame.coordinates()[0] - time.sin()).abs() < 1e-5, "{time}");
    }
    assert!(sim.steps() < 150);
}

/// Three expressions that are zero at the same instant and round differently.
struct Together;

impl Law<3, 3> for Together {
    const EVENTS: &'static [Event] = &[
        event("a takes b", Direction::Rising, &[0]),
        event("b takes a", Direction::Both, &[1]),
        event("b again", Direction::Rising, &[1]),
    ];
    const START: [f64; 2] = [0.0, 1.0];
    const VARIABLES: [f64; 2] = [3.0, 4.0];
    fn force(_: &At) -> f64 {
        0.0
    }
    fn events(at: &At) -> [f64; 3] {
        let third = 1.0 / 3.0;
        [at.x - third, 3.0 * at.x - 1.0, 7.0 * (at.x - third)]
    }
    fn transitions(at: &At) -> [f64; 3] {
        [at.variables[1], at.variables[0], 10.0 * at.variables[0]]
    }
}

#[test]
fn events_of_one_instant_happen_together_in_the_order_of_writing() {
    for step in [1e-1, 1e-2, 1e-3] {
        let mut sim = rk4::<Together, 3, 3>(step);
        let frames = sim.until(1.0).map(Result::unwrap);
        let fired: Vec<_> = frames.map(|frame| frame.events().count()).collect();
        assert_eq!(fired.iter().sum::<usize>(), 3, "{step}");
        assert_eq!(fired.iter().max(), Some(&3), "{step}");
        // All of them read the values from before. If two set the same variable, the last one wins.
        assert_eq!(sim.variables().as_slice(), [4.0, 30.0]);
    }
}

/// Dry friction, by an event that turns the force round whenever the velocity does.
struct Friction;

impl Law<1, 1> for Friction {
    const EVENTS: &'static [Event] = &[event("turn", Direction::Both, &[0])];
    const START: [f64; 2] = [0.0, 1.0];
    const VARIABLES: [f64; 2] = [-4.0, 0.0];
    fn force(at: &At) -> f64 {
        at.variables[0]
    }
    fn events(at: &At) -> [f64; 1] {
        [at.v]
    }
    fn transitions(at: &At) -> [f64; 1] {
        [-at.variables[0]]
    }
}

#[test]
fn chattering_ends_the_run_with_the_name_of_the_event() {
    let check = |stop: Stop| {
        let Stop::Chattering { time, event, count } = stop else {
            panic!("{stop}");
        };
        assert_eq!((event, count), ("turn", 101));
        // It rests after v / 4; a hundred events take as many times some units of round-off.
        assert!((time - 0.25).abs() < 1e-9, "{time}");
    };
    let mut sim = rk4::<Friction, 1, 1>(1e-2);
    check(sim.until(1.0).last().unwrap().err().unwrap());
    let mut sim = adaptive::<Friction, 1, 1>(1e-6);
    check(sim.until(1.0).last().unwrap().err().unwrap());
}

/// The event watches a root that ends at x = ½.
struct Root;

impl Law<1, 0> for Root {
    const EVENTS: &'static [Event] = &[event("root", Direction::Both, &[])];
    const START: [f64; 2] = [0.0, 1.0];
    fn force(_: &At) -> f64 {
        0.0
    }
    fn events(at: &At) -> [f64; 1] {
        [(0.5 - at.x).sqrt()]
    }
}

#[test]
fn what_is_no_number_ends_the_run() {
    let mut sim = rk4::<Root, 1, 0>(1e-2);
    let stop = sim.until(1.0).last().unwrap().err().unwrap();
    let Stop::NotFinite { what, name, .. } = stop else {
        panic!("{stop}");
    };
    assert_eq!((what, name), (Quantity::Events, "root"));
    assert!(sim.time() <= 0.5);
}

/// An input that the caller raises, and an acceleration that it causes.
struct Pushed;

impl Law<2, 2> for Pushed {
    const EVENTS: &'static [Event] = &[
        event("asked", Direction::Rising, &[0]),
        event("pulled", Direction::Rising, &[1]),
    ];
    const EVENTS_NEED_FORCES: bool = true;
    const START: [f64; 2] = [0.0, 0.0];
    fn force(at: &At) -> f64 {
        at.input * (1.0 + at.time)
    }
    fn events(at: &At) -> [f64; 2] {
        [at.input - 0.5, at.acceleration - 1.5]
    }
    fn transitions(at: &At) -> [f64; 2] {
        [at.time, at.acceleration]
    }
}

/// The input is above ½ at once; the acceleration 1 + t passes 1.5 after half a second.
#[test]
fn inputs_and_accelerations_are_watched_too() {
    let mut sim = rk4::<Pushed, 2, 2>(1e-2);
    for _ in 0..10 {
        assert!(sim.step().unwrap().events.is_empty());
    }
    sim.set_input(0, 1.0);
    let report = sim.step().unwrap();
    assert!(report.events.iter().eq([0]) && report.cut);
    // Some tolerances of a hundredth of a picosecond.
    assert!((sim.variables()[0] - 0.1).abs() < 1e-13);
    assert!(sim.until(1.0).all(|frame| frame.is_ok()));
    assert!((sim.variables()[1] - 1.5).abs() < 1e-13);
}

const SPRING: f64 = 1.0;
const STOP: f64 = 0.5;
const STIFFNESS: f64 = 99.0;
const PRELOAD: f64 = 3.0;
const SPEED: f64 = 2.0;

/// A spring, and a stiffer one with a preload beyond a stop.
fn spring(x: f64, touching: bool) -> f64 {
    match touching {
        true => -SPRING * x - STIFFNESS * (x - STOP) - PRELOAD,
        false => -SPRING * x,
    }
}

/// The stop as an event.
struct Bump;

impl Law<1, 1> for Bump {
    const EVENTS: &'static [Event] = &[event("stop", Direction::Both, &[0])];
    const START: [f64; 2] = [0.0, SPEED];
    fn force(at: &At) -> f64 {
        spring(at.x, at.variables[0] > 0.5)
    }
    fn events(at: &At) -> [f64; 1] {
        [at.x - STOP]
    }
    fn transitions(at: &At) -> [f64; 1] {
        [1.0 - at.variables[0]]
    }
}

/// The stop as a condition in the law.
struct Kink;

impl Law<0, 0> for Kink {
    const EVENTS: &'static [Event] = &[];
    const START: [f64; 2] = [0.0, SPEED];
    fn force(at: &At) -> f64 {
        spring(at.x, at.x > STOP)
    }
    fn events(_: &At) -> [f64; 0] {
        []
    }
}

/// x = v₀ sin t up to the stop at t₁; beyond it, with ω² = k + K and c = (k x₁ + F) / ω²,
/// x − x₁ = −c (1 − cos ωτ) + v₁/ω sin ωτ until tan ωτ/2 = v₁ / (c ω), where it leaves with −v₁.
fn bump(t: f64) -> (f64, f64) {
    let arrival = (STOP / SPEED).asin();
    let speed = SPEED * arrival.cos();
    let omega = (SPRING + STIFFNESS).sqrt();
    let center = (SPRING * STOP + PRELOAD) / omega.powi(2);
    let departure = arrival + 2.0 * (speed / (center * omega)).atan() / omega;
    if t < arrival {
        return (SPEED * t.sin(), SPEED * t.cos());
    }
    if t < departure {
        let (sin, cos) = (omega * (t - arrival)).sin_cos();
        let x = STOP - center * (1.0 - cos) + speed / omega * sin;
        return (x, speed * cos - center * omega * sin);
    }
    let (sin, cos) = (t - departure).sin_cos();
    (STOP * cos - speed * sin, -STOP * sin - speed * cos)
}

fn bump_error<L: Law<E, T>, const E: usize, const T: usize>(step: f64) -> f64 {
    let mut sim = rk4::<L, E, T>(step);
    let frames = sim.until(2.0).map(Result::unwrap);
    let errors = frames.map(|frame| (frame.coordinates()[0] - bump(frame.time()).0).abs());
    errors.fold(0.0, f64::max)
}

#[test]
fn an_event_keeps_the_order_that_a_condition_loses() {
    let [coarse, fine] = [4e-3, 2e-3].map(bump_error::<Bump, 1, 1>);
    let order = (coarse / fine).log2();
    // Fourth order, up to where in the step the crossings lie.
    assert!((order - 4.0).abs() < 0.5, "{coarse:e} {fine:e}");
    let condition = bump_error::<Kink, 0, 0>(2e-3);
    assert!(condition > 1e4 * fine, "{condition:e} {fine:e}");
    let millisecond = bump_error::<Bump, 1, 1>(1e-3);
    // (ω h)⁴ / 120 of the amplitude, over the five radians of the contact and its echo in the phase.
    assert!(millisecond < 1e-9, "{millisecond:e}");
}

#[test]
fn an_adaptive_method_holds_its_tolerance_over_events() {
    for tolerance in [1e-6, 1e-8, 1e-10] {
        let mut sim = adaptive::<Bump, 1, 1>(tolerance);
        for frame in sim.until(2.0) {
            let frame = frame.unwrap();
            let error = (frame.coordinates()[0] - bump(frame.time()).0).abs();
            assert!(error < 10.0 * tolerance, "{tolerance:e}: {error:e}");
        }
    }
}

/// The work of the spring is the same for every law; both laws are integrated to their crossings.
#[test]
fn work_balances_over_events() {
    let mut sim = rk4::<Bump, 1, 1>(1e-3);
    let mut monitor = Monitor::new(&sim.frame());
    for frame in sim.until(2.0) {
        monitor.observe(&frame.unwrap());
    }
    // The error of the method, as above, times the speed and the stiffness.
    assert!(monitor.energy_drift < 1e-7, "{}", monitor.energy_drift);
}

#[test]
fn events_do_not_allocate() {
    let counted = measure(|| {
        let mut sim = rk4::<Bump, 1, 1>(1e-2);
        assert!(sim.until(2.0).all(|frame| frame.is_ok()));
        let mut sim = adaptive::<Pushed, 2, 2>(1e-6);
        assert!(sim.until(2.0).all(|frame| frame.is_ok()));
        let mut sim = rk4::<Friction, 1, 1>(1e-2);
        assert!(sim.until(1.0).last().unwrap().is_err());
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
