//! Steps that end where an expression crosses zero.
//!
//! The event expressions are evaluated after each step, and an event has happened if its expression is then on the
//! other side of zero. The step is then repeated from its beginning, with other lengths, until the first crossing is
//! known within the tolerance. A polynomial of the integrator, if it has one, gives the first estimate. The final
//! step ends just after the crossing. Between events the motion is smooth, so the integrator keeps its order.

use super::bracket::{Bracket, EventValues};
use super::frames::TakenStep;
use super::{Frames, Memory, fresh};
use crate::arithmetic::{add_scaled, exceeds, norm};
use crate::assemble::closed;
use crate::solve::check;
use crate::stabilize::follow;
use crate::{
    Counts, Fired, Integrator, Mechanism, Quantity, Real, Stabilizer, State, Stop, Vector,
};

/// More events than this, without a step between them that ends at its own time, are chattering.
const MOST: usize = 100;
/// Times that differ by less than this many units of round-off count as equal.
const ROUNDING: f64 = 4.0;

/// Memory of the events between steps.
pub(super) struct Watch<M: Mechanism> {
    /// Side of zero on which each expression was last, −1 or 1; 0 if it has not left zero yet. `None` before the
    /// first step.
    sides: Option<M::Events>,
    /// Number of successive events without a step between them that ended at its own time.
    in_a_row: usize,
    /// Variables during the last step.
    pub(super) during: Option<M::Variables>,
    /// Whether the motion may have jumped since, so that the memory of the methods is out of date.
    jumped: bool,
}

// Written by hand: a derive would require `M: Clone`, which is not needed here.

impl<M: Mechanism> Clone for Watch<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for Watch<M> {}

impl<M: Mechanism> Default for Watch<M> {
    fn default() -> Self {
        Self {
            sides: None,
            in_a_row: 0,
            during: None,
            jumped: false,
        }
    }
}

/// A step that is repeated: the place where its events began, and the memory of the methods there.
struct Attempt<M: Mechanism, R> {
    variables: M::Variables,
    sides: M::Events,
    memory: R,
    before: Counts,
}

