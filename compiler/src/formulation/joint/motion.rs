//! From the root outwards: where the joints have each body, how it moves, and with which acceleration it
//! would if no joint rate changed.

use nalgebra::Vector3;

use super::super::constraint::{locked_angle, shift, turn};
use super::super::kinematics::{
    Frame, Kinematics, Turning, combine, euler_rates, rotation_columns, settled,
};
use super::super::turns::in_guess;
use super::super::vector::{add, constant, cross, dot, scale, sub, unit, zero};
use super::super::{Screw, Unit};
use super::guess::{Guess, Guessed};
use super::steps::{Carrier, Turns};
use crate::description::Space;
use crate::expr::{Expr, Symbol};
use crate::model::{BodyId, JointCoordinate, Vector};
use crate::topology::Topology;

/// A coordinate of a joint with its rate.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate {
    /// Which coordinate of the joint, if it is one.
    pub which: Option<JointCoordinate>,
    /// q
    pub coordinate: u32,
    /// q̇
    pub velocity: u32,
}

/// A body and what carries it.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// Coordinates that are displacements or angles.
    pub coordinates: Vec<Coordinate>,
    /// Motions that the joint leaves, about the reference point.
    pub freedoms: Vec<Screw>,
    /// Their velocities.
    pub rates: Vec<u32>,
    /// From the reference point of the inboard body to that of this one.
    pub arm: Vector,
    /// How it moves.
    pub motion: Motion,
}

/// How a body moves: its angular velocity, the velocity of its reference point, and their rates, in all and with
/// constant joint rates.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// ω
    pub spin: Vector,
    /// ẋ
    pub velocity: Vector,
    /// ω̇ at q̈ = 0
    pub spin_bias: Vector,
    /// ẍ at q̈ = 0
    pub bias: Vector,
    /// ω̇
    pub spin_rate: Vector,
    /// ẍ
    pub acceleration: Vector,
}

/// All bodies, by their id.
pub fn carry(
    kinematics: &mut Kinematics,
    topology: &Topology,
    carriers: &[Carrier],
) -> Vec<Carried> {
    let mut guess = Guess::new(kinematics.model);
    let mut carried = vec![Carried::default(); carriers.len()];
    for &body in &topology.order {
        let carrier = carriers[body.0 as usize];
        let inboard = carrier.inboard.map(|id| carried[id.0 as usize].motion.clone());
        let walk = Walk {
            kinematics,
            guess: &mut guess,
            carrier,
            body,
            at: inboard.unwrap_or_default(),
            carried: Carried::default(),
        };
        carried[body.0 as usize] = walk.joint();
    }
    carried
}

/// B with B r = ω̇ × r + ω × (ω × r): the acceleration of a point of the body against the reference point.
pub fn swing(spin_rate: &Vector, spin: &Vector) -> [Vector; 3] {
    let ([x, y, z], [a, b, c]) = (spin, spin_rate);
    let square = |one: &Expr, two: &Expr| -(one.square() + two.square());
    [
        [square(y, z), x * y - c, x * z + b],
        [x * y + c, square(x, z), y * z - a],
        [x * z - b, y * z + a, square(x, y)],
    ]
}

/// B r
pub fn times(matrix: &[Vector; 3], r: &Vector) -> Vector {
    matrix.each_ref().map(|row| dot(row, r))
}

/// The axes of the outboard body.
struct Outboard {
    basis: Option<[[f64; 3]; 3]>,
    axes: [Vector; 3],
    angle: Option<Expr>,
    parameters: Option<[Expr; 4]>,
}

/// A step across one joint.
struct Walk<'k, 'a> {
    kinematics: &'k mut Kinematics<'a>,
    guess: &'k mut Guess<'a>,
    carrier: Carrier,
    body: BodyId,
    /// The motion of what has been reached, at first that of the inboard body.
    at: Motion,
    carried: Carried,
}

