//! Random vectors, rotations, bodies and links.

use bellcrank_compiler::description::Space;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::physics::mechanism::{Body, Vector};

/// A body with its joint to a parent, before either has a name.
#[derive(Clone, Debug)]
pub struct Link {
    pub body: Body,
    pub parent: Index,
    pub kind: Index,
    pub at: Vector,
    /// How far the second point is along the directions that the joint leaves.
    pub offset: Vector,
    pub axis: Vector,
    /// Anything that is not parallel to the axis.
    pub other: Vector,
    pub by_at: bool,
    pub swapped: bool,
}

/// Components in [−1, 1]; z is zero in the plane.
pub fn vector(space: Space) -> impl Strategy<Value = Vector> {
    let z = if space == Space::Planar { 0.0 } else { 1.0 };
    prop::array::uniform3(-1.0..1.0).prop_map(move |[x, y, w]| Vector::new(x, y, z * w))
}

/// A unit vector.
pub fn direction(space: Space) -> impl Strategy<Value = Vector> {
    vector(space)
        .prop_filter("has a direction", |v| v.norm() > 0.2)
        .prop_map(|v| v.normalize())
}

/// Any rotation, with its angle in the plane.
pub fn rotation(space: Space) -> BoxedStrategy<(UnitQuaternion<f64>, f64)> {
    if space == Space::Planar {
        let about_z = |angle| UnitQuaternion::from_axis_angle(&Vector::z_axis(), angle);
        return (-4.0..4.0)
            .prop_map(move |angle| (about_z(angle), angle))
            .boxed();
    }
    prop::array::uniform4(-1.0..1.0)
        .prop_map(|[a, b, c, d]: [f64; 4]| Quaternion::new(a, b, c, d))
        .prop_filter("has a direction", |q| q.norm() > 0.2)
        .prop_map(|q| (UnitQuaternion::from_quaternion(q), 0.0))
        .boxed()
}

/// A physical tensor: the principal second moments are positive, one of a lamina is zero, and the axes may
/// be turned.
pub fn inertia(space: Space, mass: f64) -> impl Strategy<Value = Matrix3<f64>> {
    let turned = prop::option::of(rotation(space));
    let flat = prop_oneof![Just(0.0), Just(1.0), Just(1.0)];
    (prop::array::uniform3(0.02..0.3), flat, turned).prop_map(move |([a, b, c], flat, turned)| {
        let a = flat * a;
        let principal = Matrix3::from_diagonal(&(mass * Vector::new(b + c, a + c, a + b)));
        match turned {
            Some((turn, _)) if space == Space::Spatial => {
                let axes = turn.to_rotation_matrix().into_inner();
                axes * principal * axes.transpose()
            }
            _ => principal,
        }
    })
}

pub fn body(space: Space) -> impl Strategy<Value = Body> {
    let with_inertia =
        (0.5..3.0).prop_flat_map(move |mass| (Just(mass), inertia(space, mass), any::<bool>()));
    let motion = (vector(space), prop::array::uniform3(-2.0..2.0));
    let pose = (vector(space), rotation(space));
    (with_inertia, vector(space), pose, motion).prop_map(
        move |((mass, inertia, about_origin), center, (position, (rotation, angle)), (v, w))| {
            let in_plane = Vector::new(0.0, 0.0, w[2]);
            Body {
                name: String::new(),
                mass,
                inertia,
                about_origin,
                center: 0.3 * center,
                position,
                rotation,
                angle,
                velocity: v,
                spin: if space == Space::Planar {
                    in_plane
                } else {
                    Vector::from(w)
                },
                free: false,
            }
        },
    )
}

pub fn link(space: Space) -> impl Strategy<Value = Link> {
    let choice = (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>());
    let place = (
        vector(space),
        vector(space),
        direction(space),
        direction(space),
    );
    (body(space), choice, place).prop_map(
        |(body, (parent, kind, by_at, swapped), (at, offset, axis, other))| Link {
            body,
            parent,
            kind,
            at,
            offset,
            axis,
            other,
            by_at,
            swapped,
        },
    )
}

pub fn named(body: &Body, index: usize) -> Body {
    Body {
        name: format!("b{index}"),
        ..body.clone()
    }
}
