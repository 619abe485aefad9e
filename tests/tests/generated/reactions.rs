//! Reactions of redundant constraints: the smallest ones, the same in every formulation.

use bellcrank::Vector;
use bellcrank::prelude::*;

#[allow(missing_docs, reason = "generated code documents itself")]
mod multiplier {
    bellcrank::include_mechanism!("spatial_parallelogram_multiplier");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod momentum {
    bellcrank::include_mechanism!("spatial_parallelogram_momentum");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod joint {
    bellcrank::include_mechanism!("spatial_parallelogram_joint");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod body {
    bellcrank::include_mechanism!("spatial_parallelogram_body");
}

/// Reactions every 10 ms. The joints bring all motion in the plane, so that gravity along z has to be held by moments
/// which the four hinges share.
fn reactions<M: Mechanism<Scalar = f64> + Default>() -> Vec<Vec<f64>> {
    let (rk4, keep) = (Rk4::new(1e-3), DirectCorrection::default());
    let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
    let mut rows = Vec::new();
    for n in 1..=10 {
        sim.at(0.01 * f64::from(n)).unwrap();
        let reactions = sim.frame().reactions().unwrap();
        rows.push(reactions.as_slice().to_vec());
    }
    rows
}

/// Some 50 N and N m. States agree to 1e-11 after 100 steps, and accelerations multiply that by some hundred.
#[test]
fn every_formulation_has_the_same_reactions() {
    let expected = reactions::<body::SpatialParallelogram>();
    let others = [
        reactions::<multiplier::SpatialParallelogram>(),
        reactions::<momentum::SpatialParallelogram>(),
        reactions::<joint::SpatialParallelogram>(),
    ];
    for other in others {
        for (one, two) in expected.iter().flatten().zip(other.iter().flatten()) {
            assert!((one - two).abs() < 1e-7, "{one} {two}");
        }
    }
}

/// Reactions are orthogonal to every state of self-stress: no other ones that balance the same forces are smaller.
#[test]
fn no_reactions_are_smaller() {
    type M = joint::SpatialParallelogram;
    let (rk4, keep) = (Rk4::new(1e-3), DirectCorrection::default());
    let mut sim = Simulation::new(M::default(), rk4, keep).unwrap();
    sim.at(0.1).unwrap();
    let frame = sim.frame();
    let (m, state) = (frame.mechanism(), frame.state().view());
    let (multipliers, accelerations) =
        (frame.multipliers().unwrap(), frame.accelerations().unwrap());
    let felt = |multipliers: &<M as Mechanism>::Multipliers| {
        let mut reactions = <<M as Mechanism>::Reactions as Vector<f64>>::zero();
        m.reactions(state, &accelerations, multipliers, &mut reactions);
        reactions
    };
    let found = felt(&multipliers);
    let mut dense = bellcrank::Dense::<M>::zero();
    m.dense(state, &mut dense);
    assert_eq!(M::REDUNDANT.len(), 3);
    for &row in M::REDUNDANT {
        // In joint coordinates the rows that keep hinges parallel vanish: each is a self-stress by itself.
        let n = <M as Mechanism>::Velocities::LEN;
        let entry = (0..n).fold(0.0_f64, |most, k| most.max(dense.rows[(row, k)].abs()));
        assert!(entry < 1e-12, "{}: {entry}", M::CONSTRAINTS[row]);
        let mut stressed = multipliers;
        stressed[row] += 1.0;
        let change = felt(&stressed) - found;
        assert!(change.norm() > 0.1);
        assert!(change.dot(&found).abs() < 1e-9, "{}", change.dot(&found));
    }
}
