//! Steps that begin, end and pass at singular positions, and at 1e-16 to 1e-3 s from them, in every formulation and in both
//! directions of time: they go on, keep their energy and stay on their branch.
//!
//! Seven mechanisms, three singular positions of each, 29 distances, three steps, both directions: 16,000 states in all.

use bellcrank::prelude::*;
use bellcrank::{Acceleration, State, Vector};

#[allow(missing_docs, reason = "generated code documents itself")]
mod multiplier {
    bellcrank::include_mechanism!("parallelogram_multiplier");
    bellcrank::include_mechanism!("antiparallelogram_multiplier");
    bellcrank::include_mechanism!("driven_multiplier");
    bellcrank::include_mechanism!("equal_slider_multiplier");
    bellcrank::include_mechanism!("kite_multiplier");
    bellcrank::include_mechanism!("spatial_parallelogram_multiplier");
    bellcrank::include_mechanism!("level_multiplier");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod momentum {
    bellcrank::include_mechanism!("parallelogram_momentum");
    bellcrank::include_mechanism!("antiparallelogram_momentum");
    bellcrank::include_mechanism!("driven_momentum");
    bellcrank::include_mechanism!("equal_slider_momentum");
    bellcrank::include_mechanism!("kite_momentum");
    bellcrank::include_mechanism!("spatial_parallelogram_momentum");
    bellcrank::include_mechanism!("level_momentum");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod joint {
    bellcrank::include_mechanism!("parallelogram_joint");
    bellcrank::include_mechanism!("antiparallelogram_joint");
    bellcrank::include_mechanism!("driven_joint");
    bellcrank::include_mechanism!("equal_slider_joint");
    bellcrank::include_mechanism!("kite_joint");
    bellcrank::include_mechanism!("spatial_parallelogram_joint");
    bellcrank::include_mechanism!("level_joint");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod body {
    bellcrank::include_mechanism!("parallelogram_body");
    bellcrank::include_mechanism!("antiparallelogram_body");
    bellcrank::include_mechanism!("driven_body");
    bellcrank::include_mechanism!("equal_slider_body");
    bellcrank::include_mechanism!("kite_body");
    bellcrank::include_mechanism!("spatial_parallelogram_body");
    bellcrank::include_mechanism!("level_body");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod swing {
    bellcrank::include_mechanism!("parallelogram_swing");
    bellcrank::include_mechanism!("antiparallelogram_swing");
    bellcrank::include_mechanism!("driven_swing");
    bellcrank::include_mechanism!("equal_slider_swing");
    bellcrank::include_mechanism!("kite_swing");
    bellcrank::include_mechanism!("level_swing");
}

/// A mechanism that starts by itself.
trait Model: Mechanism<Scalar = f64> + Default {}
impl<M: Mechanism<Scalar = f64> + Default> Model for M {}

/// How far a mechanism may be off, and in which directions it is tried.
#[derive(Clone, Copy)]
struct Bound {
    /// Energy, as a share of the kinetic one.
    energy: f64,
    /// Coordinates, and a tenth of the velocities.
    state: f64,
    /// Whether the motion runs backwards if the velocities are reversed; drivers do not.
    reverses: bool,
}

/// The error of RK4 over 30 steps at the largest rates of the mechanism, 5 to 10 rad/s: (h ω)⁴ = 1.6e-7 at 2 ms, of which it
/// makes about a tenth. On another branch a state is off by some tenths.
const BOUND: Bound = Bound {
    energy: 1e-7,
    state: 1e-7,
    reverses: true,
};

/// The follower turns back three times as fast as the crank, at 15 to 25 rad/s, in a short while around the singular position:
/// RK4 itself is off by 3e-5 at 2 ms.
const FAST: Bound = Bound {
    energy: 1e-4,
    state: 1e-4,
    ..BOUND
};

/// The drive's torque changes its slope at the singular position with the square of the follower's acceleration; its work is
/// as good as a smooth torque would have it.
const DRIVEN: Bound = Bound {
    energy: 1e-6,
    reverses: false,
    ..BOUND
};

/// How many steps follow a singular position.
const ON: f64 = 30.0;

/// The step with which singular positions are looked for.
const SEARCH: f64 = 1e-3;

/// The state at a time, by steps of this length, the last one cut short.
fn to<M: Model>(from: &State<M>, step: f64, time: f64) -> Result<State<M>, Stop> {
    let (rk4, keep) = (Rk4::new(step), DirectCorrection::default());
    let mut sim = Simulation::new(M::default(), rk4, keep)?;
    sim.set_state(*from)?;
    for frame in sim.until(time) {
        frame?;
    }
    Ok(*sim.state())
}

/// How far from a singular position a state is; squared, against usual states.
fn margin<M: Model>(state: &State<M>) -> f64 {
    let mut out = Acceleration::zero();
    M::default().accelerate(state.time, &state.q, &state.v, &mut out);
    out.margin
}

fn balance<M: Model>(state: &State<M>) -> f64 {
    let energy = M::default().energy(state.time, &state.q, &state.v);
    energy.kinetic + energy.potential - state.work
}

fn gap<M: Model>(a: &State<M>, b: &State<M>) -> f64 {
    let apart = |(a, b): (&f64, &f64)| (a - b).abs();
    let q = a.q.as_slice().iter().zip(b.q.as_slice()).map(apart);
    let v = a.v.as_slice().iter().zip(b.v.as_slice());
    q.chain(v.map(|pair| 0.1 * apart(pair))).fold(0.0, f64::max)
}

fn reversed<M: Model>(mut state: State<M>) -> State<M> {
    state.v.as_mut_slice().iter_mut().for_each(|v| *v = -*v);
    state
}

/// Up to three singular positions of a run: a state 70 steps before, and when.
fn positions<M: Model>() -> Vec<(State<M>, f64)> {
    let (rk4, keep) = (Rk4::new(SEARCH), DirectCorrection::default());
    let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
    let mut past: Vec<State<M>> = Vec::new();
    let mut found = Vec::new();
    while found.len() < 3 && past.len() < 3000 {
        past.push(*sim.state());
        if let [.., before, least, after] = &past[..]
            && past.len() > 75
            && margin(least) < margin(before).min(1e-3)
            && margin(least) <= margin(after)
        {
            let time = nearest(&past[past.len() - 6], before.time, after.time);
            found.push((past[past.len() - 70], time));
        }
        sim.step().unwrap();
    }
    let near = |(state, time): &(State<M>, f64)| margin(&to(state, SEARCH, *time).unwrap()) < 1e-7;
    found.retain(near);
    found
}

/// Where the margin is least between two times, by the golden section.
fn nearest<M: Model>(from: &State<M>, mut early: f64, mut late: f64) -> f64 {
    let at = |time: f64| margin(&to(from, SEARCH, time).unwrap());
    for _ in 0..80 {
        let first = early + 0.382 * (late - early);
        let second = early + 0.618 * (late - early);
        *(if at(first) < at(second) {
            &mut late
        } else {
            &mut early
        }) = if at(first) < at(second) {
            second
        } else {
            first
        };
    }
    0.5 * (early + late)
}

/// 0 and ±10⁻³ to ±10⁻¹⁶ s.
fn distances() -> impl Iterator<Item = f64> {
    let powers = (3..=16).map(|power| 10_f64.powi(-power));
    powers.flat_map(|d| [d, -d]).chain([0.0])
}

fn passes<M: Model>(bound: Bound) {
    let positions = positions::<M>();
    assert!(!positions.is_empty(), "{}", M::NAME);
    for (before, time) in &positions {
        for step in [0.5e-3, 1e-3, 2e-3] {
            for distance in distances() {
                let what = format!("{} at {time} {distance:+e} s by {step:e} s", M::NAME);
                pass(before, step, time + distance, bound, &what);
            }
        }
    }
}

/// A step that ends at this time, and what follows from there.
fn pass<M: Model>(before: &State<M>, step: f64, time: f64, bound: Bound, what: &str) {
    let fine = 1e-4;
    let there = to(before, step, time).unwrap_or_else(|stop| panic!("{what}: {stop}"));
    let on = to(&there, step, time + ON * step);
    let expect = to(before, fine, time + ON * step).unwrap();
    check(before, on, expect, bound, what);
    if bound.reverses {
        let back = to(&reversed(there), step, time + ON * step);
        let expect = to(before, fine, time - ON * step).unwrap();
        check(
            before,
            back,
            reversed(expect),
            bound,
            &format!("back, {what}"),
        );
    }
}

fn check<M: Model>(
    before: &State<M>,
    found: Result<State<M>, Stop>,
    expect: State<M>,
    bound: Bound,
    what: &str,
) {
    let found = found.unwrap_or_else(|stop| panic!("{what}: {stop}"));
    let kinetic = M::default()
        .energy(before.time, &before.q, &before.v)
        .kinetic;
    let off = (balance(&found) - balance(before)).abs() / kinetic.max(1.0);
    assert!(off < bound.energy, "{what}: energy {off:e}");
    let gap = gap(&found, &expect);
    assert!(gap < bound.state, "{what}: state {gap:e}");
}

#[test]
fn a_parallelogram_passes_level_positions() {
    passes::<multiplier::Parallelogram>(BOUND);
    passes::<momentum::Parallelogram>(BOUND);
    passes::<joint::Parallelogram>(BOUND);
    passes::<body::Parallelogram>(BOUND);
    passes::<swing::Parallelogram>(BOUND);
}

#[test]
fn an_antiparallelogram_stays_one() {
    passes::<multiplier::Antiparallelogram>(FAST);
    passes::<momentum::Antiparallelogram>(FAST);
    passes::<joint::Antiparallelogram>(FAST);
    passes::<body::Antiparallelogram>(FAST);
    passes::<swing::Antiparallelogram>(FAST);
}

#[test]
fn a_driven_parallelogram_passes_level_positions() {
    passes::<multiplier::Driven>(DRIVEN);
    passes::<momentum::Driven>(DRIVEN);
    passes::<joint::Driven>(DRIVEN);
    passes::<body::Driven>(DRIVEN);
    passes::<swing::Driven>(DRIVEN);
}

#[test]
fn a_slider_passes_the_shaft() {
    passes::<multiplier::EqualSlider>(BOUND);
    passes::<momentum::EqualSlider>(BOUND);
    passes::<joint::EqualSlider>(BOUND);
    passes::<body::EqualSlider>(BOUND);
    passes::<swing::EqualSlider>(BOUND);
}

#[test]
fn a_kite_unfolds_as_it_folded() {
    passes::<multiplier::Kite>(BOUND);
    passes::<momentum::Kite>(BOUND);
    passes::<joint::Kite>(BOUND);
    passes::<body::Kite>(BOUND);
    passes::<swing::Kite>(BOUND);
}

#[test]
fn redundant_constraints_do_not_hide_a_singular_position() {
    passes::<multiplier::SpatialParallelogram>(BOUND);
    passes::<momentum::SpatialParallelogram>(BOUND);
    passes::<joint::SpatialParallelogram>(BOUND);
    passes::<body::SpatialParallelogram>(BOUND);
}

#[test]
fn two_loops_may_be_singular_at_once() {
    passes::<multiplier::DoubleFourBar>(BOUND);
    passes::<momentum::DoubleFourBar>(BOUND);
    passes::<joint::DoubleFourBar>(BOUND);
    passes::<body::DoubleFourBar>(BOUND);
    passes::<swing::DoubleFourBar>(BOUND);
}

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

/// 1.1 ms made 1,777 J of 36 J; 0.7 to 2.1 ms ended like that or stopped.
#[test]
fn no_energy_comes_out_of_level_positions() {
    for step in [0.7e-3, 1.1e-3, 2.1e-3] {
        let (rk4, keep) = (Rk4::new(step), DirectCorrection::default());
        let mut sim = Simulation::new(swing::DoubleFourBar::default(), rk4, keep).unwrap();
        let start = balance(sim.state());
        for _ in 0..1_000_000 {
            sim.step().unwrap();
        }
        let off = (balance(sim.state()) - start).abs();
        // The drift of RK4 at 2.1 ms, 1e-7 J in 100 s, twenty times as long.
        assert!(off < 1e-5, "{step:e}: {off:e}");
    }
}
