//! The steps from a link to its inboard link: changes of point and of axes, with the degrees of freedom between them.

use super::open::Freedom;
use super::triple;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Lowering;
use crate::kernel::solve::axial::{self, AxisRotation, Shift};
use crate::kernel::solve::screw::{self as twist, ScrewValues, SpatialInertia, Triple};
use crate::model::Vector;
use crate::structure::{self, LocalLink, RigidLink};

/// A step, after the demand was taken across it.
pub(super) enum PassedStep {
    /// A degree of freedom of the link, with its index.
    Free(usize, Freedom),
    /// A change to another point or to other axes.
    Move(AxesChange),
}

/// A change of the reference point or of the axes.
pub(super) enum AxesChange {
    /// A point at the end of an arm, in the same axes.
    Arm(Triple),
    Turn(AxisRotation),
    Shift(Shift),
    /// The axes that are reached.
    Axes([Triple; 3]),
}

/// A step of the passage.
pub(super) enum PassageStep<'a> {
    Free(usize, &'a structure::Screw),
    Arm(&'a Vector),
    Axial(&'a structure::LinkStep),
}

/// The steps from a link inwards: in world axes all degrees of freedom and then the arm.
pub(super) fn inwards<'a>(
    link: &'a RigidLink,
    local: Option<&'a LocalLink>,
) -> Vec<PassageStep<'a>> {
    let Some(local) = local else {
        let freedoms = link.freedoms.iter().enumerate();
        let freedoms = freedoms.map(|(n, freedom)| PassageStep::Free(n, freedom));
        return freedoms.chain([PassageStep::Arm(&link.arm)]).collect();
    };
    let steps = local.steps.iter().rev();
    steps
        .map(|step| match step {
            structure::LinkStep::Free(n, freedom) => PassageStep::Free(*n, freedom),
            other => PassageStep::Axial(other),
        })
        .collect()
}

impl AxesChange {
    /// `None` for a degree of freedom, which is no move.
    pub(super) fn new<'a>(
        lowering: &mut Lowering<'_, 'a>,
        step: &'a structure::LinkStep,
    ) -> Option<Self> {
        use structure::LinkStep;
        Some(match step {
            LinkStep::Turn { about, cos, sin } => Self::Turn(AxisRotation {
                about: *about,
                cos: lowering.value(cos),
                sin: lowering.value(sin),
            }),
            LinkStep::Shift { along, by } => Self::Shift(Shift {
                along: *along,
                by: lowering.value(by),
            }),
            LinkStep::Axes(axes) => Self::Axes(axes.each_ref().map(|axis| triple(lowering, axis))),
            LinkStep::Free(..) => return None,
        })
    }

    /// The twist on the outer side.
    pub(super) fn outwards(&self, builder: &mut Builder, twist: &ScrewValues) -> ScrewValues {
        match self {
            Self::Arm(arm) => twist::outwards(builder, twist, arm),
            Self::Turn(turn) => turn.outwards(builder, twist),
            Self::Shift(shift) => shift.outwards(builder, twist),
            Self::Axes(axes) => axial::into(builder, axes, twist),
        }
    }

    /// The wrench on the inner side.
    pub(super) fn inwards(&self, builder: &mut Builder, wrench: &ScrewValues) -> ScrewValues {
        match self {
            Self::Arm(arm) => twist::inwards(builder, wrench, arm),
            Self::Turn(turn) => turn.inwards(builder, wrench),
            Self::Shift(shift) => shift.inwards(builder, wrench),
            Self::Axes(axes) => axial::out_of(builder, axes, wrench),
        }
    }

    /// The inertia on the inner side.
    pub(super) fn inertia_inwards(
        &self,
        builder: &mut Builder,
        inertia: &SpatialInertia,
    ) -> SpatialInertia {
        match self {
            Self::Arm(arm) => twist::inertia_inwards(builder, inertia, arm),
            Self::Turn(turn) => turn.inertia_inwards(builder, inertia),
            Self::Shift(shift) => shift.inertia_inwards(builder, inertia),
            Self::Axes(axes) => axial::inertia_out_of(builder, axes, inertia),
        }
    }
}
