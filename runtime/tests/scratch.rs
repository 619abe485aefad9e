mod common;
use bellcrank::prelude::*;
use common::pendulum::{Pendulum, exact};
fn run<S: Stabilizer<Pendulum>>(step: f64, s: S, end: f64) -> [f64;2] {
    let mut sim = Simulation::new(Pendulum::default(), DormandPrince::fixed(step), s).unwrap();
    let mut worst: f64 = 0.0; let mut last = 0.0;
    for frame in sim.until(end) { let frame = frame.unwrap(); let [x, y] = exact(frame.time());
        let q = frame.coordinates(); last = (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y); worst = worst.max(last); }
    [worst, last]
}
#[test]
fn dp() {
    for end in [1.0, 2.0, 10.0] { for n in [10.0, 20.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0] {
      println!("1e {end} {n} {:?} {:?}", run(1.0/n, NoStabilizer, end), run(1.0/n, DirectCorrection::default(), end));
    }}
}