impl<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> Frames<'_, M, I, S> {
    /// A step that ends where the first event in it happens, or at its own time.
    pub(super) fn advance_watching(
        &mut self,
        limit: M::Scalar,
        time: M::Scalar,
    ) -> Result<(), Stop> {
        if self.progress.watch.jumped {
            *self.memory = fresh(self.integrator, self.stabilizer);
        }
        let attempt = Attempt::<M, _> {
            variables: self.mechanism.variables(),
            sides: self.sides()?,
            memory: self.memory.clone(),
            before: self.workspace.borrow().counts,
        };
        let whole = self.take(limit, time)?;
        let values = self.watched(&whole.state)?;
        let fired = crossed::<M>(&attempt.sides, &values);
        if fired.is_empty() {
            self.pass(&whole, &values, &attempt);
            return Ok(());
        }
        let bracket = Bracket::new(
            EventValues::new(M::Scalar::ZERO, self.watched(&self.progress.state)?),
            EventValues::new(whole.length, values),
            fired,
        );
        self.locate(&whole, bracket, &attempt)
    }

    /// Narrows the bracket down to the first event, and lets it happen.
    fn locate(
        &mut self,
        whole: &TakenStep<M>,
        mut bracket: Bracket<M>,
        attempt: &Attempt<M, Memory<I::Memory, S::Memory>>,
    ) -> Result<(), Stop> {
        let tolerance = self.event_tolerance(whole);
        let mut guess = self.guess(bracket, tolerance, &attempt.sides)?;
        while let Some(length) = bracket.next(guess.take(), tolerance) {
            let tried = self.retake(length, &attempt.memory)?;
            let values = self.watched(&tried.state)?;
            let fired = crossed::<M>(&attempt.sides, &values);
            if fired.is_empty() && tried.length < length {
                return self.put_off(&tried, attempt);
            }
            bracket.narrow(EventValues::new(tried.length, values), fired);
        }
        // A little later, so that expressions that cross at the same instant, up to round-off, have crossed too.
        let end = bracket.high.length + tolerance;
        let cut = end + tolerance < whole.length;
        let taken = match cut {
            true => self.retake(end, &attempt.memory)?,
            false => {
                self.memory.clone_from(&attempt.memory);
                self.take(whole.length, whole.state.time)?
            }
        };
        match taken.length < bracket.high.length {
            true => self.put_off(&taken, attempt),
            false => self.happen(taken, bracket.fired, cut, attempt),
        }
    }

    /// The integrator rejects even the shorter step as too long: the event is left to another step.
    fn put_off<R>(&mut self, taken: &TakenStep<M>, attempt: &Attempt<M, R>) -> Result<(), Stop> {
        let values = self.watched(&taken.state)?;
        self.pass(taken, &values, attempt);
        Ok(())
    }

    /// The first event on the polynomial of the integrator, if the integrator has one. The true event is near.
    fn guess(
        &self,
        mut bracket: Bracket<M>,
        tolerance: M::Scalar,
        sides: &M::Events,
    ) -> Result<Option<M::Scalar>, Stop> {
        while let Some(length) = bracket.next(None, tolerance) {
            let time = self.progress.state.time + length;
            let memory = &self.memory.integrator;
            let Some(state) = self.integrator.interpolate(memory, time) else {
                return Ok(None);
            };
            let values = self.watched(&state)?;
            bracket.narrow(
                EventValues::new(length, values),
                crossed::<M>(sides, &values),
            );
        }
        Ok(Some(bracket.high.length))
    }

    /// Repeats the step with another length.
    fn retake(
        &mut self,
        length: M::Scalar,
        memory: &Memory<I::Memory, S::Memory>,
    ) -> Result<TakenStep<M>, Stop> {
        self.memory.clone_from(memory);
        self.take(length, self.progress.state.time + length)
    }

    /// Tolerance for the time of an event within this step.
    fn event_tolerance(&self, whole: &TakenStep<M>) -> M::Scalar {
        let share = whole.length * M::Scalar::from_f64(self.tolerance);
        let rounding = M::Scalar::EPSILON * M::Scalar::from_f64(ROUNDING);
        share.max(rounding * whole.state.time.abs())
    }

    /// A step in which nothing happened.
    fn pass<R>(&mut self, taken: &TakenStep<M>, values: &M::Events, attempt: &Attempt<M, R>) {
        let mut sides = signs::<M>(values);
        for (side, last) in sides
            .as_mut_slice()
            .iter_mut()
            .zip(attempt.sides.as_slice())
        {
            if *side == M::Scalar::ZERO {
                *side = *last;
            }
        }
        self.progress.watch = Watch {
            sides: Some(sides),
            during: Some(attempt.variables),
            ..Watch::default()
        };
        self.commit(taken, attempt.before);
    }

    /// Events at the end of a step. After an error neither the state nor the variables have changed.
    fn happen<R>(
        &mut self,
        mut taken: TakenStep<M>,
        located: Fired,
        cut: bool,
        attempt: &Attempt<M, R>,
    ) -> Result<(), Stop> {
        let values = self.watched(&taken.state)?;
        let fired = located.with(crossed::<M>(&attempt.sides, &values));
        let in_a_row = self.progress.watch.in_a_row + 1;
        check_chattering::<M>(taken.state.time, fired, in_a_row)?;
        let jumped = fired.iter().any(|index| !M::EVENTS[index].sets.is_empty());
        let after = match jumped {
            true => self.transit(&mut taken, fired),
            false => Ok(values),
        };
        let after = after.inspect_err(|_| self.mechanism.set_variables(&attempt.variables))?;
        let mut sides = signs::<M>(&after);
        for index in fired.iter().filter(|index| after[*index] == values[*index]) {
            sides[index] = -attempt.sides[index];
        }
        self.progress.watch = Watch {
            sides: Some(sides),
            in_a_row,
            during: Some(attempt.variables),
            jumped,
        };
        self.commit(&taken, attempt.before);
        self.progress.report.events = fired;
        self.progress.report.cut = cut;
        self.progress.report.stopped = fired.iter().any(|index| M::EVENTS[index].stops);
        Ok(())
    }

    /// Sets the variables of the events, from the values just before. Then the event expressions are evaluated again,
    /// so that a jump that the events cause is no crossing.
    fn transit(&mut self, taken: &mut TakenStep<M>, fired: Fired) -> Result<M::Events, Stop> {
        let mechanism = self.mechanism;
        let (accelerations, multipliers) = self.forces(&taken.state)?;
        let mut new = M::Transitions::zero();
        mechanism.transitions(taken.state.view(), &accelerations, &multipliers, &mut new);
        let variables = changed(mechanism, &new, fired);
        check(
            taken.state.time,
            Quantity::Variables,
            M::VARIABLES,
            &variables,
        )?;
        let (phi, phi_dot) = rows(mechanism, &taken.state);
        mechanism.set_variables(&variables);
        self.workspace.borrow_mut().forget();
        let (new_phi, new_phi_dot) = rows(mechanism, &taken.state);
        let jump = distance(&phi, &new_phi);
        if exceeds(jump, closed::<M>()) {
            return Err(Stop::Jump {
                time: taken.state.time.to_f64(),
                event: last::<M>(fired),
                by: jump.to_f64(),
            });
        }
        if exceeds(distance(&phi_dot, &new_phi_dot), closed::<M>()) {
            self.jolt(taken)?;
        }
        self.watched(&taken.state)
    }

    /// A prescribed motion has another speed from now on. The velocities follow, and the change of kinetic energy is
    /// the work of the impulse.
    fn jolt(&mut self, taken: &mut TakenStep<M>) -> Result<(), Stop> {
        let TakenStep {
            state, projection, ..
        } = taken;
        let mechanism = self.mechanism;
        let kinetic = |state: &State<M>| mechanism.energy(state.view()).kinetic;
        let before = kinetic(state);
        let workspace = &mut *self.workspace.borrow_mut();
        workspace.evaluate(mechanism, state.view())?;
        follow(mechanism, state, workspace)?;
        let memory = &mut self.memory.stabilizer;
        *projection = self
            .stabilizer
            .project(mechanism, state, workspace, memory)?;
        state.work += kinetic(state) - before;
        Ok(())
    }

    fn sides(&self) -> Result<M::Events, Stop> {
        match self.progress.watch.sides {
            Some(sides) => Ok(sides),
            None => Ok(signs::<M>(&self.watched(&self.progress.state)?)),
        }
    }

    /// Values of the event expressions at a state.
    fn watched(&self, state: &State<M>) -> Result<M::Events, Stop> {
        let (accelerations, multipliers) = self.forces(state)?;
        let mut values = M::Events::zero();
        self.mechanism
            .events(state.view(), &accelerations, &multipliers, &mut values);
        let infinite = |value: &M::Scalar| !value.is_finite();
        match values.as_slice().iter().position(infinite) {
            None => Ok(values),
            Some(index) => Err(Stop::NotFinite {
                time: state.time.to_f64(),
                what: Quantity::Events,
                index,
                name: M::EVENTS[index].name,
            }),
        }
    }

    /// v̇ and λ, if events need them.
    fn forces(&self, state: &State<M>) -> Result<(M::Velocities, M::Multipliers), Stop> {
        if !M::EVENTS_NEED_FORCES {
            return Ok((M::Velocities::zero(), M::Multipliers::zero()));
        }
        let mut workspace = self.workspace.borrow_mut();
        let multipliers = workspace.read_multipliers(self.mechanism, state)?;
        let accelerations = workspace.read(self.mechanism, state)?.accelerations;
        Ok((accelerations, multipliers))
    }
}

