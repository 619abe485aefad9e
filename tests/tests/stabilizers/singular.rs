//! The double four-bar, whose links are in line in every half turn: rows lose rank there, and other motions branch
//! off.

use bellcrank::prelude::*;

use super::{Full, body, points, square};

/// 10 s with 1 ms go through ten singular positions. Violations stay round-off, couplers stay level, as they do on
/// this branch only, and the energy of 36 J is kept up to what steps near such a position cost, about 1e-4 J each.
fn passes<M: Full>(what: &str, stabilizer: impl Stabilizer<M>) {
    let mut sim = Simulation::new(M::default(), Rk4::new(1e-3), stabilizer).unwrap();
    let start = sim.frame().balance();
    for _ in 0..10_000 {
        sim.step().unwrap_or_else(|stop| panic!("{what}: {stop}"));
        let square = square(sim.mechanism(), sim.state());
        assert!(square < 1e-24, "{what}: {square:e} at {}", sim.time());
    }
    let drift = (sim.frame().balance() - start).abs();
    assert!(drift < 1e-3, "{what}: {drift:e}");
    let outputs = sim.outputs().unwrap();
    for (k, name) in M::OUTPUTS.iter().enumerate() {
        let level = !name.ends_with("tilt") || outputs[k].abs() < 1e-6;
        assert!(level, "{what}: {name} is {:e}", outputs[k]);
    }
}

fn all_pass<M: Full>() {
    passes::<M>("direct", DirectCorrection::default());
    passes::<M>("energy", EnergyCorrection::default());
    passes::<M>("plain", PlainCorrection::default());
    passes::<M>("successive", SuccessiveProjection::default());
    passes::<M>("standard", StandardProjection::default());
    passes::<M>("mass-orthogonal", AugmentedLagrangianProjections::default());
    passes::<M>("partitioning", CoordinatePartitioning::default());
    passes::<M>("index 2", Ggl::default());
}

#[test]
fn singular_positions_are_passed_in_points() {
    all_pass::<points::DoubleFourBar>();
}

#[test]
fn singular_positions_are_passed_in_absolute_coordinates() {
    all_pass::<body::DoubleFourBar>();
}
