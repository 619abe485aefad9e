//! Bodies with little mass or none, in every formulation, against closed forms.

use bellcrank_compiler::description::read;
use bellcrank_compiler::diagnostics::Code;
use bellcrank_compiler::stages::kernel::{Array, Name};
use bellcrank_compiler::{Options, Source, compile};

use super::machine::{Machine, Projected};

/// Of the largest force. A refined solve leaves some 1e-14; without it a crank of 1e-9 kg left 1e-6.
const CLOSE: f64 = 1e-9;

const ALL: [&str; 5] = [
    "body",
    "particle/multiplier",
    "particle/momentum",
    "particle/swing",
    "joint",
];

/// Zero, and small numbers that people write instead of zero.
const MASSES: [f64; 6] = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-2];

/// The text in every formulation that does not refuse it for want of inertia; these have to take it.
fn each(text: &str, needed: &[&str]) -> Vec<Machine> {
    let mut machines = Vec::new();
    for formulation in ALL {
        let text = format!("formulation = '{formulation}'\n{text}");
        let file = "light.toml".to_owned();
        let source = Source::Toml { file, text };
        match compile(&source, &Options::default()) {
            Ok(compiled) => machines.push(Machine::of(compiled)),
            Err(found) => {
                let refused = found.iter().all(|one| one.code == Code::F402);
                assert!(refused, "{formulation}: {found}");
                assert!(!needed.contains(&formulation), "{formulation}: {found}");
            }
        }
    }
    machines
}

/// All deviations, so that one run reports all formulations.
#[derive(Default)]
struct Found(Vec<String>);

impl Found {
    fn close(&mut self, machine: &Machine, what: &str, pair: [f64; 2], scale: f64) {
        let [value, expected] = pair;
        let off = (value - expected).abs();
        let compiled = &machine.compiled;
        let (formulation, solve) = (&compiled.formulation, compiled.kernel.solve);
        if off.is_nan() || off > CLOSE * scale {
            self.0.push(format!(
                "{formulation} ({solve:?}) {what}: {value} is {off:e} off {expected}"
            ));
        }
    }

    /// The unrolled solve is good at the start.
    fn regular(&mut self, machine: &Machine, what: &str) -> bool {
        let solved = machine.call(Name::Accelerate, &machine.start());
        let margin = solved.scalar(Array::Margin);
        let regular = margin > 1e-4;
        if !regular {
            let compiled = &machine.compiled;
            let (formulation, solve) = (&compiled.formulation, compiled.kernel.solve);
            let text = format!("{formulation} ({solve:?}) {what}: margin {margin}");
            self.0.push(text);
        }
        regular
    }
}

impl Drop for Found {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "{}", self.0.join("\n"));
        }
    }
}

/// Angle, rate and acceleration of the crank, and the mass and moment of the crank about its hinge.
struct Crank {
    angle: f64,
    rate: f64,
    alpha: f64,
    mass: f64,
    moment: f64,
}

const R: f64 = 0.3;
const L: f64 = 0.8;
const GRAVITY: f64 = 9.81;

impl Crank {
    /// τ = I α + ½ I' ω² + V' with I = m_c r²/4 + J_c + m (x_c'² + y_c'²) + J φ'² + M x'² by the crank's angle.
    fn torque(&self) -> f64 {
        let (s, c) = self.angle.sin_cos();
        // r sin θ + l sin φ = 0
        let phi = (-R * s / L).asin();
        let (p, q) = phi.sin_cos();
        let d = -R * c / (L * q);
        let dd = (R * s / L + p * d * d) / q;
        let slide = [-R * s - L * p * d, -R * c - L * (q * d * d + p * dd)];
        let x = [
            -R * s - 0.5 * L * p * d,
            -R * c - 0.5 * L * (q * d * d + p * dd),
        ];
        let y = [
            R * c + 0.5 * L * q * d,
            -R * s + 0.5 * L * (q * dd - p * d * d),
        ];
        let inertia = self.moment
            + 1.0 * (x[0] * x[0] + y[0] * y[0])
            + 0.06 * d * d
            + 2.0 * slide[0] * slide[0];
        let half = 1.0 * (x[0] * x[1] + y[0] * y[1]) + 0.06 * d * dd + 2.0 * slide[0] * slide[1];
        let weight = GRAVITY * (1.0 * y[0] + self.mass * 0.5 * R * c);
        inertia * self.alpha + half * self.rate * self.rate + weight
    }
}

