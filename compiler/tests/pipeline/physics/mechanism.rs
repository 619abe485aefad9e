//! A mechanism as plain numbers: what a generator draws and what a test knows of it without the
//! compiler. Points and axes are in the frame of their body, or of the world on ground.

use bellcrank_compiler::description::{
    self, AxisOrNumber, Components, CouplingType, Description, ForceType, Frame, FullInertia,
    Inertia, JointAxis, JointType, Number, Orientation, Space,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

pub type Vector = Vector3<f64>;

/// Way of every screw in one turn, left-handed.
pub const LEAD: f64 = -0.8;

#[derive(Clone, Debug)]
pub struct Mechanism {
    pub space: Space,
    pub gravity: Vector,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub couplings: Vec<Coupling>,
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub name: String,
    pub mass: f64,
    /// About the centre of mass, in body axes; in the plane only zz counts.
    pub inertia: Matrix3<f64>,
    /// Whether the description gives the moments about the origin of the frame.
    pub about_origin: bool,
    pub center: Vector,
    pub position: Vector,
    pub rotation: UnitQuaternion<f64>,
    /// The rotation of a planar body, not reduced to one turn.
    pub angle: f64,
    pub velocity: Vector,
    pub spin: Vector,
    pub free: bool,
}

/// A point of a body; `None` is ground.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    pub body: Option<usize>,
    pub point: Vector,
}

#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    pub kind: JointType,
    pub ends: [Marker; 2],
    /// Whether the description places it by `at`, which asks that both points coincide.
    pub at: bool,
    /// Unit vectors, one in the frame of each body.
    pub axes: [Vector; 2],
    pub motion: Vec<(&'static str, String)>,
}

