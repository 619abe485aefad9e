//! Orders, exact values, and the report of a run.

mod common;

use bellcrank::prelude::*;
use common::double_four_bar::DoubleFourBar;
use common::pendulum::{Bar, DoubledPendulum, DrivenPendulum, Pendulum};
use common::rotor::Rotor;
use common::unrolled::UnrolledPendulum;
use nalgebra::Vector6;

/// x and y of a point on 1 m at 1, 5 and 10 s, from Jacobi's functions: benchmarks.md, A01.
const EXACT: [(f64, f64, f64); 3] = [
    (1.0, 0.986291751131875, -0.165010853125541),
    (5.0, -0.942305435043757, -0.334754338414001),
    (10.0, -0.275087462576117, -0.961419205099125),
];

/// Distance from the exact position at 1 s.
fn error_at_one_second<I: Integrator<Pendulum, DirectCorrection>>(integrator: I) -> f64 {
    let mut sim =
        Simulation::new(Pendulum::default(), integrator, DirectCorrection::default()).unwrap();
    assert!(sim.until(1.0).all(|frame| frame.is_ok()));
    assert_eq!(sim.time(), 1.0);
    let (_, x, y) = EXACT[0];
    let q = sim.state().q;
    (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y)
}

/// log₂ of the ratio of the errors at h and h/2.
fn slope(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

#[test]
fn rk4_has_order_four() {
    let errors = [0.02, 0.01, 0.005].map(|step| error_at_one_second(Rk4::new(step)));
    // The leading term of the error has a companion of the order of the step.
    for pair in errors.windows(2) {
        assert!((slope(pair[0], pair[1]) - 4.0).abs() < 0.2, "{errors:?}");
    }
}

#[test]
fn semi_implicit_euler_has_order_one() {
    let errors = [2e-3, 1e-3, 5e-4].map(|step| error_at_one_second(SemiImplicitEuler::new(step)));
    for pair in errors.windows(2) {
        assert!((slope(pair[0], pair[1]) - 1.0).abs() < 0.1, "{errors:?}");
    }
}

#[test]
fn pendulum_meets_the_exact_solution() {
    let mut sim = Simulation::new(
        Pendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    for (time, x, y) in EXACT {
        let last = sim.until(time).last().unwrap().unwrap();
        let q = last.coordinates();
        // Order 4 at h = 1e-3 gives about 1e-12 a second, and the phase error grows with time.
        assert!((q[0] / 0.5 - x).hypot(q[1] / 0.5 - y) < 1e-10, "{time}");
    }
}

#[test]
fn unconstrained_rotor_meets_the_exact_solution() {
    let mut sim = Simulation::new(Rotor, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    let (time, x, y) = EXACT[0];
    let last = sim.until(time).last().unwrap().unwrap();
    let q = last.coordinates();
    assert!((q[1].abs() - x.abs()).hypot(q[0] - y) < 1e-10, "{q}");
    assert!((q.norm() - 1.0).abs() < 1e-15);
}

#[test]
fn unrolled_and_dense_twins_agree() {
    let one = Simulation::new(
        UnrolledPendulum,
        Rk4::new(1e-3),
        DirectCorrection::default(),
    );
    let two = Simulation::new(
        Pendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    );
    let (mut one, mut two) = (one.unwrap(), two.unwrap());
    for _ in 0..1000 {
        let reports = (one.step().unwrap(), two.step().unwrap());
        assert_eq!(reports.0.counts, reports.1.counts);
    }
    assert!((one.state().q - two.state().q).norm() < 1e-13);
}

#[test]
fn without_stabilizer_the_run_drifts_and_says_so() {
    let mut sim = Simulation::new(Pendulum::default(), Rk4::new(1e-2), NoStabilizer).unwrap();
    let last = *sim.until(10.0).last().unwrap().unwrap().report();
    assert!(last.phi > 1e-9 && last.phi < 1e-2, "{last:?}");
    assert_eq!(
        (
            last.position_passes,
            last.velocity_passes,
            last.counts.evaluations
        ),
        (0, 0, 4)
    );
}

#[test]
fn damper_and_torque_balance_the_energy() {
    let bar = Bar {
        parameters: [0.5, 0.3, 0.0],
        inputs: [1.0],
        ..Bar::default()
    };
    let mut sim = Simulation::new(
        common::Twinned(bar),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    let _: &Simulation<Pendulum, _, _> = &sim;
    let mut monitor = Monitor::new(&sim.frame());
    sim.until(5.0)
        .for_each(|frame| monitor.observe(&frame.unwrap()));
    assert!(sim.state().work.abs() > 0.01);
    assert!(monitor.energy_drift < 1e-10, "{monitor:?}");
}

#[test]
fn driver_work_balances_the_energy() {
    let mut sim = Simulation::new(
        DrivenPendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    sim.until(1.0)
        .for_each(|frame| monitor.observe(&frame.unwrap()));
    // Lifted by 0.5 (1 − cos 3) m.
    let lifted = 9.81 * 0.5 * (1.0 - 3_f64.cos());
    assert!((sim.state().work - lifted).abs() < 1e-11);
    assert!(monitor.energy_drift < 1e-11, "{monitor:?}");
}

#[test]
fn doubled_rows_move_like_single_ones() {
    let single = Simulation::new(
        Pendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    );
    let double = Simulation::new(
        DoubledPendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    );
    let (mut single, mut double) = (single.unwrap(), double.unwrap());
    single.until(2.0).for_each(|frame| assert!(frame.is_ok()));
    double
        .until(2.0)
        .for_each(|frame| assert!(frame.unwrap().report().counts.dense == 4));
    assert!((single.state().q - double.state().q).norm() < 1e-12);
    let (one, two) = (single.reactions().unwrap(), double.reactions().unwrap());
    assert!((two.fixed_rows::<2>(0) * 2.0 - one).norm() < 1e-10);
    assert!((two.fixed_rows::<2>(2) * 2.0 - one).norm() < 1e-10);
}

#[test]
fn double_four_bar_passes_its_singular_position() {
    let mut sim = Simulation::new(
        DoubleFourBar::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    sim.until(10.0)
        .for_each(|frame| monitor.observe(&frame.unwrap()));
    // Flat many times on the way; benchmarks.md, A02, N = 2, gives ten digits.
    let q = sim.state().q;
    let error = (q[0] - 0.3284581115).hypot(q[1] - 0.9445185382);
    assert!(error < 1e-8, "{q} {monitor:?}");
    assert!(monitor.energy_drift < 1e-8, "{monitor:?}");
}

#[test]
fn double_four_bar_leaves_its_singular_position() {
    let mechanism = DoubleFourBar::default();
    let mut sim = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    let flat = Vector6::new(1.0, 0.0, 2.0, 0.0, 3.0, 0.0);
    let falling = Vector6::new(0.0, -5.0, 0.0, -5.0, 0.0, -5.0);
    sim.set_state(State::new(0.0, flat, falling)).unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    assert!(sim.step().unwrap().counts.dense > 0);
    sim.until(0.2)
        .for_each(|frame| monitor.observe(&frame.unwrap()));
    // Where it is flat the tops may accelerate each on its own; the step takes its accelerations from later
    // positions, where they may not.
    let q = sim.state().q;
    assert!((q - flat).norm() > 0.5);
    let skew = (q[2] - q[0] - 1.0).abs().max((q[1] - q[3]).abs());
    assert!(skew < 1e-9, "{q}");
    // The error of RK4 at 1 ms; an acceleration of the first stage that is off by 1 m/s² would cost 1e-6 J.
    assert!(
        monitor.phi < 1e-12 && monitor.energy_drift < 1e-9,
        "{monitor:?}"
    );
}

#[test]
fn time_is_not_summed() {
    let mut sim = Simulation::new(Rotor, Rk4::new(0.1), NoStabilizer).unwrap();
    for n in 1..=1000 {
        assert_eq!(sim.step().unwrap().time, f64::from(n) * 0.1);
    }
    let times: Vec<_> = sim
        .until(100.25)
        .map(|frame| frame.unwrap().time())
        .collect();
    assert_eq!(times, [1001.0 * 0.1, 1002.0 * 0.1, 100.25]);
}

#[test]
fn reading_outputs_saves_the_next_first_stage() {
    let new = || {
        Simulation::new(
            Pendulum::default(),
            Rk4::new(1e-3),
            DirectCorrection::default(),
        )
        .unwrap()
    };
    let (mut read, mut unread) = (new(), new());
    let frames = read.until(1.0).map(|frame| frame.unwrap());
    frames.for_each(|frame| assert!(frame.output(0).is_ok()));
    unread.until(1.0).for_each(|frame| assert!(frame.is_ok()));
    assert_eq!(read.state(), unread.state());
    assert_eq!(read.counts().evaluations, unread.counts().evaluations + 1);
}

#[test]
fn an_input_changes_the_next_step() {
    let mut sim = Simulation::new(
        Pendulum::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    sim.outputs().unwrap();
    sim.set_input_named("torque", 100.0).unwrap();
    sim.step().unwrap();
    assert!(sim.state().v[2] > 0.1);
    let unknown = sim.set_input_named("torqe", 0.0).unwrap_err();
    assert_eq!(unknown.nearest, Some("torque"));
    sim.set_input(0, 0.0);
    sim.reset().unwrap();
    assert_eq!((sim.time(), sim.state().v[2]), (0.0, 0.0));
}
