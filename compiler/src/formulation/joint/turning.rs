//! Turns of the outboard body of a joint, and the axes of it that are known.
//!
//! An angle is represented by its cosine and sine, two coordinates that turn with its rate: no step needs a library
//! function. Where the model uses the angle itself a third coordinate counts its turns.

use nalgebra::Vector3;

use super::super::absolute::{euler_rates, rotation_columns};
use super::super::constraint::locked_angle;
use super::super::kinematics::without_round_off;
use super::super::turns;
use super::super::vector::{add, cross, scale, sub, unit, zero};
use super::super::{OwnTurn, Rotation, UnitLength};
use super::motion::{JointRate, JointStep, Outboard, Walk};
use crate::description::Space;
use crate::expr::Expr;
use crate::joints::{self, RelativeTurns, Wound};
use crate::model::{JointCoordinate, Vector};

/// An angle of a joint.
struct JointAngle {
    cos: Expr,
    sin: Expr,
    /// With its whole turns, if the model uses them.
    wound: Option<Wound>,
    rate: Expr,
    acceleration: Expr,
}

impl Walk<'_, '_> {
    /// An angle, of the joint's second body against its first or of a body in the plane.
    fn angle(&mut self, which: JointCoordinate) -> JointAngle {
        let model = self.kinematics.model;
        let (name, which, guess) = match self.carrier.joint {
            Some(id) => {
                let name = &model.joints[id.0 as usize].name;
                (name, Some(which), self.guess.coordinate(id, which))
            }
            None => {
                let name = &model.bodies[self.body.0 as usize].name;
                (name, None, self.guess.angle(self.body))
            }
        };
        let names = match which {
            Some(JointCoordinate::SecondAngle) => {
                ["second_cos", "second_sin", "second_angle", "second_rate"]
            }
            _ => ["cos", "sin", "angle", "rate"],
        };
        let [cos, sin, angle, rate] = names.map(|part| format!("{name}.{part}"));
        let (value, speed) = guess;
        let first = self.kinematics.system.coordinates.len() as u32;
        let velocity = self.kinematics.system.velocities.len() as u32;
        let at = self
            .kinematics
            .coordinates([cos, sin], [&value.cos(), &value.sin()]);
        let (v, a) = self.kinematics.velocities([rate], [&speed]);
        let [cos, sin] = [&at[0], &at[1]].map(Expr::clone);
        let rates = [-(&sin * &v[0]), &cos * &v[0]];
        self.kinematics.system.rates.extend(rates);
        self.kinematics.system.rotations.push(Rotation::Planar {
            axis: [first, first + 1],
            length: 1.0,
            spin: velocity,
        });
        let turn = JointAngle {
            wound: self
                .counted
                .then(|| self.count(angle, &value, [&cos, &sin, &v[0]])),
            cos,
            sin,
            rate: v[0].clone(),
            acceleration: a[0].clone(),
        };
        self.carried.rates.push(velocity);
        self.carried.coordinates.push(JointRate {
            which,
            wound: turn.wound.clone(),
            value: turn.wound.as_ref().map(Wound::value),
            velocity,
        });
        turn
    }

    /// The angle of a cosine and a sine, with a coordinate that counts its turns.
    fn count(&mut self, name: String, guess: &Expr, [cos, sin, rate]: [&Expr; 3]) -> Wound {
        let counter = self.kinematics.coordinates([name], [guess]).remove(0);
        self.kinematics.system.rates.push(rate.clone());
        turns::keep(&mut self.kinematics.system, [sin, cos]);
        turns::counted(self.kinematics, [sin, cos], rate.clone(), &counter)
    }

    /// ω ← ω + a q̇, about an axis that is fixed in what has been reached.
    fn spin(&mut self, axis: &Vector, v: &Expr, a: &Expr) {
        let added = scale(v, axis);
        let at = &mut self.at;
        let turning = cross(&at.spin, &added);
        at.spin = add(&at.spin, &added);
        at.spin_bias = add(&at.spin_bias, &turning);
        at.spin_rate = add(&at.spin_rate, &add(&turning, &scale(a, axis)));
    }

    pub(super) fn turns(&mut self, turns: RelativeTurns) -> Outboard {
        match (turns, self.kinematics.model.space) {
            (RelativeTurns::None, Space::Planar) => self.locked(),
            (_, Space::Planar) => self.planar(),
            (RelativeTurns::None, Space::Spatial) => self.same(),
            (RelativeTurns::Once, Space::Spatial) => self.once(),
            (RelativeTurns::Screwing, Space::Spatial) => self.once(),
            (RelativeTurns::Twice, Space::Spatial) => self.twice(),
            (RelativeTurns::Freely, Space::Spatial) => self.freely(),
        }
    }

    /// Angle and axes of the inboard body in the plane.
    fn inboard(&self) -> (Option<Expr>, [Vector; 3]) {
        match self.kinematics.frame(self.carrier.inboard) {
            Some(frame) => (frame.angle.clone(), frame.axes.clone()),
            None => (Some(Expr::zero()), [0, 1, 2].map(unit)),
        }
    }

