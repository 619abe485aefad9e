//! Mechanisms with springs for joints, by tiny steps of one evaluation.

use bellcrank::prelude::*;
use bellcrank_tests::{body, discrete, discrete::fine, reference};

const FOUR_BAR: &str = include_str!("../../../models/four_bar/reference.csv");
const SLIDER_CRANK: &str = include_str!("../../../models/spatial_slider_crank/reference.csv");
const ROTATING_END: &str = include_str!("../../../models/rotating_end_pendulum/reference.csv");
const PENDULUM: &str = include_str!("../../../models/simple_pendulum/reference.csv");

type Tiny<M> = Simulation<M, SemiImplicitEuler<f64>, NoStabilizer>;

fn tiny<M: Mechanism<Scalar = f64>>(mechanism: M, step: f64) -> Tiny<M> {
    Simulation::new(mechanism, SemiImplicitEuler::new(step), NoStabilizer).unwrap()
}

/// How far the first output gets from the first column of the reference in a second, with the step that the springs
/// are for; and how far energy and work are out of balance.
fn gap<M: Mechanism<Scalar = f64>>(mechanism: M, text: &str) -> (f64, f64) {
    let mut sim = tiny(mechanism, M::DEFAULTS.step);
    let balance = |sim: &Tiny<M>| sim.frame().energy() - sim.state().work;
    let start = balance(&sim);
    let (mut gap, mut drift) = (0.0_f64, 0.0_f64);
    for row in reference(text).iter().take_while(|row| row[0] <= 1.0) {
        assert!(sim.until(row[0]).all(|frame| frame.is_ok()));
        let output = sim.outputs().unwrap().as_slice()[0];
        gap = gap.max((output - row[1]).abs());
        drift = drift.max((balance(&sim) - start).abs());
    }
    (gap, drift)
}

/// The method has order 1 in both. Joints open by F/k and k follows 1/h², so a fifth of the step leaves a fifth to a
/// twenty-fifth of the error; a third, because both parts may differ in sign.
fn follows<A, B>(at_10: A, at_2: B, text: &str, bound: f64, balance: f64)
where
    A: Mechanism<Scalar = f64>,
    B: Mechanism<Scalar = f64>,
{
    assert_eq!((A::DEFAULTS.step, B::DEFAULTS.step), (1e-5, 2e-6));
    let ((coarse, drift), (small, less)) = (gap(at_10, text), gap(at_2, text));
    assert!(coarse < bound, "{}: {coarse:e}", A::NAME);
    assert!(small < coarse / 3.0, "{}: {coarse:e}, {small:e}", A::NAME);
    assert!(drift < balance, "{}: {drift:e}", A::NAME);
    assert!(less < drift / 3.0, "{}: {drift:e}, {less:e}", A::NAME);
}

/// Error h times what speeds change by, of order 1 here: a few 1e-5. F/k is 1e-7 m at the four-bar, 3e-6 m at the
/// end that turns, where a rod of 1.5 kg carries 25 kg, and nothing at the pendulum. At the slider-crank it is 1e-5 m
/// on arms of 0.05 m, because its crank of 1e-5 kg m² lets no stiffer spring be; and the crank stands still and turns
/// back there, which makes ten times as much of any error. The balance of energy is off by h times the change of power.
#[test]
fn springs_follow_the_reference() {
    follows(
        discrete::FourBar::default(),
        fine::FourBar::default(),
        FOUR_BAR,
        5e-5,
        2e-3,
    );
    follows(
        discrete::SpatialFourBar::default(),
        fine::SpatialFourBar::default(),
        FOUR_BAR,
        5e-5,
        2e-3,
    );
    follows(
        discrete::SpatialSliderCrank::default(),
        fine::SpatialSliderCrank::default(),
        SLIDER_CRANK,
        3e-4,
        5e-4,
    );
    follows(
        discrete::RotatingEndPendulum::default(),
        fine::RotatingEndPendulum::default(),
        ROTATING_END,
        5e-5,
        1e-2,
    );
    follows(
        discrete::SimplePendulum::default(),
        fine::SimplePendulum::default(),
        PENDULUM,
        5e-5,
        2e-3,
    );
}

/// Springs of rows that repeat others share the load: nothing is left out, and nothing is singular.
#[test]
fn redundant_joints_need_no_choice() {
    assert_eq!(discrete::SpatialFourBar::COMPLIANT, 20);
    assert_eq!(discrete::SpatialFourBar::CONSTRAINTS.len(), 0);
    assert_eq!(discrete::SpatialFourBar::REDUNDANT.len(), 0);
    let mut sim = tiny(discrete::SpatialFourBar::default(), 1e-5);
    assert!(sim.until(0.5).all(|frame| frame.is_ok()));
    assert_eq!(sim.counts().dense, 0);
    assert!(sim.reactions().unwrap().iter().all(|f| f.is_finite()));
}

/// The first output over a second.
fn outputs<M, I>(mechanism: M, method: I) -> Vec<f64>
where
    M: Mechanism<Scalar = f64>,
    I: Integrator<M, NoStabilizer>,
{
    let mut sim = Simulation::new(mechanism, method, NoStabilizer).unwrap();
    let sample = |k: u32| {
        let end = f64::from(k) * 0.02;
        assert!(sim.until(end).all(|frame| frame.is_ok()));
        sim.outputs().unwrap().as_slice()[0]
    };
    (1..=50).map(sample).collect()
}

