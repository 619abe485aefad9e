//! Chooses how to solve: each candidate is built, and the one with the least work stays.

use std::collections::BTreeSet;

use crate::assembly::Assembly;
use crate::expr::{Expr, Symbol};
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::counts;
use crate::kernel::language::interpret::{Memory, interpret};
use crate::kernel::lower::independent;
use crate::kernel::passes::hoist::Prepared;
use crate::kernel::passes::place_signs::place_signs;
use crate::kernel::solve::articulated;
use crate::kernel::solve::ballast::{Ballast, CARRIED, MOVING, PivotRule};
use crate::kernel::solve::bordered;
use crate::kernel::solve::pivots::{is_definite, least_share};
use crate::kernel::solve::project::{Factor, Steps};
use crate::kernel::solve::schur;
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::{Array, Name, Solve};
use crate::options::Options;
use crate::symbolic::Equations;

/// The functions that depend on the way to solve.
#[derive(Debug)]
pub struct SolveCandidate {
    /// The way to solve.
    pub solve: Solve,
    /// [`Name::Accelerate`]
    pub accelerate: FunctionDraft,
    /// [`Name::PositionCorrection`]
    pub position_correction: FunctionDraft,
    /// [`Name::VelocityCorrection`]
    pub velocity_correction: FunctionDraft,
    /// Length of the factor.
    pub n_factor: usize,
}

/// Beyond so many operations a solve is not unrolled: its code would be slower to load than to run.
const UNROLLED: usize = 2_000_000;

/// A Schur complement whose pivots keep less than this of their terms has lost too many digits: it leaves 10⁻¹¹ of the
/// largest force.
const LOST: f64 = 1e-5;

/// Along the tree, if the formulation gives one. Else the cheaper one of the Schur complement, if M has an inverse, and
/// the bordered matrix, if M couples bodies and there are safe pivots. If there is neither, the dense solve of the
/// runtime. Where M does not couple bodies the Schur complement is kept even if it costs more: it is positive definite
/// at every regular state, while a pivot of the bordered matrix that is safe at all samples can still vanish elsewhere.
/// Where light bodies carry forces M has an inverse in which digits are lost. In that case, and where neither solve
/// exists, the bordered matrix has ballast. A light body that moves by itself is solved for exactly by its own mass.
pub fn choose(equations: &Equations, assembly: &Assembly, options: &Options) -> SolveCandidate {
    let rows = independent(equations, assembly);
    if let Some(tree) = &equations.tree {
        let built = articulated::accelerate(
            equations,
            tree,
            assembly,
            &rows,
            Stabilization::None,
            options,
        );
        return match built {
            Some(built) => SolveCandidate::new(equations, Solve::Momentum, built),
            None => SolveCandidate::dense(equations),
        };
    }
    let samples = &assembly.samples;
    let is_definite = is_definite(samples);
    let ballast = Ballast::of(samples, &rows);
    let loaded = |levels: &[PivotRule]| {
        let loaded = (ballast.as_ref()?, levels);
        bordered::accelerate_with(
            loaded,
            equations,
            &rows,
            assembly,
            Stabilization::None,
            options,
        )
        .map(|built| SolveCandidate::new(equations, Solve::Ballasted, built))
    };
    let divides = |ballast: &Ballast| is_definite || ballast.has_inertia;
    if ballast.as_ref().is_some_and(divides)
        && let Some(carried) = loaded(CARRIED)
    {
        return carried;
    }
    let bordered = (!is_definite || couples(equations))
        .then(|| bordered::accelerate(equations, &rows, assembly, Stabilization::None, options))
        .flatten()
        .map(|built| SolveCandidate::new(equations, Solve::Bordered, built))
        // A massless body may wait for constraint equations that do not hold it in every position.
        .filter(|it| is_definite || ballast.is_none() || it.margin_at_start(assembly) > 0.0);
    let limit = bordered.as_ref().map_or(usize::MAX, SolveCandidate::cost);
    let limit_of_schur = limit.min(UNROLLED);
    let is_lossy = || ballast.is_some() && least_share(samples, &rows) < LOST;
    let is_exact = is_definite && !is_lossy();
    let schur = (is_exact && least_cost(equations, &rows) < limit_of_schur).then(|| {
        let built = schur::accelerate(equations, assembly, &rows, Stabilization::None, options);
        SolveCandidate::new(equations, Solve::Schur, built)
    });
    match (schur, bordered) {
        (Some(schur), Some(bordered)) if limit < schur.cost() => bordered,
        (Some(schur), _) => schur,
        (None, Some(bordered)) => bordered,
        (None, None) => loaded(MOVING).unwrap_or_else(|| SolveCandidate::dense(equations)),
    }
}

