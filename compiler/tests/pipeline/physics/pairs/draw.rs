//! Random mechanisms in which two features meet.
//!
//! Every pair of features takes its turn, in the plane and in space. Both act on the same joint more often than not, as
//! they would by chance in one of many mechanisms only.

use bellcrank_compiler::description::{CouplingType, JointType, Space};
use bellcrank_compiler::stages::model;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::case::{Case, Law, Watched};
use super::rows::Moving;
use crate::physics::config;
use crate::physics::machine::Motion;
use crate::physics::mechanism::{Body, Coupling, Element, Joint, Mechanism, Vector};
use crate::physics::random_mechanism::{
    Loads, acted_on, direction, draw as draw_load, empty, hang, hinge, leaf, link, load, named,
    rod, vector,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Driver,
    Gear,
    Rack,
    Screw,
    Loop,
    Hold,
    Redundant,
    ThinRod,
    PointMass,
    Spring,
    Damper,
    Event,
    Parameter,
    Massless,
    Light,
}

use Feature::*;

/// Each pair eleven times, in the plane and in space in turn.
pub const WITHOUT_LIGHT: u64 = 2002;

/// The same, with seven times each pair that has a light body.
pub const CASES: u64 = WITHOUT_LIGHT + 14 * 29;

/// After these, each pair once more in the plane and in space, with all kinds of joints. Cases keep their numbers and
/// their mechanisms when a kind is added.
pub const WITH_ALL_JOINTS: u64 = CASES + 2 * 91;

/// After these, each pair once more in space, in mechanisms that have a constant-velocity joint more often than not.
pub const WITH_CONSTANT_VELOCITY: u64 = WITH_ALL_JOINTS + 91;

const FEATURES: [Feature; 13] = [
    Driver, Gear, Rack, Screw, Loop, Hold, Redundant, ThinRod, PointMass, Spring, Damper, Event,
    Parameter,
];

/// Bodies of next to no mass.
const LIGHT: [Feature; 2] = [Massless, Light];

/// Every pair, features with themselves included.
pub fn pairs() -> Vec<[Feature; 2]> {
    let with = |n: usize| FEATURES[n..].iter().map(move |two| [FEATURES[n], *two]);
    (0..FEATURES.len()).flat_map(with).collect()
}

/// Every pair with a light body, which comes first: others act on joints as they are.
fn light_pairs() -> Vec<[Feature; 2]> {
    let with = |light: Feature| FEATURES.into_iter().map(move |other| [light, other]);
    let among = [[Massless, Massless], [Massless, Light], [Light, Light]];
    LIGHT.into_iter().flat_map(with).chain(among).collect()
}

/// Features and space of a case, by its number. Those with light bodies follow after [`WITHOUT_LIGHT`] others, and so
/// on in turn.
pub fn plan(number: u64) -> ([Feature; 2], Space) {
    let only_in_space = (WITH_ALL_JOINTS..WITH_CONSTANT_VELOCITY).contains(&number);
    let number = number % CASES;
    let (pairs, number) = match number.checked_sub(WITHOUT_LIGHT) {
        Some(number) => (light_pairs(), number),
        None => (pairs(), number),
    };
    let (round, place) = (number / pairs.len() as u64, number % pairs.len() as u64);
    let pair = pairs[place as usize];
    let space = match round % 2 {
        0 if !pair.contains(&Screw) && !only_in_space => Space::Planar,
        _ => Space::Spatial,
    };
    (pair, space)
}

/// Bodies of a tree: errors show in small ones, and large ones take seconds each.
const SIZES: [usize; 16] = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5];

/// Every so often there is a large one.
const LARGE: (u64, std::ops::RangeInclusive<usize>) = (61, 6..=12);

