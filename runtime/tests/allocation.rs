//! Nothing allocates.

mod common;

use allocation_counter::measure;
use bellcrank::prelude::*;
use common::double_four_bar::DoubleFourBar;
use common::pendulum::{DoubledPendulum, Pendulum};

#[test]
fn steps_projections_outputs_and_assembly_do_not_allocate() {
    let counted = measure(|| {
        run(Pendulum::default());
        run(DoubledPendulum::default());
        run(DoubleFourBar::default());
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(measure(|| drop(core::hint::black_box(Box::new(1)))).count_total > 0);
}

fn run<M: Mechanism<Scalar = f64>>(mechanism: M) {
    let (mut q, mut v) = mechanism.start();
    mechanism.guess(&mut q, &mut v);
    assert!(assemble(&mechanism, 0.0, &mut q, &mut v).is_ok());
    let method = (Rk4::new(1e-3), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method.0, method.1).unwrap();
    for frame in sim.until(0.2) {
        let frame = frame.unwrap();
        assert!(frame.energy().is_finite() && frame.outputs().is_ok() && frame.reactions().is_ok());
    }
}
