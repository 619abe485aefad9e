//! The kept formulation with its expressions written another way, where that takes fewer operations.
//!
//! The forms are the derived one and Symbolica's. The cheapest of them is the start; then each part of the equations is
//! taken from each of the others, because what is cheaper by itself may lose what it shared with the solve. So every
//! trial is lowered and counted as a whole, and what is not cheaper is not kept.

use super::Candidate;
use super::cost::Methods;
use crate::Options;
use crate::assembly::Assembly;
use crate::diagnostics::Diagnostics;
use crate::kernel::{Kernel, Solve};
use crate::options::Purpose;
use crate::symbolic::{self, EquationPart, Equations, Scheme};

/// Beyond so many weighted operations of a step nothing is tried: some thirty trials would take seconds.
const LARGE: usize = 20_000;

/// Lowers the cheapest way to write the equations with `lower`, which leaves out functions that only some methods need
/// if it is told so, and returns a sentence about the saving. The equations stay as they are for readers.
pub fn rewrite(
    kept: &mut Candidate,
    options: &Options,
    lower: &dyn Fn(&Equations, &Assembly, LoweredFunctions) -> Kernel,
) -> Result<Option<String>, Diagnostics> {
    let before = kept.cost();
    let is_asked = options.purpose != Purpose::Analysis && kept.kernel.solve != Solve::Dense;
    // Without constraint equations there are long products along a tree, which Symbolica sees without what they share.
    let is_closed = !kept.assembled.equations.phi.is_empty();
    if !is_asked || !is_closed || before > LARGE || kept.formulation == "discrete" {
        return Ok(None);
    }
    let assembly = &kept.assembled.assembly;
    // Functions that only some methods ask for are not lowered in each trial.
    let cost = |equations: &Equations| {
        Methods::default().cost(&lower(equations, assembly, LoweredFunctions::EveryMethod))
    };
    let best = best(&kept.assembled.equations, &cost)?;
    let rewritten = lower(&best.equations, assembly, LoweredFunctions::Whole);
    let after = kept.methods.cost(&rewritten);
    if after >= before {
        return Ok(None);
    }
    kept.kernel = rewritten;
    Ok(Some(format!(
        "Parts are written by Horner's scheme, which takes a step from {before} to {after} weighted operations."
    )))
}

/// The functions that are lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoweredFunctions {
    /// Those that every method needs.
    EveryMethod,
    /// Those of the methods of the run too.
    Whole,
}

/// A way to write the equations, and the cost of a step.
struct RewrittenStep {
    equations: Equations,
    cost: usize,
}

/// The cheapest of all that are tried, and the derived form if none is cheaper.
fn best(
    derived: &Equations,
    cost: &dyn Fn(&Equations) -> usize,
) -> Result<RewrittenStep, Diagnostics> {
    let written = |equations: Equations| RewrittenStep {
        cost: cost(&equations),
        equations,
    };
    let mut forms = vec![written(derived.clone())];
    for scheme in Scheme::ALL {
        let optimised = symbolic::optimise(derived, scheme)?;
        forms.extend(optimised.map(written));
    }
    let cheapest = (0..forms.len()).min_by_key(|k| forms[*k].cost);
    let mut best = forms.remove(cheapest.unwrap_or(0));
    for part in parts(derived) {
        for form in &forms {
            let mut mixed = best.equations.clone();
            part.exchange(&mut mixed, &form.equations);
            let mixed = written(mixed);
            if mixed.cost < best.cost {
                best = mixed;
            }
        }
    }
    Ok(best)
}

/// The parts that can be written in another way.
fn parts(equations: &Equations) -> Vec<EquationPart> {
    let mut equations = equations.clone();
    let parts = EquationPart::all(&mut equations).into_iter();
    let parts = parts.filter(|(_, part)| part.iter().any(|expr| expr.is_computed()));
    parts.map(|(part, _)| part).collect()
}