/// True if M couples more velocities than the three of a turning body.
fn couples(equations: &Equations) -> bool {
    let (_, sizes) = parts(equations);
    sizes.into_iter().any(|size| size > 3)
}

/// A lower bound for the cost of the Schur complement. M⁻¹ is full in each part that M couples, so W = M⁻¹ Dᵀ has an
/// entry for each velocity of the parts that a row touches; and S is full over the n rows that touch the same part and
/// change with the state, so that its factor takes n³/6 products.
fn least_cost(equations: &Equations, rows: &[usize]) -> usize {
    let (part, sizes) = parts(equations);
    let touched = |&k: &usize| -> BTreeSet<usize> {
        let columns = equations.jacobian[k].iter();
        columns.map(|(j, _)| root(&part, *j as usize)).collect()
    };
    let mut changing = vec![0_usize; sizes.len()];
    let mut weighted = 0;
    for k in rows {
        let is_changing = equations.jacobian[*k].iter().any(|(_, x)| changes(x));
        for part in touched(k) {
            weighted += sizes[part];
            changing[part] += usize::from(is_changing);
        }
    }
    let largest = changing.into_iter().max().unwrap_or_default();
    weighted + largest.pow(3) / 6
}

/// True if an expression has more in it than numbers and parameters.
fn changes(expr: &Expr) -> bool {
    let mut changes = false;
    expr.symbols(&mut |symbol| changes |= !matches!(symbol, Symbol::Parameter(_)));
    changes
}

/// The parts that M couples: for each velocity a way to the first one of its part, and there its size.
fn parts(equations: &Equations) -> (Vec<usize>, Vec<usize>) {
    let n = equations.n_velocities;
    let mut part: Vec<usize> = (0..n).collect();
    for (i, row) in equations.mass.iter().enumerate() {
        for (j, _) in row {
            let (a, b) = (root(&part, i), root(&part, *j as usize));
            part[a.max(b)] = a.min(b);
        }
    }
    let mut sizes = vec![0; n];
    (0..n).for_each(|j| sizes[root(&part, j)] += 1);
    (part, sizes)
}

fn root(part: &[usize], mut index: usize) -> usize {
    while part[index] != index {
        index = part[index];
    }
    index
}

impl SolveCandidate {
    /// The projections with the factorisation of this solve, and the factor that they need.
    pub fn new(equations: &Equations, solve: Solve, built: (FunctionDraft, Steps)) -> Self {
        let (mut accelerate, steps) = built;
        let source = accelerate.builder.clone();
        let steps = &steps.velocities;
        let factor = Factor::new(Array::Factor, [steps], &source);
        let n_factor = factor.write(&mut accelerate);
        let name = Name::VelocityCorrection;
        Self {
            solve,
            accelerate,
            position_correction: factor.position_correction(steps, equations),
            velocity_correction: factor.correction(name, &[(Array::Velocities, steps)]),
            n_factor,
        }
    }

    /// A margin of zero everywhere sends each evaluation to the dense solve.
    fn dense(equations: &Equations) -> Self {
        let mut accelerate = FunctionDraft::new(Name::Accelerate);
        let mut translation =
            crate::kernel::builder::translate::Translation::new(&equations.auxiliaries);
        schur::write_rates(&mut accelerate, &mut translation, equations);
        Self {
            solve: Solve::Dense,
            accelerate,
            position_correction: FunctionDraft::new(Name::PositionCorrection),
            velocity_correction: FunctionDraft::new(Name::VelocityCorrection),
            n_factor: 0,
        }
    }

    /// The margin at the start.
    fn margin_at_start(&self, assembly: &Assembly) -> f64 {
        let memory = Memory::new()
            .with(Array::Parameters, &assembly.parameters)
            .with(Array::Coordinates, &assembly.coordinates);
        let function = self.accelerate.clone().finish();
        interpret(&function, &memory, &[]).scalar(Array::Margin)
    }

    /// The work of all three functions, without prepared values.
    pub fn cost(&self) -> usize {
        let drafts = [
            &self.accelerate,
            &self.position_correction,
            &self.velocity_correction,
        ];
        let mut prepared = Prepared::default();
        let mut work = |draft: &FunctionDraft| {
            let function = prepared.hoist(&draft.clone().finish());
            counts(&place_signs(&function).instructions).weighted()
        };
        drafts.into_iter().map(&mut work).sum()
    }
}
