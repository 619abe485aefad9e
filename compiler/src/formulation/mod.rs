//! Chooses coordinates and writes the equations. After this point coordinates are fixed and ordered. Constraint
//! equations, energies and loads are plain expressions of coordinates, velocities and auxiliaries.
//!
//! An `Auxiliary` is an intermediate symbol, such as a rotated body vector. It has a definition, and a rate that is
//! linear in the velocities. Derivatives go through the rate, so the algebra never sees the definition. The constraint
//! equations stay small whatever the definition is.

mod absolute;
mod body;
mod constraint;
mod coupling;
mod discrete;
mod force;
mod joint;
mod kinematics;
mod loads_and_outputs;
mod measure;
mod orientation;
mod particle;
mod rate;
mod rows;
mod turns;
mod whole;
mod wrench;

pub use crate::structure::{
    BodyInertia, LinkStep, LocalLink, LoopEquation, OwnPoint, OwnTurn, RigidLink, Rotation, Screw,
    Tree, UnitLength,
};
pub use discrete::{JointSpring, RowRate, discrete, soften};
pub use joint::joint;
pub use particle::{PointForm, misplaced, particle, print as print_points};

use crate::diagnostics::Path;
use crate::expr::{Expr, vector};
use crate::model::{BodyId, CouplingId, JointId, Model};

/// The equations of a model.
pub fn formulate(model: &Model) -> System {
    body::body(model)
}

/// The equations of one formulation, before any derivative is taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct System {
    /// Coordinates q with their guess.
    pub coordinates: Vec<StateVariable>,
    /// Velocities v with their guess.
    pub velocities: Vec<StateVariable>,
    /// q̇ = T v, linear in v.
    pub rates: Vec<Expr>,
    /// Intermediates, each in terms of coordinates and earlier ones.
    pub auxiliaries: Vec<Auxiliary>,
    /// Coordinates that together have unit length: Euler parameters.
    pub unit: Vec<UnitLength>,
    /// Coordinates that are the axes of a body.
    pub rotations: Vec<Rotation>,
    /// Coordinates that count the turns of angles, or continue Euler parameters with their sign.
    pub counters: Vec<Counter>,
    /// Constraint equations Φ.
    pub rows: Vec<ConstraintEquation>,
    /// Constraint equations that springs replace. The last holds of assembly close them.
    pub compliant: Vec<ConstraintEquation>,
    /// Inertia tensors of spatial bodies, in axes that turn with the body.
    pub inertias: Vec<BodyInertia>,
    /// Kinetic energy, quadratic in v.
    pub kinetic: Expr,
    /// Potential energy.
    pub potential: Expr,
    /// Inertia forces that are quadratic in v, one for each velocity, as they stand in Q.
    pub gyroscopic: Vec<Expr>,
    /// Applied forces.
    pub loads: Vec<Load>,
    /// Coordinates that the assembly holds.
    pub holds: Vec<HoldRow>,
    /// Named outputs; may use accelerations and multipliers.
    pub outputs: Vec<Expr>,
    /// Expressions that events watch; may use accelerations and multipliers.
    pub events: Vec<Expr>,
    /// Values that events set, event after event; may use accelerations and multipliers.
    pub transitions: Vec<Expr>,
    /// Force and torque on the second body of each joint, about its point, in terms of multipliers and
    /// accelerations.
    pub reactions: Vec<[Expr; 6]>,
    /// The tree of links, if the equations are solved along it.
    pub tree: Option<Tree>,
}

/// A coordinate that follows an angle or an Euler parameter, so that it is known on which turn or with which sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Index of the coordinate.
    pub coordinate: u32,
    /// Value to which the coordinate is set now and then: the quantity that it follows, or itself, if it is near that.
    pub value: Expr,
}

/// A coordinate or a velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct StateVariable {
    /// For example `crank.x`.
    pub name: String,
    /// The guess, of parameters only.
    pub guess: Expr,
}

/// An intermediate.
#[derive(Clone, Debug, PartialEq)]
pub struct Auxiliary {
    /// Its definition.
    pub value: Expr,
    /// Its time derivative, linear in v.
    pub rate: Expr,
}

/// A constraint equation.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintEquation {
    /// Φ, zero when the constraint holds.
    pub phi: Expr,
    /// The element that the constraint equation belongs to.
    pub owner: Owner,
    /// The quantity that the constraint equation keeps, in words: `x of the point`, `angle as driven`.
    pub keeps: String,
    /// True if the constraint equation is a prescribed motion.
    pub driver: bool,
    /// Wrench of the multiplier on the second body of a joint, about that body's point; the first body feels the
    /// opposite. A coupling acts on two joints, a row within a body on none.
    pub wrenches: Vec<(JointId, Screw)>,
}

impl System {
    /// Indices of the constraint equations of couplings.
    pub fn couplings(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows.iter().enumerate();
        let couplings = rows.filter(|(_, row)| matches!(row.owner, Owner::Coupling(_)));
        couplings.map(|(index, _)| index)
    }
}

impl ConstraintEquation {
    /// The joint that it belongs to, if it does.
    pub fn joint(&self) -> Option<JointId> {
        match self.owner {
            Owner::Joint(joint) => Some(joint),
            Owner::Coupling(_) | Owner::Body(_) => None,
        }
    }

    /// True if Φ is an angle, or a product of directions, and not a length.
    pub fn is_angle(&self) -> bool {
        let (_, screw) = match self.wrenches.first() {
            Some(first) => first,
            None => return false,
        };
        screw.linear.iter().all(Expr::is_zero)
    }

    /// Name of the element that it belongs to, and the path at which that was written.
    pub fn owner<'m>(&self, model: &'m Model) -> (&'m str, &'m Path) {
        self.owner.name(model)
    }
}

/// The element that a constraint equation belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A joint.
    Joint(JointId),
    /// A coupling between joints.
    Coupling(CouplingId),
    /// A body, whose points keep their distances.
    Body(BodyId),
}

impl Owner {
    /// Its name, and where it was written.
    pub fn name(self, model: &Model) -> (&str, &Path) {
        match self {
            Self::Joint(id) => {
                let joint = &model.joints[id.0 as usize];
                (&joint.name, &joint.path)
            }
            Self::Coupling(id) => {
                let coupling = &model.couplings[id.0 as usize];
                (&coupling.name, &coupling.path)
            }
            Self::Body(id) => {
                let body = &model.bodies[id.0 as usize];
                (&body.name, &body.path)
            }
        }
    }

    /// The kind of element.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Joint(_) => "joint",
            Self::Coupling(_) => "coupling",
            Self::Body(_) => "body",
        }
    }

    /// The kind of element, and its name.
    pub fn describe(self, model: &Model) -> String {
        format!("{} `{}`", self.noun(), self.name(model).0)
    }
}

/// An applied force: its virtual power is `effort · flow`.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The path at which the force was written.
    pub path: Path,
    /// A force or torque component.
    pub effort: Expr,
    /// The part of the effort that the potential energy accounts for.
    pub conservative: Expr,
    /// The velocity that it acts along, linear in v.
    pub flow: Expr,
}

/// A value that the assembly holds.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldRow {
    /// As the user wrote it.
    pub name: String,
    /// The value.
    pub value: Expr,
    /// Its rate, linear in v.
    pub rate: Expr,
}
