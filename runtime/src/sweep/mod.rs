//! The program around many instances of a mechanism that `bellcrank sweep` builds.
//!
//! Points come in on stdin, one per line: a number, then the values that vary, separated by spaces. For each point a
//! CSV row goes out on stdout, in the same order. The row begins with the point. Then come the last, least, greatest
//! and mean value of each output, the time that was reached, and the reason if the run ended early. An error at a
//! point is in its row. An error in the program's arguments ends the program with a line `stop: …` on stderr.

mod alone;
mod plan;
mod together;
mod track;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::string::String;
use std::vec::Vec;
use std::{eprintln, format};

use rayon::prelude::*;

use crate::runner::STACK;
use crate::runner::parent::{ParentStream, arguments};
use crate::{
    AnyIntegrator, AnyStabilizer, Batched, Integrator, Mechanism, Named, Stabilizer, Width,
};
use plan::{SweepPlan, SweepPoint};

/// Runs the points of stdin in batches of `N`.
pub fn sweep_together<M, I, S, const N: usize>() -> ExitCode
where
    M: Mechanism<Scalar: Width<N>> + Batched<N> + Default,
    I: Named + Into<AnyIntegrator<M::Scalar>>,
    S: Named + Into<AnyStabilizer>,
{
    ended(sweep::<M, I, S>(N, together::rows::<M, I, S, N>))
}

/// Runs the points of stdin one by one, for methods and mechanisms that batches do not serve.
pub fn sweep_alone<M, I, S>() -> ExitCode
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    ended(sweep::<M, I, S>(1, alone::rows::<M, I, S>))
}

fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("stop: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Takes points in blocks, and groups of a block on all processors. A block is written before the next one is
/// read, so whoever listens has all rows of it.
fn sweep<M: Mechanism, I: Named, S: Named>(
    group: usize,
    rows: fn(&SweepPlan, &[SweepPoint]) -> String,
) -> Result<(), String> {
    let arguments = arguments(ParentStream::Stderr);
    let plan = SweepPlan::parse::<M, I, S>(&arguments)?;
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let pool = pool.map_err(|why| format!("no threads: {why}"))?;
    let mut lines = io::stdin().lock().lines();
    let mut stdout = io::stdout().lock();
    loop {
        let block = lines.by_ref().take(plan.block);
        let points: Vec<SweepPoint> = block
            .map(|line| plan.point(&line.map_err(|why| format!("{why}"))?))
            .collect::<Result<_, _>>()?;
        if points.is_empty() {
            return Ok(());
        }
        let groups = || points.par_chunks(group).map(|group| rows(&plan, group));
        let written: Vec<String> = pool.install(|| groups().collect());
        let written = written
            .iter()
            .try_for_each(|rows| stdout.write_all(rows.as_bytes()));
        if written.and_then(|()| stdout.flush()).is_err() {
            // The reader has closed the pipe.
            return Ok(());
        }
    }
}