    /// A planar body that does not turn against its inboard one.
    fn locked(&mut self) -> Outboard {
        let model = self.kinematics.model;
        let joint = self.carrier.of(model);
        let by = joint.map_or(0.0, |joint| locked_angle(self.kinematics, joint));
        let by = if self.carrier.forward { by } else { -by };
        let (angle, [x, y, z]) = self.inboard();
        let (sin, cos) = by.sin_cos();
        let [cos, sin] = [cos, sin].map(|x| Expr::constant(without_round_off(x, 1.0)));
        let turned = add(&scale(&cos, &x), &scale(&sin, &y));
        self.name_spin();
        let turned = self.kinematics.rotating(turned, &self.at.spin);
        let across = [-&turned[1], turned[0].clone(), Expr::zero()];
        let angle = angle.map(|angle| {
            let angle = angle + Expr::constant(by);
            let rate = self.at.spin[2].clone();
            self.kinematics.auxiliary(angle, rate)
        });
        Outboard {
            basis: None,
            axes: [turned, across, z],
            angle,
            parameters: None,
        }
    }

    /// A planar body that turns. Its angle is the sum of those on the way to it, if all of them are counted.
    fn planar(&mut self) -> Outboard {
        let turn = self.angle(JointCoordinate::Angle);
        let sign = self.sign();
        let axis = scale(&sign, &unit(2));
        self.spin(&axis, &turn.rate, &turn.acceleration);
        self.carried.freedoms.push(joints::turn(axis));
        self.name_spin();
        let (inboard, [x, y, _]) = self.inboard();
        let x = add(&scale(&turn.cos, &x), &scale(&(&sign * &turn.sin), &y));
        let x = self.kinematics.rotating(x, &self.at.spin);
        let y = [-&x[1], x[0].clone(), Expr::zero()];
        let angle = inboard.zip(turn.wound).map(|(inboard, wound)| {
            let angle = inboard + sign * wound.value();
            let rate = self.at.spin[2].clone();
            self.kinematics.auxiliary(angle, rate)
        });
        Outboard {
            basis: None,
            axes: [x, y, unit(2)],
            angle,
            parameters: None,
        }
    }

    /// Both triads of the joint, inboard first.
    fn triads(&self) -> [[[f64; 3]; 3]; 2] {
        let model = self.kinematics.model;
        let joint = self.carrier.of(model).expect("only a joint has triads");
        match self.carrier.forward {
            true => [joint.first_frame, joint.second_frame],
            false => [joint.second_frame, joint.first_frame],
        }
    }

    /// The axes that are known of the inboard body, in its own axes, and in the world.
    fn known(&self) -> ([[f64; 3]; 3], [Vector; 3]) {
        let own = [0, 1, 2].map(|k| Vector3::ith(k, 1.0).into());
        match self.kinematics.frame(self.carrier.inboard) {
            Some(frame) => (frame.basis.unwrap_or(own), frame.axes.clone()),
            None => (own, [0, 1, 2].map(unit)),
        }
    }

    /// A body that does not turn has the axes of its inboard one.
    fn same(&mut self) -> Outboard {
        let [inner, outer] = self.triads().map(|triad| triad.map(Vector3::from));
        let (basis, axes) = self.known();
        let seen = basis.map(|axis| {
            let axis = Vector3::from(axis);
            let sum = (0..3)
                .map(|k| inner[k].dot(&axis) * outer[k])
                .sum::<Vector3<f64>>();
            sum.map(|x| without_round_off(x, 1.0)).into()
        });
        self.name_spin();
        Outboard {
            basis: Some(seen),
            axes: axes.map(|axis| self.kinematics.rotating(axis, &self.at.spin)),
            angle: None,
            parameters: None,
        }
    }

    /// About z of the triads, from axes x and y that take few products to turn into the world: any two across z
    /// serve, and the body's basis takes up by how much they are off the triad.
    fn once(&mut self) -> Outboard {
        let [inner, outer] = self.triads().map(|triad| triad.map(Vector3::from));
        let basis = self.known().0.map(Vector3::from);
        let local =
            |v: &Vector3<f64>| Vector3::from(basis.map(|axis| without_round_off(axis.dot(v), 1.0)));
        let across = across(&local(&inner[2]));
        let world = |v: &Vector3<f64>| (0..3).map(|k| basis[k] * v[k]).sum::<Vector3<f64>>();
        let x = world(&across);
        let y = inner[2].cross(&x);
        let z = self
            .kinematics
            .direction(self.carrier.inboard, inner[2].into());
        let (cos, sin) = (inner[0].dot(&x), inner[0].dot(&y));
        let outer_x = outer[0] * cos - outer[1] * sin;
        let outer_y = outer[0] * sin + outer[1] * cos;
        let seen =
            [outer_x, outer_y, outer[2]].map(|v| v.map(|x| without_round_off(x, 1.0)).into());
        let x = self.kinematics.direction(self.carrier.inboard, x.into());
        let y = self.kinematics.direction(self.carrier.inboard, y.into());
        let [x, y] = self.about([&x, &y, &z], JointCoordinate::Angle);
        self.name_spin();
        Outboard {
            basis: Some(seen),
            axes: [x, y, z].map(|axis| self.kinematics.rotating(axis, &self.at.spin)),
            angle: None,
            parameters: None,
        }
    }

