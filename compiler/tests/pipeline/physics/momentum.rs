//! Momentum of mechanisms that fly: no force from outside, so both momenta are constant.

use bellcrank_compiler::description::{Description, Number, Space};
use proptest::prelude::*;

use super::machine::{Machine, Motion, Projected};
use super::mechanism::{Mechanism, Vector};
use super::random_mechanism::free_tree;
use super::{config, converges};

proptest! {
    #![proptest_config(config(6))]

    #[test]
    fn planar_groups_keep_their_momenta(m in free_tree(Space::Planar, 1..=5)) {
        check(&m);
    }

    #[test]
    fn spatial_groups_keep_their_momenta(m in free_tree(Space::Spatial, 1..=3)) {
        check(&m);
    }
}

fn check(mechanism: &Mechanism) {
    let machine = Machine::new(&reporting(mechanism));
    let start = machine.motions(&machine.start());
    told(mechanism, &machine);
    // At one instant the sums of a few forces cancel up to round-off, with some room for the condition.
    let (force, torque) = rates(mechanism, &start);
    let largest = start
        .iter()
        .map(|m| m.acceleration.norm() + m.spin_rate.norm());
    let scale = 1.0 + largest.fold(0.0, f64::max);
    assert!(force.norm() < 1e-10 * scale, "ṗ is {:e}", force.norm());
    assert!(torque.norm() < 1e-10 * scale, "L̇ is {:e}", torque.norm());
    let (p, l) = momenta(mechanism, &start);
    converges(|refined| {
        let run = machine.run(2e-3 / refined as f64, 50 * refined, Projected::Yes);
        let (p_end, l_end) = momenta(mechanism, &machine.motions(&run.state));
        ((p_end - p).norm() + (l_end - l).norm()) / (1.0 + p.norm() + l.norm())
    });
}

/// With both momenta as outputs.
fn reporting(mechanism: &Mechanism) -> Description {
    let mut description = mechanism.description();
    for (name, measure) in OUTPUTS.iter().filter(|output| has(mechanism, output.1)) {
        let value = Number::Text((*measure).to_owned());
        description.outputs.insert((*name).to_owned(), value);
    }
    description
}

const OUTPUTS: [(&str, &str); 6] = [
    ("px", "momentum.x"),
    ("py", "momentum.y"),
    ("pz", "momentum.z"),
    ("lx", "angular_momentum.x"),
    ("ly", "angular_momentum.y"),
    ("lz", "angular_momentum.z"),
];

fn has(mechanism: &Mechanism, measure: &str) -> bool {
    let in_space = ["momentum.z", "angular_momentum.x", "angular_momentum.y"];
    !mechanism.planar() || !in_space.contains(&measure)
}

/// The outputs against sums by hand, the second one about the centre c: L − c × p.
fn told(mechanism: &Mechanism, machine: &Machine) {
    let motions = machine.motions(&machine.start());
    let (p, l) = momenta(mechanism, &motions);
    let bodies = || mechanism.bodies.iter().zip(&motions);
    let mass: f64 = bodies().map(|(body, _)| body.mass).sum();
    let center: Vector = bodies()
        .map(|(body, now)| body.mass / mass * now.center)
        .sum();
    let about = l - center.cross(&p);
    let expected = p.iter().chain(&about).zip(OUTPUTS);
    for (expected, (name, _)) in expected.filter(|(_, output)| has(mechanism, output.1)) {
        let off = (machine.output(name, &machine.start()) - expected).abs();
        // Sums of some dozen products.
        assert!(
            off < 1e-12 * (1.0 + p.norm() + l.norm()),
            "{name} is {off:e} off"
        );
    }
}

/// p = Σ m ẋ and L = Σ x × m ẋ + J ω
fn momenta(mechanism: &Mechanism, motions: &[Motion]) -> (Vector, Vector) {
    let mut sum = (Vector::zeros(), Vector::zeros());
    for (body, now) in mechanism.bodies.iter().zip(motions) {
        let linear = body.mass * now.velocity;
        sum.0 += linear;
        sum.1 += now.center.cross(&linear) + now.turned(&body.inertia) * now.spin;
    }
    sum
}

/// ṗ = Σ m ẍ and L̇ = Σ x × m ẍ + J ω̇ + ω × J ω
fn rates(mechanism: &Mechanism, motions: &[Motion]) -> (Vector, Vector) {
    let mut sum = (Vector::zeros(), Vector::zeros());
    for (body, now) in mechanism.bodies.iter().zip(motions) {
        let linear = body.mass * now.acceleration;
        sum.0 += linear;
        sum.1 += now.center.cross(&linear) + now.angular_momentum_rate(&body.inertia);
    }
    sum
}
