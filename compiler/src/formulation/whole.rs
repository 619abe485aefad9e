//! The mechanism as a whole: the momentum and angular momentum of all bodies together.

use super::kinematics::BodyKinematics;
use super::particle::second_moments;
use super::vector::{add, cross, scale, sub, zero};
use crate::expr::Expr;
use crate::model::{BodyId, Vector};

/// The momenta of all bodies together, in world axes.
pub struct Whole {
    /// p = Σ m v
    pub momentum: Vector,
    /// About the centre of mass of all bodies.
    pub angular_momentum: Vector,
}

/// With c = Σ m x / Σ m and ċ = p / Σ m,
///
/// ```text
/// L = Σ m (x − c) × (v − ċ) + L_G
/// ```
///
/// One difference would do. Both are taken, so that bodies that fall far and fast leave no more round-off in L than
/// bodies at rest.
pub fn whole(kinematics: &mut BodyKinematics) -> Whole {
    let bodies: Vec<MovingBody> = (0..kinematics.model.bodies.len())
        .map(|index| moving(kinematics, BodyId(index as u32)))
        .collect();
    let mass: Expr = bodies.iter().map(|body| body.mass.clone()).sum();
    let momentum = sum(bodies.iter().map(|body| scale(&body.mass, &body.velocity)));
    let moment = sum(bodies.iter().map(|body| scale(&body.mass, &body.position)));
    let (center, speed) = (
        moment.map(|c| c / &mass),
        momentum.clone().map(|c| c / &mass),
    );
    let angular_momentum = sum(bodies.iter().map(|body| {
        let (from, at) = (sub(&body.position, &center), sub(&body.velocity, &speed));
        add(&scale(&body.mass, &cross(&from, &at)), &body.spin)
    }));
    Whole {
        momentum,
        angular_momentum,
    }
}

/// A body by its centre of mass.
struct MovingBody {
    mass: Expr,
    position: Vector,
    velocity: Vector,
    /// Angular momentum about its own centre.
    spin: Vector,
}

/// L_G = ∫ ρ × ρ̇ dm = Σ Q_kl e_k × ė_l. It needs no angular velocity, which a thin rod lacks about its axis.
fn moving(kinematics: &mut BodyKinematics, id: BodyId) -> MovingBody {
    let model = kinematics.model;
    let body = &model.bodies[id.0 as usize];
    let axes = kinematics.axes(id);
    let moments = second_moments(model.space, &body.inertia);
    let spin = sum(moments.into_iter().map(|(k, l, moment)| {
        let rate = kinematics.direction_rate(Some(id), [0, 1, 2].map(|i| f64::from(i == l)));
        scale(&moment, &cross(&axes[k], &rate))
    }));
    MovingBody {
        mass: body.mass.clone(),
        position: kinematics.center(id),
        velocity: kinematics.center_velocity(id),
        spin,
    }
}

fn sum(vectors: impl Iterator<Item = Vector>) -> Vector {
    vectors.fold(zero(), |total, vector| add(&total, &vector))
}
