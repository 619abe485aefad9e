//! Points in the lanes of a batch.

use std::string::{String, ToString};
use std::vec::Vec;

use super::plan::{SweepPlan, SweepPoint};
use super::track::Track;
use crate::{AnyIntegrator, AnyStabilizer, Batch, Batched, Mechanism, Named, Real, Width};

/// The rows of at most `N` points. Unused lanes repeat the last point and are not reported.
pub fn rows<M, I, S, const N: usize>(plan: &SweepPlan, points: &[SweepPoint]) -> String
where
    M: Mechanism<Scalar: Width<N>> + Batched<N> + Default,
    I: Named + Into<AnyIntegrator<M::Scalar>>,
    S: Named + Into<AnyStabilizer>,
{
    let mut tracks: Vec<_> = points.iter().map(|_| Track::new(plan)).collect();
    let mut rows = String::new();
    match batch::<M, I, S, N>(plan, points) {
        Ok(mut batch) => {
            run(plan, &mut batch, &mut tracks);
            for (lane, (point, track)) in points.iter().zip(&tracks).enumerate() {
                let stop = batch.stopped(lane).map(ToString::to_string);
                track.row(point, &stop.unwrap_or_default(), &mut rows);
            }
        }
        Err(why) => {
            for (point, track) in points.iter().zip(&tracks) {
                track.row(point, &why, &mut rows);
            }
        }
    }
    rows
}

fn batch<M, I, S, const N: usize>(
    plan: &SweepPlan,
    points: &[SweepPoint],
) -> Result<Batch<M, N>, String>
where
    M: Mechanism<Scalar: Width<N>> + Batched<N> + Default,
    I: Named + Into<AnyIntegrator<M::Scalar>>,
    S: Named + Into<AnyStabilizer>,
{
    let integrator = I::from_text(&plan.integrator, plan.step, plan.tolerance)?;
    let stabilizer = S::from_text(&plan.stabilizer, plan.step, plan.tolerance)?;
    let last = points.len() - 1;
    let mechanisms = core::array::from_fn(|lane| plan.mechanism(&points[lane.min(last)]));
    Batch::new(mechanisms, integrator, stabilizer).map_err(|why| why.to_string())
}

fn run<M: Batched<N>, const N: usize>(
    plan: &SweepPlan,
    batch: &mut Batch<M, N>,
    tracks: &mut [Track],
) {
    let until = M::Scalar::from_f64(plan.until);
    let mut steps = 0;
    sample(batch, tracks);
    while batch.step_until(until) {
        steps += 1;
        if steps % plan.every == 0 {
            sample(batch, tracks);
        }
    }
    if steps % plan.every != 0 {
        sample(batch, tracks);
    }
}

fn sample<M: Batched<N>, const N: usize>(batch: &mut Batch<M, N>, tracks: &mut [Track]) {
    let (time, outputs) = (batch.time(), batch.outputs());
    for (lane, track) in tracks.iter_mut().enumerate() {
        if batch.stopped(lane).is_none() {
            track.sample(time, &outputs[lane]);
        }
    }
}