/// The case of a number, the same in every run.
pub fn draw(number: u64) -> Case {
    let (pair, space) = plan(number);
    let mut seed = [0x62; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut drawing = Drawing {
        runner: TestRunner::new_with_rng(config(1), random),
        space,
        all_joints: number >= CASES,
        constant_velocity: number >= WITH_ALL_JOINTS,
        case: Case {
            mechanism: empty(space, Vector::zeros()),
            laws: Vec::new(),
            holds: Vec::new(),
            parameter: false,
            event: None,
            idle: Vec::new(),
        },
        focus: 0,
    };
    drawing.case.mechanism.gravity = 9.81 * drawing.one(vector(space));
    let size = match number % LARGE.0 {
        0 => drawing.one(LARGE.1),
        _ => SIZES[drawing.below(SIZES.len())],
    };
    drawing.grow(&pair, size);
    drawing.load(0);
    // Whoever comes second may find what the first has made.
    for feature in pair {
        drawing.add(feature);
    }
    drawing.case
}

struct Drawing {
    runner: TestRunner,
    space: Space,
    /// Whether kinds of joints are drawn that came later.
    all_joints: bool,
    /// Whether constant-velocity joints are drawn, which came after those.
    constant_velocity: bool,
    case: Case,
    /// The joint at which features meet.
    focus: usize,
}

impl Drawing {
    fn one<S: Strategy>(&mut self, strategy: S) -> S::Value {
        strategy.new_tree(&mut self.runner).unwrap().current()
    }

    fn below(&mut self, n: usize) -> usize {
        self.one(0..n)
    }

    /// In [−most, −most/4] or [most/4, most].
    fn number(&mut self, most: f64) -> f64 {
        let size = self.one(most / 4.0..most);
        if self.one(any::<bool>()) { size } else { -size }
    }

    fn planar(&self) -> bool {
        self.space == Space::Planar
    }

    /// A tree that has the joints which the features act on.
    fn grow(&mut self, pair: &[Feature; 2], size: usize) {
        let wanted: Vec<JointType> = pair.iter().flat_map(|f| needed(*f)).copied().collect();
        let size = size.max(wanted.len());
        let free = wanted.is_empty() && self.below(8) == 0;
        for index in 0..size {
            let link = self.one(link(self.space));
            self.case.mechanism.bodies.push(named(&link.body, index));
            let kind = match wanted.get(index) {
                Some(kind) => *kind,
                None => self.kind(index),
            };
            let parent = match (free, index) {
                (true, 0) => {
                    self.case.mechanism.bodies[0].free = true;
                    continue;
                }
                (true, _) => Some(link.parent.index(index)),
                (false, _) => link.parent.index(index + 1).checked_sub(1),
            };
            let ends = match link.swapped {
                true => [Some(index), parent],
                false => [parent, Some(index)],
            };
            self.join(&link, kind, ends);
        }
        self.focus = self.below(wanted.len().max(1));
    }

    fn kind(&mut self, index: usize) -> JointType {
        use JointType::{
            ConstantVelocity, Cylindrical, Distance, Fixed, PinSlot, Planar, PointInPlane,
            Prismatic, Revolute, RevoluteSpherical, Screw, Spherical, Universal,
        };
        let kinds = match self.space {
            Space::Planar => &[
                Revolute, Revolute, Revolute, Prismatic, PinSlot, Distance, Fixed,
            ][..],
            Space::Spatial => &[
                Revolute,
                Revolute,
                Prismatic,
                Cylindrical,
                Spherical,
                Universal,
                Planar,
                PinSlot,
                Screw,
                Distance,
                Fixed,
            ],
        };
        let later = match (self.space, self.all_joints) {
            (Space::Spatial, true) => &[PointInPlane, RevoluteSpherical][..],
            _ => &[],
        };
        let shafts = match (self.space, self.constant_velocity) {
            (Space::Spatial, true) => &[ConstantVelocity; 8][..],
            _ => &[],
        };
        let kinds = [kinds, later, shafts].concat();
        match kinds[self.below(kinds.len())] {
            // Otherwise nothing might move.
            Fixed if index == 0 => Revolute,
            kind => kind,
        }
    }

    fn join(
        &mut self,
        link: &crate::physics::random_mechanism::Link,
        kind: JointType,
        ends: [Option<usize>; 2],
    ) {
        let mechanism = &mut self.case.mechanism;
        let joint = hinge(mechanism, link, kind, ends, mechanism.joints.len());
        mechanism.joints.push(joint);
    }

    fn add(&mut self, feature: Feature) {
        match feature {
            Driver => self.drive(),
            Gear => self.couple(CouplingType::Gear),
            Rack => self.couple(CouplingType::Rack),
            // The tree has one.
            Screw => {}
            Loop => self.close(),
            Hold => self.hold(),
            Redundant => self.repeat(),
            ThinRod | PointMass => self.thin(feature),
            Spring | Damper => self.load(1 + usize::from(feature == Spring)),
            Event => self.watch(),
            Parameter => {
                self.case.mechanism.bodies[0].about_origin = false;
                self.case.parameter = true;
            }
            Massless => self.insert(0.0),
            Light => self.insert(1e-9),
        }
    }

    /// Puts a body of this mass between a joint and what its first end is on, which may be ground, and a hinge between
    /// these.
    fn insert(&mut self, mass: f64) {
        let Some(joint) = self.joint() else { return };
        let link = self.one(link(self.space));
        let mechanism = &mut self.case.mechanism;
        let index = mechanism.bodies.len();
        mechanism.bodies.push(Body {
            mass,
            inertia: 0.1 * mass * Matrix3::identity(),
            ..named(&link.body, index)
        });
        let written = mechanism.joints[joint].clone();
        let [first, _] = &written.ends;
        let (place, inner) = (mechanism.world(first), first.body);
        let along = mechanism.pose(inner).1 * written.axes[0];
        let axis = mechanism.pose(Some(index)).1.inverse() * along;
        let marker = mechanism.marker(Some(index), place);
        let joint = &mut mechanism.joints[joint];
        joint.ends[0] = marker;
        joint.axes[0] = axis;
        self.join(&link, JointType::Revolute, [inner, Some(index)]);
    }

    /// The focus two times out of three, else any joint.
    fn joint(&mut self) -> Option<usize> {
        let n = self.case.mechanism.joints.len();
        match self.below(3) {
            _ if n == 0 => None,
            0 => Some(self.below(n)),
            _ => Some(self.focus),
        }
    }

    /// Coordinates of a joint that something may act on.
    fn coordinates(&self, joint: usize) -> Vec<&'static str> {
        let kind = self.case.mechanism.joints[joint].kind;
        let list = acted_on(kind, self.planar()).iter().copied();
        let idle = self.case.is_idle(joint);
        list.filter(|name| *name == "displacement" || !idle)
            .collect()
    }

    fn drive(&mut self) {
        let Some(joint) = self.joint() else { return };
        let mut list = self.coordinates(joint);
        if self.case.mechanism.joints[joint].kind == JointType::Distance {
            list.push("length");
        }
        let is_driven = |name: &&str| {
            let mut laws = self.case.laws.iter();
            laws.any(|(driven, coordinate, _)| *driven == joint && coordinate == name)
        };
        list.retain(|name| !is_driven(name));
        if list.is_empty() {
            return;
        }
        let name = list[self.below(list.len())];
        let law = Law {
            start: self.drawn(joint, name),
            rate: self.number(1.0),
            square: self.number(0.8),
            wave: self.number(0.2),
        };
        let text = law.start.to_string();
        self.case.mechanism.joints[joint].motion.push((name, text));
        self.case.laws.push((joint, name, law));
    }

    /// A coordinate in the drawn poses, so that drivers do not take loops apart.
    fn drawn(&self, joint: usize, name: &'static str) -> f64 {
        let mechanism = &self.case.mechanism;
        let written = &mechanism.joints[joint];
        if name.ends_with("angle") && !self.planar() {
            return angle_in_space(mechanism, joint, name);
        }
        let motions = mechanism.bodies.iter().map(|body| Motion {
            center: body.position + body.rotation * body.center,
            rotation: body.rotation,
            angle: body.angle,
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
            acceleration: Vector::zeros(),
            spin_rate: Vector::zeros(),
        });
        let motions = motions.collect();
        Moving { mechanism, motions }.coordinate(written, name).0[0]
    }

    fn couple(&mut self, kind: CouplingType) {
        let slides = |name: &str| name == "displacement";
        let all: Vec<(usize, &'static str)> = (0..self.case.mechanism.joints.len())
            .flat_map(|joint| {
                self.coordinates(joint)
                    .into_iter()
                    .map(move |name| (joint, name))
            })
            .collect();
        let wanted = [false, kind == CouplingType::Rack];
        let mut ends = Vec::new();
        for slide in wanted {
            let mut list: Vec<_> = all.iter().filter(|end| slides(end.1) == slide).collect();
            list.retain(|end| !ends.contains(*end));
            let near: Vec<_> = list
                .iter()
                .filter(|end| end.0 == self.focus)
                .copied()
                .collect();
            if !near.is_empty() && self.below(3) > 0 {
                list = near;
            }
            if list.is_empty() {
                return;
            }
            ends.push(*list[self.below(list.len())]);
        }
        let ratio = self.number(2.0);
        let couplings = &mut self.case.mechanism.couplings;
        couplings.push(Coupling {
            name: format!("c{}", couplings.len()),
            kind,
            ends: [ends[0], ends[1]],
            ratio,
        });
    }

    /// A further joint between two bodies, or a body and ground.
    fn close(&mut self) {
        use JointType::{
            ConstantVelocity, Cylindrical, Distance, PinSlot, PointInPlane, Prismatic, Revolute,
            RevoluteSpherical, Spherical, Universal,
        };
        let n = self.case.mechanism.bodies.len();
        let one = self.below(n);
        let two = self.below(n + 1).checked_sub(1);
        if two == Some(one) {
            return;
        }
        let kinds = match self.space {
            Space::Planar => &[(Distance, 1), (PinSlot, 1), (Revolute, 2), (Prismatic, 2)][..],
            Space::Spatial => &[
                (Distance, 1),
                (PinSlot, 2),
                (Spherical, 3),
                (Universal, 4),
                (Cylindrical, 4),
                (Revolute, 5),
            ],
        };
        let later = match (self.space, self.all_joints) {
            (Space::Spatial, true) => &[(PointInPlane, 1), (RevoluteSpherical, 2)][..],
            _ => &[],
        };
        let shafts = match (self.space, self.constant_velocity) {
            (Space::Spatial, true) => &[(ConstantVelocity, 4); 4][..],
            _ => &[],
        };
        let kinds = [kinds, later, shafts].concat();
        let left = self.freedoms();
        let kinds: Vec<_> = kinds.iter().filter(|(_, rows)| *rows < left).collect();
        if kinds.is_empty() {
            return;
        }
        let (kind, _) = *kinds[self.below(kinds.len())];
        let link = self.one(link(self.space));
        self.join(&link, kind, [two, Some(one)]);
    }

    /// As many as count, if no row repeats others.
    fn freedoms(&self) -> usize {
        let mechanism = &self.case.mechanism;
        let each = if self.planar() { 3 } else { 6 };
        let rows = mechanism
            .joints
            .iter()
            .map(|joint| rows(joint.kind, self.planar()));
        let taken: usize = rows.sum::<usize>() + self.case.laws.len() + mechanism.couplings.len();
        (each * mechanism.bodies.len()).saturating_sub(taken)
    }

    fn hold(&mut self) {
        let Some(joint) = self.joint() else { return };
        let list = self.coordinates(joint);
        let name = match list.is_empty() {
            true => "b0.x".to_owned(),
            false => {
                let name = list[self.below(list.len())];
                format!("{}.{name}", self.case.mechanism.joints[joint].name)
            }
        };
        if !self.case.holds.contains(&name) {
            self.case.holds.push(name);
        }
    }

    /// The same joint once more, further along its axis.
    fn repeat(&mut self) {
        let Some(joint) = self.joint() else { return };
        let mechanism = &mut self.case.mechanism;
        let written = mechanism.joints[joint].clone();
        let along = mechanism.pose(written.ends[0].body).1 * written.axes[0];
        let shift = match (written.kind, mechanism.planar()) {
            (JointType::Revolute | JointType::Cylindrical | JointType::Screw, false) => 0.4 * along,
            (JointType::Prismatic, _) => 0.4 * along,
            _ => Vector::zeros(),
        };
        let ends = written.ends.map(|end| {
            let place = mechanism.world(&end) + shift;
            mechanism.marker(end.body, place)
        });
        mechanism.joints.push(Joint {
            name: format!("j{}", mechanism.joints.len()),
            ends,
            motion: Vec::new(),
            ..written
        });
    }

    /// Hangs a thin body on the tree, or makes one of its bodies thin.
    fn thin(&mut self, feature: Feature) {
        let n = self.case.mechanism.bodies.len();
        if self.one(any::<bool>()) {
            let is_rod = feature == ThinRod && !self.planar();
            let leaf = self.one(leaf(self.space, is_rod));
            // Whoever carries the line of another body is seen to turn.
            let carriers = self.case.idle.first().copied().unwrap_or(n);
            hang(&mut self.case.mechanism, &leaf, carriers);
            self.case.idle.push(n);
            return;
        }
        let (body, axis) = (self.below(n), self.one(direction(self.space)));
        let planar = self.planar();
        let body = &mut self.case.mechanism.bodies[body];
        body.inertia = match planar || feature == PointMass {
            true => Matrix3::zeros(),
            false => rod(0.1 * body.mass, axis),
        };
    }

    /// Elements on what turns as others do: one for sure, or some by chance.
    fn load(&mut self, sure: usize) {
        let count = match sure {
            0 => self.below(3),
            _ => 1,
        };
        let idle = self.case.idle.first().copied();
        let mut part = self.case.mechanism.clone();
        part.elements.clear();
        part.bodies.truncate(idle.unwrap_or(usize::MAX));
        let n = part.bodies.len();
        let on_part = |joint: &Joint| {
            let mut bodies = joint.ends.iter().filter_map(|end| end.body);
            bodies.all(|body| body < n)
        };
        let kept = part
            .joints
            .iter()
            .take_while(|joint| on_part(joint))
            .count();
        part.joints.truncate(kept);
        for _ in 0..count {
            let draw = self.one(draw_load(self.space));
            let loads = match sure {
                2 => Loads::Conservative,
                _ => Loads::Any,
            };
            load(&mut part, &[draw], loads);
        }
        self.case.mechanism.elements.extend(part.elements);
    }

    /// A variable that scales an actuator or a force, and an event that sets it.
    fn watch(&mut self) {
        if self.case.event.is_some() {
            return;
        }
        let joint = self.joint();
        let list = joint.map_or(Vec::new(), |joint| self.coordinates(joint));
        let effort = self.number(3.0);
        let (element, watched) = match (joint, list.is_empty()) {
            (Some(joint), false) => {
                let coordinate = list[self.below(list.len())];
                let element = Element::Push {
                    joint,
                    coordinate,
                    effort,
                };
                (element, Watched::Joint(joint, coordinate))
            }
            _ => {
                let mechanism = &self.case.mechanism;
                let at = mechanism.marker(Some(0), mechanism.bodies[0].position);
                let force = effort * Vector::x();
                let follows = false;
                (Element::Force { at, force, follows }, Watched::Body(0))
            }
        };
        let elements = &mut self.case.mechanism.elements;
        elements.push(element);
        self.case.event = Some((elements.len() - 1, watched));
    }
}

/// Joints that a feature acts on.
fn needed(feature: Feature) -> &'static [JointType] {
    match feature {
        Gear => &[JointType::Revolute, JointType::Revolute],
        Rack => &[JointType::Revolute, JointType::Prismatic],
        Screw => &[JointType::Screw],
        _ => &[],
    }
}