impl Walk<'_, '_> {
    fn joint(mut self) -> Carried {
        let model = self.kinematics.model;
        let left = self.carrier.left(model);
        let (from, base) = match self.carrier.ends(model) {
            Some((inner, outer)) => (Some(inner.clone()), outer.point.clone()),
            None => (None, zero()),
        };
        let mut position = from.as_ref().map_or_else(zero, |at| self.kinematics.point(at));
        if let (Some(at), Some(inboard)) = (&from, self.carrier.inboard) {
            let base = self.frame(inboard).base.clone();
            let r = self.kinematics.turn(Some(inboard), &sub(&at.point, &base));
            self.carried.arm = r.clone();
            self.swing(&r);
        }
        let outboard = match self.carrier.forward {
            true => {
                self.shifts(&left.shifts, &mut position, None);
                self.turns(left.turns)
            }
            false => {
                let outboard = self.turns(left.turns);
                self.shifts(&left.shifts, &mut position, Some(&outboard));
                outboard
            }
        };
        if left.turns == Turns::Screwing {
            self.thread(&mut position, &outboard);
        }
        if self.carrier.inboard.is_none() {
            self.carried.arm = zero();
        }
        self.finish(position, base, outboard)
    }

    fn frame(&self, body: BodyId) -> &Frame {
        self.kinematics.frame(Some(body)).expect("a body has a frame")
    }

    /// Goes to a point of the body that has been reached.
    fn swing(&mut self, r: &Vector) {
        let at = &mut self.at;
        at.velocity = add(&at.velocity, &cross(&at.spin, r));
        at.bias = add(&at.bias, &times(&swing(&at.spin_bias, &at.spin), r));
        at.acceleration = add(
            &at.acceleration,
            &times(&swing(&at.spin_rate, &at.spin), r),
        );
    }

    /// The sign of joint coordinates on the way outwards.
    fn sign(&self) -> Expr {
        Expr::constant(if self.carrier.forward { 1.0 } else { -1.0 })
    }

    /// Shifts along axes of the joint's first body, which is the outboard one if its axes are given.
    fn shifts(
        &mut self,
        shifts: &[(usize, Option<JointCoordinate>)],
        position: &mut Vector,
        outboard: Option<&Outboard>,
    ) {
        for &(axis, which) in shifts {
            let displacement = self.displacement(axis, which);
            let along = scale(&self.sign(), &self.axis(axis, outboard));
            let r = scale(&displacement[0], &along);
            for freedom in &mut self.carried.freedoms {
                freedom.linear = add(&freedom.linear, &cross(&freedom.angular, &r));
            }
            self.slide(&along, position, displacement);
            self.carried.freedoms.push(shift(along));
        }
    }

    /// Goes along the axis of a screw: s = p θ + (s₀ − p θ₀), with s₀ and θ₀ as in the guess.
    fn thread(&mut self, position: &mut Vector, outboard: &Outboard) {
        let model = self.kinematics.model;
        let Some(id) = self.carrier.joint else { return };
        let pitch = &model.joints[id.0 as usize].pitch;
        let way = in_guess(model, (id, JointCoordinate::Displacement));
        let angle = in_guess(model, (id, JointCoordinate::Angle));
        let Coordinate { coordinate, velocity, .. } = self.carried.coordinates[0];
        let q = Expr::symbol(Symbol::Coordinate(coordinate));
        let v = Expr::symbol(Symbol::Velocity(velocity));
        let a = Expr::symbol(Symbol::Acceleration(velocity));
        let along = scale(&self.sign(), &outboard.axes[2]);
        let way = pitch * &q + (way - pitch * angle);
        self.slide(&along, position, [way, pitch * v, pitch * a]);
        for freedom in &mut self.carried.freedoms {
            freedom.linear = scale(pitch, &freedom.angular);
        }
    }

