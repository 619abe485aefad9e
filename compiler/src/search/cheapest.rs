//! Finds the cheapest of the requested formulations, each with its cheapest cuts.

use super::contenders::Contenders;
use super::cuts::cuts;
use super::springs::without_effect;
use super::unavailable::{refused, unavailable, unserved};
use super::{Assembled, Candidate, CandidateFigures, Coordinates, Request, Stages};
use crate::diagnostics::Diagnostics;

/// The candidate that was kept, and the figures of all.
pub struct Choice {
    /// The cheapest candidate, which is compiled further.
    pub kept: Candidate,
    /// Figures of the candidates: the cheapest one of each formulation, and the one with its first cuts if cuts were
    /// exchanged.
    pub figures: Vec<CandidateFigures>,
    /// Sentences for the header.
    pub notes: Vec<String>,
    /// The step below which springs for joints are stable, if there are any.
    pub stable_below: Option<f64>,
    /// Warnings. They are reported, and compilation continues.
    pub warnings: Diagnostics,
}

/// The cheapest candidate. `stages` makes each candidate. The one in absolute coordinates exists already.
pub fn cheapest(
    request: &Request,
    absolute: &Assembled,
    stages: &Stages,
) -> Result<Choice, Diagnostics> {
    let Request {
        asked,
        model,
        topology,
        options,
    } = *request;
    let all = Contenders::all(asked);
    for coordinates in all.coordinates {
        if let Some(method) = unserved(*coordinates, model, options)
            && asked.word() == coordinates.word()
        {
            return Err(refused(*coordinates, method).into());
        }
    }
    let mut contenders = Contenders::of(request);
    let mut lowered = lower_each(contenders.coordinates, request, stages)?;
    if lowered.candidates.is_empty() && contenders != all {
        contenders = all;
        lowered = lower_each(contenders.coordinates, request, stages)?;
    }
    let Lowered {
        mut candidates,
        mut figures,
        mut n_lowered,
    } = lowered;
    let mut notes = Vec::new();
    if contenders.has_body {
        n_lowered += 1;
        let body = Candidate::lower("body", model, topology.clone(), absolute.clone(), options);
        figures.push(body.figures(model));
        candidates.push(body);
    }
    let Some(kept) = candidates.into_iter().min_by_key(Candidate::cost) else {
        return Err(unavailable(asked, model, topology).into());
    };
    if n_lowered > 1 {
        notes.push(format!(
            "Kept as the cheapest of {n_lowered} that were lowered, by weighted operations in a step."
        ));
    }
    notes.extend(contenders.note.map(str::to_owned));
    let own = kept.figures(model);
    figures.iter_mut().for_each(|one| one.kept = *one == own);
    Ok(Choice {
        warnings: without_effect(model, kept.formulation),
        kept,
        figures,
        notes,
        stable_below: None,
    })
}

/// The cheapest candidate of each formulation, and the figures of all.
#[derive(Default)]
struct Lowered {
    candidates: Vec<Candidate>,
    figures: Vec<CandidateFigures>,
    n_lowered: usize,
}

/// Lowers the formulations that serve the methods of the run.
fn lower_each(
    contenders: &[Coordinates],
    request: &Request,
    stages: &Stages,
) -> Result<Lowered, Diagnostics> {
    let mut lowered = Lowered::default();
    let serves = |one: &&Coordinates| unserved(**one, request.model, request.options).is_none();
    for coordinates in contenders.iter().filter(serves) {
        let Some(found) = cuts(*coordinates, request, stages)? else {
            continue;
        };
        lowered.n_lowered += found.n_lowered;
        lowered.figures.extend(found.first);
        lowered.figures.push(found.best.figures(request.model));
        lowered.candidates.push(found.best);
    }
    Ok(lowered)
}
