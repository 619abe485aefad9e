//! Every derivative against differences, at 100 random states of every model.

use std::path::PathBuf;

use crate::common::{Random, call, compiled_in, in_both, models, random_state};
use bellcrank_compiler::Compiled;
use bellcrank_compiler::description::Formulation;
use bellcrank_compiler::stages::assembly::{State, at, numbers, symbols_at};
use bellcrank_compiler::stages::kernel::{Array, Name, Slot};
use bellcrank_compiler::stages::symbolic::witness;

const STATES: usize = 100;

/// Central differences with h = 1e-5 carry about h² = 1e-10 of truncation and ε/h = 1e-11 of round-off;
/// second derivatives of the rows reach some tens in these models.
const H: f64 = 1e-5;
const CLOSE: f64 = 1e-7;

/// D along one direction a state: there are more states than velocities in any model, so every entry takes part.
#[test]
fn jacobian_and_gamma_are_derivatives_of_the_rows() {
    for_each_state(|compiled, state| {
        let now = numbers(&compiled.model, &compiled.equations, state);
        let direction = nalgebra::DVector::from_column_slice(&state.v).normalize();
        let along = State {
            v: direction.as_slice().to_vec(),
            ..state.clone()
        };
        let ahead = phi(compiled, &moved(compiled, &along, H, 0.0));
        let behind = phi(compiled, &moved(compiled, &along, -H, 0.0));
        for i in 0..compiled.equations.phi.len() {
            let difference = (ahead[i] - behind[i]) / (2.0 * H);
            assert_close(
                now.rows.row(i).dot(&direction.transpose()),
                difference,
                "D",
                i,
            );
        }
        // By five points: an angle of axes that a random state has nearly made vanish bends a thousand times as
        // much as other rows do.
        let rates = |h: f64| phi_dot(compiled, &moved(compiled, state, h, h));
        let [near, far] = [H, 2.0 * H].map(|h| [rates(-h), rates(h)]);
        let gamma = gamma(compiled, state);
        for i in 0..gamma.len() {
            let slope =
                |[behind, ahead]: &[Vec<f64>; 2], h: f64| (ahead[i] - behind[i]) / (2.0 * h);
            let difference = (4.0 * slope(&near, H) - slope(&far, 2.0 * H)) / 3.0;
            assert_close(-gamma[i], difference, "gamma", i);
        }
    });
}

/// vᵀQ = −dV/dt + P and ½ vᵀMv = T, with dV/dt by differences.
#[test]
fn forces_and_masses_agree_with_the_energies() {
    for_each_state_of(
        compiled_models().chain(with_springs()),
        |compiled, state| {
            let (kinetic, stored) = energies(compiled, state);
            let now = numbers(&compiled.model, &compiled.equations, state);
            let v = nalgebra::DVector::from_column_slice(&state.v);
            assert_close(0.5 * v.dot(&(&now.mass * &v)), kinetic, "T", 0);
            // By five points, because the third derivative with springs of 8e5 N/m reaches 1e8 W/s².
            let potential = |h: f64| energies(compiled, &moved(compiled, state, h, 0.0)).1;
            let slope = |h: f64| (potential(h) - potential(-h)) / (2.0 * h);
            let rate = (4.0 * slope(H) - slope(2.0 * H)) / 3.0;
            let (power, force_power) = at(&compiled.model, &compiled.equations, state, |e| {
                let forces = compiled.equations.forces.iter().zip(&state.v);
                let total: f64 = forces.map(|(q, v)| e.value(q) * v).sum();
                (e.value(&compiled.equations.power), total)
            });
            // Springs for rows that a random state opens by a tenth of a metre hold up to 1e6 J, whose round-off is
            // divided by h too.
            let noise = 16.0 * f64::EPSILON * stored.abs() / H;
            let close = CLOSE * (1.0 + rate.abs() + power.abs()) + noise;
            let off = (force_power - (power - rate)).abs();
            assert!(off < close, "Q: {off:e} of {rate:e}, {close:e} allowed");
        },
    );
}

/// The unrolled solve satisfies M v̇ = Q + Dᵀλ and D v̇ = γ, at states where the rows agree.
#[test]
fn accelerations_satisfy_the_equations() {
    for (path, compiled) in compiled_models().chain(with_springs()) {
        let assembly = &compiled.assembly;
        let start = State {
            t: 0.0,
            q: assembly.coordinates.clone(),
            v: assembly.velocities.clone(),
        };
        let out = call(&compiled, Name::Accelerate, &start);
        if out.scalar(Array::Margin) <= 0.0 {
            // The engine starts in the dead centres of its cylinders, where the dense solve serves.
            assert!(compiled.model.name == "YamahaEngine", "{path:?}");
            continue;
        }
        let n = compiled.equations.n_velocities;
        let m = compiled.equations.phi.len();
        let a = nalgebra::DVector::from_vec(out.array(Array::Accelerations, n));
        let lambda = nalgebra::DVector::from_vec(out.array(Array::Multipliers, m));
        let now = numbers(&compiled.model, &compiled.equations, &start);
        let d = now.rows.rows(0, m);
        let forces = at(&compiled.model, &compiled.equations, &start, |e| {
            nalgebra::DVector::from_iterator(
                n,
                compiled.equations.forces.iter().map(|q| e.value(q)),
            )
        });
        let scale = 1.0 + forces.amax() + lambda.amax();
        let balance = &now.mass * &a - forces - d.transpose() * &lambda;
        assert!(
            balance.amax() < 1e-11 * scale,
            "{path:?}: {}",
            balance.amax()
        );
        let gamma = nalgebra::DVector::from_vec(gamma(&compiled, &start));
        let rows = d * &a - gamma;
        assert!(
            rows.amax() < 1e-10 * (1.0 + a.amax()),
            "{path:?}: {}",
            rows.amax()
        );
    }
}

