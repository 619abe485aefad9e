//! Reactions: together with the applied forces they cause the motion of each body.
//! For the outermost body of a tree this fixes the reaction in its joint, and so on inwards.

use bellcrank_compiler::stages::assembly::State;
use bellcrank_compiler::stages::kernel::{Array, Name};

use super::applied::{Wrench, act, applied};
use super::machine::{Machine, Motion, Projected};
use super::mechanism::Mechanism;

/// Some steps after the start, where the constraints are only as good as their projection.
pub fn check(mechanism: &Mechanism, machine: &Machine) {
    let state = machine.run(1e-3, 2, Projected::Yes).state;
    let motions = machine.motions(&state);
    let mut total = applied(mechanism, &motions);
    let mut largest: f64 = 1.0;
    for coupling in &mechanism.couplings {
        let effort = machine.output(&coupling.name, &state);
        largest = largest.max(effort.abs());
        for push in coupling.pushes(effort) {
            act(mechanism, &push, &motions, &mut total);
        }
    }
    for (joint, reaction) in mechanism.joints.iter().zip(reactions(machine, &state)) {
        largest = largest.max(reaction.force.norm() + reaction.torque.norm());
        let [first, second] = joint.ends;
        let at = mechanism.now(&second, &motions);
        let back = reaction.reversed();
        for (end, wrench) in [(second, reaction), (first, back)] {
            if let Some(body) = end.body {
                total[body] += wrench.moved(at, motions[body].center);
            }
        }
    }
    for (body, (now, total)) in motions.iter().zip(&total).enumerate() {
        balance(mechanism, body, now, total, largest);
    }
}

/// m ẍ = m g + F and J ω̇ + ω × J ω = τ, to the round-off of the largest force; the sums are over a few
/// joints and their arms are a few metres.
fn balance(mechanism: &Mechanism, body: usize, now: &Motion, total: &Wrench, largest: f64) {
    let known = &mechanism.bodies[body];
    let planar = mechanism.planar();
    let force = known.mass * (now.acceleration - mechanism.gravity) - total.force;
    let torque = now.angular_momentum_rate(&known.inertia) - total.torque;
    let torque = if planar {
        torque.z.abs()
    } else {
        torque.norm()
    };
    assert!(
        force.norm() < 1e-11 * largest,
        "{body}: {:e} N off",
        force.norm()
    );
    assert!(torque < 1e-11 * largest, "{body}: {torque:e} N m off");
}

/// Force and torque on the second body of each joint, about its point.
fn reactions(machine: &Machine, state: &State) -> Vec<Wrench> {
    let n = machine.compiled.kernel.sizes.reactions;
    let all = machine
        .call_solved(Name::Reactions, state)
        .array(Array::Reactions, n);
    all.chunks(6).map(Wrench::from_slice).collect()
}
