//! A lane of a batch has the bits that its instance has alone, whatever becomes of the other lanes.

use allocation_counter::measure;
use bellcrank::{
    AnyIntegrator, AnyStabilizer, Batch, Batched, DirectCorrection, Mechanism, NoStabilizer, Real,
    Rk2, Rk4, SemiImplicitEuler, Simulation, State, Stop, Vector, Width,
};
use bellcrank_batch_tests::cam::CamPendulum;
use bellcrank_batch_tests::planar::{SweptFourBar, swept_four_bar};
use bellcrank_batch_tests::single;
use bellcrank_batch_tests::singular::{DoubleFourBar, double_four_bar};
use bellcrank_batch_tests::spatial::SweptSliderCrank;
use bellcrank_batch_tests::swing::FourBar;

const STEP: f64 = 1e-3;

fn planar(lane: usize) -> SweptFourBar {
    let mut one = SweptFourBar::new();
    one.set_radius(1.9 + 0.02 * lane as f64);
    one.set_base(2.5 - 0.01 * lane as f64);
    one.set_damping(0.3 * lane as f64);
    one.set_torque(5.0 - lane as f64);
    one
}

fn spatial(lane: usize) -> SweptSliderCrank {
    let mut one = SweptSliderCrank::new();
    one.set_arm(0.05 - 0.001 * lane as f64);
    one.set_load(0.1 * lane as f64);
    one
}

fn cam(lane: usize) -> CamPendulum {
    let mut one = CamPendulum::new();
    one.set_arm(0.7 + 0.03 * lane as f64);
    one.set_softness(30.0 + 4.0 * lane as f64);
    one.set_effort(0.2 * lane as f64);
    one
}

#[test]
fn every_lane_has_the_bits_of_its_instance() {
    let rk4 = || Rk4::new(STEP).into();
    let correction = || DirectCorrection::default().into();
    check::<_, 4>(planar, rk4(), correction());
    check::<_, 8>(planar, rk4(), correction());
    check::<_, 4>(spatial, rk4(), correction());
    check::<_, 8>(spatial, rk4(), correction());
    check::<_, 8>(cam, rk4(), correction());
}

#[test]
fn every_method_of_batches_has_the_bits_of_its_instance() {
    let methods = [
        Rk4::new(STEP).into(),
        Rk2::new(STEP).into(),
        SemiImplicitEuler::new(STEP).into(),
    ];
    for integrator in methods {
        check::<_, 8>(planar, integrator, NoStabilizer.into());
        check::<_, 8>(planar, integrator, DirectCorrection::default().into());
        check::<_, 4>(spatial, integrator, DirectCorrection::default().into());
    }
}

#[test]
fn single_precision_has_them_too() {
    let make = |lane: usize| {
        let mut one = single::SweptFourBar::new();
        one.set_radius(1.9 + 0.01 * lane as f32);
        one
    };
    check::<_, 8>(
        make,
        Rk4::new(1e-3).into(),
        DirectCorrection::default().into(),
    );
    check::<_, 16>(
        make,
        Rk4::new(1e-3).into(),
        DirectCorrection::default().into(),
    );
}

/// The first lane ends a step where its rows depend on each other and goes on by the dense path, alone. The others
/// move faster and meet that position within a step.
#[test]
fn lanes_leave_the_others_where_rows_depend_on_each_other() {
    let dense = pushed::<DoubleFourBar, 4>(step_to_level(), LEVEL + 100);
    assert!(dense[0] > 0, "{dense:?}");
}

#[test]
fn hinged_bodies_without_rows_have_them_too() {
    pushed::<FourBar, 8>(STEP, 300);
}

/// Steps of a batch whose lanes are each faster than the one before, and of each instance; how many evaluations of each
/// were dense.
fn pushed<M: Batched<N, Scalar = f64> + Default, const N: usize>(
    step: f64,
    steps: usize,
) -> [usize; N] {
    let method = (Rk4::new(step), DirectCorrection::default());
    let links = || [(); N].map(|()| M::default());
    let mut batch = Batch::<M, N>::new(links(), method.0, method.1).unwrap();
    let mut alone = links().map(|one| Simulation::new(one, method.0, method.1).unwrap());
    for (lane, sim) in alone.iter_mut().enumerate() {
        let mut state = *sim.state();
        for v in state.v.as_mut_slice() {
            *v *= 1.0 + 0.1 * lane as f64;
        }
        sim.set_state(state).unwrap();
        batch.set_state(lane, &state.q, &state.v);
    }
    for _ in 0..steps {
        batch.step();
        for (lane, sim) in alone.iter_mut().enumerate() {
            sim.step().unwrap();
            assert_eq!(bits(sim.state()), bits(&batch.state(lane)), "lane {lane}");
        }
    }
    alone.map(|sim| sim.counts().dense)
}

const LEVEL: usize = 700;

/// The step with which so many of them end where the links are level, to round-off.
fn step_to_level() -> f64 {
    let above = |step: f64| {
        let stabilizer = DirectCorrection::default();
        let mut sim = Simulation::new(DoubleFourBar::new(), Rk4::new(step), stabilizer).unwrap();
        (0..LEVEL).for_each(|_| assert!(sim.step().is_ok()));
        sim.outputs().unwrap()[double_four_bar::output::Y] > 0.0
    };
    let (mut early, mut late) = (0.6e-3, 1.2e-3);
    for _ in 0..60 {
        let middle = 0.5 * (early + late);
        *(if above(middle) { &mut early } else { &mut late }) = middle;
    }
    late
}

