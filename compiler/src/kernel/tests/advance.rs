//! A step along q̇ = T v against many small ones.

use super::Numbers;
use crate::formulation::formulate;
use crate::kernel::advance::advance;
use crate::kernel::lower::rates;
use crate::kernel::{Array, Function, Memory, interpret};
use crate::symbolic::Equations;

const BODY: &str = r#"
    space = "spatial"
    bodies.one = { mass = 1, inertia = [1, 2, 3] }
"#;

/// Both functions of a body that is free to move.
struct Motion {
    rates: Function,
    advance: Function,
    n: usize,
}

impl Motion {
    fn new(text: &str) -> Self {
        let description = toml::from_str(text).unwrap();
        let (model, _) = crate::model::resolve(&description, "Free").unwrap();
        let system = formulate(&model);
        let equations = Equations {
            n_coordinates: system.coordinates.len(),
            n_velocities: system.velocities.len(),
            auxiliaries: system.auxiliaries.iter().map(|a| a.value.clone()).collect(),
            rates: system.rates,
            unit: system.unit,
            ..Equations::default()
        };
        Self {
            rates: rates(&equations).finish(),
            advance: advance(&equations).finish(),
            n: equations.n_coordinates,
        }
    }

    fn call(&self, function: &Function, array: Array, q: &[f64], v: &[f64]) -> Vec<f64> {
        let memory = Memory::new()
            .with(Array::Coordinates, q)
            .with(Array::Velocities, v);
        interpret(function, &memory, &[]).array(array, self.n)
    }

    fn advanced(&self, q: &[f64], step: &[f64]) -> Vec<f64> {
        self.call(&self.advance, Array::Coordinates, q, step)
    }

    /// q̇ = T v over unit time by `n` steps of RK4.
    fn integrated(&self, q: &[f64], v: &[f64], n: usize) -> Vec<f64> {
        let h = 1.0 / n as f64;
        let rate = |q: &[f64]| self.call(&self.rates, Array::Rates, q, v);
        let mut q = q.to_vec();
        for _ in 0..n {
            let k1 = rate(&q);
            let k2 = rate(&plus(&q, h / 2.0, &k1));
            let k3 = rate(&plus(&q, h / 2.0, &k2));
            let k4 = rate(&plus(&q, h, &k3));
            for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
                q = plus(&q, weight * h / 6.0, &k);
            }
        }
        q
    }
}

fn plus(a: &[f64], s: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + s * b).collect()
}

fn scaled(v: &[f64], s: f64) -> Vec<f64> {
    v.iter().map(|x| s * x).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

fn square(p: &[f64]) -> f64 {
    p.iter().map(|x| x * x).sum()
}

/// Position anywhere, Euler parameters of unit length.
fn random_pose(numbers: &mut Numbers) -> Vec<f64> {
    let mut q = numbers.reals(7);
    let length = square(&q[3..]).sqrt();
    q[3..].iter_mut().for_each(|x| *x /= length);
    q
}

/// The error of RK4 with 400 steps is below (|ω|/400)⁵ · 400 / 120 < 1e-11 for |ω| < 3.
#[test]
fn a_step_is_what_small_steps_come_to() {
    let motion = Motion::new(BODY);
    let mut numbers = Numbers(5);
    for _ in 0..20 {
        let (q, v) = (random_pose(&mut numbers), numbers.reals(6));
        let expected = motion.integrated(&q, &v, 400);
        let off = distance(&motion.advanced(&q, &v), &expected);
        assert!(off < 1e-11, "{off:e} for {v:?}");
    }
}

/// With constant ω rotations about one axis add up, whole turns included: 64 roundings, each below an ulp
/// of a few numbers near one, and those of 64 ω = ω₁ + … in the angle.
#[test]
fn steps_compose() {
    let motion = Motion::new(BODY);
    let mut numbers = Numbers(11);
    for scale in [1e-12, 1e-6, 1e-3, 1.0, 30.0] {
        let (mut q, v) = (random_pose(&mut numbers), scaled(&numbers.reals(6), scale));
        let at_once = motion.advanced(&q, &v);
        let length = square(&q[3..]);
        for _ in 0..64 {
            q = motion.advanced(&q, &scaled(&v, 1.0 / 64.0));
        }
        let off = distance(&q, &at_once);
        assert!(
            off < 64.0 * f64::EPSILON * (1.0 + scale),
            "{off:e} at {scale}"
        );
        let longer = (square(&q[3..]) - length).abs();
        assert!(longer < 64.0 * 4.0 * f64::EPSILON, "{longer:e} at {scale}");
    }
}

/// 2 e = ω to first order, and no step changes nothing: there is no bump where the angle vanishes.
#[test]
fn small_steps_are_not_lost() {
    let motion = Motion::new(BODY);
    let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    assert_eq!(motion.advanced(&q, &[0.0; 6]), q);
    for exponent in 1..=37 {
        let w = 10f64.powi(-8 * exponent);
        let moved = motion.advanced(&q, &[0.0, 0.0, 0.0, 0.0, w, 0.0]);
        let off = (2.0 * moved[5] / w - 1.0).abs();
        // 1 − w²/24 at the largest of them.
        assert!(off < 1e-16 + 2.0 * f64::EPSILON, "{off:e} at {w:e}");
    }
}

#[test]
fn angles_in_the_plane_are_added() {
    let motion = Motion::new(
        r#"
        space = "planar"
        bodies.one = { mass = 1, inertia = 1 }
    "#,
    );
    let moved = motion.advanced(&[1.0, 2.0, 3.0], &[0.25, 0.5, 7.0]);
    assert_eq!(moved, [1.25, 2.5, 10.0]);
}
