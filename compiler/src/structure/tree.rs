//! A mechanism as a tree of rigid links, for the solve that runs along it.
//!
//! Each link has a reference point. Its twist is its angular acceleration and the acceleration of that point. A wrench
//! is a torque about that point and a force. With b a link, p its inboard link and ρ the vector from the reference
//! point of p to that of b:
//!
//! ```text
//! α_b = α_p + turn of the freedoms        a_b = a_p + α_p × ρ + shift of the freedoms
//! ```
//!
//! The deformation d of a point is the part of its acceleration that does not follow from the twist: the centripetal
//! acceleration, or a correction of its distance. A point at r from the reference point has r̈ = a_b + α_b × r + d. In
//! the expressions here the acceleration symbols stand for d.
//!
//! If joint rates are the velocities, there are no points and no deformations. The twist at q̈ = 0 is the bias. Twists
//! are then meant without the bias, and the inertia force of the bias is part of the load.

use crate::expr::Expr;
use crate::expr::vector::Vector;

/// The links, and the constraint equations that close loops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// From the root outwards.
    pub links: Vec<RigidLink>,
    /// Constraint equations that the joints of the tree do not keep: those of cut joints and prescribed motions.
    pub closing: Vec<LoopEquation>,
    /// True if joint rates are the velocities, false if points have coordinates.
    pub relative: bool,
    /// The same links in axes that turn with them, if that may be cheaper; otherwise empty.
    pub local: Vec<LocalLink>,
}

/// Largest number of entries of M that are written out. Only singular positions and assembly at other parameters use
/// them, so only mechanisms with constraint equations or holds need them.
const DENSE: usize = 4000;

impl Tree {
    /// True if M is small enough to be written out.
    pub fn has_mass(&self) -> bool {
        self.entries() <= DENSE
    }

    /// Number of entries in the lower triangle of M: one for each degree of freedom, and one for each pair of which one
    /// carries the other.
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
    /// Its degrees of freedom, each with the index of its velocity.
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
    /// The motions that its joint leaves, its degrees of freedom.
    pub freedoms: Vec<Screw>,
    /// Applied forces.
    pub load: Screw,
    /// Inertia force and torque of the deformation: Σ m d and Σ r × m d.
    pub drag: Screw,
    /// Points with coordinates of their own. Each comes after the points to which its distance is constant.
    pub points: Vec<OwnPoint>,
    /// Constraint equations of its joint, and the wrenches of their multipliers on this link.
    pub rows: Vec<(usize, Screw)>,
    /// Velocities of its degrees of freedom, if joint rates are the velocities.
    pub rates: Vec<u32>,
    /// Efforts along these degrees of freedom.
    pub efforts: Vec<Expr>,
    /// The last three degrees of freedom, if the velocities are the components of its angular velocity.
    pub turn: Option<OwnTurn>,
    /// Its twist in terms of symbols, if joint rates are the velocities.
    pub velocity: Screw,
}

/// A link in axes that turn with it, about a reference point of its own. In these axes its moments and the motions that
/// its joint leaves are constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalLink {
    /// The steps from the inboard link's axes and reference point to its own.
    pub steps: Vec<LinkStep>,
    /// Its mass.
    pub mass: Expr,
    /// Σ m r about the reference point.
    pub first_moment: Vector,
    /// The inertia tensor about the reference point.
    pub inertia: [[Expr; 3]; 3],
    /// Applied forces less the inertia force of the bias. Gravity is not among them: ground is accelerated against it.
    pub load: Screw,
    /// Its axes in world components, for quantities that are given in the world.
    pub axes: [Vector; 3],
    /// Vector from the reference point of the `RigidLink` to this one, in the link's own axes.
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
    /// A degree of freedom of the link: its index, and its motion in the axes that have been reached.
    Free(usize, Screw),
    /// Any other axes, with their components in the axes that have been reached.
    Axes([Vector; 3]),
}

/// A point with coordinates of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnPoint {
    /// Its velocities.
    pub velocities: Vec<u32>,
    /// Vector from the reference point of its link.
    pub arm: Vector,
    /// Rows that keep its distances from earlier points, or its position.
    pub rows: Vec<usize>,
    /// (U Uᵀ)⁻¹, where U are the derivatives of these rows by the point's position. U Uᵀ is the same in every pose.
    pub gram: Vec<Vec<f64>>,
}

/// A link that can turn about every axis, and whose angular velocity is among the velocities.
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
    /// Links on which its multiplier acts, each with the wrench.
    pub ends: Vec<(usize, Screw)>,
    /// Efforts of its multiplier along joint rates, in addition to these wrenches.
    pub rates: Vec<(u32, Expr)>,
}
