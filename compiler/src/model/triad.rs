//! Frames of joints: orthonormal triads, rows x, y, z in the axes of a body.

use nalgebra::{UnitQuaternion, Vector3};

/// Rows x, y, z.
pub(super) type Triad = [[f64; 3]; 3];

/// x, y and z of the body itself.
pub(super) const IDENTITY: Triad = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A triad about `z`: x is the basis vector least parallel to z (the first of several), made
/// perpendicular to it.
pub(super) fn about(z: Vector3<f64>) -> Triad {
    let mut least = 0;
    for k in 1..3 {
        if z[k].abs() < z[least].abs() {
            least = k;
        }
    }
    let mut start = Vector3::zeros();
    start[least] = 1.0;
    let x = (start - z * z[least]).normalize();
    rows(x, z.cross(&x), z)
}

/// A triad with its z along an axis in the plane: x = z turned by +90°, y = e_z.
pub(super) fn in_plane(axis: Vector3<f64>) -> Triad {
    rows(
        Vector3::new(-axis.y, axis.x, 0.0),
        Vector3::z(),
        Vector3::new(axis.x, axis.y, 0.0),
    )
}

/// The triad turned by the smallest rotation that takes its z to `to`; by half a turn about its x if
/// that is opposite.
pub(super) fn swing(triad: &Triad, to: Vector3<f64>) -> Triad {
    let from = Vector3::from(triad[2]);
    if (from - to).norm() < 1e-12 {
        return *triad;
    }
    match UnitQuaternion::rotation_between(&from, &to) {
        Some(rotation) if (from + to).norm() > 1e-9 => turned(triad, &rotation),
        _ => [
            triad[0],
            triad[1].map(|c| 0.0 - c),
            triad[2].map(|c| 0.0 - c),
        ],
    }
}

/// Every row turned.
pub(super) fn turned(triad: &Triad, rotation: &UnitQuaternion<f64>) -> Triad {
    triad.map(|row| clean(rotation * Vector3::from(row)))
}

/// Every row turned about e_z.
pub(super) fn turned_in_plane(triad: &Triad, angle: f64) -> Triad {
    if angle == 0.0 {
        return *triad;
    }
    let (s, c) = angle.sin_cos();
    triad.map(|[x, y, z]| clean(Vector3::new(c * x - s * y, s * x + c * y, z)))
}

fn rows(x: Vector3<f64>, y: Vector3<f64>, z: Vector3<f64>) -> Triad {
    [clean(x), clean(y), clean(z)]
}

/// Without negative zeros.
fn clean(v: Vector3<f64>) -> [f64; 3] {
    [v.x + 0.0, v.y + 0.0, v.z + 0.0]
}
