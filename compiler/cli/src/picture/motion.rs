//! The poses of the bodies in a run.

use nalgebra::{Matrix3, Rotation3, Unit, UnitQuaternion, Vector3};

use super::record::Record;
use super::scene::{Anchor, DrawnBody, Scene};
use super::vector::{V, across, add, turned};
use crate::description::Space;
use crate::model::{Extent, pose_name};

/// Poses of all bodies at the times of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedMotion {
    /// Times, in increasing order.
    pub times: Vec<f64>,
    /// For each time the pose of each body.
    pub frames: Vec<Vec<Pose>>,
}

/// The pose of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its centre.
    pub center: V,
    /// Euler parameters of its rotation, of unit length; neighbours in time have the same sign.
    pub turn: [f64; 4],
}

impl RecordedMotion {
    /// The poses in a record; `None` if it has none.
    pub fn new(scene: &Scene, record: &Record) -> Option<Self> {
        let tracks = scene
            .bodies
            .iter()
            .map(|body| track(scene.space, body, record));
        let tracks: Vec<Vec<Pose>> = tracks.collect::<Option<_>>()?;
        let frame = |k: usize| tracks.iter().map(|track| track[k]).collect();
        Some(Self {
            times: record.times().to_vec(),
            frames: (0..record.times().len()).map(frame).collect(),
        })
    }

    /// Positions of a place at all times.
    pub fn path(&self, place: Anchor) -> Vec<V> {
        self.frames
            .iter()
            .map(|frame| located(frame, place))
            .collect()
    }
}

/// Position of a place in the world.
pub(super) fn located(frame: &[Pose], place: Anchor) -> V {
    match place.on {
        None => place.at,
        Some(body) => add(frame[body].center, turned(frame[body].turn, place.at)),
    }
}

fn track(space: Space, body: &DrawnBody, record: &Record) -> Option<Vec<Pose>> {
    let column = |k: usize| record.column(&pose_name(&body.name, k));
    let n_axes = match space {
        Space::Planar => 2,
        Space::Spatial => 3,
    };
    let vector = |from: usize, row: usize| -> Option<V> {
        let mut vector = [0.0; 3];
        for (k, c) in vector.iter_mut().enumerate().take(n_axes) {
            *c = column(from + k)?[row];
        }
        Some(vector)
    };
    let mut last = [1.0, 0.0, 0.0, 0.0];
    let pose = |row: usize| {
        let turn = match (body.extent, space) {
            (Extent::Point, _) => UnitQuaternion::identity(),
            (Extent::Line(axis), _) => swung(axis, vector(n_axes, row)?),
            (Extent::Body, Space::Planar) => swung([1.0, 0.0, 0.0], vector(n_axes, row)?),
            (Extent::Body, Space::Spatial) => turn(vector(n_axes, row)?, vector(2 * n_axes, row)?),
        };
        last = near(turn, last);
        Some(Pose {
            center: vector(0, row)?,
            turn: last,
        })
    };
    (0..record.times().len()).map(pose).collect()
}

/// The smallest rotation from one direction to another; in the plane it is about z.
fn swung(from: V, to: V) -> UnitQuaternion<f64> {
    let (from, to) = (Vector3::from(from), Vector3::from(to));
    let half_a_turn = || {
        let axis = Unit::new_unchecked(Vector3::from(across(from.into())[0]));
        UnitQuaternion::from_axis_angle(&axis, std::f64::consts::PI)
    };
    UnitQuaternion::rotation_between(&from, &to).unwrap_or_else(half_a_turn)
}

/// The rotation that has these images of x and y, which are first made perpendicular again.
fn turn(x: V, y: V) -> UnitQuaternion<f64> {
    let (x, y) = (Vector3::from(x), Vector3::from(y));
    let x = x.normalize();
    let y = (y - x * x.dot(&y)).normalize();
    let matrix = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix))
}

/// Euler parameters of a rotation, with the sign that is nearer to the last ones.
fn near(turn: UnitQuaternion<f64>, last: [f64; 4]) -> [f64; 4] {
    let q = turn.quaternion();
    let now = [q.w, q.i, q.j, q.k];
    let product: f64 = now.iter().zip(last).map(|(a, b)| a * b).sum();
    match product < 0.0 {
        true => now.map(|c| -c),
        false => now,
    }
}
