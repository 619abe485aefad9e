//! How often a matrix is factorised.

use bellcrank::prelude::*;

use super::{Full, body};

/// Factorisations of 1000 steps beyond those of the four stages of each.
fn extra<M: Full>(stabilizer: impl Stabilizer<M>) -> usize {
    let mut sim = Simulation::new(M::default(), Rk4::new(1e-3), stabilizer).unwrap();
    for _ in 0..1000 {
        sim.step().unwrap();
    }
    sim.counts().factorizations - 4 * 1000
}

/// On Euler parameters the standard projection needs a matrix for positions and one for velocities, where the
/// successive one has one for both; direct correction and mass-orthogonal projections need none of their own.
#[test]
fn successive_projection_needs_half_the_factors() {
    let successive = extra::<body::SpatialSliderCrank>(SuccessiveProjection::default());
    let standard = extra::<body::SpatialSliderCrank>(StandardProjection::default());
    assert_eq!(successive, 1000);
    assert!(standard > 1900, "{standard}");
    assert_eq!(
        extra::<body::SpatialSliderCrank>(DirectCorrection::default()),
        0
    );
    let method = AugmentedLagrangianProjections::default();
    assert_eq!(extra::<body::SpatialSliderCrank>(method), 0);
}