    /// Goes along an axis that is fixed in what has been reached, by a displacement with its derivatives.
    fn slide(&mut self, along: &Vector, position: &mut Vector, [q, v, a]: [Expr; 3]) {
        let r = scale(&q, along);
        *position = add(position, &r);
        self.carried.arm = add(&self.carried.arm, &r);
        self.swing(&r);
        let slide = scale(&v, along);
        let coriolis = scale(&Expr::constant(2.0), &cross(&self.at.spin, &slide));
        let at = &mut self.at;
        at.velocity = add(&at.velocity, &slide);
        at.bias = add(&at.bias, &coriolis);
        at.acceleration = add(&at.acceleration, &add(&coriolis, &scale(&a, along)));
    }

    /// An axis of the joint's first body; of the world, for a body that flies freely.
    fn axis(&mut self, axis: usize, outboard: Option<&Outboard>) -> Vector {
        let Some(joint) = self.carrier.of(self.kinematics.model) else {
            return unit(axis);
        };
        let direction = joint.first_frame[axis];
        match outboard {
            None => self.kinematics.direction(joint.first.body, direction),
            Some(outboard) => {
                let along = Vector3::from(direction);
                let local = outboard.basis.map_or(direction, |basis| {
                    basis.map(|one| settled(Vector3::from(one).dot(&along), 1.0))
                });
                combine(&constant(local), &outboard.axes)
            }
        }
    }

    /// A coordinate of the joint with its first two derivatives.
    fn scalar(&mut self, names: [String; 2], which: Option<JointCoordinate>, guess: &Guessed) -> [Expr; 3] {
        let system = &self.kinematics.system;
        let coordinate = Coordinate {
            which,
            coordinate: system.coordinates.len() as u32,
            velocity: system.velocities.len() as u32,
        };
        let [name, rate] = names;
        let q = self.kinematics.coordinates([name], [&guess.0]).remove(0);
        let (mut v, mut a) = self.kinematics.velocities([rate], [&guess.1]);
        let (v, a) = (v.remove(0), a.remove(0));
        self.kinematics.system.rates.push(v.clone());
        self.carried.coordinates.push(coordinate);
        self.carried.rates.push(coordinate.velocity);
        [q, v, a]
    }

    /// A displacement of the joint, or of a body along an axis of the world.
    fn displacement(&mut self, axis: usize, which: Option<JointCoordinate>) -> [Expr; 3] {
        let model = self.kinematics.model;
        let axes = ["x", "y", "z"];
        let (names, guess) = match (self.carrier.joint, which) {
            (Some(id), Some(which)) => {
                let joint = &model.joints[id.0 as usize];
                let names = match which {
                    JointCoordinate::X => ["x", "vx"],
                    JointCoordinate::Y => ["y", "vy"],
                    _ => ["displacement", "speed"],
                };
                let names = names.map(|name| format!("{}.{name}", joint.name));
                (names, self.guess.coordinate(id, which))
            }
            _ => {
                let body = &model.bodies[self.body.0 as usize].name;
                let names = [format!("{body}.{}", axes[axis]), format!("{body}.v{}", axes[axis])];
                (names, self.guess.center(self.body, axis))
            }
        };
        self.scalar(names, which, &guess)
    }

