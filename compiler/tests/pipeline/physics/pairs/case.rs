//! A mechanism with changes during its run: laws of drivers, a parameter, a variable that an event sets.

use bellcrank_compiler::description::{self, Description, Number};

use crate::physics::mechanism::{Element, Mechanism, Vector};
use crate::physics::random_mechanism::acted_on;

/// A prescribed motion.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    pub start: f64,
    pub rate: f64,
    /// Changes nothing but the acceleration at time zero, so it may depend on what changes.
    pub square: f64,
    pub wave: f64,
}

impl Law {
    /// f = s + r t + a t² + b (1 − cos 2 t), with what a is multiplied with.
    fn text(&self, factor: &str) -> Number {
        let Self {
            start,
            rate,
            square,
            wave,
        } = self;
        Number::Text(format!(
            "({start}) + ({rate}) * t + ({square}) * {factor} * t^2 + ({wave}) * (1 - cos(2 * t))"
        ))
    }

    /// ḟ and f̈
    pub fn rates(&self, t: f64) -> [f64; 2] {
        let (sin, cos) = (2.0 * t).sin_cos();
        [
            self.rate + 2.0 * self.square * t + 2.0 * self.wave * sin,
            2.0 * self.square + 4.0 * self.wave * cos,
        ]
    }
}

#[derive(Clone, Debug)]
pub struct Case {
    pub mechanism: Mechanism,
    /// Joints, their coordinates and how these are driven.
    pub laws: Vec<(usize, &'static str, Law)>,
    pub holds: Vec<String>,
    /// Whether masses and strengths of elements depend on a parameter.
    pub parameter: bool,
    /// The element that a variable scales, and what an event that sets it watches.
    pub event: Option<(usize, Watched)>,
    /// Bodies of which nobody sees how they turn about their axis or their centre.
    pub idle: Vec<usize>,
}

/// Something with a value and a rate.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    Joint(usize, &'static str),
    /// x of the centre.
    Body(usize),
}

