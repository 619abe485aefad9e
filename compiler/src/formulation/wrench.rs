//! Forces and torques on a body of a tree, as a torque about a point of it and a force.

use super::Screw;
use super::kinematics::{Attack, BodyKinematics, Share};
use super::vector::{add, cross, sub, zero};
use crate::model::{BodyId, Vector};

/// The sum of the shares that `counts` admits, about `base` of the body.
pub fn wrench(
    kinematics: &mut BodyKinematics,
    id: BodyId,
    base: &Vector,
    counts: impl Fn(&Share) -> bool,
) -> Screw {
    let shares = kinematics.shares.iter();
    let shares: Vec<Share> = shares
        .filter(|share| share.body == id && counts(share))
        .cloned()
        .collect();
    let mut sum = Screw::default();
    for share in shares {
        let (torque, force) = match &share.what {
            Attack::Mass => {
                let arm = kinematics.turn(Some(id), &sub(&zero(), base));
                (cross(&arm, &share.force), share.force)
            }
            Attack::Point(at) => {
                let arm = kinematics.turn(Some(id), &sub(at, base));
                (cross(&arm, &share.force), share.force)
            }
            Attack::Direction(vector) => {
                let arm = kinematics.turn(Some(id), vector);
                (cross(&arm, &share.force), zero())
            }
            Attack::Spin => (share.force, zero()),
        };
        sum.angular = add(&sum.angular, &torque);
        sum.linear = add(&sum.linear, &force);
    }
    sum
}
