//! Dormand and Prince's pair of orders 5 and 4.

use super::jump::Pace;
use super::slope::Slope;
use super::{check_moves, check_tolerable, fitted};
use crate::{Integrator, Mechanism, Real, Stabilizer, State, StepContext, Stop, Vector};

/// Order 5 with an estimate of order 4 and dense output; seven evaluations a step, or six if nothing moves the state
/// between two steps. The steps are as long as the tolerance allows, or all have one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DormandPrince<T> {
    /// Error that a step may make, relative to the size of the mechanism.
    pub tolerance: T,
    /// The longest step; the only one if `fixed`.
    pub longest: T,
    /// Whether all steps have the same length.
    pub fixed: bool,
}

impl<T: Real> DormandPrince<T> {
    /// Steps that the tolerance determines.
    pub fn new(tolerance: T) -> Self {
        Self {
            tolerance,
            longest: T::from_f64(f64::INFINITY),
            fixed: false,
        }
    }

    /// Steps of this length.
    pub const fn fixed(step: T) -> Self {
        Self {
            tolerance: step,
            longest: step,
            fixed: true,
        }
    }

    /// No step longer than this.
    #[must_use]
    pub const fn with_longest(mut self, step: T) -> Self {
        self.longest = step;
        self
    }
}

/// Times of the stages.
const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// Weights of the stages before each stage; those of the last one give the new state.
const A: [[f64; 6]; 7] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];

/// Order 5 less order 4.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// The fourth power of the dense output.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// The next step aims at this share of the step that the estimate would allow.
const SAFETY: f64 = 0.9;
/// The estimate of one step may change the next one by these factors.
const FACTORS: (f64, f64) = (0.2, 5.0);
/// Exponents of the errors of this step and the last one in the rule for the length of the next step.
const EXPONENTS: (f64, f64) = (0.7 / 5.0, 0.4 / 5.0);

/// Memory of [`DormandPrince`] from step to step.
pub struct DormandPrinceMemory<M: Mechanism> {
    /// The step to try next; not known yet at the start.
    next: Option<M::Scalar>,
    /// Error of the last step in tolerances.
    error: M::Scalar,
    /// Begin and length of the last step.
    begin: State<M>,
    step: M::Scalar,
    /// Its polynomial: y = begin + θ (c₁ + (1 − θ) (c₂ + θ (c₃ + (1 − θ) c₄)))
    polynomial: [Slope<M>; 4],
    pace: Pace<M::Scalar>,
}

impl<M: Mechanism> Clone for DormandPrinceMemory<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for DormandPrinceMemory<M> {}

impl<M: Mechanism, S: Stabilizer<M>> Integrator<M, S> for DormandPrince<M::Scalar> {
    type Memory = DormandPrinceMemory<M>;

    const ADAPTIVE: bool = true;
    const DENSE: bool = true;

    fn memory(&self) -> Self::Memory {
        let (q, v) = (M::Coordinates::zero(), M::Velocities::zero());
        DormandPrinceMemory {
            next: None,
            error: M::Scalar::ONE,
            begin: State::new(M::Scalar::ZERO, q, v),
            step: M::Scalar::ZERO,
            polynomial: [Slope::zero(); 4],
            pace: Pace::new(),
        }
    }

    fn tolerance(&self) -> Option<M::Scalar> {
        Some(self.tolerance)
    }

    fn step_size(&self) -> M::Scalar {
        self.longest
    }

