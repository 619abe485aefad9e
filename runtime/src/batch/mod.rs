//! Many instances of a mechanism stepped together, each in a lane of its own.
//!
//! ```text
//! let cranks = core::array::from_fn(|lane| { let mut one = FourBar::default(); one.set_length(lengths[lane]); one });
//! let mut batch = Batch::<FourBar, 8>::new(cranks, Rk4::new(1e-3), DirectCorrection::default())?;
//! while batch.step_until(10.0) {}
//! ```
//!
//! All lanes do what most of them need. A lane that needs something else – the dense path, a fresh factor in a
//! projection, an error – makes the step by itself, as a [`crate::Simulation`] would. Each lane therefore has the
//! bits that it would have alone, and none is affected by the others.

mod contract;
mod gather;
mod trial;

use crate::integrate::SLIVER;
use crate::simulation::{Clock, check_step, start, take};
use crate::{
    AnyIntegrator, AnyStabilizer, Integrator, Lanes, Mechanism, Number, Real, Rk2, Rk4,
    SemiImplicitEuler, State, StepContext, Stop, Vector, Width, Workspace,
};
use gather::{lane_of, put_lane};
use trial::{Trial, Trust, finite};

/// A mechanism that was generated for any number type, so that the lanes of a register hold `N` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` was not generated for batches",
    note = "compile it with `lanes = Lanes::Any` in the options of the build helper"
)]
pub trait Batched<const N: usize>: Mechanism<Scalar: Width<N>> {
    /// `N` of it.
    type Lanes: Mechanism<Scalar = Wide<Self, N>> + Default;
}

/// `N` numbers of a mechanism's scalar type.
type Wide<M, const N: usize> = <<M as Mechanism>::Scalar as Width<N>>::Lanes;

/// `N` instances of a mechanism with parameters, inputs and states of their own, at the same time.
pub struct Batch<M: Batched<N>, const N: usize> {
    mechanisms: [M; N],
    lanes: M::Lanes,
    integrator: AnyIntegrator<M::Scalar>,
    stepper: AnyIntegrator<Wide<M, N>>,
    stabilizer: AnyStabilizer,
    state: State<M::Lanes>,
    clock: Clock<M::Scalar>,
    memory: u32,
    trust: Trust<M::Scalar, Wide<M, N>>,
    workspace: Workspace<M::Lanes>,
    /// For lanes that make a step by themselves.
    single: Workspace<M>,
    stops: [Option<Stop>; N],
    /// A bit for each lane that is still running.
    live: u32,
}

impl<M: Batched<N>, const N: usize> Batch<M, N> {
    const ALL: u32 = u32::MAX >> (32 - N);

    /// Assembles each instance at its start. An instance that cannot be assembled has stopped there. An error is
    /// returned only for a step that no instance can use.
    pub fn new(
        mechanisms: [M; N],
        integrator: impl Into<AnyIntegrator<M::Scalar>>,
        stabilizer: impl Into<AnyStabilizer>,
    ) -> Result<Self, Stop> {
        const {
            assert!(
                M::EVENTS.is_empty(),
                "a mechanism with events cannot be stepped in a batch: each lane would have steps of its own"
            );
        };
        let integrator = integrator.into();
        let step = Integrator::<M, AnyStabilizer>::step_size(&integrator);
        check_step(step, false)?;
        let mut batch = Self {
            lanes: gathered(&mechanisms),
            mechanisms,
            integrator,
            stepper: widened(&integrator, step),
            stabilizer: stabilizer.into(),
            state: State::new(Wide::<M, N>::ZERO, Vector::zero(), Vector::zero()),
            clock: Clock::from(M::Scalar::ZERO),
            memory: 0,
            trust: Trust::new(),
            workspace: Workspace::zero(),
            single: Workspace::zero(),
            stops: [const { None }; N],
            live: Self::ALL,
        };
        for lane in 0..N {
            match start(&batch.mechanisms[lane]) {
                Ok(state) => put_lane::<M, N>(&mut batch.state, lane, &state),
                Err(stop) => batch.end(lane, stop),
            }
        }
        Ok(batch)
    }

    /// One step of all running instances.
    pub fn step(&mut self) {
        self.step_until(M::Scalar::from_f64(f64::INFINITY));
    }