/// A quantity that a description reports and the independent solver knows.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// Of a point given from the centre in body axes.
    Acceleration(usize, Vector, usize),
    /// Of the turn of a body, in world axes.
    AngularAcceleration(usize, usize),
    Coordinate(usize, &'static str),
    Rate(usize, &'static str),
    /// Of a joint coordinate.
    JointAcceleration(usize, &'static str),
    /// Of a joint, and which of its drivers.
    Drive(usize, usize),
    Coupling(usize),
}

/// The roles of a parameter and a variable.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    pub scale: f64,
    pub variable: f64,
}

impl Now {
    pub const START: Self = Self {
        scale: 1.0,
        variable: 1.0,
    };
    pub const LATER: Self = Self {
        scale: 1.7,
        variable: -0.6,
    };
}

/// The value of the variable after an event, from its value before and the rate of the watched expression.
pub fn transition(variable: f64, rate: f64) -> f64 {
    variable - 2.0 * rate
}

/// The value at which the watched expression crosses zero.
pub const CROSSING: f64 = 0.1234;

impl Case {
    /// True if any of it changes.
    pub fn changes(&self) -> bool {
        self.parameter || self.event.is_some()
    }

    /// The mechanism and the laws as parameter and variable are now.
    pub fn at(&self, now: Now) -> (Mechanism, Vec<(usize, &'static str, Law)>) {
        let mut mechanism = self.mechanism.clone();
        let scale = if self.parameter { now.scale } else { 1.0 };
        if let Some((element, _)) = self.event {
            strengthen(&mut mechanism.elements[element], now.variable);
        }
        for element in &mut mechanism.elements {
            strengthen(element, scale);
        }
        mechanism.bodies[0].mass *= scale;
        let factor = scale * self.event.as_ref().map_or(1.0, |_| now.variable);
        let laws = self.laws.iter().map(|&(joint, name, law)| {
            let square = factor * law.square;
            (joint, name, Law { square, ..law })
        });
        (mechanism, laws.collect())
    }

    /// As a user would write it, with everything that is asked for as outputs.
    pub fn description(&self) -> Description {
        let mut description = self.mechanism.description();
        description.outputs.clear();
        let mut factors = vec!["1".to_owned()];
        if self.parameter {
            description
                .parameters
                .insert("scale".to_owned(), Number::Value(1.0));
            factors.push("scale".to_owned());
            let first = &mut description.bodies[0];
            first.mass = first.mass.as_ref().map(|mass| times(mass, "scale"));
            let forces = description.forces.values_mut();
            forces.for_each(|force| scaled(force, "scale"));
        }
        if let Some((element, watched)) = &self.event {
            description
                .variables
                .insert("w".to_owned(), Number::Value(1.0));
            factors.push("w".to_owned());
            scaled(&mut description.forces[*element], "w");
            let (value, rate) = self.names(watched);
            description.events.insert(
                "crossing".to_owned(),
                description::Event {
                    when: Number::Text(format!("{value} - {CROSSING}")),
                    direction: None,
                    set: [("w".to_owned(), Number::Text(format!("w - 2 * {rate}")))].into(),
                    stop: false,
                },
            );
        }
        let factor = factors.join(" * ");
        for (joint, coordinate, law) in &self.laws {
            let motion = &mut description.joints[*joint].motion;
            motion.insert((*coordinate).to_owned(), law.text(&factor));
        }
        description.assembly.hold.clone_from(&self.holds);
        self.report(&mut description);
        description
    }

    fn names(&self, watched: &Watched) -> (String, String) {
        match watched {
            Watched::Joint(joint, name) => {
                let joint = &self.mechanism.joints[*joint].name;
                (format!("{joint}.{name}"), format!("{joint}.{name}_rate"))
            }
            Watched::Body(body) => {
                let body = &self.mechanism.bodies[*body].name;
                (format!("{body}.center.x"), format!("{body}.center.vx"))
            }
        }
    }

    fn report(&self, description: &mut Description) {
        for (index, asked) in self.asked().into_iter().enumerate() {
            let text = self.name(&asked, description);
            let name = format!("o{index}");
            description.outputs.insert(name, Number::Text(text));
        }
    }

    /// A name for the quantity, and its point if it needs one.
    fn name(&self, asked: &Asked, description: &mut Description) -> String {
        let joint = |index: usize| &self.mechanism.joints[index].name;
        match asked {
            Asked::Acceleration(body, arm, k) => {
                let axis = ["x", "y", "z"][*k];
                let name = &self.mechanism.bodies[*body].name;
                if arm.norm() == 0.0 {
                    return format!("{name}.center.a{axis}");
                }
                let point = format!("seen{}", arm.iamax());
                let place = self.mechanism.bodies[*body].center + arm;
                let n = if self.mechanism.planar() { 2 } else { 3 };
                let place = place.iter().take(n).map(|x| Number::Value(*x)).collect();
                description.bodies[*body]
                    .points
                    .insert(point.clone(), place);
                format!("{name}.{point}.a{axis}")
            }
            Asked::AngularAcceleration(body, k) => {
                let name = &self.mechanism.bodies[*body].name;
                match self.mechanism.planar() {
                    true => format!("{name}.angular_acceleration"),
                    false => format!("{name}.angular_acceleration.{}", ["x", "y", "z"][*k]),
                }
            }
            Asked::JointAcceleration(index, name) => {
                format!("{}.{name}_acceleration", joint(*index))
            }
            Asked::Coordinate(index, name) => format!("{}.{name}", joint(*index)),
            Asked::Rate(index, name) => format!("{}.{name}_rate", joint(*index)),
            Asked::Drive(index, n) => {
                let mut driven = self.laws.iter().filter(|(driven, ..)| driven == index);
                let name = driven.nth(*n).map_or("", |(_, name, _)| name);
                format!("{}.{name}_drive", joint(*index))
            }
            Asked::Coupling(index) => {
                let coupling = &self.mechanism.couplings[*index];
                let what = match coupling.kind {
                    description::CouplingType::Gear => "torque",
                    description::CouplingType::Rack => "force",
                };
                format!("{}.{what}", coupling.name)
            }
        }
    }

    /// Everything that is asked for, in the order of the outputs.
    pub fn asked(&self) -> Vec<Asked> {
        let mechanism = &self.mechanism;
        let planar = mechanism.planar();
        let mut all = Vec::new();
        for body in 0..mechanism.bodies.len() {
            let mut arms = vec![Vector::zeros()];
            if !self.idle.contains(&body) {
                let n = if planar { 1 } else { 2 };
                arms.extend((0..n).map(|k| Vector::ith(k, 0.7)));
            }
            let n = if planar { 2 } else { 3 };
            let each = arms
                .into_iter()
                .flat_map(|arm| (0..n).map(move |k| (arm, k)));
            all.extend(each.map(|(arm, k)| Asked::Acceleration(body, arm, k)));
            if !self.idle.contains(&body) {
                let turns = if planar { 2..3 } else { 0..3 };
                all.extend(turns.map(|k| Asked::AngularAcceleration(body, k)));
            }
        }
        for (index, joint) in mechanism.joints.iter().enumerate() {
            let seen = |name: &&&str| !(**name == "angle" && self.is_idle(index));
            for name in acted_on(joint.kind, planar).iter().filter(seen) {
                all.push(Asked::Coordinate(index, name));
                all.push(Asked::Rate(index, name));
                all.push(Asked::JointAcceleration(index, name));
            }
            let driven = self.laws.iter().filter(|(driven, ..)| *driven == index);
            all.extend((0..driven.count()).map(|n| Asked::Drive(index, n)));
        }
        all.extend((0..mechanism.couplings.len()).map(Asked::Coupling));
        all
    }

    /// Whether a joint holds a body that may turn idly.
    pub fn is_idle(&self, joint: usize) -> bool {
        let ends = self.mechanism.joints[joint].ends.iter();
        let mut bodies = ends.filter_map(|end| end.body);
        bodies.any(|body| self.idle.contains(&body))
    }
}

/// Multiplies the effect of an element.
fn strengthen(element: &mut Element, by: f64) {
    match element {
        Element::Between {
            stiffness, damping, ..
        }
        | Element::Spring {
            stiffness, damping, ..
        } => {
            *stiffness *= by;
            *damping *= by;
        }
        Element::Push { effort, .. } => *effort *= by,
        Element::Force { force, .. } => *force *= by,
        Element::Torque { torque, .. } => *torque *= by,
    }
}

/// The same in a description.
fn scaled(force: &mut description::Force, by: &str) {
    let numbers = [&mut force.stiffness, &mut force.damping, &mut force.law];
    for number in numbers.into_iter().flatten() {
        *number = times(number, by);
    }
    for number in force.force.iter_mut().flatten() {
        *number = times(number, by);
    }
    match &mut force.torque {
        Some(description::Components::One(number)) => *number = times(number, by),
        Some(description::Components::Many(numbers)) => {
            numbers
                .iter_mut()
                .for_each(|number| *number = times(number, by));
        }
        None => {}
    }
}

fn times(number: &Number, by: &str) -> Number {
    Number::Text(match number {
        Number::Value(value) => format!("({value}) * {by}"),
        Number::Text(text) => format!("({text}) * {by}"),
    })
}
