//! The form `body`, in absolute coordinates about the centre of mass: x, y, φ of every planar body, position and Euler
//! parameters of every spatial one. Every joint gives constraint equations, and none is eliminated.

use super::constraint::sides;
use super::coupling::coupling_rows;
use super::kinematics::BodyKinematics;
use super::loads_and_outputs::loads_and_outputs;
use super::measure;
use super::rows::{Wanted, joint_rows};
use super::vector::{cross, dot};
use super::{BodyInertia, ConstraintEquation, System};
use crate::description::Space;
use crate::expr::Expr;
use crate::joints::Sides;
use crate::model::{Body, BodyId, Extent, JointId, Model, Vector};

/// The equations of a model in absolute coordinates.
pub fn body(model: &Model) -> System {
    constrained(BodyKinematics::absolute(model), |_| Expr::zero())
}

/// The equations of bodies, with all constraint equations of the joints and the energy that springs store.
pub fn constrained(
    mut kinematics: BodyKinematics,
    stored: impl FnOnce(&[ConstraintEquation]) -> Expr,
) -> System {
    let model = kinematics.model;
    let sides = all_sides(&mut kinematics);
    let mut reactions = Vec::new();
    for (index, (joint, sides)) in model.joints.iter().zip(&sides).enumerate() {
        let id = JointId(index as u32);
        let reaction = joint_rows(&mut kinematics, id, joint, sides, Wanted::All);
        reactions.push(reaction.components());
    }
    coupling_rows(&mut kinematics, &sides);
    kinematics.system.potential = stored(&kinematics.system.rows);
    for (index, body) in model.bodies.iter().enumerate() {
        inertia(&mut kinematics, BodyId(index as u32), body);
    }
    loads_and_outputs(&mut kinematics, &sides);
    measure::reactions(model, &mut kinematics.system, &reactions);
    kinematics.system.reactions = reactions;
    kinematics.system
}

/// Both sides of every joint.
pub fn all_sides(kinematics: &mut BodyKinematics) -> Vec<Sides> {
    let joints = 0..kinematics.model.joints.len() as u32;
    joints.map(|id| sides(kinematics, JointId(id))).collect()
}

fn inertia(kinematics: &mut BodyKinematics, id: BodyId, body: &Body) {
    let half = Expr::constant(0.5);
    let velocity = kinematics.center_velocity(id);
    let spin = kinematics.angular_velocity(Some(id));
    let linear = &half * &body.mass * dot(&velocity, &velocity);
    let (angular, gyroscopic) = match kinematics.model.space {
        Space::Planar => (
            &half * &tensor(body)[2][2] * spin[2].square(),
            vec![Expr::zero()],
        ),
        Space::Spatial => {
            let (axes, tensor) = (kinematics.axes(id), tensor(body));
            let first = 6 * id.0 + 3;
            let found = spatial_inertia(&axes, &spin, &tensor);
            if !is_sphere(&tensor) {
                kinematics.system.inertias.push(BodyInertia {
                    velocities: [first, first + 1, first + 2],
                    axes,
                    tensor,
                });
            }
            found
        }
    };
    let translation = if kinematics.model.space == Space::Planar {
        2
    } else {
        3
    };
    let system = &mut kinematics.system;
    system.kinetic = &system.kinetic + linear + angular;
    system
        .gyroscopic
        .extend((0..translation).map(|_| Expr::zero()).chain(gyroscopic));
}

/// J. A turn that is no motion has a coordinate nevertheless. With the tensor of a sphere nothing couples to that turn,
/// so it stays at rest, and its moment of inertia may be any number. A massless rod gets a moment about its axis only.
pub fn tensor(body: &Body) -> [[Expr; 3]; 3] {
    let moment = match body.extent {
        Extent::Body => return body.inertia.clone(),
        Extent::Line(axis) if body.moment_across().is_zero() => {
            return axis.map(|a| axis.map(|b| Expr::constant(a * b)));
        }
        Extent::Line(_) => body.moment_across(),
        Extent::Point if body.mass.is_zero() => Expr::one(),
        Extent::Point => body.mass.clone(),
    };
    std::array::from_fn(|k| {
        std::array::from_fn(|l| if k == l { moment.clone() } else { Expr::zero() })
    })
}

/// T = ½ Σ J_kl (a_k·ω)(a_l·ω) and the gyroscopic torque −ω × (J ω) with J ω = Σ a_k J_kl (a_l·ω). A sphere needs no
/// axes and has no gyroscopic torque.
fn spatial_inertia(
    axes: &[Vector; 3],
    spin: &Vector,
    inertia: &[[Expr; 3]; 3],
) -> (Expr, Vec<Expr>) {
    let half = Expr::constant(0.5);
    if is_sphere(inertia) {
        let energy = half * &inertia[0][0] * dot(spin, spin);
        return (energy, vec![Expr::zero(); 3]);
    }
    let local: Vector = std::array::from_fn(|k| dot(&axes[k], spin));
    let momentum: Vector =
        std::array::from_fn(|k| (0..3).map(|l| &inertia[k][l] * &local[l]).sum());
    let mut energy = Expr::zero();
    for k in 0..3 {
        energy = energy + &half * &inertia[k][k] * local[k].square();
        for l in k + 1..3 {
            energy = energy + &inertia[k][l] * &local[k] * &local[l];
        }
    }
    let world: Vector = std::array::from_fn(|i| (0..3).map(|k| &axes[k][i] * &momentum[k]).sum());
    (energy, cross(&world, spin).to_vec())
}

fn is_sphere(inertia: &[[Expr; 3]; 3]) -> bool {
    let diagonal = (0..3).all(|k| (0..3).all(|l| k == l || inertia[k][l].is_zero()));
    diagonal && inertia[0][0] == inertia[1][1] && inertia[1][1] == inertia[2][2]
}
