//! A copy of a simulation goes on as the original does, and leaves it alone.

mod common;

use bellcrank::prelude::*;
use common::double_four_bar::DoubleFourBar;
use common::pendulum::Pendulum;

/// Copies in the middle of a run, lets the copy run ahead, and compares every later state to the last bit.
#[track_caller]
fn check<M, I, S>(mechanism: M, integrator: I, stabilizer: S)
where
    M: Mechanism<Scalar = f64> + Clone,
    I: Integrator<M, S> + Clone + core::fmt::Debug,
    S: Stabilizer<M> + Clone + core::fmt::Debug,
{
    let mut sim = Simulation::new(mechanism, integrator, stabilizer).unwrap();
    for _ in 0..57 {
        sim.step().unwrap();
    }
    // What a reader has evaluated is kept for the next step, in the copy too.
    sim.outputs().unwrap();
    let mut copy = sim.clone();
    let ahead: Vec<(State<M>, usize)> = (0..100)
        .map(|_| {
            copy.step().unwrap();
            (*copy.state(), copy.counts().evaluations)
        })
        .collect();
    assert!(copy.time() > sim.time());
    for (state, evaluations) in ahead {
        sim.step().unwrap();
        assert_eq!(*sim.state(), state);
        assert_eq!(sim.counts().evaluations, evaluations);
    }
    let text = format!("{sim:?}");
    assert!(text.contains(M::NAME) && text.contains("state"), "{text}");
}

#[test]
fn a_clone_continues_with_the_same_bits() {
    check(
        Pendulum::default(),
        Rk4::new(1e-2),
        DirectCorrection::default(),
    );
    check(Pendulum::default(), Rk2::new(1e-2), NoStabilizer);
    check(
        Pendulum::default(),
        SemiImplicitEuler::new(1e-3),
        DirectCorrection::default(),
    );
    check(
        Pendulum::default(),
        DormandPrince::new(1e-8),
        DirectCorrection::default(),
    );
    // Its rows are dependent at the start, so the dense solve and the passage leave what they found.
    check(
        DoubleFourBar::default(),
        Rk4::new(1e-2),
        DirectCorrection::default(),
    );
}
