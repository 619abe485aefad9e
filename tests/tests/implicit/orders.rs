//! Every integrator shows its order on closed loops, against Dormand and Prince's method with steps that leave
//! round-off only.

use bellcrank::prelude::*;
use bellcrank::{Projecting, Tangent};
use bellcrank_tests::implicit::{FourBar, SpatialSliderCrank};

/// Coordinates at the end of a run.
fn end<M, I, S>(until: f64, integrator: I, stabilizer: S) -> M::Coordinates
where
    M: Mechanism<Scalar = f64> + Default,
    I: Integrator<M, S>,
    S: Stabilizer<M>,
{
    let mut sim = Simulation::new(M::default(), integrator, stabilizer).unwrap();
    assert!(sim.until(until).all(|frame| frame.is_ok()));
    sim.state().q
}

/// The slope of the error at the end over a decade of steps, the first of which is 1/`n` s. Runs are
/// short, and steps such that neither round-off nor the next power of the step has a say: the error of the
/// energy, which many methods make one order later, grows with time.
fn check<M, I, S>(order: f64, until: f64, n: f64, stabilizer: S, new: impl Fn(f64) -> I)
where
    M: Mechanism<Scalar = f64> + Default,
    I: Integrator<M, S>,
    S: Stabilizer<M> + Copy,
{
    let exact = DormandPrince::fixed(1e-4);
    let exact = end::<M, _, _>(until, exact, DirectCorrection::default());
    let error = |step: f64| {
        let q = end::<M, _, _>(until, new(step), stabilizer);
        let pairs = q.as_slice().iter().zip(exact.as_slice());
        let pairs = M::COORDINATES.iter().zip(pairs);
        let pairs = pairs.filter(|(name, _)| !counts_turns::<M>(name));
        let gaps = pairs.map(|(_, (a, b))| (a - b).abs());
        gaps.fold(0.0, f64::max)
    };
    let errors = [error(1.0 / n), error(0.1 / n)];
    let slope = (errors[0] / errors[1]).log10();
    assert!((slope - order).abs() < 0.15, "{order}: {slope} {errors:?}");
}

/// Whether a coordinate only counts the turns of a joint's angle: a projection leaves it up to 1e-4 rad off that.
fn counts_turns<M: Mechanism>(coordinate: &str) -> bool {
    let owner = coordinate.split('.').next().unwrap_or_default();
    M::JOINTS.contains(&owner)
}

#[test]
fn explicit_methods_have_their_orders() {
    let keep = DirectCorrection::default();
    check::<FourBar, _, _>(1.0, 0.4, 100.0, keep, SemiImplicitEuler::new);
    check::<FourBar, _, _>(2.0, 0.4, 100.0, keep, Rk2::new);
    check::<FourBar, _, _>(4.0, 0.2, 50.0, keep, Rk4::new);
    check::<SpatialSliderCrank, _, _>(5.0, 1.0, 400.0, keep, DormandPrince::fixed);
}

#[test]
fn implicit_methods_have_their_orders() {
    implicit(NoStabilizer);
}

/// A projection after the step, which finds next to nothing to do, changes nothing of this.
#[test]
fn implicit_methods_have_their_orders_with_projections() {
    implicit(DirectCorrection::default());
}

fn implicit<S: Projecting<FourBar> + Projecting<SpatialSliderCrank> + Copy>(keep: S) {
    type Crank = SpatialSliderCrank;
    check::<FourBar, _, _>(2.0, 0.4, 100.0, keep, GeneralizedAlpha::new);
    check::<FourBar, _, _>(2.0, 0.4, 100.0, keep, GeneralizedAlphaIndex3::new);
    check::<FourBar, _, _>(2.0, 0.4, 100.0, keep, AugmentedLagrangianIndex3::new);
    check::<Crank, _, _>(2.0, 1.0, 400.0, keep, GeneralizedAlpha::new);
    for (order, until, n) in [
        (1, 0.4, 100.0),
        (2, 0.4, 100.0),
        (3, 1.0, 400.0),
        (4, 0.4, 400.0),
        (5, 1.0, 800.0),
    ] {
        let new = |step| Bdf::fixed(order, step);
        check::<FourBar, _, _>(order as f64, until, n, keep, new);
        // A quarter of the error at order 5 would be round-off at the shorter step.
        let n = if order == 5 { 0.5 * n } else { n };
        let longer = |step| new(step).with_longer_steps(0.26);
        check::<FourBar, _, _>(order as f64, until, n, keep, longer);
    }
}

/// Both levels hold after each step, without a projection: in points and in absolute coordinates.
#[test]
fn stabilised_index_two_keeps_positions_and_velocities() {
    keeps::<FourBar>();
    keeps::<SpatialSliderCrank>();
}

fn keeps<M: Tangent<Scalar = f64> + Default>() {
    let method = GeneralizedAlpha::new(1e-3);
    let mut sim = Simulation::new(M::default(), method, NoStabilizer).unwrap();
    for frame in sim.until(1.0) {
        let report = *frame.unwrap().report();
        // Round-off of the position is 1e-15, and 1/h of it in the velocity.
        assert!(report.phi < 1e-13 && report.phi_dot < 1e-10, "{report:?}");
    }
}
