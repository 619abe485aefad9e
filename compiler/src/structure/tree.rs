//! A mechanism as a tree of rigid links, for the solve that runs along it.
//!
//! Each link has a reference point. A twist is its angular acceleration and the acceleration of that
//! point, a wrench a torque about that point and a force. With b a link, p its inboard link and ρ from
//! the reference point of p to that of b:
//!
//! ```text
//! α_b = α_p + turn of the freedoms        a_b = a_p + α_p × ρ + shift of the freedoms
//! ```
//!
//! The part of a point's motion that is not rigid is the deformation d: centripetal accelerations, or a distance that
//! has to be corrected. A point at r from the reference has r̈ = a_b + α_b × r + d. In the expressions here the
//! acceleration symbols stand for d.
//!
//! Where joint rates are the velocities there are no points, and nothing deforms. Twists are those beyond the bias, the
//! twist at q̈ = 0, and the inertia force of the bias is part of the load.

use crate::expr::Expr;
use crate::expr::vector::Vector;

/// The links, and the constraint equations that close loops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// From the root outwards.
    pub links: Vec<RigidLink>,
    /// Rows that the tree does not keep by itself: cut joints and prescribed motions.
    pub closing: Vec<LoopEquation>,
    /// True if joint rates are the velocities, false if points move.
    pub relative: bool,
    /// The same links in axes that turn with them, where that may be cheaper; else nothing.
    pub local: Vec<LocalLink>,
}

/// Most entries of M that are written out. They are for singular positions and for assembly at other parameters, so
/// only mechanisms with constraint equations or holds need them.
const DENSE: usize = 4000;

impl Tree {
    /// True if M is of a size to be written out.
    pub fn has_mass(&self) -> bool {
        self.entries() <= DENSE
    }

    /// Number of entries of the lower triangle of M: one for each pair of degrees of freedom of which one carries the
    /// other.
    fn entries(&self) -> usize {
        let mut carried: Vec<usize> = Vec::new();
        let mut entries = 0;
        for link in &self.links {
            let before = link.parent.map_or(0, |parent| carried[parent]);
            let own = link.freedoms.len();
            entries += own * before + own * (own + 1) / 2;
            carried.push(before + own);
        }
        entries
    }
}

impl RigidLink {
    /// Its degrees of freedom with their velocities.
    pub fn moved(&self) -> impl Iterator<Item = (u32, &Screw)> {
        let turn = self.turn.iter().flat_map(|turn| turn.velocities);
        self.rates.iter().copied().chain(turn).zip(&self.freedoms)
    }
}

/// A twist or a wrench.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screw {
    /// Angular part: a turn, or a torque about the reference point.
    pub angular: Vector,
    /// Linear part: a shift of the reference point, or a force.
    pub linear: Vector,
}

/// A rigid link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidLink {
    /// The inboard link; `None` is ground.
    pub parent: Option<usize>,
    /// ρ
    pub arm: Vector,
    /// Its mass.
    pub mass: Expr,
    /// Σ m r about the reference point.
    pub first_moment: Vector,
    /// The inertia tensor about the reference point, in world axes.
    pub inertia: [[Expr; 3]; 3],
    /// True if it has inertia in every direction whatever the parameters are.
    pub solid: bool,
    /// Motions that its joint leaves.
    pub freedoms: Vec<Screw>,
    /// Applied forces.
    pub load: Screw,
    /// Inertia force and torque of the deformation: Σ m d and Σ r × m d.
    pub drag: Screw,
    /// Points with coordinates of their own, each after the ones that it keeps its distance from.
    pub points: Vec<OwnPoint>,
    /// Constraint equations of its joint, and the wrenches of their multipliers on this link.
    pub rows: Vec<(usize, Screw)>,
    /// Velocities of its degrees of freedom, where joint rates are the velocities.
    pub rates: Vec<u32>,
    /// Efforts along these degrees of freedom.
    pub efforts: Vec<Expr>,
    /// The last three degrees of freedom, if their velocities are its own.
    pub turn: Option<OwnTurn>,
    /// Its twist in terms of symbols, where joint rates are the velocities.
    pub velocity: Screw,
}

/// A link in axes that turn with it, about a reference point of its own: its moments and the motions that its joint
/// leaves do not change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalLink {
    /// The way from the inboard link's axes and reference point to its own.
    pub steps: Vec<LinkStep>,
    /// Its mass.
    pub mass: Expr,
    /// Σ m r about the reference point.
    pub first_moment: Vector,
    /// The inertia tensor about the reference point.
    pub inertia: [[Expr; 3]; 3],
    /// Applied forces without gravity, less the inertia force of the bias; ground is accelerated against gravity.
    pub load: Screw,
    /// Its axes in the world, for quantities that are given there.
    pub axes: [Vector; 3],
    /// From the link's reference point in the world to this one, in its own axes.
    pub offset: Vector,
}

/// A step from one link's axes to those of the next, outwards.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkStep {
    /// The axes turn about one of them.
    Turn {
        /// Index of the axis.
        about: usize,
        /// The cosine of the angle.
        cos: Expr,
        /// Its sine.
        sin: Expr,
    },
    /// The reference point moves along one of the axes.
    Shift {
        /// Index of the axis.
        along: usize,
        /// By how much.
        by: Expr,
    },
    /// A degree of freedom of the link, by its place among them, in the axes that have been reached.
    Free(usize, Screw),
    /// Any other axes, as the ones before see them.
    Axes([Vector; 3]),
}

/// A point with coordinates of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnPoint {
    /// Its velocities.
    pub velocities: Vec<u32>,
    /// From the reference point of its link.
    pub arm: Vector,
    /// Rows that keep its distance from earlier points, or its place.
    pub rows: Vec<usize>,
    /// (U Uᵀ)⁻¹ with U the derivatives of these rows by its position, which are the same in every pose.
    pub gram: Vec<Vec<f64>>,
}

/// A link that turns any way, with an angular velocity of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnTurn {
    /// ω
    pub velocities: [u32; 3],
    /// The part of ρ that turns with the inboard link.
    pub arm: Vector,
}

/// A constraint equation between two links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopEquation {
    /// Index of the constraint equation.
    pub row: usize,
    /// Wrench of its multiplier on each link.
    pub ends: Vec<(usize, Screw)>,
    /// Its efforts along joint rates, beyond that.
    pub rates: Vec<(u32, Expr)>,
}
