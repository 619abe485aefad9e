//! Steps that begin, end and pass at singular positions, and at 1e-16 to 1e-3 s from them, in both directions of time:
//! they go on, keep their energy and stay on their branch.

use bellcrank::prelude::*;
use bellcrank::{Acceleration, State, Vector};

/// A mechanism that starts by itself.
pub trait Model: Mechanism<Scalar = f64> + Default {}
impl<M: Mechanism<Scalar = f64> + Default> Model for M {}

/// How far a mechanism may be off, and how it is tried.
#[derive(Clone, Copy)]
pub struct Bound {
    /// Energy, as a share of the kinetic one.
    pub energy: f64,
    /// Coordinates, and a tenth of the velocities.
    pub state: f64,
    /// Whether the motion runs backwards if the velocities are reversed; drivers do not.
    pub reverses: bool,
    /// The steps that are tried.
    pub steps: &'static [f64],
}

/// How many steps follow a singular position.
const ON: f64 = 30.0;

/// The step of the reference.
const FINE: f64 = 1e-4;

/// The step with which singular positions are looked for.
const SEARCH: f64 = 1e-3;

/// The state at a time, by steps of this length, the last one cut short.
pub fn to<M: Model>(from: &State<M>, step: f64, time: f64) -> Result<State<M>, Stop> {
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
    M::default().accelerate(state.view(), &mut out);
    out.margin
}

pub fn balance<M: Model>(state: &State<M>) -> f64 {
    let energy = M::default().energy(state.view());
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
pub fn positions<M: Model>() -> Vec<(State<M>, f64)> {
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

/// 0 and ±10⁻³ to ±10⁻¹⁶ s, two in each decade.
pub fn distances() -> impl Iterator<Item = f64> {
    let powers = (6..=32).map(|power| 10_f64.powf(-0.5 * f64::from(power)));
    powers.flat_map(|d| [d, -d]).chain([0.0])
}

pub fn passes<M: Model>(bound: Bound) {
    let positions = positions::<M>();
    assert!(!positions.is_empty(), "{}", M::NAME);
    for (before, time) in &positions {
        let longest = bound.steps.iter().fold(0.0, |a: f64, b| a.max(*b));
        let fine = Fine::new(before, time + 2e-3 + ON * longest);
        for &step in bound.steps {
            for distance in distances() {
                let what = format!("{} at {time} {distance:+e} s by {step:e} s", M::NAME);
                pass(&fine, step, time + distance, bound, &what);
            }
        }
    }
}

/// A run by fine steps, to compare with.
struct Fine<M: Model>(Vec<State<M>>);

impl<M: Model> Fine<M> {
    fn new(start: &State<M>, until: f64) -> Self {
        let (rk4, keep) = (Rk4::new(FINE), DirectCorrection::default());
        let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
        sim.set_state(*start).unwrap();
        let mut states = vec![*start];
        while sim.state().time < until {
            sim.step().unwrap();
            states.push(*sim.state());
        }
        Self(states)
    }

    fn start(&self) -> &State<M> {
        &self.0[0]
    }

    fn at(&self, time: f64) -> State<M> {
        let n = self.0.partition_point(|state| state.time < time);
        to(&self.0[n.max(1) - 1], FINE, time).unwrap()
    }
}

/// A step that ends at this time, and the motion that follows.
fn pass<M: Model>(fine: &Fine<M>, step: f64, time: f64, bound: Bound, what: &str) {
    let before = fine.start();
    let there = to(before, step, time).unwrap_or_else(|stop| panic!("{what}: {stop}"));
    let on = to(&there, step, time + ON * step);
    check(before, on, fine.at(time + ON * step), bound, what);
    if bound.reverses {
        let back = to(&reversed(there), step, time + ON * step);
        let expect = reversed(fine.at(time - ON * step));
        check(before, back, expect, bound, &format!("back, {what}"));
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
    let kinetic = M::default().energy(before.view()).kinetic;
    let off = (balance(&found) - balance(before)).abs() / kinetic.max(1.0);
    let gap = gap(&found, &expect);
    assert!(off < bound.energy, "{what}: energy {off:e}");
    assert!(gap < bound.state, "{what}: state {gap:e}");
}