fn rows(kind: JointType, planar: bool) -> usize {
    match (kind, planar) {
        (JointType::Distance, _) => 1,
        (JointType::PinSlot, true) => 1,
        (JointType::Fixed, true) => 3,
        (_, true) => 2,
        (JointType::PointInPlane, false) => 1,
        (JointType::PinSlot | JointType::RevoluteSpherical, false) => 2,
        (JointType::Spherical | JointType::Planar, false) => 3,
        (JointType::Universal | JointType::ConstantVelocity | JointType::Cylindrical, false) => 4,
        (JointType::Fixed, false) => 6,
        (_, false) => 5,
    }
}

/// Where an angle in space is zero is a matter of the model, which has triads on both bodies.
fn angle_in_space(mechanism: &Mechanism, joint: usize, name: &'static str) -> f64 {
    let mut mechanism = mechanism.clone();
    mechanism
        .joints
        .iter_mut()
        .for_each(|joint| joint.motion.clear());
    let (resolved, _) = model::resolve(&mechanism.description(), "Drawn").unwrap();
    let joint = &resolved.joints[joint];
    let triad = |body: Option<model::BodyId>, frame: &[[f64; 3]; 3]| {
        let turn = body.map_or(UnitQuaternion::identity(), |id| {
            mechanism.bodies[id.0 as usize].rotation
        });
        frame.map(|axis| turn * Vector3::from(axis))
    };
    let [x1, y1, z1] = triad(joint.first.body, &joint.first_frame);
    let [x2, y2, z2] = triad(joint.second.body, &joint.second_frame);
    match (joint.kind, name) {
        (JointType::Universal, "angle") => z2.dot(&y1).atan2(z2.dot(&x1)),
        (JointType::Universal, _) => (-z1.dot(&y2)).atan2(z1.dot(&x2)),
        _ => x2.dot(&y1).atan2(x2.dot(&x1)),
    }
}
