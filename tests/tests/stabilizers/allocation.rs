//! No stabilizer allocates.

use allocation_counter::measure;
use bellcrank::prelude::*;

use super::{Full, body, points};

#[test]
fn nothing_allocates() {
    let counted = measure(|| {
        run_all::<points::SpatialFourBar>();
        run_all::<body::SpatialFourBar>();
        run_all::<body::DoubleFourBar>();
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

fn run_all<M: Full>() {
    run::<M>(Baumgarte::default());
    run::<M>(Penalty::default());
    run::<M>(AugmentedLagrangian::default());
    run::<M>(AugmentedLagrangianProjections::default());
    run::<M>(CoordinatePartitioning::default());
    run::<M>(PlainCorrection::default());
    run::<M>(StandardProjection::default());
    run::<M>(SuccessiveProjection::default());
    run::<M>(Ggl::default());
    run::<M>(EnergyCorrection::default());
}

/// Long enough to take a loop of the double four-bar through its singular position, where the dense path is
/// taken.
fn run<M: Full>(stabilizer: impl Stabilizer<M>) {
    let mut sim = Simulation::new(M::default(), Rk4::new(1e-3), stabilizer).unwrap();
    for _ in 0..2000 {
        assert!(sim.step().is_ok());
    }
}
