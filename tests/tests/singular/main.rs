//! Singular positions in every formulation.
//!
//! Eleven mechanisms, up to three singular positions of each, 55 distances, up to six steps, both directions: more than
//! 10,000 states in each formulation.

mod passes;
mod reactions;
mod starts;

use bellcrank::prelude::*;

use passes::{Bound, balance, passes};

#[allow(missing_docs, reason = "generated code documents itself")]
mod multiplier {
    bellcrank::include_mechanism!("parallelogram_multiplier");
    bellcrank::include_mechanism!("antiparallelogram_multiplier");
    bellcrank::include_mechanism!("driven_multiplier");
    bellcrank::include_mechanism!("equal_slider_multiplier");
    bellcrank::include_mechanism!("kite_multiplier");
    bellcrank::include_mechanism!("spatial_parallelogram_multiplier");
    bellcrank::include_mechanism!("level_multiplier");
    bellcrank::include_mechanism!("toggle_multiplier");
    bellcrank::include_mechanism!("even_parallelogram_multiplier");
    bellcrank::include_mechanism!("crossed_slider_multiplier");
    bellcrank::include_mechanism!("folded_bricard_multiplier");
    bellcrank::include_mechanism!("turned_stewart_multiplier");
    bellcrank::include_mechanism!("flat_delta_multiplier");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod momentum {
    bellcrank::include_mechanism!("parallelogram_momentum");
    bellcrank::include_mechanism!("antiparallelogram_momentum");
    bellcrank::include_mechanism!("driven_momentum");
    bellcrank::include_mechanism!("equal_slider_momentum");
    bellcrank::include_mechanism!("kite_momentum");
    bellcrank::include_mechanism!("spatial_parallelogram_momentum");
    bellcrank::include_mechanism!("level_momentum");
    bellcrank::include_mechanism!("toggle_momentum");
    bellcrank::include_mechanism!("even_parallelogram_momentum");
    bellcrank::include_mechanism!("crossed_slider_momentum");
    bellcrank::include_mechanism!("folded_bricard_momentum");
    bellcrank::include_mechanism!("turned_stewart_momentum");
    bellcrank::include_mechanism!("flat_delta_momentum");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod joint {
    bellcrank::include_mechanism!("parallelogram_joint");
    bellcrank::include_mechanism!("antiparallelogram_joint");
    bellcrank::include_mechanism!("driven_joint");
    bellcrank::include_mechanism!("equal_slider_joint");
    bellcrank::include_mechanism!("kite_joint");
    bellcrank::include_mechanism!("spatial_parallelogram_joint");
    bellcrank::include_mechanism!("level_joint");
    bellcrank::include_mechanism!("toggle_joint");
    bellcrank::include_mechanism!("even_parallelogram_joint");
    bellcrank::include_mechanism!("crossed_slider_joint");
    bellcrank::include_mechanism!("folded_bricard_joint");
    bellcrank::include_mechanism!("turned_stewart_joint");
    bellcrank::include_mechanism!("flat_delta_joint");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod body {
    bellcrank::include_mechanism!("parallelogram_body");
    bellcrank::include_mechanism!("antiparallelogram_body");
    bellcrank::include_mechanism!("driven_body");
    bellcrank::include_mechanism!("equal_slider_body");
    bellcrank::include_mechanism!("kite_body");
    bellcrank::include_mechanism!("spatial_parallelogram_body");
    bellcrank::include_mechanism!("level_body");
    bellcrank::include_mechanism!("toggle_body");
    bellcrank::include_mechanism!("even_parallelogram_body");
    bellcrank::include_mechanism!("crossed_slider_body");
    bellcrank::include_mechanism!("folded_bricard_body");
    bellcrank::include_mechanism!("turned_stewart_body");
    bellcrank::include_mechanism!("flat_delta_body");
}

#[allow(missing_docs, reason = "generated code documents itself")]
mod swing {
    bellcrank::include_mechanism!("parallelogram_swing");
    bellcrank::include_mechanism!("antiparallelogram_swing");
    bellcrank::include_mechanism!("driven_swing");
    bellcrank::include_mechanism!("equal_slider_swing");
    bellcrank::include_mechanism!("kite_swing");
    bellcrank::include_mechanism!("level_swing");
    bellcrank::include_mechanism!("toggle_swing");
    bellcrank::include_mechanism!("crossed_slider_swing");
}

/// The error of RK4 over 30 steps at the largest rates of the mechanism, 5 to 10 rad/s: (h ω)⁴ = 1.6e-7 at 2 ms, of
/// which it makes about a tenth. On another branch a state is off by some tenths.
const BOUND: Bound = Bound {
    energy: 1e-7,
    state: 1e-7,
    reverses: true,
    steps: &[0.3e-3, 0.5e-3, 0.8e-3, 1e-3, 1.4e-3, 2e-3],
};

/// The follower turns back three times as fast as the crank, at 15 to 25 rad/s, in a short while around the singular
/// position: RK4 itself is off by 3e-5 at 2 ms.
const FAST: Bound = Bound {
    energy: 1e-4,
    state: 1e-4,
    ..BOUND
};

/// The drive's torque changes its slope at the singular position with the square of the follower's acceleration; its
/// work is as good as a smooth torque would have it.
const DRIVEN: Bound = Bound {
    energy: 1e-6,
    reverses: false,
    ..BOUND
};

/// Drivers that push a mechanism with mass through a singular position need forces without bound. The motion is
/// prescribed and as good as elsewhere. The work is an integral of a power that is finite, but a product of what grows
/// and what vanishes: at a stage that is off the manifold by (h ω)² it is off by (h ω)²/σ.
const POLE: Bound = Bound {
    energy: 1e-5,
    reverses: false,
    ..BOUND
};

/// The same for a toggle and a Stewart platform, whose drive forces grow within a step: at 2 ms the work is off by up
/// to 1e-3 of the kinetic energy. A step that kept away by half of its way would leave 1e-5, but then velocities of the
/// double four-bar stay off by 2e-12 instead of round-off.
const TOGGLE: Bound = Bound {
    energy: 3e-3,
    ..POLE
};

/// Of redundant constraint equations the same ones are left out everywhere, and off the manifold the others are wrong
/// by the square of 1/σ, so that steps of RK4 are worse than elsewhere up to some ten steps away from the folded
/// position.
const FOLDED: Bound = Bound {
    energy: 3e-5,
    state: 1e-5,
    steps: &[1e-3],
    ..BOUND
};

/// Three constraint equations at once; a passage takes a thousand times as long as a step.
const FLAT: Bound = Bound {
    steps: &[1e-3],
    ..BOUND
};

#[test]
fn a_parallelogram_passes_level_positions() {
    passes::<multiplier::Parallelogram>(BOUND);
    passes::<momentum::Parallelogram>(BOUND);
    passes::<joint::Parallelogram>(BOUND);
    passes::<body::Parallelogram>(BOUND);
    passes::<swing::Parallelogram>(BOUND);
}

#[test]
fn an_antiparallelogram_stays_one() {
    passes::<multiplier::Antiparallelogram>(FAST);
    passes::<momentum::Antiparallelogram>(FAST);
    passes::<joint::Antiparallelogram>(FAST);
    passes::<body::Antiparallelogram>(FAST);
    passes::<swing::Antiparallelogram>(FAST);
}

#[test]
fn a_driven_parallelogram_passes_level_positions() {
    passes::<multiplier::Driven>(DRIVEN);
    passes::<momentum::Driven>(DRIVEN);
    passes::<joint::Driven>(DRIVEN);
    passes::<body::Driven>(DRIVEN);
    passes::<swing::Driven>(DRIVEN);
}

#[test]
fn a_slider_passes_the_shaft() {
    passes::<multiplier::EqualSlider>(BOUND);
    passes::<momentum::EqualSlider>(BOUND);
    passes::<joint::EqualSlider>(BOUND);
    passes::<body::EqualSlider>(BOUND);
    passes::<swing::EqualSlider>(BOUND);
}

#[test]
fn a_kite_unfolds_as_it_folded() {
    passes::<multiplier::Kite>(BOUND);
    passes::<momentum::Kite>(BOUND);
    passes::<joint::Kite>(BOUND);
    passes::<body::Kite>(BOUND);
    passes::<swing::Kite>(BOUND);
}

#[test]
fn redundant_constraints_do_not_hide_a_singular_position() {
    passes::<multiplier::SpatialParallelogram>(BOUND);
    passes::<momentum::SpatialParallelogram>(BOUND);
    passes::<joint::SpatialParallelogram>(BOUND);
    passes::<body::SpatialParallelogram>(BOUND);
}

#[test]
fn two_loops_may_be_singular_at_once() {
    passes::<multiplier::DoubleFourBar>(BOUND);
    passes::<momentum::DoubleFourBar>(BOUND);
    passes::<joint::DoubleFourBar>(BOUND);
    passes::<body::DoubleFourBar>(BOUND);
    passes::<swing::DoubleFourBar>(BOUND);
}

#[test]
fn a_toggle_passes_the_straight_position() {
    passes::<multiplier::Toggle>(TOGGLE);
    passes::<momentum::Toggle>(TOGGLE);
    passes::<joint::Toggle>(TOGGLE);
    passes::<body::Toggle>(TOGGLE);
    passes::<swing::Toggle>(TOGGLE);
}

#[test]
fn a_ring_of_bricard_unfolds_on_its_branch() {
    passes::<multiplier::FoldedBricard>(FOLDED);
    passes::<momentum::FoldedBricard>(FOLDED);
    passes::<joint::FoldedBricard>(FOLDED);
    passes::<body::FoldedBricard>(FOLDED);
}

#[test]
fn a_stewart_platform_turns_through_a_right_angle() {
    passes::<multiplier::TurnedStewart>(TOGGLE);
    passes::<momentum::TurnedStewart>(TOGGLE);
    passes::<joint::TurnedStewart>(TOGGLE);
    passes::<body::TurnedStewart>(TOGGLE);
}

#[test]
fn a_delta_robot_passes_its_flat_position() {
    passes::<multiplier::FlatDelta>(FLAT);
    passes::<momentum::FlatDelta>(FLAT);
    passes::<joint::FlatDelta>(FLAT);
    passes::<body::FlatDelta>(FLAT);
}

/// 1.1 ms made 1,777 J of 36 J; 0.7 to 2.1 ms ended like that or stopped.
#[test]
fn no_energy_comes_out_of_level_positions() {
    for step in [0.7e-3, 1.1e-3, 2.1e-3] {
        let (rk4, keep) = (Rk4::new(step), DirectCorrection::default());
        let mut sim = Simulation::new(swing::DoubleFourBar::default(), rk4, keep).unwrap();
        let start = balance(sim.state());
        for _ in 0..1_000_000 {
            sim.step().unwrap();
        }
        let off = (balance(sim.state()) - start).abs();
        // The drift of RK4 at 2.1 ms, 1e-7 J in 100 s, twenty times as long.
        assert!(off < 1e-5, "{step:e}: {off:e}");
    }
}
