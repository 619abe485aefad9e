//! The coordinates of the formulations that follow the tree of joints.

use crate::formulation::{self, PointForm, System};
use crate::model::Model;
use crate::topology::Topology;

/// Coordinates that follow the tree of joints, so their equations depend on the cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// In points.
    Points(PointForm),
    /// In joint coordinates.
    Joint,
}

impl Coordinates {
    /// In points, with a multiplier for each constraint equation.
    pub const MULTIPLIER: Self = Self::Points(PointForm::Multiplier);
    /// In points, solved along the tree.
    pub const MOMENTUM: Self = Self::Points(PointForm::Momentum);
    /// In points, with angular rates of the bodies that are hinged to ground.
    pub const SWING: Self = Self::Points(PointForm::Swing);

    /// Its word in a description.
    pub fn word(self) -> &'static str {
        match self {
            Self::Points(form) => form.word(),
            Self::Joint => "joint",
        }
    }

    /// Its equations; `None` if it is not available for the mechanism.
    pub fn formulate(self, model: &Model, topology: &Topology) -> Option<System> {
        match self {
            Self::Points(form) => formulation::particle(model, topology, form),
            Self::Joint => formulation::joint(model, topology),
        }
    }

    /// True if most constraint equations have no multipliers.
    pub fn is_recursive(self) -> bool {
        matches!(self, Self::Points(PointForm::Momentum) | Self::Joint)
    }
}
