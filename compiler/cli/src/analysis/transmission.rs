//! The transmission angle, at which a coupler pushes: between its line and the arm of the follower, 90° at best.
//!
//! In a joint of a planar loop the two lines go from the joint to its neighbours in the loop: along coupler and
//! follower of a four-bar. If a neighbour slides, the line across its axis replaces the arm, because both are across
//! the velocity. A rod pushes along itself, a slot across itself.

use nalgebra::Vector2;

use super::loops::{LoopLink, smallest_loop};
use super::mechanism::Mechanism;
use crate::joints::Pushes;
use crate::numeric::State;

/// The joint whose angle it is, with its neighbours in the loop.
#[derive(Clone, Copy, Debug)]
pub struct Transmission {
    /// The joint.
    pub joint: usize,
    /// The body that pushes, or the joint alone if it is a rod or a slot.
    coupler: Option<LoopLink>,
    /// The body that is pushed.
    follower: LoopLink,
}

/// The transmission in a given joint; `None` if the joint is in no loop.
pub fn at_joint(mechanism: &Mechanism, joint: usize, drive: usize) -> Option<Transmission> {
    let links = smallest_loop(mechanism.elements, joint)?;
    let (first, last) = (*links.first()?, *links.last()?);
    // The follower is the side that reaches the drive later on its way round.
    let position = |link: &&LoopLink| link.after == drive;
    let from_first = links.iter().take_while(|link| !position(link)).count();
    let (coupler, follower) = match from_first < links.len() / 2 {
        true => (first, last),
        false => (last, first),
    };
    let own = pushes(mechanism, joint) != Pushes::Coupler;
    Some(Transmission {
        joint,
        coupler: (!own).then_some(coupler),
        follower,
    })
}

/// The transmission in the joint opposite to the drive, if the mechanism is a planar loop of four joints, or of three
/// with a rod or a slot; `None` otherwise.
pub fn opposite(mechanism: &Mechanism, drive: usize) -> Option<Transmission> {
    let elements = mechanism.elements;
    let links = smallest_loop(elements, drive)?;
    if !mechanism.is_planar() || links.len() != elements.joints.len() {
        return None;
    }
    let joint = match links.len() {
        4 => links[1].after,
        3 => {
            let transmits = |link: &&LoopLink| pushes(mechanism, link.after) != Pushes::Coupler;
            links.iter().find(transmits)?.after
        }
        _ => return None,
    };
    at_joint(mechanism, joint, drive)
}

fn pushes(mechanism: &Mechanism, joint: usize) -> Pushes {
    mechanism.elements.joints[joint].kind.kind().pushes
}

impl Transmission {
    /// The angle between both lines, in radians from 0 to π.
    pub fn angle(&self, mechanism: &Mechanism, state: &State) -> f64 {
        let push = match self.coupler {
            Some(link) => self.arm(mechanism, state, link),
            None => self.own(mechanism, state),
        };
        let arm = self.arm(mechanism, state, self.follower);
        push.angle(&arm)
    }

    /// The line from the joint to the neighbour of a link, or across the neighbour's axis if it slides.
    fn arm(&self, mechanism: &Mechanism, state: &State, link: LoopLink) -> Vector2<f64> {
        let neighbour = match link.before == self.joint {
            true => link.after,
            false => link.before,
        };
        let elements = mechanism.elements;
        if elements.joints[neighbour]
            .kind
            .facts(elements.space)
            .only_slides()
        {
            return across(axis(mechanism, state, neighbour));
        }
        end(mechanism, state, neighbour, link) - end(mechanism, state, self.joint, link)
    }

    /// The line along a rod, from the follower to the other end; across a slot.
    fn own(&self, mechanism: &Mechanism, state: &State) -> Vector2<f64> {
        if pushes(mechanism, self.joint) == Pushes::Across {
            return across(axis(mechanism, state, self.joint));
        }
        let places = mechanism.places(state);
        let [first, second] = mechanism.ends(self.joint).map(|end| planar(places[end]));
        let near = end(mechanism, state, self.joint, self.follower);
        let far = if (near - first).norm() < (near - second).norm() {
            second
        } else {
            first
        };
        far - near
    }
}

fn end(mechanism: &Mechanism, state: &State, joint: usize, link: LoopLink) -> Vector2<f64> {
    let side = usize::from(mechanism.elements.joints[joint].bodies[0] != link.body);
    planar(mechanism.places(state)[mechanism.ends(joint)[side]])
}

fn planar([x, y, _]: [f64; 3]) -> Vector2<f64> {
    Vector2::new(x, y)
}

/// Direction of a joint's axis in the plane.
fn axis(mechanism: &Mechanism, state: &State, joint: usize) -> Vector2<f64> {
    let part = &mechanism.elements.joints[joint];
    let angle = part.bodies[0].map_or(0.0, |body| state.q[3 * body + 2]);
    nalgebra::Rotation2::new(angle) * planar(part.axis)
}

fn across(line: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-line.y, line.x)
}
