//! The four-bar by hand: once in its one coordinate, which is the least that anybody could compute, and once in
//! absolute coordinates with nalgebra, as one would write it first.

mod absolute;
mod one;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Gravity, and of crank, coupler and follower: lengths, distances of the centres, masses, moments.
pub const G: f64 = 9.81;
pub const L: [f64; 3] = [2.0, 4.0, 4.0];
pub const R: [f64; 3] = [1.0, 2.0, 2.0];
pub const M: [f64; 3] = [1.0, 2.25, 2.2];
pub const I: [f64; 3] = [0.3, 2.0, 1.35];
pub const GROUND: f64 = 2.5;
/// Angles and rates at the start.
pub const ANGLES: [f64; 3] = [
    std::f64::consts::FRAC_PI_3,
    0.423245598298523,
    1.004203159591008,
];
pub const CRANK_RATE: f64 = 1.0;

/// Steps before the motion begins anew, the same for all engines.
const STEPS: usize = 100;
const H: f64 = 1e-3;

/// Something that can be integrated by RK4.
pub trait Equations: Copy {
    type Vector: Copy
        + std::ops::Add<Output = Self::Vector>
        + std::ops::Mul<f64, Output = Self::Vector>;
    fn start(self) -> (Self::Vector, Self::Vector);
    fn accelerate(self, q: &Self::Vector, v: &Self::Vector) -> Self::Vector;
    fn crank(a: &Self::Vector) -> f64;
}

fn main() {
    let named = std::env::args().nth(1).unwrap_or_default();
    match named.as_str() {
        "one" => report(one::One),
        "absolute" => report(absolute::Absolute),
        _ => panic!("`one` or `absolute`"),
    }
}

fn step<E: Equations>(e: E, q: &mut E::Vector, v: &mut E::Vector) {
    let a1 = e.accelerate(q, v);
    let v2 = *v + a1 * (H / 2.0);
    let a2 = e.accelerate(&(*q + *v * (H / 2.0)), &v2);
    let v3 = *v + a2 * (H / 2.0);
    let a3 = e.accelerate(&(*q + v2 * (H / 2.0)), &v3);
    let v4 = *v + a3 * H;
    let a4 = e.accelerate(&(*q + v3 * H), &v4);
    *q = *q + (*v + (v2 + v3) * 2.0 + v4) * (H / 6.0);
    *v = *v + (a1 + (a2 + a3) * 2.0 + a4) * (H / 6.0);
}

fn report<E: Equations>(e: E) {
    let (q0, v0) = e.start();
    let mut states = vec![(q0, v0)];
    let (mut q, mut v) = (q0, v0);
    for _ in 0..STEPS {
        step(e, &mut q, &mut v);
        states.push((q, v));
    }
    let acceleration = smallest(states.len(), || {
        for (q, v) in &states {
            black_box(e.accelerate(black_box(q), black_box(v)));
        }
    });
    let step = smallest(STEPS, || {
        let (mut q, mut v) = black_box((q0, v0));
        for _ in 0..STEPS {
            step(e, &mut q, &mut v);
        }
        black_box((q, v));
    });
    let crank = E::crank(&e.accelerate(&q0, &v0));
    println!("{{\"acceleration_ns\": {acceleration}, \"step_ns\": {step}, \"crank\": {crank}}}");
}

/// Nanoseconds of one of the calls, at its smallest over a fifth of a second; a timing is about half a millisecond.
fn smallest(calls: usize, mut work: impl FnMut()) -> f64 {
    work();
    let begin = Instant::now();
    work();
    let repeats = (5e-4 / begin.elapsed().as_secs_f64()).max(1.0) as usize;
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_millis(200) {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e9 / (calls * repeats) as f64
}
