//! A step that all lanes try together. It never fails: it records the lanes whose result is valid.

use core::marker::PhantomData;

use crate::nearness::NEAR;
use crate::{
    Acceleration, Lanes, Mechanism, Real, Stabilizer, State, StateView, Stop, Vector, Workspace,
};

/// Evaluates by the unrolled solve, whatever its margin is.
pub struct Trial<E, L>(PhantomData<(E, L)>);

impl<E, L> Trial<E, L> {
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// The lanes in which every evaluation of the step was good.
#[derive(Clone)]
pub struct Trust<E: Real, L: Lanes<E>> {
    good: L::Mask,
    /// The good lanes of the evaluation at the present state, if an output was read.
    kept: Option<L::Mask>,
}

impl<E: Real, L: Lanes<E>> Trust<E, L> {
    pub fn new() -> Self {
        Self {
            good: L::mask(u32::MAX),
            kept: None,
        }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.good = L::mask(u32::MAX);
    }

    /// Lanes whose step is valid.
    pub fn good(&self) -> L::Mask {
        self.good
    }

    /// Evaluates for an output; the next step begins with the same evaluation. Returns the lanes where it is good.
    pub fn read<W: Mechanism<Scalar = L>>(
        &mut self,
        m: &W,
        state: &State<W>,
        workspace: &mut Workspace<W>,
    ) -> L::Mask {
        if let Some(kept) = self.kept {
            return kept;
        }
        let acceleration = &mut workspace.evaluation.acceleration;
        m.accelerate(state.view(), acceleration);
        let good = regular(acceleration);
        self.kept = Some(good);
        good
    }

    /// The state or the inputs have changed.
    pub fn forget(&mut self) {
        self.kept = None;
    }
}

impl<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>> Stabilizer<W> for Trial<E, L> {
    type Memory = Trust<E, L>;

    const PLAIN: bool = false;

    fn memory(&self) -> Self::Memory {
        Trust::new()
    }

    #[inline]
    fn evaluate<'w>(
        &self,
        m: &W,
        state: StateView<'_, W>,
        workspace: &'w mut Workspace<W>,
        trust: &mut Self::Memory,
    ) -> Result<&'w Acceleration<W>, Stop> {
        let acceleration = &mut workspace.evaluation.acceleration;
        let good = match trust.kept.take() {
            // Only the first evaluation of a step is at the state that a reader has seen.
            Some(kept) => kept,
            None => {
                m.accelerate(state, acceleration);
                regular(acceleration)
            }
        };
        trust.good = trust.good & good;
        Ok(acceleration)
    }
}

/// Lanes whose unrolled solve is far from a singular position and gave finite accelerations.
#[inline]
fn regular<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    acceleration: &Acceleration<W>,
) -> L::Mask {
    L::from_f64(NEAR).less(acceleration.margin) & vanishing(nothing(&acceleration.accelerations))
}

/// Lanes whose state has no component that is NaN or infinite.
#[inline]
pub fn finite<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(state: &State<W>) -> L::Mask {
    vanishing(nothing(&state.q) + nothing(&state.v) + state.work * L::ZERO)
}

/// Σ 0 x: zero where all components are finite. Two sums, so that they need not wait for each other.
#[inline]
fn nothing<T: Real, V: Vector<T>>(x: &V) -> T {
    let mut sums = [T::ZERO; 2];
    for (k, x) in x.as_slice().iter().enumerate() {
        sums[k % 2] += *x * T::ZERO;
    }
    sums[0] + sums[1]
}

#[inline]
fn vanishing<E: Real, L: Lanes<E>>(sum: L) -> L::Mask {
    sum.equal(L::ZERO)
}
