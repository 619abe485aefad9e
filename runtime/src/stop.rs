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
    /// The Newton iterations of a step lead nowhere.
    NoConvergence {
        /// When.
        time: f64,
        /// Size of the last iteration.
        residual: f64,
        /// How many iterations were made.
        iterations: usize,
    },
    /// The step no longer moves the time.
    StepTooSmall {
        /// When.
        time: f64,
        /// The step.
        step: f64,
    },
    /// The tolerance is not positive and finite.
    BadTolerance {
        /// The tolerance.
        tolerance: f64,
    },
    /// A state was asked for that steps have passed.
    Passed {
        /// The time that was asked for.
        time: f64,
        /// The earliest time that can still be asked for.
        since: f64,
    },
    /// The step is not a positive number, or the end of the run is none at all.
    BadStep {
        /// The step.
        step: f64,
    },
    /// Events follow each other without end while the time hardly moves.
    Chattering {
        /// When.
        time: f64,
        /// Name of the event that happened last.
        event: &'static str,
        /// How many happened in a row.
        count: usize,
    },
    /// An event moves a prescribed motion away from where the mechanism is.
    Jump {
        /// When.
        time: f64,
        /// Name of the event.
        event: &'static str,
        /// Largest change of a constraint row.
        by: f64,
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
    /// What an event watches.
    Events,
    /// A discrete variable.
    Variables,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::Coordinates => "coordinate",
            Quantity::Velocities => "velocity",
            Quantity::Accelerations => "acceleration of",
            Quantity::Constraints => "constraint row",
            Quantity::Work => "work of",
            Quantity::Events => "expression of the event",
            Quantity::Variables => "variable",
        })
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stop::Singular { time, rank, rows } => write!(
                f,
                "at t = {} the {rows} constraint rows have rank {rank} and contradict each other, \
                 so the mechanism locks; change the geometry or end the run before this time",
                Short(time)
            ),
            Stop::NotFinite {
                time,
                what,
                index,
                name,
            } => write!(
                f,
                "at t = {} the {what} `{name}` (index {index}) is not a finite number; \
                 look for a division by zero or a root of a negative number in a force law, \
                 or take a smaller step",
                Short(time)
            ),
            Stop::ProjectionFailed {
                time,
                residual,
                passes,
            } => write!(
                f,
                "at t = {} the constraints stay violated by {residual:.2e} after {passes} passes \
                 of the projection; take a smaller step",
                Short(time)
            ),
            Stop::NoConvergence {
                time,
                residual,
                iterations,
            } => write!(
                f,
                "at t = {} the step does not converge: the last of {iterations} iterations still moved \
                 by {residual:.2e}; take a smaller step",
                Short(time)
            ),
            Stop::StepTooSmall { time, step } => write!(
                f,
                "at t = {} a step of {step:.2e} no longer moves the time; take a larger step",
                Short(time)
            ),
            Stop::BadTolerance { tolerance } => {
                write!(f, "the tolerance {tolerance:?} is not a positive number")
            }
            Stop::Passed { time, since } => write!(
                f,
                "the steps have passed t = {time:?}; ask for times from {since:?} on, or reset"
            ),
            Stop::BadStep { step } => {
                write!(
                    f,
                    "the step is {step}; give a step that is positive and finite"
                )
            }
            Stop::Chattering { time, event, count } => write!(
                f,
                "at t = {} {count} events followed each other while the time hardly moved, `{event}` \
                 the last of them; let it switch back at another value than it switched at",
                Short(time)
            ),
            Stop::Jump { time, event, by } => write!(
                f,
                "at t = {} the event `{event}` moves a prescribed motion by {by:.2e} at once; \
                 let the motion go on from where it is",
                Short(time)
            ),
            Stop::AssemblyFailed {
                row,
                residual,
                iterations,
            } => write!(
                f,
                "the mechanism does not assemble: `{row}` is off by {residual:.2e} after \
                 {iterations} iterations; move the guess closer, or check the lengths and holds \
                 around `{row}`"
            ),
        }
    }
}

/// A time with the digits that a person needs: n · h has more, such as 0.30000000000000004.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = *self;
        if time != 0.0 && !(1e-3..1e9).contains(&time) {
            return write!(f, "{time:.3e}");
        }
        // Whole microseconds; `round` needs the standard library.
        let microseconds = (time * 1e6 + 0.5) as u64;
        write!(f, "{}", microseconds as f64 / 1e6)
    }
}

impl core::error::Error for Stop {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn numbers_are_short() {
        let stop = Stop::ProjectionFailed {
            time: 3.0 * 0.1,
            residual: 4.978235277307563,
            passes: 25,
        };
        let expect = "at t = 0.3 the constraints stay violated by 4.98e0 after 25 passes";
        assert!(stop.to_string().starts_with(expect), "{stop}");
    }

    #[test]
    fn times_of_every_size_are_told() {
        let check = |time, expect: &str| assert_eq!(Short(time).to_string(), expect);
        check(0.0, "0");
        check(12.5, "12.5");
        check(3.0 * 1e-7, "3.000e-7");
        check(-0.25, "-2.500e-1");
        check(f64::NAN, "NaN");
    }
}