/// A crank of this mass with half its length as the radius of gyration, on a rod of 1 kg and a slider of 2 kg.
fn slider_crank(mass: f64, motion: &str) -> String {
    let moment = mass * 0.01;
    let angle = 0.7_f64;
    let phi = (-R * angle.sin() / L).asin();
    let (x, y) = (R * angle.cos(), R * angle.sin());
    let slide = x + L * phi.cos();
    format!(
        "space = 'planar'
        gravity = [0, -{GRAVITY}]
        [bodies.crank]
        mass = {mass:e}
        inertia = {moment:e}
        center = ['{R} / 2', 0]
        points.tip = [{R}, 0]
        angle = {angle}
        angular_velocity = 2
        [bodies.rod]
        mass = 1
        inertia = 0.06
        center = ['{L} / 2', 0]
        points.tip = [{L}, 0]
        position = [{x}, {y}]
        angle = {phi}
        [bodies.slider]
        mass = 2
        inertia = 0.1
        position = [{slide}, 0]
        [joints.A]
        type = 'revolute'
        between = ['ground', 'crank']
        {motion}
        [joints.B]
        type = 'revolute'
        between = ['crank.tip', 'rod']
        [joints.C]
        type = 'revolute'
        between = ['rod.tip', 'slider']
        [joints.D]
        type = 'prismatic'
        between = ['ground', 'slider']
        axis = [1, 0]
        [assembly]
        hold = ['A.angle']
        [outputs]
        drive = {drive}
        alpha = '(cos(A.angle) * crank.tip.ay - sin(A.angle) * crank.tip.ax) / {R}'
        fx = 'B.force.x'
        gx = 'A.force.x'
        gy = 'A.force.y'",
        drive = if motion.is_empty() {
            "0"
        } else {
            "'A.angle_drive'"
        },
    )
}

impl Crank {
    fn new(mass: f64, alpha: f64) -> Self {
        Self {
            angle: 0.7,
            rate: 2.0,
            alpha,
            mass,
            moment: mass * (0.25 * R * R + 0.01),
        }
    }
}

/// τ of a crank whose angle is 0.7 + 2 t + ½ t².
#[test]
fn a_light_crank_is_driven() {
    let mut found = Found::default();
    for mass in MASSES {
        let text = slider_crank(mass, "motion = { angle = '0.7 + 2 * t + 0.5 * t^2' }");
        for machine in each(&text, &ALL) {
            let what = format!("{mass:e} kg");
            let state = machine.start();
            if !found.regular(&machine, &what) {
                continue;
            }
            let mut crank = Crank::new(mass, 1.0);
            let pair = [machine.output("drive", &state), crank.torque()];
            found.close(&machine, &format!("drive {what}"), pair, 30.0);
            let later = machine.run(1e-3, 100, Projected::Yes).state;
            let t = later.t;
            (crank.angle, crank.rate) = (0.7 + 2.0 * t + 0.5 * t * t, 2.0 + t);
            let pair = [machine.output("drive", &later), crank.torque()];
            found.close(&machine, &format!("drive later {what}"), pair, 30.0);
            // A massless crank passes on the force of the rod.
            if mass == 0.0 {
                let felt = ["gx", "fx"].map(|name| machine.output(name, &later));
                found.close(&machine, "balance", felt, 30.0);
            }
        }
    }
}

