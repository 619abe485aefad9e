//! Accelerations with rows that pull back: Baumgarte's, and soft ones.

use super::ExtraInputs;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::translate::Translation;
use crate::kernel::solve::articulated;
use crate::kernel::solve::ballast::{Ballast, MOVING};
use crate::kernel::solve::bordered;
use crate::kernel::solve::project::{Factor, Steps};
use crate::kernel::solve::schur::{self, write_rates};
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::{Array, Name, Sizes, Solve};

/// [`Name::AccelerateBaumgarte`]
pub fn baumgarte(source: &ExtraInputs) -> FunctionDraft {
    solved(source, Stabilization::Baumgarte).0
}

/// [`Name::AcceleratePenalty`] and [`Name::PenaltyCorrection`]
pub fn penalty(source: &ExtraInputs, sizes: &mut Sizes) -> Vec<FunctionDraft> {
    let (mut accelerate, steps) = solved(source, Stabilization::Penalty);
    let builder = accelerate.builder.clone();
    let roots = [&steps.velocities, &steps.multipliers];
    let factor = Factor::new(Array::PenaltyFactor, roots, &builder);
    sizes.penalty_factor = factor.write(&mut accelerate);
    let results = [
        (Array::Velocities, &steps.velocities),
        (Array::Multipliers, &steps.multipliers),
    ];
    let correction = factor.correction(Name::PenaltyCorrection, &results);
    vec![accelerate, correction]
}

/// The mechanism's own solve with other rows. Where nothing is unrolled a margin of zero sends each
/// evaluation to the runtime's dense solve. So it does with soft rows along a tree, which has no
/// multipliers for them; `choose` keeps no such candidate.
fn solved(source: &ExtraInputs, stabilization: Stabilization) -> (FunctionDraft, Steps) {
    let ExtraInputs {
        equations,
        assembly,
        rows,
        options,
        ..
    } = source;
    let built = match (source.solve, &equations.tree) {
        (Solve::Schur, _) => Some(schur::accelerate(
            equations,
            assembly,
            rows,
            stabilization,
            options,
        )),
        (Solve::Bordered, _) => {
            bordered::accelerate(equations, rows, assembly, stabilization, options)
        }
        (Solve::Ballasted, _) => Ballast::of(&assembly.samples, rows).and_then(|ballast| {
            let ballast = (&ballast, MOVING);
            bordered::accelerate_with(ballast, equations, rows, assembly, stabilization, options)
        }),
        (Solve::Momentum, Some(tree)) if stabilization == Stabilization::Baumgarte => {
            articulated::accelerate(equations, tree, assembly, rows, stabilization, options)
        }
        (Solve::Momentum | Solve::Dense, _) => None,
    };
    built.unwrap_or_else(|| {
        let mut draft = FunctionDraft::new(stabilization.name());
        let mut translation = Translation::new(&equations.auxiliaries);
        write_rates(&mut draft, &mut translation, equations);
        (draft, Steps::default())
    })
}
