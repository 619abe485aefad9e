//! Runtime of compiled mechanisms: integrators, stabilizers, and assembly of a consistent start.
//!
//! A step allocates nothing. Without the feature `std` the crate needs no operating system.
//!
//! # A guide in six steps
//!
//! **1. Get a mechanism.** The macro `mechanism!` compiles a description in the middle of a program. A build script
//! does the same for a file, and [`include_mechanism!`] takes its result in. Both give a type that implements
//! [`Mechanism`] and has the name of the description. [`Mechanism::set_parameter`] changes a parameter before the
//! start.
//!
//! **2. Choose an integrator and a stabilizer.** [`Rk4`] with [`DirectCorrection`] is right for most mechanisms.
//! [`Bdf`] is for stiff springs and dampers, [`GeneralizedAlpha`] for steps that damp fast vibrations,
//! [`DormandPrince`] for a given accuracy. [`AnyIntegrator`] and [`AnyStabilizer`] take the method from a text.
//!
//! **3. Make a [`Simulation`].** It finds the consistent start and holds the state. An error says why there is none.
//! [`Simulation::set_input_named`] changes an input at any time.
//!
//! ```text
//! let mut sim = Simulation::new(FourBar::default(), Rk4::new(1e-3), DirectCorrection::default())?;
//! for frame in sim.until(10.0) {
//!     let frame = frame?;
//!     println!("{} {}", frame.time(), frame.energy());
//! }
//! ```
//!
//! **4. Read each [`Frame`].** A frame gives the time, coordinates and velocities, the [`Energy`], outputs and
//! reactions. A [`Recorder`] writes frames as rows of a table. A [`Monitor`] keeps the largest violation and the drift
//! of the energy.
//!
//! **5. Handle every end.** A simulation that cannot go on ends with a [`Stop`], which says where, why, and what to do
//! next. An [`Event`] of the description may end a run as well; [`Fired`] says which one.
//!
//! **6. Run many at once.** With the feature `batch`, `Batch` steps several instances in the lanes of one register.
//!
//! Two modules are not for users: [`generated`] has what generated modules use, and [`program`] the main functions of
//! the command line.
#![cfg_attr(not(feature = "std"), no_std)]

/// Sums and norms of vectors of fixed size.
mod arithmetic;
/// A consistent start from a rough guess.
mod assemble;
/// Checks the energy balance from one row of output to the next.
mod balance;
/// Several instances of a mechanism that are stepped together.
#[cfg(feature = "batch")]
mod batch;
/// Times formulations in turn, for `bellcrank bench`.
#[cfg(feature = "std")]
mod bench;
/// Runs many methods in turn, for `bellcrank compare`.
#[cfg(feature = "std")]
mod compare;
/// Events: zero crossings of expressions that a mechanism watches.
mod event;
/// Traits that generated code implements only if a method needs them.
mod extras;
/// Integrators.
mod integrate;
/// Numbers in the lanes of a register.
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
/// The threshold below which a pivot of a dense factor is noise.
mod noise;
/// Arithmetic that one number and the lanes of a register have in common.
mod number;
/// Permutations of indices.
mod order;
/// Projections with orthonormal rows, for positions where constraint equations become dependent.
mod orthogonal;
/// A step through a singular position.
mod passage;
/// The rank-revealing factor of the dense solve.
mod rank_factor;
/// Reactions of redundant constraints.
mod reactions;
mod real;
/// Frames as rows of a table, for other programs.
#[cfg(feature = "std")]
mod record;
/// Reduces the dense equations to the multipliers: D M⁻¹ Dᵀ λ = γ − D M⁻¹ Q.
mod reduce;
/// Violations of redundant constraint equations.
mod redundant;
/// The program around a mechanism that `bellcrank run` builds.
#[cfg(feature = "std")]
mod runner;
/// The dense factor of a Newton matrix, for states at which the unrolled factor is not safe.
mod saddle;
/// The simulation: a mechanism, its methods and the present state.
mod simulation;
/// Accelerations by the unrolled solve, or by the dense one where that fails.
mod solve;
/// Projection back to the manifold.
mod stabilize;
mod state;
/// The reasons why a simulation ends.
mod stop;
mod storage;
/// The program around many instances that `bellcrank sweep` builds.
#[cfg(feature = "sweep")]
mod sweep;
/// Interpolated tables, as piecewise cubics.
mod table;

// For users, by the steps of the guide above.
#[cfg(feature = "macros")]
pub use bellcrank_macros::mechanism;
pub use simulation::{Frame, Frames, Report, Simulation};
pub use state::State;
pub use stop::{Quantity, Stop};

pub use integrate::{
    AnyIntegrator, AugmentedLagrangianIndex3, Bdf, DormandPrince, GeneralizedAlpha,
    GeneralizedAlphaIndex3, Integrator, Rk2, Rk4, SHAMPINE_REICHELT, SemiImplicitEuler,
    StepContext,
};
#[cfg(feature = "std")]
pub use methods::Named;
pub use names::UnknownName;
pub use stabilize::{
    AnyStabilizer, AugmentedLagrangian, AugmentedLagrangianProjections, Baumgarte,
    CoordinatePartitioning, DirectCorrection, EnergyCorrection, Ggl, Goals, NoStabilizer,
    Partition, Penalty, PlainCorrection, Projecting, Projection, Stabilizer, StandardProjection,
    SuccessiveProjection,
};

pub use assemble::{AssemblyReport, assemble};
pub use event::{Direction, Event, Fired};
pub use mechanism::{Defaults, Energy, Mechanism};
pub use monitor::Monitor;
pub use real::Real;
#[cfg(feature = "std")]
pub use record::{RecordError, Recorder};
pub use solve::{Counts, SolvePath, minimum_norm_multipliers};
pub use storage::{Matrix, Vector};

#[cfg(feature = "batch")]
pub use batch::{Batch, Batched};
#[cfg(feature = "batch")]
pub use lanes::{F32x8, F32x16, F64x4, F64x8, LaneMask, Lanes, Width};

// For generated code, whose modules import from the root.
#[doc(hidden)]
pub use generated::*;
// For the programs of the command line.
#[cfg(feature = "std")]
#[doc(hidden)]
pub use program::*;

/// Further items that generated modules use: the traits of methods, the equations as numbers, and functions that round
/// as the compiler expects. A program with a mechanism needs none of them.
pub mod generated {
    pub use crate::extras::{
        Baumgarted, Gains, Jacobian, Jacobians, Penalized, Plain, PlainFactorization, Standard,
        StandardFactorization, Tangent, TangentFactorization, Tangents, Weights,
    };
    pub use crate::integrate::{AlphaMemory, BdfMemory, DormandPrinceMemory, TrapezoidalMemory};
    pub use crate::mechanism::{Acceleration, Dense};
    pub use crate::number::Number;
    pub use crate::rank_factor::{RankFactor, RowValues};
    pub use crate::real::fused;
    pub use crate::reduce::Reduced;
    pub use crate::solve::{Evaluation, Workspace, evaluate};
    pub use crate::stabilize::{EnergyMemory, PenaltyMemory};
    pub use crate::state::StateView;
    pub use crate::table::table;

    #[doc(hidden)]
    pub use nalgebra;
}

/// The main functions of the programs that `bellcrank run`, `compare`, `bench` and `sweep` build.
#[cfg(feature = "std")]
pub mod program {
    pub use crate::bench::{TimedFormulation, bench_main};
    pub use crate::compare::{Contestant, compare_main};
    pub use crate::runner::{run_main, run_with};
    #[cfg(feature = "sweep")]
    pub use crate::sweep::{sweep_alone, sweep_together};
}

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
