//! Writes the expressions of the chosen formulation in another way, if that takes fewer operations.
//!
//! The forms are the derived one and those of Symbolica's optimiser. The search starts from the cheapest form and then
//! takes each part of the equations from each of the other forms. A part that is cheaper by itself may lose values that
//! it shared with the solve. Every trial is therefore lowered and counted as a whole, and kept only if it is cheaper.

use super::Candidate;
use super::cost::Methods;
use crate::Options;
use crate::assembly::Assembly;
use crate::diagnostics::Diagnostics;
use crate::kernel::{Kernel, Solve};
use crate::options::Purpose;
use crate::symbolic::{self, EquationPart, Equations, Scheme};

/// Largest number of weighted operations of a step at which other forms are tried. Some thirty trials of longer steps
/// would take seconds.
const LARGE: usize = 20_000;

/// Lowers the cheapest way to write the equations, and returns a sentence about the saving. `lower` can leave out
/// functions that only some methods need. The equations that readers see stay as they are.
pub fn rewrite(
    kept: &mut Candidate,
    options: &Options,
    lower: &dyn Fn(&Equations, &Assembly, LoweredFunctions) -> Kernel,
) -> Result<Option<String>, Diagnostics> {
    let before = kept.cost();
    let is_asked = options.purpose != Purpose::Analysis && kept.kernel.solve != Solve::Dense;
    // Without constraint equations there are long products along a tree. Symbolica does not see the values that they
    // share.
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

/// The cheapest form of all trials; the derived form if none is cheaper.
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
