//! The reasons why a simulation ends.

use core::fmt;

/// Reason why a run, a step or an assembly ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// The constraint equations contradict each other here, so no acceleration satisfies them: a dead point that locks.
    Singular {
        /// When.
        time: f64,
        /// Rank of the constraint equations.
        rank: usize,
        /// Number of these constraint equations.
        rows: usize,
    },
    /// The mechanism is at a singular position where it could move on in several ways, and its velocity does not
    /// determine the way.
    Undetermined {
        /// When.
        time: f64,
        /// A constraint equation that depends on the others here.
        row: &'static str,
    },
    /// A number is infinite or NaN.
    NotFinite {
        /// When.
        time: f64,
        /// The kind of number.
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
        /// Number of passes that were made.
        passes: usize,
    },
    /// A constraint equation that was left out as redundant is violated by more than rounding explains.
    Contradiction {
        /// When.
        time: f64,
        /// The equation.
        row: &'static str,
        /// Its violation.
        residual: f64,
        /// The allowed violation.
        tolerance: f64,
    },
    /// The Newton iterations of a step do not converge.
    NoConvergence {
        /// When.
        time: f64,
        /// Size of the last iteration.
        residual: f64,
        /// Number of iterations that were made.
        iterations: usize,
    },
    /// The step no longer advances the time.
    StepTooSmall {
        /// When.
        time: f64,
        /// The step.
        step: f64,
    },
    /// The step that the tolerance requires no longer advances the time.
    ToleranceTooTight {
        /// When.
        time: f64,
        /// The step.
        step: f64,
        /// The tolerance.
        tolerance: f64,
    },
    /// Round-off alone causes larger errors than the tolerance allows, for every step size.
    RoundOff {
        /// When.
        time: f64,
        /// The error that round-off makes, relative to the size of the mechanism.
        error: f64,
        /// The tolerance.
        tolerance: f64,
    },
    /// A force jumps where the motion stays, so that steps within the tolerance hardly advance the time.
    Discontinuous {
        /// When.
        time: f64,
        /// The step.
        step: f64,
        /// Name of the velocity whose acceleration jumps most.
        name: &'static str,
        /// Names of the force elements whose laws can jump.
        laws: &'static [&'static str],
    },
    /// The tolerance is not positive and finite.
    BadTolerance {
        /// The tolerance.
        tolerance: f64,
    },
    /// The requested state lies before the steps that are still known.
    Passed {
        /// The requested time.
        time: f64,
        /// The earliest time that can still be requested.
        since: f64,
    },
    /// The step is not a positive number, or the end of the run is NaN.
    BadStep {
        /// The step.
        step: f64,
    },
    /// Events follow each other without end, and the time hardly advances.
    Chattering {
        /// When.
        time: f64,
        /// Name of the event that happened last.
        event: &'static str,
        /// Number of events in succession.
        count: usize,
    },
    /// An event moves a prescribed motion away from where the mechanism is.
    Jump {
        /// When.
        time: f64,
        /// Name of the event.
        event: &'static str,
        /// Largest change of a constraint equation.
        by: f64,
    },
    /// The energy balance jumps between two frames. Runs report the jump and continue, unless they are set to stop.
    EnergyJump {
        /// Time of the frame before it.
        since: f64,
        /// Time of the frame after it.
        time: f64,
        /// Change of kinetic + potential energy − work.
        by: f64,
        /// Energy that is in motion.
        of: f64,
        /// Evaluations between both frames that took the dense path, as they do at singular positions.
        dense: usize,
    },
    /// No position or velocity near the guess satisfies all constraints and holds.
    AssemblyFailed {
        /// Name of the constraint equation or hold that is violated most.
        row: &'static str,
        /// Its violation.
        residual: f64,
        /// Number of iterations that were made.
        iterations: usize,
    },
}

