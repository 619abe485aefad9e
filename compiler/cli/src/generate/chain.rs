//! Chains of any length as descriptions, to show how costs grow with the number of bodies.
//!
//! Each body hangs by a joint on the one before, the first one on ground. Masses lie off the line between the joints,
//! tensors are full, and axes have arbitrary directions. No special zero therefore makes a link cheaper. Three shapes
//! of links take turns.

use std::fmt::{self, Write};

/// The kind of joints in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainKind {
    /// Revolute joints in the plane.
    PlanarRevolute,
    /// Revolute joints in space; no two successive axes are parallel.
    SpatialRevolute,
    /// Spherical joints in space.
    SpatialSpherical,
}

/// A link as TOML: the second joint relative to the first in hundredths of a metre, then the entries of a body, and
/// the axis of its joint if it has one.
struct ChainLink {
    tip: [i64; 3],
    planar: &'static str,
    spatial: &'static str,
    axis: &'static str,
}

const LINKS: [ChainLink; 3] = [
    ChainLink {
        tip: [90, 20, -10],
        planar: "mass = 1.0, inertia = 0.08, center = [0.40, 0.06]",
        spatial: "mass = 1.0, center = [0.40, 0.06, 0.05], \
                  inertia = { xx = 0.03, yy = 0.07, zz = 0.08, xy = -0.004, xz = 0.003, yz = 0.002 }",
        axis: "[0.48, 0.60, 0.64]",
    },
    ChainLink {
        tip: [80, -30, 20],
        planar: "mass = 1.2, inertia = 0.09, center = [0.45, -0.08]",
        spatial: "mass = 1.2, center = [0.45, -0.08, 0.07], \
                  inertia = { xx = 0.04, yy = 0.08, zz = 0.09, xy = 0.005, xz = -0.002, yz = 0.004 }",
        axis: "[-0.60, 0.64, 0.48]",
    },
    ChainLink {
        tip: [70, 10, 30],
        planar: "mass = 0.9, inertia = 0.06, center = [0.30, 0.09]",
        spatial: "mass = 0.9, center = [0.30, 0.09, 0.11], \
                  inertia = { xx = 0.02, yy = 0.05, zz = 0.06, xy = 0.003, xz = 0.004, yz = -0.002 }",
        axis: "[0.64, 0.48, -0.60]",
    },
];

/// A chain of `n` bodies as TOML.
pub fn chain(kind: ChainKind, n: usize) -> String {
    let (space, gravity, joint) = match kind {
        ChainKind::PlanarRevolute => ("planar", "[0, -9.81]", "revolute"),
        ChainKind::SpatialRevolute => ("spatial", "[0, 0, -9.81]", "revolute"),
        ChainKind::SpatialSpherical => ("spatial", "[0, 0, -9.81]", "spherical"),
    };
    let mut text = format!("name = 'Chain'\nspace = '{space}'\ngravity = {gravity}\n");
    let (mut at, mut before) = ([0; 3], "ground".to_owned());
    for (i, link) in LINKS.iter().cycle().take(n).enumerate() {
        let body = match kind {
            ChainKind::PlanarRevolute => link.planar,
            ChainKind::SpatialRevolute | ChainKind::SpatialSpherical => link.spatial,
        };
        let axis = match kind {
            ChainKind::SpatialRevolute => format!(", axis = {}", link.axis),
            ChainKind::PlanarRevolute | ChainKind::SpatialSpherical => String::new(),
        };
        let (position, tip) = (kind.vector(at), kind.vector(link.tip));
        let _ = writeln!(
            text,
            "bodies.b{i} = {{ {body}, points.tip = {tip}, position = {position} }}\n\
             joints.j{i} = {{ type = '{joint}', between = ['{before}', 'b{i}']{axis} }}"
        );
        at.iter_mut().zip(link.tip).for_each(|(at, tip)| *at += tip);
        before = format!("b{i}.tip");
    }
    text
}

impl ChainKind {
    /// Every kind.
    pub const ALL: [ChainKind; 3] = [
        ChainKind::PlanarRevolute,
        ChainKind::SpatialRevolute,
        ChainKind::SpatialSpherical,
    ];

    /// The word for it in tables.
    pub fn word(self) -> &'static str {
        match self {
            ChainKind::PlanarRevolute => "planar revolute",
            ChainKind::SpatialRevolute => "spatial revolute",
            ChainKind::SpatialSpherical => "spatial spherical",
        }
    }

    /// Converts hundredths of a metre to metres; two components in the plane.
    fn vector(self, hundredths: [i64; 3]) -> String {
        let n = match self {
            ChainKind::PlanarRevolute => 2,
            ChainKind::SpatialRevolute | ChainKind::SpatialSpherical => 3,
        };
        let metres = hundredths[..n].iter().map(|&x| x as f64 / 100.0);
        format!("{:?}", metres.collect::<Vec<_>>())
    }
}

impl fmt::Display for ChainKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
