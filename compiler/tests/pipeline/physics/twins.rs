//! Two mechanisms whose equations are written by hand in minimal coordinates.

use bellcrank_compiler::description::{JointType, Space};
use nalgebra::{Matrix2, Matrix3, UnitQuaternion, Vector2};
use proptest::prelude::*;

use super::machine::{Machine, Motion, Projected};
use super::mechanism::{Body, Joint, Mechanism, Vector};
use super::random_mechanism::rotation;
use super::{config, converges};

/// Both sides are a few sums and a small solve.
const SAME: f64 = 1e-10;
const GRAVITY: f64 = 9.81;

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn the_double_pendulum_is_the_textbook_one(arms in [arm(), arm()]) {
        let machine = Machine::new(&double_pendulum(&arms).description());
        prop_assert_eq!(machine.compiled.assembly.freedoms, 2);
        let now = machine.motions(&machine.start());
        let expected = double_pendulum_accelerations(&arms);
        for k in 0..2 {
            prop_assert!((now[k].spin.z - arms[k].rate).abs() < SAME);
            let off = (now[k].spin_rate.z - expected[k]).abs();
            prop_assert!(off < SAME * (1.0 + expected.amax()), "{}: {off:e}", k);
        }
    }

    #[test]
    fn the_heavy_top_is_lagranges(top in top()) {
        let machine = Machine::new(&top.mechanism().description());
        let start = machine.motions(&machine.start())[0];
        prop_assert!((start.spin - top.spin).norm() < SAME);
        check_nutation(&top, &start);
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn the_heavy_top_keeps_its_integrals(top in top()) {
        let machine = Machine::new(&top.mechanism().description());
        let start = top.integrals(&machine.motions(&machine.start())[0]);
        converges(|refined| {
            let run = machine.run(4e-3 / refined as f64, 50 * refined, Projected::Yes);
            let end = top.integrals(&machine.motions(&run.state)[0]);
            (end - start).norm() / (1.0 + start.norm())
        });
    }
}

/// A rod of a double pendulum; the angle is that of its x axis, which leads to the next joint.
#[derive(Clone, Copy, Debug)]
struct Arm {
    mass: f64,
    inertia: f64,
    /// To the centre of mass, along x.
    center: f64,
    length: f64,
    angle: f64,
    rate: f64,
}

fn arm() -> impl Strategy<Value = Arm> {
    let shape = (0.5..3.0, 0.05..0.5, 0.2..1.0, 0.5..1.5);
    (shape, -3.0..3.0, -3.0..3.0).prop_map(|((mass, inertia, center, length), angle, rate)| Arm {
        mass,
        inertia,
        center,
        length,
        angle,
        rate,
    })
}

fn double_pendulum(arms: &[Arm; 2]) -> Mechanism {
    let tip = Vector::new(arms[0].angle.cos(), arms[0].angle.sin(), 0.0) * arms[0].length;
    let speed = Vector::z().cross(&tip) * arms[0].rate;
    let body = |k: usize| Body {
        name: format!("b{k}"),
        mass: arms[k].mass,
        inertia: Matrix3::identity() * arms[k].inertia,
        about_origin: false,
        center: Vector::x() * arms[k].center,
        position: if k == 0 { Vector::zeros() } else { tip },
        rotation: UnitQuaternion::from_axis_angle(&Vector::z_axis(), arms[k].angle),
        angle: arms[k].angle,
        velocity: if k == 0 { Vector::zeros() } else { speed },
        spin: Vector::z() * arms[k].rate,
        free: false,
    };
    let mut mechanism = Mechanism {
        space: Space::Planar,
        gravity: -GRAVITY * Vector::y(),
        bodies: vec![body(0), body(1)],
        joints: Vec::new(),
        couplings: Vec::new(),
        elements: Vec::new(),
    };
    let joint = |k: usize, at: Vector, first: Option<usize>| Joint {
        name: format!("j{k}"),
        kind: JointType::Revolute,
        ends: [mechanism.marker(first, at), mechanism.marker(Some(k), at)],
        at: false,
        axes: [Vector::z(); 2],
        motion: Vec::new(),
    };
    let joints = vec![joint(0, Vector::zeros(), None), joint(1, tip, Some(0))];
    mechanism.joints = joints;
    mechanism
}

