//! The kept formulation with its expressions written another way, where that takes fewer operations.
//!
//! The forms are the derived one and Symbolica's. The cheapest of them is the start; then each part of the equations is
//! taken from each of the others, because what is cheaper by itself may lose what it shared with the solve. So every
//! trial is lowered and counted as a whole, and what is not cheaper is not kept.

use super::{Candidate, Methods, settings};
use crate::Options;
use crate::assembly::Assembly;
use crate::diagnostics::Diagnostics;
use crate::kernel::{self, Kernel, Settings, Solve};
use crate::model::Model;
use crate::options::Purpose;
use crate::symbolic::{self, Equations, Part, Scheme};

/// Beyond so many weighted operations of a step nothing is tried: some thirty trials would take seconds.
const LARGE: usize = 20_000;

/// Lowers the cheapest way to write the equations, and returns a sentence about the saving. The equations stay as they are for
/// readers.
pub fn refine(
    kept: &mut Candidate,
    model: &Model,
    options: &Options,
) -> Result<Option<String>, Diagnostics> {
    let before = kept.cost();
    let is_asked = options.purpose != Purpose::Analysis && kept.kernel.solve != Solve::Dense;
    // Without rows there are long products along a tree, which Symbolica sees without what they share.
    let is_closed = !kept.assembled.equations.phi.is_empty();
    if !is_asked || !is_closed || before > LARGE {
        return Ok(None);
    }
    let trials = Trials {
        assembly: &kept.assembled.assembly,
        settings: Settings {
            extras: Vec::new(),
            ..settings(model, options)
        },
        options,
    };
    let best = trials.best(&kept.assembled.equations)?;
    let settings = settings(model, options);
    let refined = kernel::lower(&best.equations, trials.assembly, settings, options);
    let after = kept.methods.cost(&refined);
    if after >= before {
        return Ok(None);
    }
    kept.kernel = refined;
    Ok(Some(format!(
        "Parts are written by Horner's scheme, which takes a step from {before} to {after} weighted operations."
    )))
}

/// A way to write the equations, and the cost of a step.
struct Written {
    equations: Equations,
    cost: usize,
}

struct Trials<'t> {
    assembly: &'t Assembly,
    settings: Settings,
    options: &'t Options,
}

impl Trials<'_> {
    /// The cheapest of all that are tried, and the derived form if none is cheaper.
    fn best(&self, derived: &Equations) -> Result<Written, Diagnostics> {
        let mut forms = vec![self.written(derived.clone())];
        for scheme in Scheme::ALL {
            let optimised = symbolic::optimise(derived, scheme)?;
            forms.extend(optimised.map(|equations| self.written(equations)));
        }
        let cheapest = (0..forms.len()).min_by_key(|k| forms[*k].cost);
        let mut best = forms.remove(cheapest.unwrap_or(0));
        for part in parts(derived) {
            for form in &forms {
                let mut mixed = best.equations.clone();
                part.exchange(&mut mixed, &form.equations);
                let mixed = self.written(mixed);
                if mixed.cost < best.cost {
                    best = mixed;
                }
            }
        }
        Ok(best)
    }

    fn written(&self, equations: Equations) -> Written {
        // Functions that only some methods ask for are not lowered in each trial.
        let cost = Methods::default().cost(&self.lower(&equations));
        Written { equations, cost }
    }

    fn lower(&self, equations: &Equations) -> Kernel {
        kernel::lower(
            equations,
            self.assembly,
            self.settings.clone(),
            self.options,
        )
    }
}

/// The parts that can be written in another way.
fn parts(equations: &Equations) -> Vec<Part> {
    let mut equations = equations.clone();
    let parts = Part::all(&mut equations).into_iter();
    let parts = parts.filter(|(_, part)| part.iter().any(|expr| expr.is_computed()));
    parts.map(|(part, _)| part).collect()
}