/// The same crank without a motor: α = −(½ I' ω² + V') / I.
#[test]
fn a_light_crank_is_carried_along() {
    let mut found = Found::default();
    for mass in MASSES {
        for machine in each(&slider_crank(mass, ""), &ALL) {
            let what = format!("{mass:e} kg");
            if !found.regular(&machine, &what) {
                continue;
            }
            let state = machine.start();
            let at = |alpha: f64| Crank::new(mass, alpha).torque();
            let alpha = -at(0.0) / (at(1.0) - at(0.0));
            let pair = [machine.output("alpha", &state), alpha];
            found.close(&machine, &format!("alpha {what}"), pair, 30.0);
            let later = machine.run(1e-3, 200, Projected::Yes).state;
            let pair = [machine.energy(&later), machine.energy(&state)];
            found.close(&machine, &format!("energy {what}"), pair, 30.0);
        }
    }
}

/// Two heavy wheels with equal arms and a coupler without mass between them turn as one, with the moment of both.
#[test]
fn a_light_coupler_ties_two_wheels() {
    let mut found = Found::default();
    for mass in MASSES {
        let moment = mass * 0.3;
        let text = format!(
            "space = 'planar'
            bodies.one = {{ mass = 1, inertia = 0.2, points.pin = [0.3, 0], angle = 0.5, angular_velocity = 1 }}
            bodies.two = {{ mass = 2, inertia = 0.3, points.pin = [0.3, 0], angle = 0.5, angular_velocity = 1, position = [1, 0] }}
            bodies.bar = {{ mass = {mass:e}, inertia = {moment:e}, center = [0.5, 0], points.end = [1, 0], position = ['0.3 * cos(0.5)', '0.3 * sin(0.5)'] }}
            joints.A = {{ type = 'revolute', between = ['ground', 'one'] }}
            joints.B = {{ type = 'revolute', between = ['ground', 'two'], at = [1, 0] }}
            joints.C = {{ type = 'revolute', between = ['one.pin', 'bar'] }}
            joints.D = {{ type = 'revolute', between = ['bar.end', 'two.pin'] }}
            forces.push = {{ type = 'actuator', joint = 'A', law = '4' }}
            [outputs]
            alpha = '(cos(A.angle) * one.pin.ay - sin(A.angle) * one.pin.ax) / 0.3'
            push = '-D.force.x * sin(A.angle) + D.force.y * cos(A.angle)'"
        );
        for machine in each(&text, &["body", "particle/multiplier", "joint"]) {
            let what = format!("{mass:e} kg");
            if !found.regular(&machine, &what) {
                continue;
            }
            let alpha = 4.0 / (0.5 + 0.09 * mass);
            for state in [
                machine.start(),
                machine.run(1e-3, 100, Projected::Yes).state,
            ] {
                let pair = [machine.output("alpha", &state), alpha];
                found.close(&machine, &format!("alpha {what}"), pair, 10.0);
                let pair = [machine.output("push", &state), 0.3 * alpha / 0.3];
                found.close(&machine, &format!("push {what}"), pair, 10.0);
            }
        }
    }
}

/// A universal joint as two revolutes with a light cross between them, as imported robots have it: against the joint
/// that is one.
#[test]
fn a_light_cross_makes_a_universal_joint() {
    let mut found = Found::default();
    let head = "space = 'spatial'
        gravity = [0.3, -9.81, 1]
        bodies.load = { mass = 2, inertia = [0.1, 0.2, 0.25], center = [0.1, -0.6, 0.2], angular_velocity = [0.7, 0, -0.4] }
        outputs = { x = 'load.center.ax', y = 'load.center.ay', z = 'load.center.az' }";
    let one = format!(
        "{head}\njoints.A = {{ type = 'universal', between = ['ground', 'load'], axis = ['x', 'load.z'] }}"
    );
    let body = each(&one, &ALL[..1]).remove(0);
    let expected = ["x", "y", "z"].map(|name| body.output(name, &body.start()));
    for mass in MASSES {
        let moment = mass * 0.01;
        let text = format!(
            "{head}
            bodies.cross = {{ mass = {mass:e}, inertia = [{moment:e}, {moment:e}, {moment:e}], angular_velocity = [0.7, 0, 0] }}
            joints.A = {{ type = 'revolute', between = ['ground', 'cross'], axis = 'x' }}
            joints.B = {{ type = 'revolute', between = ['cross', 'load'], axis = 'z' }}"
        );
        // A cross of a gram and more is felt.
        for machine in each(&text, &["body", "joint"]) {
            let what = format!("{mass:e} kg");
            if !found.regular(&machine, &what) {
                continue;
            }
            for (name, expected) in ["x", "y", "z"].iter().zip(expected) {
                let pair = [machine.output(name, &machine.start()), expected];
                let felt = moment / CLOSE;
                found.close(
                    &machine,
                    &format!("{name} {what}"),
                    pair,
                    20.0 + 100.0 * felt,
                );
            }
        }
    }
}

