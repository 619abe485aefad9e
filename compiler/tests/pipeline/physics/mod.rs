//! Physics that must hold for every mechanism, on random ones: the equations, energy, momentum,
//! invariance, reactions, couplings and joint coordinates, and two mechanisms whose equations are known by hand.

mod applied;
mod couplings;
mod drift;
mod driven_couplings;
mod energy;
mod equations;
mod invariance;
mod joint_rows;
mod joints;
mod light;
mod machine;
mod mechanism;
mod momentum;
mod orientation;
mod pairs;
mod random_mechanism;
mod reactions;
mod rounded;
mod shafts;
mod thin;
mod transform;
mod trees_and_loops;
mod twins;

use proptest::test_runner::{Config, RngSeed};

/// The same mechanisms in every run.
fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(0x6265_6c6c),
        failure_persistence: None,
        // Each try compiles a mechanism.
        max_shrink_iters: 60,
        ..Config::default()
    }
}

/// The violation that the integrator causes falls by 2⁴ when the step is halved; a violation in the equations stays.
/// A factor of 6 leaves room for the next order, and 1e-10 is the effect of some thousand roundings of
/// ill-conditioned solves.
fn converges(violation: impl Fn(usize) -> f64) {
    let (coarse, fine) = (violation(1), violation(2));
    let allowed = (coarse / 6.0).max(1e-10);
    assert!(
        coarse < 1e-2,
        "a step that resolves the motion, not {coarse:e}"
    );
    assert!(fine < allowed, "{coarse:e} only falls to {fine:e}");
}