    /// One step, shortened to end at `end` if that is nearer; false if no step is left.
    pub fn step_until(&mut self, end: M::Scalar) -> bool {
        let now = self.time();
        let before = now < end;
        if self.live == 0 || !before {
            return false;
        }
        let full = Integrator::<M, AnyStabilizer>::step_size(&self.integrator);
        let sliver = full * M::Scalar::from_f64(SLIVER);
        let time = self.clock.next(full);
        if time < end - sliver {
            self.advance(full, time);
            self.clock.tick();
            return true;
        }
        let whole = (time - end).abs() <= sliver;
        self.advance(if whole { full } else { end - now }, end);
        self.clock = Clock::from(end);
        true
    }

    /// t
    pub fn time(&self) -> M::Scalar {
        self.state.time.lane(0)
    }

    /// The state of an instance, or its last state if the instance has stopped.
    pub fn state(&self, lane: usize) -> State<M> {
        lane_of::<M, N>(&self.state, lane)
    }

    /// An instance, to be read.
    pub fn mechanism(&self, lane: usize) -> &M {
        &self.mechanisms[lane]
    }

    /// Reason why an instance has stopped.
    pub fn stopped(&self, lane: usize) -> Option<&Stop> {
        self.stops[lane].as_ref()
    }

    /// Continues an instance from another state, which should satisfy the constraints; its time is that of
    /// the batch. Panics if there is no such lane.
    pub fn set_state(&mut self, lane: usize, q: &M::Coordinates, v: &M::Velocities) {
        let state = State {
            q: *q,
            v: *v,
            ..lane_of::<M, N>(&self.state, lane)
        };
        put_lane::<M, N>(&mut self.state, lane, &state);
        self.trust.forget();
    }

    /// Sets an input of an instance from now on. Panics if there is none with this index.
    pub fn set_input(&mut self, lane: usize, index: usize, value: M::Scalar) {
        self.mechanisms[lane].inputs_mut()[index] = value;
        self.lanes.inputs_mut()[index].set_lane(lane, value);
        self.trust.forget();
    }

    /// Named outputs of every instance, in the order of [`Mechanism::OUTPUTS`]. Costs an evaluation, with which
    /// the next step then begins. An instance whose outputs cannot be computed stops here.
    pub fn outputs(&mut self) -> [M::Outputs; N] {
        let mut outputs = [M::Outputs::zero(); N];
        // Multipliers of redundant constraints come from the dense path, which has no lanes.
        let is_plain = M::REDUNDANT.is_empty() || !M::OUTPUTS_NEED_MULTIPLIERS;
        let together = match is_plain {
            true => self.outputs_together(&mut outputs),
            false => 0,
        };
        for (lane, outputs) in outputs.iter_mut().enumerate() {
            if self.live & !together & (1 << lane) == 0 {
                continue;
            }
            match self.outputs_alone(lane) {
                Ok(alone) => *outputs = alone,
                Err(stop) => self.end(lane, stop),
            }
        }
        outputs
    }

    /// Returns the lanes whose outputs are good.
    fn outputs_together(&mut self, outputs: &mut [M::Outputs; N]) -> u32 {
        let good = self
            .trust
            .read(&self.lanes, &self.state, &mut self.workspace);
        let read = &self.workspace.evaluation.acceleration;
        let mut wide = <M::Lanes as Mechanism>::Outputs::zero();
        self.lanes.outputs(
            self.state.view(),
            &read.accelerations,
            &read.multipliers,
            &mut wide,
        );
        for (lane, outputs) in outputs.iter_mut().enumerate() {
            gather::lane(wide.as_slice(), outputs.as_mut_slice(), lane);
        }
        Wide::<M, N>::bits(good)
    }

    #[cold]
    fn outputs_alone(&mut self, lane: usize) -> Result<M::Outputs, Stop> {
        let (m, state) = (&self.mechanisms[lane], lane_of::<M, N>(&self.state, lane));
        self.single.forget();
        let multipliers = self.single.read_multipliers(m, &state)?;
        let accelerations = self.single.read(m, &state)?.accelerations;
        let mut outputs = M::Outputs::zero();
        m.outputs(state.view(), &accelerations, &multipliers, &mut outputs);
        Ok(outputs)
    }

