//! Orientation of a body's frame: Euler parameters, axis and angle, or two axes → a unit quaternion.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::axis::direction;
use super::context::{Context, Resolved, all, did_you_mean, with_hint};
use super::dimension::{ANGLE, NONE};
use super::number::{constant, warn_of_bare_angle};
use super::shape::PlacedShape;
use crate::description::{AxisAngle, AxisRef, Number, Orientation, OrientationAxes};
use crate::diagnostics::{Code, Diagnostic, Path};

/// From the axes of the turned frame to those of `frame`. Orientations are folded in, so they use no parameters.
pub(super) fn orientation(
    cx: &mut Context,
    written: &Orientation,
    frame: &PlacedShape,
    path: &Path,
) -> Resolved<UnitQuaternion<f64>> {
    match written {
        Orientation::EulerParameters(list) => euler_parameters(cx, list, path),
        Orientation::AxisAngle(written) => axis_angle(cx, written, frame, path),
        Orientation::Axes(written) => axes(cx, written, path),
    }
}

fn euler_parameters(
    cx: &mut Context,
    list: &[Number],
    path: &Path,
) -> Resolved<UnitQuaternion<f64>> {
    let [a, b, c, d] = list else {
        let message = format!("four Euler parameters are needed, not {}", list.len());
        let diagnostic = Diagnostic::error(Code::M215, path, message);
        return Err(cx.report(diagnostic.hint("write `[e0, e1, e2, e3]`")));
    };
    let mut k = 0;
    let e = all([a, b, c, d].map(|number| {
        k += 1;
        constant(cx, number, &path.index(k - 1), Some(NONE))
    }))?;
    let quaternion = Quaternion::new(e[0], e[1], e[2], e[3]);
    let quaternion = quaternion / quaternion.coords.amax().max(f64::MIN_POSITIVE);
    UnitQuaternion::try_new(quaternion, 1e-12).ok_or_else(|| {
        cx.error(
            Code::M208,
            path,
            "the Euler parameters have the length zero",
        )
    })
}

fn axis_angle(
    cx: &mut Context,
    written: &AxisAngle,
    frame: &PlacedShape,
    path: &Path,
) -> Resolved<UnitQuaternion<f64>> {
    let axis = match &written.axis {
        AxisRef::Components(list) => direction(cx, list, &path.key("axis")),
        AxisRef::Name(name) => named_axis(cx, name, frame, &path.key("axis")),
    };
    let at = path.key("angle");
    warn_of_bare_angle(cx, &written.angle, &at);
    let angle = constant(cx, &written.angle, &at, Some(ANGLE));
    Ok(UnitQuaternion::from_scaled_axis(axis? * angle?))
}

/// An axis of ground, with or without its name in front, or of the body that has the shape.
fn named_axis(
    cx: &mut Context,
    name: &str,
    frame: &PlacedShape,
    path: &Path,
) -> Resolved<Vector3<f64>> {
    let bare = name.strip_prefix("ground.").filter(|_| frame.is_ground);
    let bare = bare.unwrap_or(name);
    if let Some(axis) = frame.axes.get(bare) {
        return *axis;
    }
    let hint = did_you_mean(bare, frame.axes.keys().map(String::as_str));
    let whose = if frame.is_ground {
        "`ground`"
    } else {
        "the body"
    };
    let message = format!("{whose} has no axis `{bare}`");
    Err(cx.report(with_hint(
        Diagnostic::error(Code::M201, path, message),
        hint,
    )))
}

/// The third axis follows from the other two, which are perpendicular to 10⁻⁶.
fn axes(cx: &mut Context, written: &OrientationAxes, path: &Path) -> Resolved<UnitQuaternion<f64>> {
    let mut given = |list: &Option<Vec<Number>>, name: &str| {
        let list = list.as_ref()?;
        Some(direction(cx, list, &path.key(name)))
    };
    let list = [
        given(&written.x, "x"),
        given(&written.y, "y"),
        given(&written.z, "z"),
    ];
    let columns = match list {
        [Some(x), Some(y), None] => {
            let (x, y) = perpendicular(cx, x?, y?, path)?;
            [x, y, x.cross(&y)]
        }
        [None, Some(y), Some(z)] => {
            let (y, z) = perpendicular(cx, y?, z?, path)?;
            [y.cross(&z), y, z]
        }
        [Some(x), None, Some(z)] => {
            let (z, x) = perpendicular(cx, z?, x?, path)?;
            [x, z.cross(&x), z]
        }
        [Some(_), Some(_), Some(_)] => {
            let message = "two axes define an orientation; the third follows";
            let diagnostic = Diagnostic::error(Code::M219, path, message);
            return Err(cx.report(diagnostic.hint("leave one of them out")));
        }
        _ => {
            let message = "two axes are needed to define an orientation";
            let diagnostic = Diagnostic::error(Code::M214, path, message);
            return Err(cx.report(diagnostic.hint("give two of `x`, `y` and `z`")));
        }
    };
    let matrix = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&columns));
    Ok(UnitQuaternion::from_rotation_matrix(&matrix))
}

fn perpendicular(
    cx: &mut Context,
    a: Vector3<f64>,
    b: Vector3<f64>,
    path: &Path,
) -> Resolved<(Vector3<f64>, Vector3<f64>)> {
    let along = a.dot(&b);
    if along.abs() > 1e-6 {
        let message = format!(
            "the axes are {:.4}° apart, not 90°",
            along.clamp(-1.0, 1.0).acos().to_degrees()
        );
        let diagnostic = Diagnostic::error(Code::M222, path, message);
        return Err(cx.report(diagnostic.hint("correct one of them")));
    }
    Ok((a, (b - a * along).normalize()))
}
