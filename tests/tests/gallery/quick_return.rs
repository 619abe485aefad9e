//! The quick-return mechanism, whose crank is driven: its motion is known in closed form.

use bellcrank::prelude::*;
use bellcrank_tests::{QuickReturn, quick_return};

/// With the crank at angle θ, the pin is at 0.1 (cos θ, sin θ); the lever from (0, −0.3) points at it and
/// its tip is 0.7 away; the ram on y = 0.4 is 0.3 from the tip, on the near side.
fn ram(theta: f64) -> f64 {
    let (x, y) = (0.1 * theta.cos(), 0.1 * theta.sin() + 0.3);
    let scale = 0.7 / x.hypot(y);
    let (tip_x, tip_y) = (x * scale, y * scale - 0.3);
    tip_x - (0.09 - (0.4 - tip_y).powi(2)).sqrt()
}

/// The driver holds the crank to round-off, and the ram follows.
#[test]
fn driven_motion_is_exact() {
    let mut mechanism = QuickReturn::default();
    mechanism.set_turn_rate(4.0);
    assert_eq!(QuickReturn::FREEDOMS, 0);
    let mut sim = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    for frame in sim.until(2.0) {
        let frame = frame.unwrap();
        let x = frame.output(quick_return::output::RAM).unwrap();
        assert!(
            (x - ram(4.0 * frame.time())).abs() < 1e-12,
            "{x} at {}",
            frame.time()
        );
    }
}

/// The driver's work equals the gain of energy: 1e-7 J is the quadrature error of RK4 at 1 ms.
#[test]
fn the_driver_does_the_work() {
    let mut sim = Simulation::new(
        QuickReturn::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    let start = sim.frame().balance();
    for frame in sim.until(2.0) {
        let balance = frame.unwrap().balance();
        assert!((balance - start).abs() < 1e-7, "{}", balance - start);
    }
}