/// The events that have happened since their expressions were on these sides of zero.
fn crossed<M: Mechanism>(sides: &M::Events, values: &M::Events) -> Fired {
    let mut fired = Fired::default();
    for (index, event) in M::EVENTS.iter().enumerate() {
        if event.direction.crossed(sides[index], values[index]) {
            fired.insert(index);
        }
    }
    fired
}

fn signs<M: Mechanism>(values: &M::Events) -> M::Events {
    let mut signs = *values;
    for sign in signs.as_mut_slice() {
        *sign = sign.sign();
    }
    signs
}

/// The variables after these events. If two events set the same variable, the one written last wins.
fn changed<M: Mechanism>(m: &M, new: &M::Transitions, fired: Fired) -> M::Variables {
    let mut variables = m.variables();
    let sets = M::EVENTS.iter().enumerate();
    let sets = sets.flat_map(|(index, event)| event.sets.iter().map(move |to| (index, *to)));
    for ((index, variable), value) in sets.zip(new.as_slice()) {
        if fired.contains(index) {
            variables[variable] = *value;
        }
    }
    variables
}

/// Φ and Φ̇
fn rows<M: Mechanism>(m: &M, state: &State<M>) -> (M::Multipliers, M::Multipliers) {
    let (mut phi, mut phi_dot) = (M::Multipliers::zero(), M::Multipliers::zero());
    m.constraints(state.time, &state.q, &mut phi);
    m.velocity_constraints(state.view(), &mut phi_dot);
    (phi, phi_dot)
}

/// ‖a − b‖∞
fn distance<T: Real, V: Vector<T>>(a: &V, b: &V) -> T {
    let mut difference = *a;
    add_scaled(&mut difference, -T::ONE, b);
    norm(&difference)
}

fn check_chattering<M: Mechanism>(
    time: M::Scalar,
    fired: Fired,
    in_a_row: usize,
) -> Result<(), Stop> {
    if in_a_row <= MOST {
        return Ok(());
    }
    Err(Stop::Chattering {
        time: time.to_f64(),
        event: last::<M>(fired),
        count: in_a_row,
    })
}

/// Name of the last of these events.
fn last<M: Mechanism>(fired: Fired) -> &'static str {
    let name = fired.iter().last().map(|index| M::EVENTS[index].name);
    name.unwrap_or("")
}