/// One lane cannot be assembled, another one is pushed without bound in the middle of its run.
#[test]
fn a_lane_that_fails_disturbs_nobody() {
    let make = |lane| {
        let mut one = planar(lane);
        if lane == 2 {
            one.set_base(9.0);
        }
        one
    };
    let mut batch = batch::<_, 8>(make);
    assert!(matches!(
        batch.stopped(2),
        Some(Stop::AssemblyFailed { .. })
    ));
    for _ in 0..100 {
        batch.step();
    }
    batch.set_input(5, swept_four_bar::input::TORQUE, f64::INFINITY);
    for _ in 0..100 {
        batch.step();
    }
    assert!(matches!(batch.stopped(5), Some(Stop::NotFinite { .. })));
    let outputs = batch.outputs();
    for lane in [0, 1, 3, 4, 6, 7] {
        let mut sim = simulation(make(lane));
        for _ in 0..200 {
            sim.step().unwrap();
        }
        assert_eq!(bits(sim.state()), bits(&batch.state(lane)), "lane {lane}");
        assert_eq!(sim.outputs().unwrap(), outputs[lane]);
        assert!(batch.stopped(lane).is_none());
    }
    let mut failed = simulation(make(5));
    for _ in 0..100 {
        failed.step().unwrap();
    }
    let (before, kept) = (failed.state(), batch.state(5));
    assert_eq!((before.q, before.v), (kept.q, kept.v));
}

/// The last step is shortened as that of a run is, and reading outputs changes nothing.
#[test]
fn a_batch_ends_where_a_run_ends() {
    let mut batch = batch::<_, 8>(planar);
    let mut read = Vec::new();
    while batch.step_until(0.0505) {
        read.push(batch.outputs());
    }
    for lane in 0..8 {
        let mut sim = simulation(planar(lane));
        for (frame, read) in sim.until(0.0505).zip(&read) {
            assert_eq!(frame.unwrap().outputs().unwrap(), read[lane]);
        }
        assert_eq!(bits(sim.state()), bits(&batch.state(lane)));
        assert_eq!(sim.time(), 0.0505);
    }
    assert_eq!(read.len(), 51);
}

#[test]
fn nothing_allocates() {
    let counted = measure(|| {
        let mut batch = batch::<_, 8>(planar);
        for _ in 0..50 {
            batch.step();
        }
        assert!(batch.outputs()[0][0].is_finite());
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(measure(|| drop(core::hint::black_box(Box::new(1)))).count_total > 0);
}

#[test]
fn a_step_that_serves_nobody_is_refused() {
    let made = Batch::<_, 4>::new([(); 4].map(|()| planar(0)), Rk4::new(-1.0), NoStabilizer);
    assert!(matches!(made, Err(Stop::BadStep { .. })));
}

/// 300 steps of a batch and of each instance, with the outputs at the end.
fn check<M: Batched<N>, const N: usize>(
    make: impl Fn(usize) -> M,
    integrator: AnyIntegrator<M::Scalar>,
    stabilizer: AnyStabilizer,
) where
    M::Scalar: Width<N>,
{
    let mechanisms = core::array::from_fn(&make);
    let mut batch = Batch::<M, N>::new(mechanisms, integrator, stabilizer).unwrap();
    for _ in 0..300 {
        batch.step();
    }
    let mut different = false;
    for (lane, outputs) in batch.outputs().into_iter().enumerate() {
        assert!(batch.stopped(lane).is_none(), "{:?}", batch.stopped(lane));
        let mut sim = Simulation::new(make(lane), integrator, stabilizer).unwrap();
        for _ in 0..300 {
            sim.step().unwrap();
        }
        let (alone, lane_of) = (bits(sim.state()), bits(&batch.state(lane)));
        assert_eq!(alone, lane_of, "{} lane {lane} of {N}", M::NAME);
        assert_eq!(sim.outputs().unwrap(), outputs);
        different |= alone != bits(&batch.state(0));
    }
    assert!(different, "all lanes are alike");
}

fn batch<M: Batched<N> + Mechanism<Scalar = f64>, const N: usize>(
    make: impl Fn(usize) -> M,
) -> Batch<M, N>
where
    f64: Width<N>,
{
    let stabilizer = DirectCorrection::default();
    Batch::new(core::array::from_fn(make), Rk4::new(STEP), stabilizer).unwrap()
}

fn simulation<M: Mechanism<Scalar = f64>>(
    mechanism: M,
) -> Simulation<M, Rk4<f64>, DirectCorrection> {
    Simulation::new(mechanism, Rk4::new(STEP), DirectCorrection::default()).unwrap()
}

fn bits<M: Mechanism>(state: &State<M>) -> Vec<u64> {
    let State { time, q, v, work } = state;
    let all = q.as_slice().iter().chain(v.as_slice()).chain([time, work]);
    all.map(|x| x.to_f64().to_bits()).collect()
}