/// How the error falls over a decade of steps with the springs as they are, against a method of order 4 whose own
/// error at a step of 0.3 of a vibration's radian is below a thousandth of it.
fn slope<M: Mechanism<Scalar = f64> + Clone>(mechanism: M, step: f64, exact: f64) -> f64 {
    let exact = outputs(mechanism.clone(), Rk4::new(exact));
    let error = |step| {
        let found = outputs(mechanism.clone(), SemiImplicitEuler::new(step));
        let gaps = found.iter().zip(&exact).map(|(a, b)| (a - b).abs());
        gaps.fold(0.0, f64::max)
    };
    (error(step) / error(step / 10.0)).log10()
}

#[test]
fn tiny_steps_have_order_one() {
    let pendulum = slope(discrete::soft::SimplePendulum::default(), 1e-4, 1e-5);
    assert!((pendulum - 1.0).abs() < 0.15, "pendulum {pendulum}");
    let four_bar = slope(discrete::FourBar::default(), 1e-5, 2e-6);
    assert!((four_bar - 1.0).abs() < 0.15, "four-bar {four_bar}");
}

/// Largest entry of Aᵀ A − 1 over the axes A of all bodies, which come after three coordinates of the centre.
fn skew<M: Mechanism<Scalar = f64>>(sim: &Tiny<M>) -> f64 {
    let mut worst = 0.0_f64;
    for body in sim.state().q.as_slice().chunks(12) {
        let axes = [&body[3..6], &body[6..9], &body[9..12]];
        for (i, a) in axes.iter().enumerate() {
            for (j, b) in axes.iter().enumerate() {
                let product: f64 = a.iter().zip(*b).map(|(a, b)| a * b).sum();
                worst = worst.max((product - f64::from(u8::from(i == j))).abs());
            }
        }
    }
    worst
}

/// 1024 steps between two renewals turn by nearly the same matrix, whose rounding adds up: at most about an ulp a step.
#[test]
fn axes_stay_orthonormal_for_a_million_steps() {
    let mut sim = tiny(discrete::RotatingEndPendulum::default(), 1e-5);
    let mut worst = 0.0_f64;
    for n in 0..1_000_000 {
        sim.step().unwrap();
        if n % 100 == 0 {
            worst = worst.max(skew(&sim));
        }
    }
    assert!(worst < 1024.0 * f64::EPSILON, "{worst:e}");
}

/// Without damping the method is symplectic: energy swings by h times the power, 1e-3 J here, and stays there.
#[test]
fn undamped_energy_stays_in_bounds() {
    let mut sim = tiny(discrete::undamped::SimplePendulum::default(), 1e-4);
    let swing = |sim: &mut Tiny<discrete::undamped::SimplePendulum>, seconds: f64| {
        let end = sim.time() + seconds;
        let energies = sim.until(end).map(|frame| frame.unwrap().energy().abs());
        energies.fold(0.0, f64::max)
    };
    let first = swing(&mut sim, 10.0);
    assert!(sim.until(90.0).all(|frame| frame.is_ok()));
    let last = swing(&mut sim, 10.0);
    assert!(first < 3e-3 && last < 1.2 * first, "{first:e} {last:e}");
    assert_eq!(sim.state().work, 0.0);
}

/// The forces of the springs are the reactions, about which they vibrate no more a while after the start. Both runs
/// are 1e-5 s and 1e-5 rad apart, in forces that change by a hundred times themselves in a second.
#[test]
fn springs_pull_as_rigid_joints_do() {
    let mut soft = tiny(discrete::FourBar::default(), 1e-5);
    let (method, keep) = (Rk4::new(1e-4), DirectCorrection::default());
    let mut rigid = Simulation::new(body::FourBar::default(), method, keep).unwrap();
    for time in [0.1, 0.3, 0.5] {
        assert!(soft.until(time).all(|frame| frame.is_ok()));
        assert!(rigid.until(time).all(|frame| frame.is_ok()));
        let (one, two) = (soft.reactions().unwrap(), rigid.reactions().unwrap());
        let off = (one - two).amax();
        assert!(off < 1e-3 * two.amax(), "{off:e} of {} N", two.amax());
    }
}

bellcrank::mechanism! {
    name = "Adjustable"
    space = "planar"
    formulation = "discrete"
    gravity = [0, -9.81]

    [parameters]
    arm = 0.5

    [bodies.rod]
    mass = 1
    inertia = 0.1
    points = { top = ["-arm", 0] }
    position = [0.5, 0]

    [joints.pin]
    type = "revolute"
    between = ["ground", "rod.top"]

    [outputs]
    x = "rod.top.x"
    y = "rod.top.y"
}

/// With another arm the guess is open by 0.2 m: a new start closes it, up to round-off, and then it opens by F/k.
#[test]
fn another_start_is_closed_too() {
    let mut mechanism = Adjustable::default();
    mechanism.set_parameter(0, 0.7);
    let mut sim = tiny(mechanism, Adjustable::DEFAULTS.step);
    assert!(sim.outputs().unwrap().amax() < 1e-14);
    assert!(sim.until(0.1).all(|frame| frame.is_ok()));
    let open = sim.outputs().unwrap().amax();
    assert!((1e-12..1e-7).contains(&open), "{open:e}");
}