/// With angles φ from the horizontal, l the length of the first arm, a, b to the centres and
/// Δ = φ1 − φ2, Lagrange's equations are
///
/// ```text
/// (I1 + m1 a² + m2 l²) φ̈1 + m2 l b cos Δ φ̈2 = −m2 l b sin Δ φ̇2² − (m1 a + m2 l) g cos φ1
/// m2 l b cos Δ φ̈1 + (I2 + m2 b²) φ̈2 = m2 l b sin Δ φ̇1² − m2 b g cos φ2
/// ```
fn double_pendulum_accelerations([one, two]: &[Arm; 2]) -> Vector2<f64> {
    let (sin, cos) = (one.angle - two.angle).sin_cos();
    let (l, a, b) = (one.length, one.center, two.center);
    let coupling = two.mass * l * b;
    let mass = Matrix2::new(
        one.inertia + one.mass * a * a + two.mass * l * l,
        coupling * cos,
        coupling * cos,
        two.inertia + two.mass * b * b,
    );
    let right = Vector2::new(
        -coupling * sin * two.rate.powi(2)
            - (one.mass * a + two.mass * l) * GRAVITY * one.angle.cos(),
        coupling * sin * one.rate.powi(2) - two.mass * b * GRAVITY * two.angle.cos(),
    );
    mass.lu().solve(&right).unwrap()
}

/// A symmetric body on a point of its axis z.
#[derive(Clone, Copy, Debug)]
struct Top {
    mass: f64,
    /// From the fixed point to the centre of mass.
    arm: f64,
    /// About the fixed point: across the axis, and about it.
    moments: [f64; 2],
    rotation: UnitQuaternion<f64>,
    spin: Vector,
}

fn top() -> impl Strategy<Value = Top> {
    let shape = (0.5..2.0, 0.2..0.6, 0.05..0.2, 0.01..0.05);
    let spin = (prop::array::uniform3(-2.0..2.0), 5.0..20.0);
    (shape, rotation(Space::Spatial), spin).prop_map(
        |((mass, arm, radial, axial), (rotation, _), (other, fast))| {
            let (a, c) = (mass * radial * radial, mass * axial * axial);
            let axis = rotation * Vector::z();
            Top {
                mass,
                arm,
                moments: [a + c + mass * arm * arm, 2.0 * a],
                rotation,
                spin: Vector::from(other) + fast * axis,
            }
        },
    )
}

impl Top {
    fn mechanism(&self) -> Mechanism {
        let across = self.moments[0] - self.mass * self.arm * self.arm;
        let body = Body {
            name: "b0".to_owned(),
            mass: self.mass,
            inertia: Matrix3::from_diagonal(&Vector::new(across, across, self.moments[1])),
            about_origin: false,
            center: Vector::z() * self.arm,
            position: Vector::zeros(),
            rotation: self.rotation,
            angle: 0.0,
            velocity: Vector::zeros(),
            spin: self.spin,
            free: false,
        };
        let mut mechanism = Mechanism {
            space: Space::Spatial,
            gravity: -GRAVITY * Vector::z(),
            bodies: vec![body],
            joints: Vec::new(),
            couplings: Vec::new(),
            elements: Vec::new(),
        };
        mechanism.joints.push(Joint {
            name: "j0".to_owned(),
            kind: JointType::Spherical,
            ends: [None, Some(0)].map(|body| mechanism.marker(body, Vector::zeros())),
            at: true,
            axes: [Vector::z(); 2],
            motion: Vec::new(),
        });
        mechanism
    }

    /// p_φ = L · e_z, p_ψ = I3 ω · a and the energy, with a the axis of the top.
    fn integrals(&self, now: &Motion) -> Vector {
        let axis = now.rotation * Vector::z();
        let [across, about] = self.moments;
        let along = axis.dot(&now.spin);
        let momentum = across * (now.spin - along * axis) + about * along * axis;
        let potential = self.mass * GRAVITY * self.arm * axis.z;
        Vector::new(
            momentum.z,
            about * along,
            0.5 * momentum.dot(&now.spin) + potential,
        )
    }
}

/// I1 θ̈ = I1 φ̇² sin θ cos θ − p_ψ φ̇ sin θ + m g l sin θ, where cos θ = a_z and φ̇ sin² θ = (a × ȧ)_z;
/// multiplied by −sin θ this is ä_z + cos θ θ̇², free of the pole: with s² = 1 − a_z², θ̇² s² = ȧ_z².
fn check_nutation(top: &Top, now: &Motion) {
    let a = now.rotation * Vector::z();
    let a_rate = now.spin.cross(&a);
    let a_second = now.spin_rate.cross(&a) + now.spin.cross(&a_rate);
    let [across, about] = top.moments;
    let square = 1.0 - a.z * a.z;
    let precession = a.cross(&a_rate).z / square;
    let p_psi = about * now.spin.dot(&a);
    let nutation_square = a_rate.z * a_rate.z / square;
    let weight = top.mass * GRAVITY * top.arm;
    let moment = across * precession.powi(2) * a.z - p_psi * precession + weight;
    let expected = -square * moment / across - a.z * nutation_square;
    // The angles are ill-defined at the pole.
    let close = SAME * (1.0 + expected.abs() + a_second.norm()) / square;
    let off = (a_second.z - expected).abs();
    assert!(off < close, "{off:e}: {} and {expected}", a_second.z);
}