/// A massless arm that a motor moves carries a spring, and nothing else: the motor feels the spring.
#[test]
fn a_light_arm_carries_a_spring() {
    let mut found = Found::default();
    for mass in MASSES {
        let text = format!(
            "space = 'planar'
            bodies.arm = {{ mass = {mass:e}, inertia = 0, points.tip = [0.4, 0], angle = 0.3 }}
            bodies.load = {{ mass = 1, inertia = 0.1, position = [1, 0] }}
            joints.A = {{ type = 'revolute', between = ['ground', 'arm'], motion = {{ angle = '0.3 + t' }} }}
            joints.B = {{ type = 'prismatic', between = ['ground', 'load'], at = [1, 0], axis = [1, 0] }}
            forces.spring = {{ type = 'spring', between = ['arm.tip', 'load'], stiffness = 100, free = 0.2 }}
            outputs = {{ drive = 'A.angle_drive', a = 'load.ax' }}"
        );
        for machine in each(&text, &ALL[..2]) {
            let what = format!("{mass:e} kg");
            if !found.regular(&machine, &what) {
                continue;
            }
            let tip = [0.4 * 0.3_f64.cos(), 0.4 * 0.3_f64.sin()];
            let d = [1.0 - tip[0], -tip[1]];
            let length = d[0].hypot(d[1]);
            let pull = 100.0 * (length - 0.2) / length;
            let torque = -pull * (tip[0] * d[1] - tip[1] * d[0]);
            let state = machine.start();
            let pair = [machine.output("drive", &state), torque];
            found.close(&machine, &format!("drive {what}"), pair, 100.0);
            let pair = [machine.output("a", &state), -pull * d[0]];
            found.close(&machine, &format!("a {what}"), pair, 100.0);
        }
    }
}

/// A rod between two ball joints that weighs nothing turns about its axis as nobody sees: a distance says the same.
#[test]
fn a_massless_rod_is_a_distance() {
    let mut found = Found::default();
    let head = "space = 'spatial'
        gravity = [0.3, -9.81, 1]
        bodies.one = { mass = 1, inertia = [0.1, 0.2, 0.25], points.a = [0.5, 0.1, 0.3], angular_velocity = [0, 0, 1] }
        bodies.two = { mass = 2, inertia = [0.3, 0.2, 0.25], position = [2, 0, 0], points.a = [-0.4, 0.5, 0], angular_velocity = [0, 1, 0] }
        joints.A = { type = 'revolute', between = ['ground', 'one'], axis = 'z' }
        joints.B = { type = 'revolute', between = ['ground', 'two'], at = [2, 0, 0], axis = 'y' }
        outputs = { x = 'one.a.ax', y = 'one.a.ay', z = 'two.a.az' }";
    let link = "joints.C = { type = 'distance', between = ['one.a', 'two.a'] }";
    let body = each(&format!("{head}\n{link}"), &ALL[..1]).remove(0);
    let expected = ["x", "y", "z"].map(|name| body.output(name, &body.start()));
    for mass in [0.0, 1e-9] {
        let moment = mass * 0.01;
        let text = format!(
            "{head}
            [bodies.rod]
            mass = {mass:e}
            inertia = [{moment:e}, {moment:e}, {moment:e}]
            points.end = ['sqrt(1.1^2 + 0.4^2 + 0.3^2)', 0, 0]
            position = [0.5, 0.1, 0.3]
            orientation = {{ x = [0.9103664774626048, 0.3310423554409472, -0.24828176658071036], y = [0.26311740579210874, 0, 0.9647638212377322] }}
            [joints.C]
            type = 'spherical'
            between = ['one.a', 'rod']
            [joints.D]
            type = 'spherical'
            between = ['rod.end', 'two.a']"
        );
        for machine in each(&text, &ALL[..1]) {
            let what = format!("{mass:e} kg");
            if !found.regular(&machine, &what) {
                continue;
            }
            for (name, expected) in ["x", "y", "z"].iter().zip(expected) {
                let pair = [machine.output(name, &machine.start()), expected];
                let felt = mass / CLOSE;
                found.close(
                    &machine,
                    &format!("{name} {what}"),
                    pair,
                    20.0 + 10.0 * felt,
                );
            }
        }
    }
}