    /// A step of this length, to this time.
    fn advance(&mut self, limit: M::Scalar, time: M::Scalar) {
        let (begin, memory) = (self.state, self.memory);
        let mut good = 0;
        if time > self.time() {
            good = self.try_together(limit, time);
        }
        if good != Self::ALL {
            self.mend(&begin, memory, good, limit, time);
        }
    }

    /// The step in lanes; returns the lanes that succeeded.
    #[inline]
    fn try_together(&mut self, limit: M::Scalar, time: M::Scalar) -> u32 {
        let mut run = StepContext {
            mechanism: &self.lanes,
            stabilizer: &Trial::new(),
            workspace: &mut self.workspace,
            memory: &mut self.trust,
        };
        run.memory.begin();
        let limit = Wide::<M, N>::of(limit);
        let stepped = self
            .stepper
            .step(&mut run, &mut self.memory, &mut self.state, limit);
        if stepped.is_err() {
            return 0;
        }
        self.state.time = Wide::<M, N>::of(time);
        let mut good = self.trust.good() & finite(&self.state) & Wide::<M, N>::mask(self.live);
        if let AnyStabilizer::DirectCorrection(correction) = &self.stabilizer {
            let (goals, workspace) = (&correction.goals, &self.workspace);
            good = contract::project(goals, &self.lanes, &mut self.state, workspace, good);
            good = good & finite(&self.state);
        }
        Wide::<M, N>::bits(good)
    }

    /// Lanes that failed in the common step repeat it alone, from its beginning.
    #[cold]
    #[inline(never)]
    fn mend(
        &mut self,
        begin: &State<M::Lanes>,
        memory: u32,
        good: u32,
        limit: M::Scalar,
        time: M::Scalar,
    ) {
        for lane in (0..N).filter(|lane| good & (1 << lane) == 0) {
            let mut state = lane_of::<M, N>(begin, lane);
            if self.live & (1 << lane) != 0 {
                match self.take_alone(lane, state, memory, limit, time) {
                    Ok(taken) => state = taken,
                    Err(stop) => self.end(lane, stop),
                }
            }
            let at = state.time;
            put_lane::<M, N>(&mut self.state, lane, &state);
            // The time of stopped lanes advances, too, so that the batch has one time.
            if at != time {
                self.state.time.set_lane(lane, time);
            }
        }
    }

    fn take_alone(
        &mut self,
        lane: usize,
        state: State<M>,
        mut memory: u32,
        limit: M::Scalar,
        time: M::Scalar,
    ) -> Result<State<M>, Stop> {
        self.single.forget();
        let run = StepContext {
            mechanism: &self.mechanisms[lane],
            stabilizer: &self.stabilizer,
            workspace: &mut self.single,
            memory: &mut (),
        };
        Ok(take(run, &self.integrator, &mut memory, state, limit, time)?.state)
    }

    fn end(&mut self, lane: usize, stop: Stop) {
        self.stops[lane] = Some(stop);
        self.live &= !(1 << lane);
    }
}

/// The parameters, inputs and variables of all instances, lane by lane.
fn gathered<M: Batched<N>, const N: usize>(mechanisms: &[M; N]) -> M::Lanes {
    let mut lanes = M::Lanes::default();
    for index in 0..M::PARAMETERS.len() {
        let values = gather::wide::<M, N>(|lane| mechanisms[lane].parameters()[index]);
        lanes.set_parameter(index, values);
    }
    for index in 0..M::INPUTS.len() {
        let values = gather::wide::<M, N>(|lane| mechanisms[lane].inputs()[index]);
        lanes.inputs_mut()[index] = values;
    }
    let mut variables = lanes.variables();
    for index in 0..M::Variables::LEN {
        variables[index] = gather::wide::<M, N>(|lane| mechanisms[lane].variables()[index]);
    }
    lanes.set_variables(&variables);
    lanes
}

/// The same method for lanes.
fn widened<E: Real, L: Number<E>>(integrator: &AnyIntegrator<E>, step: E) -> AnyIntegrator<L> {
    let step = L::of(step);
    match integrator {
        AnyIntegrator::Rk4(_) => Rk4::new(step).into(),
        AnyIntegrator::Rk2(_) => Rk2::new(step).into(),
        AnyIntegrator::SemiImplicitEuler(_) => SemiImplicitEuler::new(step).into(),
    }
}
