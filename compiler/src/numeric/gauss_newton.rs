//! The Gauss–Newton iteration with steps of least norm. The compiler closes loops with it.

use nalgebra::DVector;

use super::State;

const ITERATIONS: usize = 100;
const HALVINGS: usize = 30;

/// Equations that shall hold, and the steps of the iteration.
pub trait Closing {
    /// The residual r of the equations at a state.
    fn residual(&mut self, state: &State) -> DVector<f64>;

    /// The step of least norm with E Δs = −r; `None` if a number is not finite or a motion has no inertia.
    fn step(&mut self, state: &State, residual: &DVector<f64>) -> Option<DVector<f64>>;

    /// The state at q + T Δs, with Euler parameters normalised.
    fn moved(&mut self, state: &State, step: &DVector<f64>) -> State;
}

/// The result of the iteration.
pub struct Closed {
    /// The state.
    pub state: State,
    /// The residual of the equations there.
    pub residual: DVector<f64>,
}

/// Iterates until no residual exceeds `enough`, or until no fraction of a step reduces the residual.
pub fn close(equations: &mut impl Closing, guess: State, enough: f64) -> Closed {
    let residual = equations.residual(&guess);
    let mut closed = Closed {
        state: guess,
        residual,
    };
    for _ in 0..ITERATIONS {
        if closed.residual.amax() <= enough {
            break;
        }
        let Some(step) = equations.step(&closed.state, &closed.residual) else {
            break;
        };
        let Some(next) = shortened(equations, &closed, &step) else {
            break;
        };
        closed = next;
    }
    closed
}

/// The first of Δs, Δs/2, Δs/4, … that reduces the norm of the residual.
fn shortened(equations: &mut impl Closing, from: &Closed, step: &DVector<f64>) -> Option<Closed> {
    let before = from.residual.norm();
    let mut scale = 1.0;
    for _ in 0..HALVINGS {
        let state = equations.moved(&from.state, &(step * scale));
        let residual = equations.residual(&state);
        if residual.norm() < before {
            return Some(Closed { state, residual });
        }
        scale *= 0.5;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x² + y² = 1 and y = height, from x = 1. The line meets the circle at two points, one, or none.
    struct Circle {
        height: f64,
    }

    impl Closing for Circle {
        fn residual(&mut self, state: &State) -> DVector<f64> {
            let [x, y] = [state.q[0], state.q[1]];
            DVector::from_vec(vec![x * x + y * y - 1.0, y - self.height])
        }

        fn step(&mut self, state: &State, residual: &DVector<f64>) -> Option<DVector<f64>> {
            let [x, y] = [state.q[0], state.q[1]];
            let rise = -residual[1];
            let run = (-residual[0] - 2.0 * y * rise) / (2.0 * x);
            run.is_finite().then(|| DVector::from_vec(vec![run, rise]))
        }

        fn moved(&mut self, state: &State, step: &DVector<f64>) -> State {
            let q = state.q.iter().zip(step.iter()).map(|(q, s)| q + s);
            State {
                q: q.collect(),
                ..state.clone()
            }
        }
    }

    fn closed(height: f64) -> Closed {
        let guess = State {
            t: 0.0,
            q: vec![1.0, 0.1],
            v: Vec::new(),
        };
        close(&mut Circle { height }, guess, 1e-15)
    }

    #[test]
    fn equations_that_meet_are_closed_to_round_off() {
        let closed = closed(0.6);
        assert!(
            (closed.state.q[0] - 0.8).abs() < 1e-15,
            "{:?}",
            closed.state
        );
        assert!(closed.residual.amax() <= 1e-15);
    }

    #[test]
    fn equations_that_do_not_meet_stay_open_and_end() {
        let closed = closed(2.0);
        assert!(closed.residual.amax() > 0.1);
        assert!(closed.residual.norm() < 2.15, "no step makes it worse");
    }

    #[test]
    fn a_guess_that_is_not_finite_ends() {
        let closed = closed(f64::NAN);
        assert_eq!(closed.state.q, [1.0, 0.1]);
    }
}
