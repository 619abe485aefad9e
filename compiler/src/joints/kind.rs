//! The facts about a kind of joint.

use super::Screw;
use super::sides::{JointCoordinateValue, JointEquation, Sides};

/// A kind of joint.
#[derive(Debug)]
pub struct JointKind {
    /// Its word in a description.
    pub word: &'static str,
    /// Further words that a description may use.
    pub aliases: &'static [&'static str],
    /// Words of other programs. The noun before them begins the correction, for example "a hinge".
    pub elsewhere: &'static [(&'static str, &'static [&'static str])],
    /// Its motions in a sentence, for editors.
    pub about: &'static str,
    /// True for a massless rod, whose length it keeps.
    pub is_rod: bool,
    /// True for a thread: its displacement follows its angle by the `lead`.
    pub has_lead: bool,
    /// The line along which it pushes a body that it drives.
    pub pushes: Pushes,
    /// The facts in space.
    pub space: Facts,
    /// The facts in the plane.
    pub plane: InPlane,
    /// The constraint equations.
    pub rows: fn(&Sides) -> Vec<JointEquation>,
    /// A coordinate with its rate; `None` if the joint has no such coordinate.
    pub coordinate: fn(&Sides, JointCoordinate) -> Option<JointCoordinateValue>,
    /// A basis of the relative motions that the constraint equations leave, about the second body's point; `None` if no
    /// basis serves in every pose.
    pub freedoms: fn(&Sides) -> Option<Vec<Screw>>,
}

impl JointKind {
    /// A kind with default values, for the fields that a file leaves out.
    pub const PLAIN: Self = Self {
        word: "",
        aliases: &[],
        elsewhere: &[],
        about: "",
        is_rod: false,
        has_lead: false,
        pushes: Pushes::Coupler,
        space: Facts::PLAIN,
        plane: InPlane::Has(Facts::PLAIN),
        rows: |_| Vec::new(),
        coordinate: |_, _| None,
        freedoms: |_| None,
    };
}

/// A kind in the plane.
#[derive(Debug)]
pub enum InPlane {
    /// The plane has the kind.
    Has(Facts),
    /// The plane does not have the kind. The text says what serves instead.
    Lacks(&'static str),
}

/// The facts about a kind that differ between the plane and space.
#[derive(Debug)]
pub struct Facts {
    /// Its axis, which is z of its triads.
    pub axis: AxisRule,
    /// The second triad, given the first one.
    pub triads: TriadRule,
    /// Its coordinates.
    pub coordinates: &'static [JointCoordinate],
    /// The motions that it leaves, by its coordinates. `None` if no coordinates serve in every pose: the body that the
    /// joint would carry flies freely, and the constraint equations close a loop.
    pub motions: Option<MotionsLeft>,
    /// The points that it brings together.
    pub shares: Shares,
    /// For each body, true if the joint holds only a point of it. The body may then be thin.
    pub holds_a_point: [bool; 2],
    /// True if a body that turns in it is drawn as a wheel about its axis.
    pub turns_wheels: bool,
    /// Its symbol in pictures.
    pub symbol: &'static [Glyph],
}

impl Facts {
    /// Default facts, for the fields that a file leaves out.
    pub const PLAIN: Self = Self {
        axis: AxisRule::None,
        triads: TriadRule::Aligned,
        coordinates: &[],
        motions: None,
        shares: Shares::Nothing,
        holds_a_point: [false; 2],
        turns_wheels: false,
        symbol: &[],
    };

    /// True if it has a coordinate.
    pub fn has(&self, coordinate: JointCoordinate) -> bool {
        self.coordinates.contains(&coordinate)
    }

    /// True if its bodies slide along its axis.
    pub fn slides(&self) -> bool {
        self.has(JointCoordinate::Displacement)
    }

