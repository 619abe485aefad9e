mod common;
use bellcrank::prelude::*;
use common::pendulum::{Pendulum, exact};
fn run<I: Integrator<Pendulum, NoStabilizer>>(i: I, end: f64) -> f64 {
    let mut sim = Simulation::new(Pendulum::default(), i, NoStabilizer).unwrap();
    let mut worst: f64 = 0.0;
    for frame in sim.until(end) {
        let frame = frame.unwrap();
        let [x, y] = exact(frame.time());
        let q = frame.coordinates();
        let last = (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y);
        worst = worst.max(last);
    }
    worst
}
#[test]
fn dp() {
    for k in 2..=5 {
        for end in [1.0, 2.0, 10.0] {
            print!("1e {k} {end}: ");
            let mut last = 0.0;
            for n in [50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0] {
                let e = run(Bdf::fixed(k, 1.0 / n), end);
                print!("{e:.2e} ({:.2}) ", f64::log2(last / e));
                last = e;
            }
            println!();
        }
    }
}
