//! Runtime of compiled mechanisms: integrators, projection stabilizers, assembly of a consistent start.
//!
//! Generated code implements [`Mechanism`]; everything else here is generic over it. Nothing allocates
//! in a step, and without the feature `std` nothing needs an operating system.
//!
//! ```text
//! let mut sim = Simulation::new(FourBar::default(), Rk4::new(1e-3), DirectCorrection::default())?;
//! for frame in sim.until(10.0) {
//!     let frame = frame?;
//!     println!("{} {}", frame.time(), frame.energy());
//! }
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

/// Sums and norms of the fixed-size vectors.
mod arithmetic;
/// A consistent start from a rough guess.
mod assemble;
/// Watches the energy balance from one row of output to the next.
mod balance;
/// Many mechanisms stepped together.
#[cfg(feature = "batch")]
mod batch;
/// Times of formulations side by side, for `bellcrank bench`.
#[cfg(feature = "std")]
mod bench;
/// Runs of many methods side by side, for `bellcrank compare`.
#[cfg(feature = "std")]
mod compare;
/// Zero crossings that a mechanism watches.
mod event;
/// Traits that generated code implements only if a method asks for them.
mod extras;
/// Time stepping.
mod integrate;
/// Numbers side by side.
#[cfg(feature = "batch")]
mod lanes;
/// The trait that generated code implements.
mod mechanism;
/// Methods by name.
#[cfg(feature = "std")]
mod methods;
/// Records how far a run leaves its manifold and its energy.
mod monitor;
/// Finds a name in a list, or the nearest one.
mod names;
/// Distance of a step to a singular position.
mod nearness;
/// The smallest pivot of the dense factors.
mod noise;
/// One number or several.
mod number;
/// Permutations of indices.
mod order;
/// Projections where constraint equations become dependent.
mod orthogonal;
/// A step through a singular position.
mod passage;
/// The rank-revealing factor of the dense path.
mod rank_factor;
/// Reactions of redundant constraints.
mod reactions;
mod real;
/// Rows of numbers for other programs.
#[cfg(feature = "std")]
mod record;
/// From the equations of the dense path to those of its rows.
mod reduce;
/// Violations of redundant constraint equations.
mod redundant;
/// The program around a mechanism that `bellcrank run` builds.
#[cfg(feature = "std")]
mod runner;
/// The matrix of a Newton step where the unrolled factor is not good.
mod saddle;
/// The simulation, which users hold.
mod simulation;
/// Accelerations by the unrolled solve, or by the dense one where that fails.
mod solve;
/// Projection back to the manifold.
mod stabilize;
mod state;
/// Every way to end.
mod stop;
mod storage;
/// The program around many instances that `bellcrank sweep` builds.
#[cfg(feature = "sweep")]
mod sweep;
/// Piecewise cubics.
mod table;

pub use assemble::{AssemblyReport, assemble};
#[cfg(feature = "batch")]
pub use batch::{Batch, Batched};
#[cfg(feature = "std")]
pub use bench::{TimedFormulation, bench_main};
#[cfg(feature = "std")]
pub use compare::{Contestant, compare_main};
pub use event::{Direction, Event, Fired};
pub use extras::{
    Baumgarted, Gains, Jacobian, Jacobians, Penalized, Plain, PlainFactorization, Standard,
    StandardFactorization, Tangent, TangentFactorization, Tangents, Weights,
};
pub use integrate::{
    AlphaMemory, AnyIntegrator, AugmentedLagrangianIndex3, Bdf, BdfMemory, DormandPrince,
    DormandPrinceMemory, GeneralizedAlpha, GeneralizedAlphaIndex3, Integrator, Rk2, Rk4,
    SHAMPINE_REICHELT, SemiImplicitEuler, StepContext, TrapezoidalMemory,
};
#[cfg(feature = "batch")]
pub use lanes::{F32x8, F32x16, F64x4, F64x8, LaneMask, Lanes, Width};
pub use mechanism::{Acceleration, Defaults, Dense, Energy, Mechanism};
#[cfg(feature = "std")]
pub use methods::Named;
pub use monitor::Monitor;
pub use names::UnknownName;
pub use number::Number;
pub use rank_factor::{RankFactor, RowValues};
pub use real::{Real, fused};
#[cfg(feature = "std")]
pub use record::{RecordError, Recorder};
pub use reduce::Reduced;
#[cfg(feature = "std")]
pub use runner::{run_main, run_with};
pub use simulation::{Frame, Frames, Report, Simulation};
pub use solve::{Counts, Evaluation, SolvePath, Workspace, evaluate, minimum_norm_multipliers};
pub use stabilize::{
    AnyStabilizer, AugmentedLagrangian, AugmentedLagrangianProjections, Baumgarte,
    CoordinatePartitioning, DirectCorrection, EnergyCorrection, EnergyMemory, Ggl, Goals,
    NoStabilizer, Partition, Penalty, PenaltyMemory, PlainCorrection, Projecting, Projection,
    Stabilizer, StandardProjection, SuccessiveProjection,
};
pub use state::{State, StateView};
pub use stop::{Quantity, Stop};
pub use storage::{Matrix, Vector};
#[cfg(feature = "sweep")]
pub use sweep::{sweep_alone, sweep_together};
pub use table::table;

#[cfg(feature = "macros")]
pub use bellcrank_macros::mechanism;

#[doc(hidden)]
pub use nalgebra;

/// Everything that a program with a mechanism needs.
pub mod prelude {
    #[cfg(feature = "std")]
    pub use crate::Recorder;
    #[cfg(feature = "macros")]
    pub use crate::mechanism;
    pub use crate::{
        AnyIntegrator, AnyStabilizer, AssemblyReport, AugmentedLagrangian,
        AugmentedLagrangianIndex3, AugmentedLagrangianProjections, Baumgarte, Bdf,
        CoordinatePartitioning, DirectCorrection, DormandPrince, Energy, EnergyCorrection, Frame,
        GeneralizedAlpha, GeneralizedAlphaIndex3, Ggl, Integrator, Mechanism, Monitor,
        NoStabilizer, Penalty, PlainCorrection, Real, Report, Rk2, Rk4, SemiImplicitEuler,
        Simulation, Stabilizer, StandardProjection, State, Stop, SuccessiveProjection, Vector,
        assemble, include_mechanism,
    };
}

/// Includes the mechanism that the build helper wrote: `include_mechanism!("four_bar");`.
#[macro_export]
macro_rules! include_mechanism {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}
