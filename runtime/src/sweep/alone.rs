//! Points one by one, by the ordinary simulation.

use std::format;
use std::string::{String, ToString};

use super::plan::{SweepPlan, SweepPoint};
use super::track::Track;
use crate::{Frame, Integrator, Mechanism, Named, Real, Simulation, Stabilizer, Stop};

/// A remainder of the run shorter than this share of a sample's interval has no sample of its own.
const SLIVER: f64 = 1e-6;

/// The rows of these points.
pub fn rows<M, I, S>(plan: &SweepPlan, points: &[SweepPoint]) -> String
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    let mut rows = String::new();
    for point in points {
        let mut track = Track::new(plan);
        let stop = run::<M, I, S>(plan, point, &mut track);
        track.row(point, &stop.unwrap_or_else(|why| why), &mut rows);
    }
    rows
}

/// The event that ended the run, if one did.
fn run<M, I, S>(plan: &SweepPlan, point: &SweepPoint, track: &mut Track) -> Result<String, String>
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    let integrator = I::from_text(&plan.integrator, plan.step, plan.tolerance)?;
    let stabilizer = S::from_text(&plan.stabilizer, plan.step, plan.tolerance)?;
    let text = |why: Stop| why.to_string();
    let mut simulation =
        Simulation::new(plan.mechanism::<M>(point), integrator, stabilizer).map_err(text)?;
    sample(&simulation.frame(), track).map_err(text)?;
    let sampled = if const { I::ADAPTIVE } {
        intervals(plan, &mut simulation, track)
    } else {
        steps(plan, &mut simulation, track)
    };
    sampled.map_err(text)?;
    let stopped = simulation.frame().stopped();
    Ok(stopped.map_or(String::new(), |event| format!("event `{event}`")))
}

/// A sample after this many steps; the part of a step before an event belongs to it.
fn steps<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>>(
    plan: &SweepPlan,
    simulation: &mut Simulation<M, I, S>,
    track: &mut Track,
) -> Result<(), Stop> {
    let mut whole = 0;
    let mut last = None;
    for frame in simulation.until(M::Scalar::from_f64(plan.until)) {
        let frame = frame?;
        whole += usize::from(!frame.report().cut);
        if whole < plan.every {
            last = Some(frame);
            continue;
        }
        (whole, last) = (0, None);
        sample(&frame, track)?;
    }
    last.map_or(Ok(()), |frame| sample(&frame, track))
}

/// A sample at each multiple of the step, whatever steps the integrator takes.
fn intervals<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>>(
    plan: &SweepPlan,
    simulation: &mut Simulation<M, I, S>,
    track: &mut Track,
) -> Result<(), Stop> {
    let interval = plan.step * plan.every as f64;
    let samples = (plan.until / interval - SLIVER).floor() as u64 + 1;
    let until = M::Scalar::from_f64(plan.until);
    for k in 1..=samples {
        let time = M::Scalar::from_f64((k as f64 * interval).min(plan.until));
        let frame = simulation.at_within(time, until)?;
        sample(&frame, track)?;
        if frame.stopped().is_some() {
            break;
        }
    }
    Ok(())
}

fn sample<M: Mechanism>(frame: &Frame<M>, track: &mut Track) -> Result<(), Stop> {
    track.sample(frame.time(), &frame.outputs()?);
    Ok(())
}
