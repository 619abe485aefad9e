//! Cost of a step in weighted operations, with the methods of a run.
//!
//! A step is a list of calls of the kernel's functions. The number of calls of each function follows from the runtime's
//! methods. Where it depends on the motion, in the passes of projections and the iterations of Newton's method, it is
//! the count of `bellcrank compare` for the four-bar, the flyball governor and the spatial slider-crank with their
//! steps.

use crate::description::{Integrator, Method, Stabilizer};
use crate::kernel::{self, Kernel, Name, Solve};
use crate::model::Model;
use crate::options::Options;

/// Number of steps whose calls are counted together, because one Newton matrix serves several steps.
const STEPS: usize = 10;

/// The methods of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Methods {
    integrator: Integrator,
    stabilizer: Stabilizer,
}

impl Methods {
    /// The methods of the description, unless the caller names others. If the caller names several, the last one
    /// counts.
    pub fn of(model: &Model, options: &Options) -> Self {
        let mut methods = Self {
            integrator: model.simulation.integrator,
            stabilizer: model.simulation.stabilizer,
        };
        for method in &options.methods {
            match *method {
                Method::Integrator(integrator) => methods.integrator = integrator,
                Method::Stabilizer(stabilizer) => methods.stabilizer = stabilizer,
            }
        }
        methods
    }

    /// Weighted operations of a step.
    pub fn cost(self, kernel: &Kernel) -> usize {
        let calls = self.calls();
        let functions = calls.iter().map(|(name, n)| n * work(kernel, *name));
        functions.sum::<usize>() / STEPS + self.dense(kernel)
    }

    /// Number of calls of each function in [`STEPS`] steps.
    fn calls(self) -> Vec<(Name, usize)> {
        let mut calls = match self.integrator {
            Integrator::SemiImplicitEuler => times(STEPS, evaluation(self.stabilizer)),
            Integrator::Rk2 => times(2 * STEPS, evaluation(self.stabilizer)),
            Integrator::Rk4 => times(4 * STEPS, evaluation(self.stabilizer)),
            // The last of seven stages is the first of the next step.
            Integrator::DormandPrince => times(6 * STEPS, evaluation(self.stabilizer)),
            Integrator::Bdf
            | Integrator::GeneralizedAlpha
            | Integrator::GeneralizedAlphaIndex3
            | Integrator::AugmentedLagrangianIndex3 => implicit(self.integrator),
        };
        calls.extend(times(STEPS, projection(self.stabilizer)));
        calls
    }

    /// Operations of the runtime's own factorisation: the dependent columns of D, once a step.
    fn dense(self, kernel: &Kernel) -> usize {
        let m = kernel.sizes.constraints;
        match self.stabilizer {
            Stabilizer::CoordinatePartitioning => m * m * m / 3 + 2 * m * m,
            _ => 0,
        }
    }
}

/// Functions with how often they are called.
type Calls = &'static [(Name, usize)];

fn times(n: usize, calls: Calls) -> Vec<(Name, usize)> {
    calls.iter().map(|(name, k)| (*name, n * k)).collect()
}

/// One evaluation of accelerations. Augmented Lagrangians begin with the multipliers of the previous evaluation, so
/// most evaluations need no repetition.
fn evaluation(stabilizer: Stabilizer) -> Calls {
    match stabilizer {
        Stabilizer::Baumgarte => &[(Name::AccelerateBaumgarte, 1)],
        Stabilizer::Penalty
        | Stabilizer::AugmentedLagrangian
        | Stabilizer::AugmentedLagrangianProjections => &[(Name::AcceleratePenalty, 1)],
        Stabilizer::Ggl => &[
            (Name::Accelerate, 1),
            (Name::VelocityConstraints, 1),
            (Name::VelocityCorrection, 1),
            (Name::Rates, 1),
        ],
        _ => &[(Name::Accelerate, 1)],
    }
}

