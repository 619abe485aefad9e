//! Long runs with each stabilizer that projects: violations stay at round-off, nothing becomes a number that is
//! none, and the mechanism stays on its branch, also through the positions where it could leave it.

use bellcrank::prelude::*;
use bellcrank_tests::{double_four_bar as double, four_bar as four, kept};

/// Calls a check with each stabilizer: one line for each.
macro_rules! each {
    ($check:ident($argument:expr)) => {
        $check($argument, "direct-correction", DirectCorrection::default());
        $check($argument, "energy-correction", EnergyCorrection::default());
        $check(
            $argument,
            "direct-correction-plain",
            PlainCorrection::default(),
        );
        $check(
            $argument,
            "standard-projection",
            StandardProjection::default(),
        );
        $check(
            $argument,
            "successive-projection",
            SuccessiveProjection::default(),
        );
        $check(
            $argument,
            "coordinate-partitioning",
            CoordinatePartitioning::default(),
        );
        $check(
            $argument,
            "augmented-lagrangian-projections",
            AugmentedLagrangianProjections::default(),
        );
        $check($argument, "ggl", Ggl::default());
    };
}

#[test]
fn four_bar_stays_for_a_million_steps() {
    each!(four_bar(1_000_000));
}

#[test]
fn double_four_bar_stays_for_a_million_steps() {
    each!(double_four_bar(1_000_000));
}

/// Violations scaled by the longest link, 4 m. The coupler stays on its side of the follower: on the other branch
/// the loop is folded the other way.
fn four_bar<S: Stabilizer<kept::FourBar>>(steps: usize, name: &str, keep: S) {
    let mut sim = Simulation::new(kept::FourBar::default(), Rk4::new(1e-3), keep).unwrap();
    let energy = sim.frame().energy();
    let side = |sim: &Simulation<_, _, S>| {
        let outputs = sim.outputs().unwrap();
        let between = outputs[four::output::COUPLER] - outputs[four::output::FOLLOWER];
        between.sin().signum()
    };
    let branch = side(&sim);
    for n in 0..steps {
        let report = sim.step().unwrap_or_else(|stop| panic!("{name}: {stop}"));
        let kept = report.phi < 4e-12 && report.phi_dot < 4e-12;
        assert!(kept, "{name}: {report:?}");
        if n % 100 == 0 {
            assert_eq!(side(&sim), branch, "{name} in step {n}");
        }
    }
    let drift = (sim.frame().energy() - energy).abs();
    println!("four-bar, {steps} steps, {name}: energy {drift:.1e} of {energy:.0} J off");
    // h⁴ of RK4 at 1 ms, some 1e-10 J a step.
    assert!(drift < 1e-8 * steps as f64, "{name}: {drift:e}");
}

/// Level positions come once a second, and there the rows depend on each other. Φ and Φ̇ stay at round-off: passes go
/// on to 16 round-offs of 2.1 m a second and at most 5.3 m/s, and end below 64 times that where nothing gets better.
/// Both loops stay parallelograms.
///
/// Near the level position the solve amplifies round-off at random: 300 rad/s² across the motion where a step ends
/// 1e-5 m from it with 1e-14 m of Φ. Projections remove the velocity across the motion. If they are orthogonal to the
/// motion in the mass metric, they take the square of that velocity in energy; in the metric of the velocities they
/// take a small part of it. Coordinate partitioning keeps the share that is in the independent velocity, whatever it
/// is: the mechanism loses or gains some J.
fn double_four_bar<S: Stabilizer<kept::DoubleFourBar>>(steps: usize, name: &str, keep: S) {
    let mut sim = Simulation::new(kept::DoubleFourBar::default(), Rk4::new(1e-3), keep).unwrap();
    let energy = sim.frame().energy();
    let (mut phi_dot, mut tilt) = (0.0_f64, 0.0_f64);
    for n in 0..steps {
        let report = sim.step().unwrap_or_else(|stop| panic!("{name}: {stop}"));
        let kept = report.phi < 1e-12 && report.phi_dot < 2e-12;
        assert!(kept, "{name}: {report:?}");
        phi_dot = phi_dot.max(report.phi_dot);
        if n % 10 == 0 {
            let outputs = sim.outputs().unwrap();
            let tilts = [double::output::FIRST_TILT, double::output::SECOND_TILT];
            tilt = tilts
                .iter()
                .fold(tilt, |tilt, k| tilt.max(outputs[*k].abs()));
            assert!(tilt < 1e-9, "{name} in step {n}: {tilt:e}");
        }
    }
    let drift = (sim.frame().energy() - energy).abs();
    println!(
        "double four-bar, {steps} steps, {name}: Φ̇ {phi_dot:.1e}, tilt {tilt:.1e} m, energy {drift:.1e} of {energy:.0} J off"
    );
    let limit = match name {
        "coordinate-partitioning" => energy,
        _ => 1e-2,
    };
    assert!(drift < limit, "{name}: {drift:e}");
}

/// Largest drift of the four-bar's energy in 10 s.
fn drift<S: Stabilizer<kept::FourBar>>(step: f64, keep: S) -> f64 {
    let mut sim = Simulation::new(kept::FourBar::default(), Rk4::new(step), keep).unwrap();
    let energy = sim.frame().energy();
    let drifts = sim.until(10.0);
    let drifts = drifts.map(|frame| (frame.unwrap().energy() - energy).abs());
    drifts.fold(0.0, f64::max)
}

/// A method that keeps the energy may lose this much of 101 J: round-off of up to 20,000 steps.
const ROUND_OFF: f64 = 1e-10;

/// Of 101 J. Order 4 or better: half of the step leaves a sixteenth, with projections that take most of it away. Energy
/// correction leaves round-off, whatever the step is.
fn falls<S: Stabilizer<kept::FourBar> + Copy>(steps: [f64; 4], name: &str, keep: S) {
    let drifts = steps.map(|step| drift(step, keep));
    println!(
        "{name:<34} {:.1e} {:.1e} {:.1e} {:.1e}",
        drifts[0], drifts[1], drifts[2], drifts[3]
    );
    if name == "energy-correction" {
        assert!(drifts.iter().all(|drift| *drift < ROUND_OFF), "{drifts:?}");
        return;
    }
    let slope = (drifts[0] / drifts[3]).log2() / 3.0;
    assert!(slope > 3.5, "{name}: {slope}");
}

#[test]
fn energy_drift_falls_with_the_step() {
    each!(falls([4e-3, 2e-3, 1e-3, 5e-4]));
}