/// Moves the second coordinate by the ratio times the motion of the first one.
#[derive(Clone, Debug)]
pub struct Coupling {
    pub name: String,
    pub kind: CouplingType,
    /// Joints and their coordinates.
    pub ends: [(usize, &'static str); 2],
    pub ratio: f64,
}

impl Coupling {
    /// Its effect on its joints when it acts on the second one with `effort`.
    pub fn pushes(&self, effort: f64) -> [Element; 2] {
        let efforts = [-self.ratio * effort, effort];
        [0, 1].map(|k| Element::Push {
            joint: self.ends[k].0,
            coordinate: self.ends[k].1,
            effort: efforts[k],
        })
    }
}

#[derive(Clone, Debug)]
pub enum Element {
    /// Pulls with k (ℓ − ℓ₀) + c ℓ̇.
    Between {
        ends: [Marker; 2],
        stiffness: f64,
        damping: f64,
        free: f64,
    },
    /// Acts with −k (s − s₀) − c ṡ.
    Spring {
        joint: usize,
        coordinate: &'static str,
        stiffness: f64,
        damping: f64,
        free: f64,
    },
    /// Acts with a constant effort.
    Push {
        joint: usize,
        coordinate: &'static str,
        effort: f64,
    },
    Force {
        at: Marker,
        force: Vector,
        follows: bool,
    },
    Torque {
        body: usize,
        torque: Vector,
        follows: bool,
    },
}

impl Mechanism {
    /// Position and rotation of a body's frame.
    pub fn pose(&self, body: Option<usize>) -> (Vector, UnitQuaternion<f64>) {
        body.map_or((Vector::zeros(), UnitQuaternion::identity()), |i| {
            (self.bodies[i].position, self.bodies[i].rotation)
        })
    }

    /// The point of a body that is at `world`.
    pub fn marker(&self, body: Option<usize>, world: Vector) -> Marker {
        let (position, rotation) = self.pose(body);
        let point = rotation.inverse() * (world - position);
        Marker { body, point }
    }

    /// Where a point is.
    pub fn world(&self, marker: &Marker) -> Vector {
        let (position, rotation) = self.pose(marker.body);
        position + rotation * marker.point
    }

    /// A world direction as a body sees it.
    pub fn local(&self, body: Option<usize>, direction: Vector) -> Vector {
        self.pose(body).1.inverse() * direction
    }

    pub fn planar(&self) -> bool {
        self.space == Space::Planar
    }

    /// Whether gravity and springs are all that acts.
    pub fn is_conservative(&self) -> bool {
        self.elements.iter().all(|element| match element {
            Element::Between { damping, .. } | Element::Spring { damping, .. } => *damping == 0.0,
            Element::Push { .. } | Element::Force { .. } | Element::Torque { .. } => false,
        })
    }

    /// The same, as a user would write it.
    pub fn description(&self) -> Description {
        let mut description = Description {
            space: self.space,
            gravity: Some(self.vector(self.gravity)),
            ..Description::default()
        };
        for body in &self.bodies {
            let written = self.body(body);
            description.bodies.insert(body.name.clone(), written);
        }
        for joint in &self.joints {
            let written = self.joint(joint, &mut description);
            description.joints.insert(joint.name.clone(), written);
        }
        for coupling in &self.couplings {
            let (name, written) = (coupling.name.clone(), self.coupling(coupling));
            let effort = match coupling.kind {
                CouplingType::Gear => format!("{name}.torque"),
                CouplingType::Rack => format!("{name}.force"),
            };
            description.couplings.insert(name.clone(), written);
            description.outputs.insert(name, Number::Text(effort));
        }
        for (index, element) in self.elements.iter().enumerate() {
            let name = format!("f{index}");
            let written = self.element(&name, element, &mut description);
            description.forces.insert(name, written);
        }
        description
    }

    fn vector(&self, vector: Vector) -> Vec<Number> {
        let n = if self.planar() { 2 } else { 3 };
        vector.iter().take(n).map(|x| Number::Value(*x)).collect()
    }

    fn body(&self, body: &Body) -> description::Body {
        let planar = self.planar();
        let e = body.rotation.quaternion();
        let e = [e.w, e.i, e.j, e.k].map(Number::Value).to_vec();
        description::Body {
            mass: Some(Number::Value(body.mass)),
            inertia: Some(self.inertia(body)),
            center: Some(self.vector(body.center)),
            position: Some(self.vector(body.position)),
            angle: planar.then_some(Number::Value(body.angle)),
            orientation: (!planar).then_some(Orientation::EulerParameters(e)),
            velocity: Some(self.vector(body.velocity)),
            angular_velocity: Some(self.turning(body.spin)),
            free: body.free,
            ..description::Body::default()
        }
    }

    fn inertia(&self, body: &Body) -> Inertia {
        let c = body.center;
        let about_origin =
            body.inertia + body.mass * (Matrix3::identity() * c.dot(&c) - c * c.transpose());
        let tensor = if body.about_origin {
            about_origin
        } else {
            body.inertia
        };
        let value = |i: usize, j: usize| Number::Value(tensor[(i, j)]);
        let off_diagonal = (!self.planar()).then_some(value);
        if !body.about_origin && self.planar() {
            return Inertia::Planar(value(2, 2));
        }
        if !body.about_origin && tensor == Matrix3::from_diagonal(&tensor.diagonal()) {
            return Inertia::Principal(vec![value(0, 0), value(1, 1), value(2, 2)]);
        }
        let entry = |i, j| off_diagonal.map(|value| value(i, j));
        Inertia::Full(FullInertia {
            xx: entry(0, 0),
            yy: entry(1, 1),
            zz: value(2, 2),
            xy: entry(0, 1),
            xz: entry(0, 2),
            yz: entry(1, 2),
            about: body.about_origin.then(|| "origin".to_owned()),
        })
    }

    fn turning(&self, vector: Vector) -> Components {
        if self.planar() {
            Components::One(Number::Value(vector.z))
        } else {
            Components::Many(self.vector(vector))
        }
    }

    fn joint(&self, joint: &Joint, description: &mut Description) -> description::Joint {
        let between = joint.ends.each_ref().map(|end| {
            if joint.at {
                self.name(end.body)
            } else {
                self.declare(end, &joint.name, description)
            }
        });
        let motion = joint.motion.iter();
        description::Joint {
            kind: joint.kind,
            between,
            at: joint.at.then(|| self.vector(self.world(&joint.ends[0]))),
            axis: self.axis(joint),
            lead: (joint.kind == JointType::Screw).then_some(Number::Value(LEAD)),
            motion: motion
                .map(|(key, law)| ((*key).to_owned(), Number::Text(law.clone())))
                .collect(),
            ..description::Joint::default()
        }
    }

    fn coupling(&self, coupling: &Coupling) -> description::Coupling {
        let end = |(joint, coordinate): (usize, &str)| {
            format!("{}.{coordinate}", self.joints[joint].name)
        };
        let ratio = |kind| (coupling.kind == kind).then_some(Number::Value(coupling.ratio));
        description::Coupling {
            kind: coupling.kind,
            between: coupling.ends.map(end),
            ratio: ratio(CouplingType::Gear),
            radius: ratio(CouplingType::Rack),
            ..description::Coupling::default()
        }
    }

    fn axis(&self, joint: &Joint) -> Option<JointAxis> {
        use JointType::{
            ConstantVelocity, Distance, Fixed, PinSlot, Prismatic, Spherical, Universal,
        };
        match joint.kind {
            Spherical | Fixed | Distance => None,
            Universal | ConstantVelocity => {
                let each = joint.axes.map(|a| AxisOrNumber::Components(self.vector(a)));
                Some(JointAxis::List(each.to_vec()))
            }
            kind if self.planar() && !matches!(kind, Prismatic | PinSlot) => None,
            _ => {
                let first = self.vector(joint.axes[0]).into_iter();
                Some(JointAxis::List(first.map(AxisOrNumber::Number).collect()))
            }
        }
    }

    fn name(&self, body: Option<usize>) -> String {
        body.map_or("ground".to_owned(), |i| self.bodies[i].name.clone())
    }

    /// Adds a named point to its body; `body.point`.
    fn declare(&self, marker: &Marker, name: &str, description: &mut Description) -> String {
        let body = self.name(marker.body);
        let points = match marker.body {
            None => &mut description.ground.points,
            Some(_) => &mut description.bodies[&body].points,
        };
        let name = format!("at_{name}");
        points.insert(name.clone(), self.vector(marker.point));
        format!("{body}.{name}")
    }

    fn element(
        &self,
        name: &str,
        element: &Element,
        description: &mut Description,
    ) -> description::Force {
        let frame = |follows: bool| Some(if follows { Frame::Body } else { Frame::World });
        let value = |x: f64| Some(Number::Value(x));
        let none = description::Force::default();
        match element {
            Element::Between {
                ends,
                stiffness,
                damping,
                free,
            } => description::Force {
                kind: ForceType::Spring,
                between: Some(
                    ends.each_ref()
                        .map(|end| self.declare(end, name, description)),
                ),
                stiffness: value(*stiffness),
                damping: value(*damping),
                free: value(*free),
                ..none
            },
            Element::Spring {
                joint,
                coordinate,
                stiffness,
                damping,
                free,
            } => description::Force {
                kind: ForceType::Spring,
                joint: Some(self.joints[*joint].name.clone()),
                coordinate: Some((*coordinate).to_owned()),
                stiffness: value(*stiffness),
                damping: value(*damping),
                free: value(*free),
                ..none
            },
            Element::Push {
                joint,
                coordinate,
                effort,
            } => description::Force {
                kind: ForceType::Actuator,
                joint: Some(self.joints[*joint].name.clone()),
                coordinate: Some((*coordinate).to_owned()),
                law: value(*effort),
                ..none
            },
            Element::Force { at, force, follows } => description::Force {
                kind: ForceType::Force,
                on: Some(self.declare(at, name, description)),
                force: Some(self.vector(*force)),
                frame: frame(*follows),
                ..none
            },
            Element::Torque {
                body,
                torque,
                follows,
            } => description::Force {
                kind: ForceType::Torque,
                on: Some(self.bodies[*body].name.clone()),
                torque: Some(self.turning(*torque)),
                frame: frame(*follows),
                ..none
            },
        }
    }
}
