mod common;
use bellcrank::prelude::*;
use common::pendulum::{Pendulum, exact};
fn run<I: Integrator<Pendulum, DirectCorrection>>(i: I) -> (f64, u64, bellcrank::Counts) {
    let mut sim = Simulation::new(Pendulum::default(), i, DirectCorrection::default()).unwrap();
    let mut worst: f64 = 0.0;
    for frame in sim.until(10.0) {
        let frame = frame.unwrap();
        let [x, y] = exact(frame.time());
        let q = frame.coordinates();
        let last = (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y);
        worst = worst.max(last);
    }
    (worst, sim.steps(), sim.counts())
}
#[test]
fn dp() {
    for e in 4..=10 {
        let tol = 10f64.powi(-e);
        println!("1e dp {tol:e} {:?}", run(DormandPrince::new(tol)));
        println!("1e bdf {tol:e} {:?}", run(Bdf::new(tol)));
    }
}
