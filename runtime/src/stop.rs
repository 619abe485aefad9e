//! Every way to end.

use core::fmt;

/// Why a run, a step or an assembly ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// The constraint rows contradict each other here, so no acceleration satisfies them: a dead point
    /// that locks.
    Singular {
        /// When.
        time: f64,
        /// Rank of the constraint rows.
        rank: usize,
        /// How many there are.
        rows: usize,
    },
    /// A number is infinite or none at all.
    NotFinite {
        /// When.
        time: f64,
        /// Of which kind.
        what: Quantity,
        /// Its index.
        index: usize,
        /// Its name.
        name: &'static str,
    },
    /// The constraints stayed violated after the last pass of a projection.
    ProjectionFailed {
        /// When.
        time: f64,
        /// Largest violation.
        residual: f64,
        /// How many passes were made.
        passes: usize,
    },
    /// The step no longer moves the time.
    StepTooSmall {
        /// When.
        time: f64,
        /// The step.
        step: f64,
    },
    /// The step is not a positive number, or the end of the run is none at all.
    BadStep {
        /// The step.
        step: f64,
    },
    /// No position or velocity near the guess satisfies all constraints and holds.
    AssemblyFailed {
        /// Name of the row that is violated most.
        row: &'static str,
        /// Its violation.
        residual: f64,
        /// How many iterations were made.
        iterations: usize,
    },
}

/// Which kind of number is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// q
    Coordinates,
    /// v
    Velocities,
    /// v̇
    Accelerations,
    /// A row of the constraints or holds.
    Constraints,
    /// The power of the forces, or the work that it sums to.
    Work,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::Coordinates => "coordinate",
            Quantity::Velocities => "velocity",
            Quantity::Accelerations => "acceleration of",
            Quantity::Constraints => "constraint row",
            Quantity::Work => "work of",
        })
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stop::Singular { time, rank, rows } => write!(
                f,
                "at t = {time} the {rows} constraint rows have rank {rank} and contradict each other, \
                 so the mechanism locks; change the geometry or end the run before this time"
            ),
            Stop::NotFinite {
                time,
                what,
                index,
                name,
            } => write!(
                f,
                "at t = {time} the {what} `{name}` (index {index}) is not a finite number; \
                 look for a division by zero or a root of a negative number in a force law, \
                 or take a smaller step"
            ),
            Stop::ProjectionFailed {
                time,
                residual,
                passes,
            } => write!(
                f,
                "at t = {time} the constraints stay violated by {residual:e} after {passes} passes \
                 of the projection; take a smaller step"
            ),
            Stop::StepTooSmall { time, step } => write!(
                f,
                "at t = {time} a step of {step:e} no longer moves the time; take a larger step"
            ),
            Stop::BadStep { step } => {
                write!(
                    f,
                    "the step is {step}; give a step that is positive and finite"
                )
            }
            Stop::AssemblyFailed {
                row,
                residual,
                iterations,
            } => write!(
                f,
                "the mechanism does not assemble: `{row}` is off by {residual:e} after \
                 {iterations} iterations; move the guess closer, or check the lengths and holds \
                 around `{row}`"
            ),
        }
    }
}

impl core::error::Error for Stop {}