    /// An angle, of the joint's second body against its first or of a body in the plane.
    fn angle(&mut self, which: JointCoordinate) -> [Expr; 3] {
        let model = self.kinematics.model;
        match self.carrier.joint {
            Some(id) => {
                let joint = &model.joints[id.0 as usize];
                let names = match which {
                    JointCoordinate::SecondAngle => ["second_angle", "second_rate"],
                    _ => ["angle", "rate"],
                };
                let names = names.map(|name| format!("{}.{name}", joint.name));
                let guess = self.guess.coordinate(id, which);
                self.scalar(names, Some(which), &guess)
            }
            None => {
                let body = &model.bodies[self.body.0 as usize].name;
                let names = ["angle", "rate"].map(|name| format!("{body}.{name}"));
                let guess = self.guess.angle(self.body);
                self.scalar(names, None, &guess)
            }
        }
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

    fn turns(&mut self, turns: Turns) -> Outboard {
        match (turns, self.kinematics.model.space) {
            (Turns::None, Space::Planar) => self.locked(),
            (_, Space::Planar) => self.planar(),
            (Turns::None, Space::Spatial) => self.same(),
            (Turns::Once, Space::Spatial) => self.once(),
            (Turns::Screwing, Space::Spatial) => self.once(),
            (Turns::Twice, Space::Spatial) => self.twice(),
            (Turns::Freely, Space::Spatial) => self.freely(),
        }
    }

    /// Angle and axes of the inboard body in the plane.
    fn inboard(&self) -> (Expr, [Vector; 3]) {
        match self.kinematics.frame(self.carrier.inboard) {
            Some(frame) => (frame.angle.clone().unwrap_or_default(), frame.axes.clone()),
            None => (Expr::zero(), [0, 1, 2].map(unit)),
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
        let [cos, sin] = [cos, sin].map(|x| Expr::constant(settled(x, 1.0)));
        let turned = add(&scale(&cos, &x), &scale(&sin, &y));
        self.name_spin();
        let turned = self.kinematics.rotating(turned, &self.at.spin);
        let across = [-&turned[1], turned[0].clone(), Expr::zero()];
        let angle = angle + Expr::constant(by);
        let angle = self.kinematics.auxiliary(angle, self.at.spin[2].clone());
        Outboard {
            basis: None,
            axes: [turned, across, z],
            angle: Some(angle),
            parameters: None,
        }
    }

    /// A planar body that turns: its angle is the sum of those on the way to it.
    fn planar(&mut self) -> Outboard {
        let [q, v, a] = self.angle(JointCoordinate::Angle);
        let axis = scale(&self.sign(), &unit(2));
        self.spin(&axis, &v, &a);
        self.carried.freedoms.push(turn(axis));
        self.name_spin();
        let (inboard, _) = self.inboard();
        let angle = inboard + self.sign() * q;
        let angle = self.kinematics.auxiliary(angle, self.at.spin[2].clone());
        let x = [angle.cos(), angle.sin(), Expr::zero()];
        let x = self.kinematics.rotating(x, &self.at.spin);
        let y = [-&x[1], x[0].clone(), Expr::zero()];
        Outboard {
            basis: None,
            axes: [x, y, unit(2)],
            angle: Some(angle),
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
            let sum = (0..3).map(|k| inner[k].dot(&axis) * outer[k]).sum::<Vector3<f64>>();
            sum.map(|x| settled(x, 1.0)).into()
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
        let local = |v: &Vector3<f64>| Vector3::from(basis.map(|axis| settled(axis.dot(v), 1.0)));
        let across = across(&local(&inner[2]));
        let world = |v: &Vector3<f64>| (0..3).map(|k| basis[k] * v[k]).sum::<Vector3<f64>>();
        let x = world(&across);
        let y = inner[2].cross(&x);
        let z = self.kinematics.direction(self.carrier.inboard, inner[2].into());
        let (cos, sin) = (inner[0].dot(&x), inner[0].dot(&y));
        let outer_x = outer[0] * cos - outer[1] * sin;
        let outer_y = outer[0] * sin + outer[1] * cos;
        let seen = [outer_x, outer_y, outer[2]].map(|v| v.map(|x| settled(x, 1.0)).into());
        let x = self.kinematics.direction(self.carrier.inboard, x.into());
        let y = match local(&y).iter().any(|&c| c == 0.0) {
            true => self.kinematics.direction(self.carrier.inboard, y.into()),
            false => cross(&z, &x),
        };
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
        let [q, v, a] = self.angle(which);
        let axis = scale(&self.sign(), z);
        self.spin(&axis, &v, &a);
        self.carried.freedoms.push(turn(axis));
        let (cos, sin) = (q.cos(), self.sign() * q.sin());
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

    /// Euler parameters against the axes that are known of the inboard body, and the angular velocity along
    /// these.
    fn freely(&mut self) -> Outboard {
        let model = self.kinematics.model;
        let (basis, inner) = self.known();
        let basis = self.carrier.inboard.map(|_| basis);
        let (p, w) = self.guess.turn(self.carrier.inboard, basis, self.body);
        let name = match self.carrier.of(model) {
            Some(joint) => &joint.name,
            None => &model.bodies[self.body.0 as usize].name,
        };
        let [e0, e1, e2, e3] = &p.map(Expr::constant);
        let names = ["e0", "e1", "e2", "e3"].map(|part| format!("{name}.{part}"));
        let p = self.kinematics.coordinates(names, [e0, e1, e2, e3]);
        let names = ["wx", "wy", "wz"].map(|part| format!("{name}.{part}"));
        let (w, a) = self.kinematics.velocities(names, w.each_ref());
        let system = &mut self.kinematics.system;
        let first = (system.coordinates.len() - 4) as u32;
        let spin = (system.velocities.len() - 3) as u32;
        system.unit.push(Unit {
            coordinates: [first, first + 1, first + 2, first + 3],
            velocities: [spin, spin + 1, spin + 2],
        });
        let relative: Vector = std::array::from_fn(|k| w[k].clone());
        system.rates.extend(euler_rates(&p, &relative));
        let rate: Vector = std::array::from_fn(|k| a[k].clone());
        let (added, changed) = (combine(&relative, &inner), combine(&rate, &inner));
        let at = &mut self.at;
        let turning = cross(&at.spin, &added);
        at.spin = add(&at.spin, &added);
        at.spin_bias = add(&at.spin_bias, &turning);
        at.spin_rate = add(&at.spin_rate, &add(&turning, &changed));
        self.carried.rates.extend(spin..spin + 3);
        self.carried.freedoms.extend(inner.iter().cloned().map(turn));
        self.name_spin();
        let columns = rotation_columns(&p).map(|column| combine(&column, &inner));
        let axes = columns.map(|column| self.kinematics.rotating(column, &self.at.spin));
        let parameters = std::array::from_fn(|k| p[k].clone());
        Outboard {
            basis: None,
            axes,
            angle: None,
            parameters: self.carrier.inboard.is_none().then_some(parameters),
        }
    }

    /// Names the angular velocity of the outboard body, with which its axes turn.
    fn name_spin(&mut self) {
        let at = &mut self.at;
        at.spin_bias = self.kinematics.named(at.spin_bias.clone(), &zero());
        at.spin = self.kinematics.named(at.spin.clone(), &at.spin_bias);
        at.spin_rate = self.kinematics.named(at.spin_rate.clone(), &zero());
    }

    /// Names what was found, so that it is small in whatever is written with it.
    fn finish(mut self, position: Vector, base: Vector, outboard: Outboard) -> Carried {
        let mut named = |value: &Vector, rate: &Vector| self.kinematics.named(value.clone(), rate);
        let bias = named(&self.at.bias, &zero());
        let motion = Motion {
            velocity: named(&self.at.velocity, &bias),
            acceleration: named(&self.at.acceleration, &zero()),
            bias,
            ..self.at.clone()
        };
        let position = named(&position, &motion.velocity);
        let frame = Frame {
            base,
            position,
            velocity: motion.velocity.clone(),
            acceleration: motion.acceleration.clone(),
            spin: motion.spin.clone(),
            basis: outboard.basis,
            axes: outboard.axes,
            turning: Turning::Spinning {
                spin_rate: motion.spin_rate.clone(),
            },
            angle: outboard.angle,
            wound: None,
            parameters: outboard.parameters,
            turned: Vec::new(),
        };
        self.kinematics.place_frame(self.body, frame);
        self.carried.motion = motion;
        self.carried
    }
}

/// A unit vector across z with a zero, or with two where z has one.
fn across(z: &Vector3<f64>) -> Vector3<f64> {
    let zeros = (0..3).filter(|&k| z[k] == 0.0);
    match zeros.last() {
        Some(k) => Vector3::ith(k, 1.0),
        None => Vector3::ith(z.iamin(), 1.0).cross(z).normalize(),
    }
}