    fn step(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut Self::Memory,
        state: &mut State<M>,
        limit: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        let first = Slope::of(run.begin(state)?);
        let mut wanted = match memory.next {
            _ if self.fixed => self.longest,
            Some(next) => next.min(self.longest),
            None => self.first_step(state, &first).min(self.longest),
        };
        let mut step = fitted(wanted, limit);
        loop {
            match self.fixed {
                true => check_moves(state.time, step)?,
                false => {
                    check_tolerable(state.time, step, self.tolerance)?;
                    memory.pace.check(run, state, step)?;
                }
            }
            let (slopes, end) = stages(run, state, first, step)?;
            let error = self.error(&end, &Slope::sum(step, &E, &slopes));
            if self.fixed || error <= M::Scalar::ONE {
                memory.accept(state, step, wanted, error, &slopes);
                if S::PLAIN {
                    run.workspace.keep(&end);
                }
                *state = end;
                return Ok(step);
            }
            run.workspace.counts.rejections += 1;
            memory.error = M::Scalar::ONE;
            step *= shrink(error);
            wanted = step;
        }
    }

    fn interpolate(&self, memory: &Self::Memory, time: M::Scalar) -> Option<State<M>> {
        let theta = (time - memory.begin.time) / memory.step;
        let rest = M::Scalar::ONE - theta;
        let [c1, c2, c3, c4] = &memory.polynomial;
        let mut sum = Slope::zero();
        sum.add(theta, c1);
        sum.add(theta * rest, c2);
        sum.add(theta * theta * rest, c3);
        sum.add(theta * theta * rest * rest, c4);
        Some(sum.moved(&memory.begin, time))
    }
}

/// The slopes at all stages, and the end of the step, where the last one is.
pub fn stages<M: Mechanism, S: Stabilizer<M>>(
    run: &mut StepContext<M, S>,
    state: &State<M>,
    first: Slope<M>,
    step: M::Scalar,
) -> Result<([Slope<M>; 7], State<M>), Stop> {
    let mut slopes = [first; 7];
    let mut end = *state;
    for stage in 1..7 {
        let time = state.time + step * M::Scalar::from_f64(C[stage]);
        end = Slope::sum(step, &A[stage][..stage], &slopes).moved(state, time);
        slopes[stage] = Slope::of(run.evaluate(end.view())?);
    }
    Ok((slopes, end))
}

impl<T: Real> DormandPrince<T> {
    /// Largest error in tolerances.
    fn error<M: Mechanism<Scalar = T>>(&self, end: &State<M>, error: &Slope<M>) -> T {
        let error = error.size(end) / self.tolerance;
        if error.is_finite() {
            error
        } else {
            T::from_f64(1e9)
        }
    }

    /// A first step that moves by about a hundredth of the size.
    fn first_step<M: Mechanism<Scalar = T>>(&self, state: &State<M>, slope: &Slope<M>) -> T {
        T::from_f64(0.01) / slope.size(state).max(T::from_f64(1e-3))
    }
}

/// Factor for the length of a step that was too long.
fn shrink<T: Real>(error: T) -> T {
    let factor = T::from_f64(SAFETY) * error.powf(T::from_f64(-0.2));
    factor.max(T::from_f64(FACTORS.0))
}

impl<M: Mechanism> DormandPrinceMemory<M> {
    fn accept(
        &mut self,
        begin: &State<M>,
        step: M::Scalar,
        wanted: M::Scalar,
        error: M::Scalar,
        slopes: &[Slope<M>; 7],
    ) {
        let of = M::Scalar::from_f64;
        let (now, last) = (error.max(of(1e-10)), self.error.max(of(1e-4)));
        let factor = of(SAFETY) * now.powf(of(-EXPONENTS.0)) * last.powf(of(EXPONENTS.1));
        let next = step * factor.max(of(FACTORS.0)).min(of(FACTORS.1));
        // A step that was cut short, to end at a given time, does not show how long a step may be.
        self.next = Some(if step < wanted {
            next.max(wanted)
        } else {
            next
        });
        self.error = error;
        (self.begin, self.step) = (*begin, step);
        let change = Slope::sum(step, &A[6], slopes);
        let minus = -M::Scalar::ONE;
        let mut left = Slope::zero();
        left.add(step, &slopes[0]);
        left.add(minus, &change);
        let mut right = change;
        right.add(-step, &slopes[6]);
        right.add(minus, &left);
        self.polynomial = [change, left, right, Slope::sum(step, &D, slopes)];
    }
}