/// A light pendulum on a heavy cart swings by its own inertia: α = −g sin θ / l at rest on a cart that does not feel
/// it.
#[test]
fn a_light_pendulum_swings_by_itself() {
    let mut found = Found::default();
    for mass in &MASSES[1..5] {
        let text = format!(
            "space = 'planar'
            gravity = [0, -{GRAVITY}]
            bodies.cart = {{ mass = 5, inertia = 1 }}
            bodies.bob = {{ mass = {mass:e}, inertia = 0, points.top = [0, 0.5], position = ['0.5 * sin(0.4)', '-0.5 * cos(0.4)'], angle = 0.4 }}
            joints.A = {{ type = 'prismatic', between = ['ground', 'cart'], axis = [1, 0], motion = {{ displacement = '0' }} }}
            joints.B = {{ type = 'revolute', between = ['cart', 'bob.top'] }}
            outputs = {{ ax = 'bob.ax', ay = 'bob.ay' }}"
        );
        for machine in each(&text, &["body", "particle/multiplier", "joint"]) {
            let what = format!("{mass:e} kg");
            if !found.regular(&machine, &what) {
                continue;
            }
            let along = -GRAVITY * 0.4_f64.sin();
            let state = machine.start();
            let pair = [machine.output("ax", &state), along * 0.4_f64.cos()];
            found.close(&machine, &format!("ax {what}"), pair, 10.0);
            let pair = [machine.output("ay", &state), along * 0.4_f64.sin()];
            found.close(&machine, &format!("ay {what}"), pair, 10.0);
        }
    }
}

/// Motions that the constraints leave need inertia; the error names the body and its motion.
#[test]
fn a_massless_body_that_moves_by_itself_is_refused() {
    let check = |joint: &str, words: &str| {
        let text = format!(
            "space = 'planar'
            bodies.load = {{ mass = 1, inertia = 0.1 }}
            bodies.light = {{ mass = 0, inertia = 0, points.end = [1, 0] }}
            joints.A = {{ type = 'revolute', between = ['ground', 'load'] }}
            {joint}"
        );
        let file = "light.toml".to_owned();
        let source = Source::Toml { file, text };
        assert!(read(&source).is_ok());
        let found = compile(&source, &Options::default()).err().unwrap();
        let text = found.to_string();
        assert!(found.iter().all(|one| one.code == Code::T307), "{text}");
        assert!(text.contains(words), "{text}");
    };
    check(
        "joints.B = { type = 'revolute', between = ['load', 'light'] }",
        "body `light` can turn in joint `B`",
    );
    check(
        "joints.B = { type = 'prismatic', between = ['load', 'light'], axis = [1, 0] }",
        "body `light` can move in joint `B`",
    );
}
