//! Absolute coordinates: x, y, φ of every planar body, position and Euler parameters of every spatial
//! one, all about the centre of mass. Joints are constraint rows, nothing is eliminated.

use super::constraint::{self, Coordinate, Sides};
use super::force;
use super::kinematics::Kinematics;
use super::measure::Measures;
use super::vector::{cross, dot};
use super::{HoldRow, Load, Reaction, Row, System};
use crate::description::Space;
use crate::diagnostics::Path;
use crate::expr::{Expr, Symbol};
use crate::model::{Body, BodyId, Joint, JointId, Marker, Model, Motion, Vector};

/// The equations of a model in absolute coordinates.
pub fn body(model: &Model) -> System {
    let mut kinematics = Kinematics::new(model);
    let sides: Vec<Sides> = model
        .joints
        .iter()
        .map(|joint| constraint::sides(&mut kinematics, joint))
        .collect();
    for (index, (joint, sides)) in model.joints.iter().zip(&sides).enumerate() {
        joint_rows(&mut kinematics, JointId(index as u32), joint, sides);
    }
    for (index, body) in model.bodies.iter().enumerate() {
        inertia(&mut kinematics, BodyId(index as u32), body);
    }
    let mut measures = Measures::new(model, &sides);
    for element in &model.elements {
        force::element(&mut kinematics, &mut measures, &sides, element);
    }
    for hold in &model.holds {
        let value = measures.resolve(&mut kinematics, &hold.value);
        let rate = measures.resolve(&mut kinematics, &hold.rate);
        let name = hold.name.clone();
        kinematics.system.holds.push(HoldRow { name, value, rate });
    }
    for output in &model.outputs {
        let value = measures.resolve(&mut kinematics, &output.value);
        kinematics.system.outputs.push(value);
    }
    kinematics.system
}

fn joint_rows(kinematics: &mut Kinematics, id: JointId, joint: &Joint, sides: &Sides) {
    let kind = constraint::kind(joint.kind);
    let first = kinematics.system.rows.len() as u32;
    for (phi, keeps) in (kind.rows)(sides) {
        let keeps = keeps.to_owned();
        kinematics.system.rows.push(Row {
            phi,
            joint: id,
            keeps,
            driver: false,
        });
    }
    for motion in &joint.motions {
        if let Some(coordinate) = (kind.coordinate)(sides, motion.coordinate) {
            let row = driver_row(id, motion, &coordinate);
            kinematics.system.rows.push(row);
        }
    }
    let last = kinematics.system.rows.len() as u32;
    let reaction = reaction(kinematics, id, joint, first..last);
    kinematics.system.reactions.push(reaction);
}

/// Φ = s − f(t). An angle that is known up to whole turns is compared as
/// atan2(sin θ cos f − cos θ sin f, cos θ cos f + sin θ sin f), which is exact in every direction.
fn driver_row(joint: JointId, motion: &Motion, coordinate: &Coordinate) -> Row {
    let phi = match &coordinate.turn {
        None => &coordinate.value - &motion.law,
        Some((sin, cos)) => {
            let (law_sin, law_cos) = (motion.law.sin(), motion.law.cos());
            Expr::binary(
                crate::expr::Binary::Atan2,
                sin * &law_cos - cos * &law_sin,
                cos * &law_cos + sin * &law_sin,
            )
        }
    };
    Row {
        phi,
        joint,
        keeps: format!("{} as driven", motion.coordinate),
        driver: true,
    }
}

fn reaction(
    kinematics: &mut Kinematics,
    id: JointId,
    joint: &Joint,
    rows: std::ops::Range<u32>,
) -> Reaction {
    let (body, sign) = match (joint.second.body, joint.first.body) {
        (Some(second), _) => (Some(second), 1.0),
        (None, first) => (first, -1.0),
    };
    let center = Marker {
        body,
        point: super::vector::zero(),
    };
    Reaction {
        joint: id,
        rows,
        columns: body.map_or([None; 6], |b| kinematics.columns(b)),
        sign,
        arm: kinematics.between(&center, &joint.second),
    }
}

fn inertia(kinematics: &mut Kinematics, id: BodyId, body: &Body) {
    let half = Expr::constant(0.5);
    let velocity = kinematics.center_velocity(Some(id));
    let spin = kinematics.angular_velocity(Some(id));
    let linear = &half * &body.mass * dot(&velocity, &velocity);
    let (angular, gyroscopic) = match kinematics.model.space {
        Space::Planar => (
            &half * &body.inertia[2][2] * spin[2].square(),
            vec![Expr::zero()],
        ),
        Space::Spatial => spatial_inertia(&kinematics.axes(id), &spin, &body.inertia),
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
    weight(kinematics, id, body);
}

/// T = ½ Σ J_kl (a_k·ω)(a_l·ω) and −ω × (J ω) with J ω = Σ a_k J_kl (a_l·ω); a sphere has neither
/// axes nor a gyroscopic torque.
fn spatial_inertia(
    axes: &[Vector; 3],
    spin: &Vector,
    inertia: &[[Expr; 3]; 3],
) -> (Expr, Vec<Expr>) {
    let half = Expr::constant(0.5);
    let diagonal = (0..3).all(|k| (0..3).all(|l| k == l || inertia[k][l].is_zero()));
    if diagonal && inertia[0][0] == inertia[1][1] && inertia[1][1] == inertia[2][2] {
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

fn weight(kinematics: &mut Kinematics, id: BodyId, body: &Body) {
    let position = kinematics.center(Some(id));
    let velocity = kinematics.center_velocity(Some(id));
    let gravity = kinematics.model.gravity.clone();
    for i in 0..3 {
        let effort = &body.mass * &gravity[i];
        if effort.is_zero() {
            continue;
        }
        let system = &mut kinematics.system;
        system.potential = &system.potential - &effort * &position[i];
        system.loads.push(Load {
            path: Path::new("gravity"),
            conservative: effort.clone(),
            effort,
            flow: velocity[i].clone(),
        });
    }
}

/// Symbol of the multiplier of a row.
pub(super) fn multiplier(row: usize) -> Expr {
    Expr::symbol(Symbol::Multiplier(row as u32))
}
