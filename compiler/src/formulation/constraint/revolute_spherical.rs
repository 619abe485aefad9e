//! Revolute–spherical: a massless rod of the length L with a hinge on the first body and a ball on the second,
//!
//! ```text
//! z1·d = 0        ½ (d·d/L − L) = 0
//! ```
//!
//! The usual composite joint (Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems, 1989): the rod is
//! perpendicular to the hinge's axis. It leaves no coordinates that serve in every pose.

use super::{Kind, distance};

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = vec![sides.in_plane(2, "distance from the plane of the hinge")];
        rows.extend((distance::KIND.rows)(sides));
        rows
    },
    coordinate: |_, _| None,
    freedoms: |_| None,
};
