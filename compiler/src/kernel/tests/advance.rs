//! A step along q̇ = T v against many small ones.

use super::Numbers;
use crate::formulation::{System, discrete, formulate};
use crate::kernel::advance::advance;
use crate::kernel::interpret;
use crate::kernel::lower::rates;
use crate::kernel::normalize::normalize;
use crate::kernel::{Array, Function, Memory};
use crate::symbolic::Equations;

const BODY: &str = r#"
    space = "spatial"
    bodies.one = { mass = 1, inertia = [1, 2, 3] }
"#;

/// The motion of a body that is free to move.
struct Motion {
    rates: Function,
    advance: Function,
    normalize: Function,
    n: usize,
}

impl Motion {
    fn new(text: &str) -> Self {
        let description = toml::from_str(text).unwrap();
        let (model, _) = crate::model::resolve(&description, "Free").unwrap();
        Self::of(formulate(&model))
    }

    /// The same with axes in place of Euler parameters.
    fn with_axes(text: &str) -> Self {
        let description = toml::from_str(text).unwrap();
        let (model, _) = crate::model::resolve(&description, "Free").unwrap();
        Self::of(discrete(&model))
    }

    fn of(system: System) -> Self {
        let equations = Equations {
            n_coordinates: system.coordinates.len(),
            n_velocities: system.velocities.len(),
            auxiliaries: system.auxiliaries.iter().map(|a| a.value.clone()).collect(),
            rates: system.rates,
            unit: system.unit,
            rotations: system.rotations,
            ..Equations::default()
        };
        Self {
            rates: rates(&equations).finish(),
            advance: advance(&equations).finish(),
            normalize: normalize(&equations).finish(),
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

/// x, φ, cos φ, sin φ, or x and three axes that are turned by a random amount.
fn random_axes(motion: &Motion, numbers: &mut Numbers) -> Vec<f64> {
    let start = match motion.n {
        5 => vec![0.3, 0.4, 0.0, 1.0, 0.0],
        _ => vec![0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    };
    let v = numbers.reals(6);
    motion.integrated(&start, &v, 400)
}

/// Steps of up to a radian: the quotient of cubics is off by 2e-16 there, RK4 with 400 steps by 1e-13.
#[test]
fn axes_turn_as_small_steps_turn_them() {
    let planar = "space = 'planar'\nbodies.one = { mass = 1, inertia = 1 }";
    for motion in [Motion::with_axes(planar), Motion::with_axes(BODY)] {
        let mut numbers = Numbers(17);
        for _ in 0..20 {
            let q = random_axes(&motion, &mut numbers);
            let v = scaled(&numbers.reals(6), 0.38);
            let expected = motion.integrated(&q, &v, 400);
            let off = distance(&motion.advanced(&q, &v), &expected);
            assert!(off < 1e-12, "{off:e} for {v:?}");
        }
    }
}

/// A larger step turns by a little less than it should, but it is a rotation: twelve roundings of numbers up to one.
#[test]
fn axes_stay_axes_whatever_the_step() {
    let motion = Motion::with_axes(BODY);
    let mut numbers = Numbers(23);
    for scale in [0.0, 1e-9, 1.0, 10.0] {
        let q = random_axes(&motion, &mut numbers);
        let q = motion.call(&motion.normalize, Array::Coordinates, &q, &[]);
        let moved = motion.advanced(&q, &scaled(&numbers.reals(6), scale));
        assert!(skew(&moved) < 12.0 * f64::EPSILON, "{:e}", skew(&moved));
    }
}

/// Whatever is left of the first two axes, three stand at right angles, and those that do are left alone.
#[test]
fn axes_are_made_orthonormal() {
    let motion = Motion::with_axes(BODY);
    let mut numbers = Numbers(29);
    for _ in 0..20 {
        let q = numbers.reals(12);
        let once = motion.call(&motion.normalize, Array::Coordinates, &q, &[]);
        assert!(skew(&once) < 8.0 * f64::EPSILON, "{:e}", skew(&once));
        let twice = motion.call(&motion.normalize, Array::Coordinates, &once, &[]);
        assert!(distance(&once, &twice) < 4.0 * f64::EPSILON);
    }
}

/// Largest entry of Aᵀ A − 1.
fn skew(q: &[f64]) -> f64 {
    let axes: Vec<&[f64]> = q[3..].chunks(3).collect();
    let mut worst = 0.0_f64;
    for (i, a) in axes.iter().enumerate() {
        for (j, b) in axes.iter().enumerate() {
            let product: f64 = a.iter().zip(*b).map(|(a, b)| a * b).sum();
            worst = worst.max((product - f64::from(u8::from(i == j))).abs());
        }
    }
    worst
}