/// Symbolica's own evaluation, our evaluation of what it gave, and the kernel's interpreter agree. Symbolica has no
/// numbers for derivatives of functions that only we know, such as `atan2` of an angle that is driven in points.
#[test]
fn symbolica_and_the_interpreter_agree() {
    let mut agreed = 0;
    for (path, compiled) in compiled_models() {
        let mut random = Random(7);
        for _ in 0..3 {
            let state = random_state(&compiled, &mut random);
            let symbols = symbols_at(&compiled.model, &compiled.equations, &state);
            let seen = match witness(&compiled.system, symbols) {
                Err(found) if found.to_string().contains("der(") => break,
                seen => seen.unwrap(),
            };
            agreed += 1;
            let dense = call(&compiled, Name::Dense, &state);
            for (i, row) in seen.iter().enumerate() {
                for (j, value) in &row.jacobian {
                    let index = i * compiled.equations.n_velocities + *j as usize;
                    let ours = dense.get(Slot::new(Array::Rows, index));
                    assert!(
                        (ours - value).abs() <= 1e-12 * (1.0 + value.abs()),
                        "{path:?} D"
                    );
                }
                let ours = dense.get(Slot::new(Array::Gamma, i));
                let close = 1e-12 * (1.0 + row.gamma.abs());
                assert!(
                    (ours - row.gamma).abs() <= close,
                    "{path:?} gamma {i}: {ours} {}",
                    row.gamma
                );
            }
        }
    }
    assert!(agreed > 100, "{agreed}");
}

/// Every model in every formulation that keeps its rows.
fn compiled_models() -> impl Iterator<Item = (PathBuf, Compiled)> {
    let both = |path: PathBuf| in_both(&path).map(|compiled| (path.clone(), compiled));
    models().into_iter().flat_map(both)
}

/// Every model with springs for its rows.
fn with_springs() -> impl Iterator<Item = (PathBuf, Compiled)> {
    models().into_iter().map(|path| {
        let compiled = compiled_in(&path, Formulation::Discrete);
        (path, compiled)
    })
}

fn for_each_state(check: impl Fn(&Compiled, &State)) {
    for_each_state_of(compiled_models(), check);
}

fn for_each_state_of(
    models: impl Iterator<Item = (PathBuf, Compiled)>,
    check: impl Fn(&Compiled, &State),
) {
    for (path, compiled) in models {
        assert!(compiled.equations.n_velocities < STATES, "{path:?}");
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..STATES {
            check(&compiled, &random_state(&compiled, &mut random));
        }
    }
}

fn assert_close(ours: f64, difference: f64, what: &str, index: usize) {
    let close = CLOSE * (1.0 + difference.abs());
    assert!(
        (ours - difference).abs() < close,
        "{what}{index}: {ours} against {difference}"
    );
}

/// q + h T v, t + dt; Euler parameters are not normalised, because D holds for any length.
fn moved(compiled: &Compiled, state: &State, h: f64, dt: f64) -> State {
    let rates = at(&compiled.model, &compiled.equations, state, |e| {
        compiled
            .equations
            .rates
            .iter()
            .map(|r| e.value(r))
            .collect::<Vec<_>>()
    });
    let q = state.q.iter().zip(rates).map(|(q, r)| q + h * r).collect();
    State {
        q,
        t: state.t + dt,
        v: state.v.clone(),
    }
}

fn phi(compiled: &Compiled, state: &State) -> Vec<f64> {
    numbers(&compiled.model, &compiled.equations, state)
        .phi
        .as_slice()
        .to_vec()
}

fn phi_dot(compiled: &Compiled, state: &State) -> Vec<f64> {
    let now = numbers(&compiled.model, &compiled.equations, state);
    let v = nalgebra::DVector::from_column_slice(&state.v);
    let d = now.rows.rows(0, now.phi.len());
    (d * v + now.phi_t).as_slice().to_vec()
}

fn gamma(compiled: &Compiled, state: &State) -> Vec<f64> {
    at(&compiled.model, &compiled.equations, state, |e| {
        compiled
            .equations
            .gamma
            .iter()
            .map(|g| e.value(g))
            .collect()
    })
}

fn energies(compiled: &Compiled, state: &State) -> (f64, f64) {
    at(&compiled.model, &compiled.equations, state, |e| {
        (
            e.value(&compiled.equations.kinetic),
            e.value(&compiled.equations.potential),
        )
    })
}