    /// True if its bodies slide along its axis and do not turn.
    pub fn only_slides(&self) -> bool {
        let turns = self.motions.map(|motions| motions.turns);
        self.slides() && turns == Some(RelativeTurns::None)
    }
}

/// The axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisRule {
    /// The joint has no axis.
    None,
    /// Both bodies share one axis.
    Shared,
    /// Only the first body has an axis. The text is the error for an axis of the second body.
    OfFirst(&'static str),
    /// Each body has an axis. The text is the error for a missing one.
    OfEach(&'static str),
}

/// The second triad of a joint, given the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriadRule {
    /// Bodies whose frames are aligned have aligned triads. If the axis has other components in the second body, its
    /// triad is turned by the smallest angle between the two.
    Aligned,
    /// Both triads coincide in the guess, up to the smallest turn that brings z to the second body's own axis.
    AsGuessed,
}

/// Coordinates of joints. Angles and displacements are those of the second body relative to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JointCoordinate {
    /// Angle about z of the joint's frame; of a universal joint, about the first body's axis.
    Angle,
    /// Angle of a universal joint about the second body's axis.
    SecondAngle,
    /// Displacement along z of the joint's frame (along the axis, also in the plane).
    Displacement,
    /// Displacement along x of the joint's frame (`planar` joints).
    X,
    /// Displacement along y of the joint's frame (`planar` joints).
    Y,
    /// Distance of the two points (`distance` joints).
    Length,
}

impl JointCoordinate {
    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Angle => "angle",
            Self::SecondAngle => "second_angle",
            Self::Displacement => "displacement",
            Self::X => "x",
            Self::Y => "y",
            Self::Length => "length",
        }
    }

    /// True for angles, false for lengths.
    pub const fn is_angle(self) -> bool {
        matches!(self, Self::Angle | Self::SecondAngle)
    }
}

impl std::fmt::Display for JointCoordinate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// The motions that a joint leaves. From the first body outwards, the shifts come before the turns.
#[derive(Clone, Copy, Debug)]
pub struct MotionsLeft {
    /// Shifts along axes of the first body's triad.
    pub shifts: &'static [(usize, JointCoordinate)],
    /// Turns, after the shifts.
    pub turns: RelativeTurns,
}

/// Turns of one body relative to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeTurns {
    /// No turn.
    None,
    /// About z of the joint's triads.
    Once,
    /// About z of the first triad and about z of the second one.
    Twice,
    /// About every axis.
    Freely,
    /// About z of the joint's triads, and along it by the pitch.
    Screwing,
}

/// Points that a joint brings together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// No points.
    Nothing,
    /// Its point. The joint has no further constraint equations.
    Point,
    /// Its point. Further constraint equations, which have a torque and no force, remain however many points are
    /// shared.
    PointAndMore,
    /// All points on its axis.
    Axis,
    /// All points.
    Body,
}

impl Shares {
    /// Number of shared points that make the constraint equations of the joint unnecessary.
    pub const fn needed(self) -> usize {
        match self {
            Self::Point => 1,
            // `PointAndMore` never has a second shared point, so its further equations always remain.
            Self::Axis | Self::PointAndMore => 2,
            Self::Nothing | Self::Body => usize::MAX,
        }
    }
}

/// The line along which a joint pushes a body that it drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushes {
    /// Along the line of the body that pushes.
    Coupler,
    /// Along the line between both points of the joint.
    Along,
    /// Across the axis.
    Across,
}

/// A part of the symbol of a joint. Sizes are in units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Glyph {
    /// A disc or a ball with this radius.
    Dot(GlyphEnd, f64),
    /// A small mark on the first end.
    Weld,
    /// A short thick line along the axis: half its length, and its width.
    Axle(GlyphEnd, f64, f64),
    /// A block on the end that slides.
    Block,
    /// A square across the axis, on the first end.
    Table,
}

/// The end of a joint at which a part of its symbol is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlyphEnd {
    /// On the first body.
    First,
    /// On the second body.
    Second,
    /// On the body that slides along the other one.
    Slider,
}