    /// Turns x and y about z by an angle of the joint.
    fn about(&mut self, [x, y, z]: [&Vector; 3], which: JointCoordinate) -> [Vector; 2] {
        let turn = self.angle(which);
        let axis = scale(&self.sign(), z);
        self.spin(&axis, &turn.rate, &turn.acceleration);
        self.carried.freedoms.push(joints::turn(axis));
        let (cos, sin) = (turn.cos, self.sign() * turn.sin);
        self.carried.moves.push(JointStep::Turn {
            by: [cos.clone(), sin.clone()],
            rate: self.carried.rates.len() - 1,
        });
        let turned = add(&scale(&cos, x), &scale(&sin, y));
        let across = sub(&scale(&cos, y), &scale(&sin, x));
        [turned, across]
    }

    /// About z of the inboard triad and about z of the outboard one. Between them the cross has the second
    /// axis as z, the first as x.
    fn twice(&mut self) -> Outboard {
        let [inner, outer] = self.triads();
        let [x, y, z] = inner.map(|axis| self.kinematics.direction(self.carrier.inboard, axis));
        let order = match self.carrier.forward {
            true => [JointCoordinate::Angle, JointCoordinate::SecondAngle],
            false => [JointCoordinate::SecondAngle, JointCoordinate::Angle],
        };
        let halfway = self.about([&x, &y, &z], order[0]);
        let spin = self.at.spin.clone();
        let [x, y] = halfway.map(|axis| self.kinematics.rotating(axis, &spin));
        let cross = [z, sub(&zero(), &y), x];
        self.carried.moves.push(JointStep::Cross);
        let [x, y] = self.about([&cross[0], &cross[1], &cross[2]], order[1]);
        let [_, _, z] = cross;
        self.name_spin();
        Outboard {
            basis: Some(outer),
            axes: [x, y, z].map(|axis| self.kinematics.rotating(axis, &self.at.spin)),
            angle: None,
            parameters: None,
        }
    }

    /// Names the angular velocity of the outboard body, with which its axes turn.
    fn name_spin(&mut self) {
        let at = &mut self.at;
        at.spin_bias = self.kinematics.named(at.spin_bias.clone(), &zero());
        at.spin = self.kinematics.named(at.spin.clone(), &at.spin_bias);
        at.spin_rate = self.kinematics.named(at.spin_rate.clone(), &zero());
    }

    /// A body that turns any way has Euler parameters and an angular velocity of its own, in the axes of the world. The
    /// motion of its inboard body makes no difference to them.
    fn freely(&mut self) -> Outboard {
        let body = &self.kinematics.model.bodies[self.body.0 as usize];
        let names = ["e0", "e1", "e2", "e3"].map(|part| format!("{}.{part}", body.name));
        let orientation = body.orientation.map(Expr::constant);
        let p = self.kinematics.coordinates(names, orientation.each_ref());
        let names = ["wx", "wy", "wz"].map(|part| format!("{}.{part}", body.name));
        let spin = body.guess.angular_velocity.each_ref();
        let (w, a) = self.kinematics.velocities(names, spin);
        let system = &mut self.kinematics.system;
        let first = (system.coordinates.len() - 4) as u32;
        let spin = (system.velocities.len() - 3) as u32;
        let velocities = [spin, spin + 1, spin + 2];
        system.unit.push(UnitLength {
            coordinates: [first, first + 1, first + 2, first + 3],
            velocities,
        });
        self.at.spin = std::array::from_fn(|k| w[k].clone());
        self.at.spin_bias = zero();
        self.at.spin_rate = std::array::from_fn(|k| a[k].clone());
        system.rates.extend(euler_rates(&p, &self.at.spin));
        let freedoms = (0..3).map(|k| joints::turn(unit(k)));
        self.carried.freedoms.extend(freedoms);
        self.carried.moves.push(JointStep::Freely);
        self.carried.turn = Some(OwnTurn {
            velocities,
            arm: self.carried.arm.clone(),
        });
        self.name_spin();
        let axes = rotation_columns(&p);
        Outboard {
            basis: None,
            axes: axes.map(|axis| self.kinematics.rotating(axis, &self.at.spin)),
            angle: None,
            parameters: Some(std::array::from_fn(|k| p[k].clone())),
        }
    }
}

/// A unit vector across z with a zero, or with two where z has one.
fn across(z: &Vector3<f64>) -> Vector3<f64> {
    match (0..3).rfind(|&k| z[k] == 0.0) {
        Some(k) => Vector3::ith(k, 1.0),
        None => Vector3::ith(z.iamin(), 1.0).cross(z).normalize(),
    }
}