/// The projection after a step: one pass for positions and one for velocities. Each evaluates the remaining violation.
fn projection(stabilizer: Stabilizer) -> Calls {
    match stabilizer {
        Stabilizer::DirectCorrection | Stabilizer::Ggl => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 2),
            (Name::PositionCorrection, 1),
            (Name::VelocityCorrection, 1),
        ],
        // The energy is computed once, and the velocities are scaled.
        Stabilizer::EnergyCorrection => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 3),
            (Name::PositionCorrection, 1),
            (Name::VelocityCorrection, 1),
            (Name::Energy, 1),
        ],
        Stabilizer::DirectCorrectionPlain => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 2),
            (Name::PlainFactor, 1),
            (Name::PlainCorrection, 2),
            (Name::Rates, 1),
        ],
        // Constraint equations inside bodies go first, which moves the position once more.
        Stabilizer::SuccessiveProjection => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 2),
            (Name::PlainFactor, 1),
            (Name::InnerCorrection, 1),
            (Name::PlainCorrection, 2),
            (Name::Rates, 2),
        ],
        Stabilizer::StandardProjection => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 2),
            (Name::StandardFactor, 1),
            (Name::StandardCorrection, 1),
            (Name::PlainFactor, 1),
            (Name::PlainCorrection, 1),
        ],
        Stabilizer::CoordinatePartitioning => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 2),
            (Name::Jacobian, 1),
            (Name::Rates, 1),
        ],
        Stabilizer::AugmentedLagrangianProjections => &[
            (Name::Constraints, 2),
            (Name::VelocityConstraints, 2),
            (Name::PenaltyCorrection, 2),
            (Name::Rates, 1),
        ],
        Stabilizer::Baumgarte
        | Stabilizer::Penalty
        | Stabilizer::AugmentedLagrangian
        | Stabilizer::None => &[],
    }
}

/// Steps of an implicit integrator: iterations, factors of the Newton matrix, and an evaluation at the end of each
/// step, for the power. A matrix is kept as long as iterations converge with it. Steps of backward differences change
/// in length, and the trapezoidal rule projects with a fresh matrix. Backward differences iterate down to their
/// tolerance, the other methods down to round-off.
fn implicit(integrator: Integrator) -> Vec<(Name, usize)> {
    let (iterations, iteration, factors): (usize, Calls, usize) = match integrator {
        Integrator::Bdf => (25, &INDEX_2, 3),
        Integrator::GeneralizedAlpha => (57, &INDEX_2, 1),
        Integrator::GeneralizedAlphaIndex3 => (60, &INDEX_3, 1),
        _ => (45, &INDEX_3, STEPS),
    };
    let mut calls = times(iterations, iteration);
    calls.extend([(Name::TangentFactor, factors), (Name::Accelerate, STEPS)]);
    if integrator == Integrator::AugmentedLagrangianIndex3 {
        calls.extend(times(STEPS, &TWO_PROJECTIONS));
    }
    calls
}

/// Projections of velocities and accelerations, each in two passes. The violation is evaluated before and after.
const TWO_PROJECTIONS: [(Name, usize); 2] =
    [(Name::TangentSolve, 4), (Name::VelocityConstraints, 7)];

/// An iteration on Φ = 0: the residual, one solve, and the move.
const INDEX_3: [(Name, usize); 4] = [
    (Name::Residual, 1),
    (Name::Constraints, 1),
    (Name::TangentSolve, 1),
    (Name::Advance, 1),
];

/// On Φ = 0 and Φ̇ = 0 there are two solves.
const INDEX_2: [(Name, usize); 5] = [
    (Name::Residual, 1),
    (Name::Constraints, 1),
    (Name::VelocityConstraints, 1),
    (Name::TangentSolve, 2),
    (Name::Advance, 1),
];

/// Weighted operations of a function, with those of the runtime where it has to solve.
pub fn work(kernel: &Kernel, name: Name) -> usize {
    let own = unrolled(kernel, name);
    let (n, m) = (kernel.sizes.velocities, kernel.sizes.constraints);
    match name {
        Name::Accelerate if kernel.solve == Solve::Dense => {
            own + unrolled(kernel, Name::Dense) + range_space(n, m)
        }
        Name::TangentFactor if own == 0 => {
            unrolled(kernel, Name::Dense) + unrolled(kernel, Name::Tangents) + cube(n + m)
        }
        Name::TangentSolve if own == 0 => 2 * (n + m) * (n + m),
        _ => own,
    }
}

fn unrolled(kernel: &Kernel, name: Name) -> usize {
    let mut functions = kernel.functions.iter();
    let function = functions.find(|function| function.name == name);
    function.map_or(0, |function| {
        kernel::counts(&function.instructions).weighted()
    })
}

/// Two factors, of M and of D M⁻¹ Dᵀ, and m solves with the first.
fn range_space(n: usize, m: usize) -> usize {
    (n * n * n + m * m * m) / 3 + 2 * n * n * m
}

/// A factor with pivots of a matrix that is not symmetric: 2 n³/3 operations.
fn cube(n: usize) -> usize {
    2 * n * n * n / 3
}