/// The kind of number that is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// q
    Coordinates,
    /// v
    Velocities,
    /// v̇
    Accelerations,
    /// A constraint equation or a hold.
    Constraints,
    /// The power of the forces, or the work that it sums to.
    Work,
    /// Expressions that events watch.
    Events,
    /// A discrete variable.
    Variables,
    /// The time of a state.
    Time,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::Coordinates => "coordinate",
            Quantity::Velocities => "velocity",
            Quantity::Accelerations => "acceleration of",
            Quantity::Constraints => "constraint row",
            Quantity::Work => "work of",
            Quantity::Time => "time of",
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
            Stop::Undetermined { time, row } => write!(
                f,
                "at t = {} the mechanism is at a singular position: the constraint equation `{row}` depends on the \
                 others, so it can move on in several ways, and its velocity does not tell in which; give the \
                 bodies a velocity along the motion that is meant, or start beside this position",
                Short(time)
            ),
            Stop::NotFinite {
                time,
                what,
                index,
                name,
            } => write!(
                f,
                "at t = {} the {what} `{name}` (index {index}) is not a finite number: the motion grew without bound; \
                 take a smaller step, and if there are laws, look in them for a division by zero \
                 or a root of a negative number",
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
            Stop::Contradiction {
                time,
                row,
                residual,
                tolerance,
            } => write!(
                f,
                "at t = {} the constraint equation `{row}`, which is left out as redundant, is violated by {residual:.2e} \
                 where the others hold, and up to {tolerance:.0e} is taken for rounding; make lengths and axes \
                 agree, or give a joint of this loop more freedom",
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
            Stop::ToleranceTooTight {
                time,
                step,
                tolerance,
            } => write!(
                f,
                "at t = {} the tolerance {tolerance:.1e} asks for a step of {step:.2e}, which no longer moves the \
                 time; take a larger tolerance, or look for a force that grows without bound",
                Short(time)
            ),
            Stop::RoundOff {
                time,
                error,
                tolerance,
            } => write!(
                f,
                "at t = {} round-off alone makes an error of {error:.1e}, above the tolerance {tolerance:.1e}, however \
                 short the step is; take a tolerance above {error:.1e}, or another formulation",
                Short(time)
            ),
            Stop::Discontinuous {
                time,
                step,
                name,
                laws,
            } => write!(
                f,
                "at t = {} the acceleration of `{name}` jumps, and steps of {step:.2e} do not get past it; {}",
                Short(time),
                Smooth(laws)
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
            Stop::EnergyJump {
                since,
                time,
                by,
                of,
                dense,
            } => {
                write!(
                    f,
                    "between t = {since:?} and t = {time:?} the energy balance jumps by {by:.3e} J, where {of:.3e} J are \
                     in motion; take a smaller step, or another formulation",
                )?;
                match dense {
                    0 => Ok(()),
                    _ => write!(
                        f,
                        " (a singular position is near: {dense} dense evaluations)"
                    ),
                }
            }
            Stop::AssemblyFailed {
                row,
                residual,
                iterations,
            } => {
                let (owner, keeps) = row.split_once(": ").unwrap_or((row, "it"));
                write!(
                    f,
                    "the mechanism does not assemble with these values: it stays open at `{owner}`, where {keeps} is \
                     off by {residual:.2e}{} (after {iterations} iterations); check the lengths around `{owner}`, or \
                     guess its bodies nearer to where they meet",
                    unit(keeps)
                )
            }
        }
    }
}

/// The violated quantity of a constraint equation, by the words for the quantity that it keeps.
fn unit(keeps: &str) -> &'static str {
    let begins = |words: &[&str]| words.iter().any(|word| keeps.starts_with(word));
    if begins(&["x of", "y of", "z of", "distance", "length", "displacement"]) {
        " m"
    } else if begins(&["angle", "second_angle", "tilt", "relative angle"]) {
        " rad"
    } else {
        ""
    }
}

/// Advice about laws that jump.
struct Smooth(&'static [&'static str]);

impl fmt::Display for Smooth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(laws) = *self;
        let Some((last, others)) = laws.split_last() else {
            return f.write_str(
                "smooth what jumps there, let an event switch it, or take an explicit method with fixed steps",
            );
        };
        f.write_str(match others.is_empty() {
            true => "smooth the law of ",
            false => "smooth the laws of ",
        })?;
        for (n, law) in others.iter().enumerate() {
            let comma = if n + 1 < others.len() { "," } else { " or" };
            write!(f, "`{law}`{comma} ")?;
        }
        write!(
            f,
            "`{last}` (`tanh(rate/0.001)` for `sign(rate)`), let an event switch it, or take an explicit method with fixed steps"
        )
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
