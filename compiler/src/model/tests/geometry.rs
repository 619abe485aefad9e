use super::*;
use crate::description::Space;
use crate::expr::Expr;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

fn body(rest: &str) -> String {
    format!("-bodies.a\nbodies.a = {{ mass = 2, inertia = [1, 1, 1], {rest} }}")
}

fn joint(space: Space, text: &str) -> crate::model::Joint {
    let base = if space == Space::Planar {
        PENDULUM
    } else {
        FREE
    };
    model(&with(base, &format!("-joints\n{text}")))
        .joints
        .remove(0)
}

fn matrix(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| rows[i][j])
}

fn orthonormal(rows: [[f64; 3]; 3]) {
    let m = matrix(rows);
    assert!((m * m.transpose() - Matrix3::identity()).norm() < 1e-14);
    assert!((m.determinant() - 1.0).abs() < 1e-14);
}

#[test]
fn everything_is_about_the_centre_of_mass() {
    let text = with(
        FREE,
        &body(
            "center = [1, 0, 0], points.p = [3, 0, 0], position = [10, 0, 0], velocity = [0, 1, 0], \
         orientation = { axis = \"z\", angle = \"90 deg\" }, angular_velocity = [0, 0, 2]",
        ),
    );
    let a = model(&text).bodies.remove(0);
    assert_eq!(a.origin, [-1.0, 0.0, 0.0].map(Expr::constant));
    assert_eq!(a.points[0].1, [2.0, 0.0, 0.0].map(Expr::constant));
    let close = |a: [f64; 3], b: [f64; 3]| (Vector3::from(a) - Vector3::from(b)).norm() < 1e-14;
    assert!(close(a.position, [10.0, 1.0, 0.0]));
    assert!(close(a.velocity, [-2.0, 1.0, 0.0]));
}

#[test]
fn parallel_axes() {
    let text = "-bodies.a\nbodies.a = { mass = 2, center = [1, 2, 3], points.p = [2, 4, 6], \
                inertia = { xx = 500, yy = 500, zz = 500, xy = 1, xz = 2, yz = 3, about = \"p\" } }";
    let a = model(&with(FREE, text)).bodies.remove(0);
    let d = Vector3::new(1.0, 2.0, 3.0);
    let p = Matrix3::new(500.0, 1.0, 2.0, 1.0, 500.0, 3.0, 2.0, 3.0, 500.0);
    let expected: Matrix3<f64> =
        p - (Matrix3::<f64>::identity() * d.norm_squared() - d * d.transpose()) * 2.0;
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(a.inertia[i][j], Expr::constant(expected[(i, j)]));
        }
    }
}

#[test]
fn orientations() {
    let turned = |text: &str| {
        let e = model(&with(FREE, &body(&format!("orientation = {text}")))).bodies[0].orientation;
        UnitQuaternion::from_quaternion(Quaternion::new(e[0], e[1], e[2], e[3]))
    };
    let quarter = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
    for text in [
        "[2, 2, 0, 0]",
        "{ axis = [1, 0, 0], angle = \"90 deg\" }",
        "{ x = [1, 0, 0], y = [0, 0, 1] }",
        "{ y = [0, 0, 1], z = [0, -1, 0] }",
        "{ x = [1, 0, 0], z = [0, -1, 0] }",
    ] {
        assert!(turned(text).angle_to(&quarter) < 1e-12, "{text}");
    }
    let wrong = |text: &str, expected: &str| {
        check_free(&body(&format!("orientation = {text}")), &[expected])
    };
    wrong("[0, 0, 0, 0]", "M208 bodies.a.orientation");
    wrong(
        "{ axis = \"w\", angle = 1 }",
        "M201 bodies.a.orientation.axis",
    );
    wrong("{ x = [1, 0, 0] }", "M214 bodies.a.orientation");
    wrong(
        "{ x = [1, 0, 0], y = [0, 1, 0], z = [0, 0, 1] }",
        "M219 bodies.a.orientation",
    );
    wrong(
        "{ x = [1, 0, 0], y = [0.6, 0.8, 0] }",
        "M222 bodies.a.orientation",
    );
    check_free(&body("angle = 1"), &["M213 bodies.a.angle"]);
}

#[test]
fn axes_are_directions() {
    let axis = |text: &str, expected: &[&str]| {
        check_free(
            &body(&format!("points.p = [0, 0, 0], axes.h = {text}")),
            expected,
        )
    };
    axis("[0, 0, 0]", &["M208 bodies.a.axes.h"]);
    axis("[0, 0, 2]", &[]);
    axis("[1e200, -1e200, 0]", &[]);
    axis("[0, 1]", &["M215 bodies.a.axes.h"]);
    axis("[0, 0, 1.0000001]", &[]);
    axis(
        "{ through = [\"origin\", \"p\"] }",
        &["M210 bodies.a.axes.h.through"],
    );
    axis(
        "{ through = [\"origin\", \"q\"] }",
        &["M201 bodies.a.axes.h.through[1]"],
    );
    let text = with(FREE, &body("axes.h = [0, 0, 0]"));
    assert!(first_message(&text).contains("such as `[1, 0, 0]`"));
}

#[test]
fn joints_end_on_two_bodies() {
    check_free(
        "joints.J = { type = \"spherical\", between = [\"a\", \"a.center\"] }",
        &["M203 joints.J.between"],
    );
    check_free(
        "joints.J = { type = \"spherical\", between = [\"a\", \"b.center\"], at = [0, 0, 0] }",
        &["M219 joints.J.between[1]"],
    );
    check_free(
        "joints.J = { type = \"spherical\", between = [\"a\", \"b.c.d\"] }",
        &["M201 joints.J.between[1]"],
    );
    let text = with(
        &with(
            FREE,
            &body(
                "center = [1, 0, 0], position = [0, 5, 0], orientation = { axis = \"z\", angle = \"90 deg\" }",
            ),
        ),
        "joints.J = { type = \"spherical\", between = [\"ground\", \"a\"], at = [0, 7, 0] }",
    );
    let joint = model(&text).joints.remove(0);
    assert_eq!(joint.first.point, [0.0, 7.0, 0.0].map(Expr::constant));
    let local = joint
        .second
        .point
        .map(|c| c.as_constant().unwrap_or(f64::NAN));
    assert!((Vector3::from(local) - Vector3::new(1.0, 0.0, 0.0)).norm() < 1e-14);
}

#[test]
fn keys_belong_to_kinds_of_joints() {
    let planar = |text: &str, expected: &[&str]| {
        check_pendulum(
            &format!("-joints\njoints.J = {{ between = [\"ground\", \"rod\"], {text} }}"),
            expected,
        );
    };
    planar("type = \"spherical\"", &["M213 joints.J.type"]);
    planar("type = \"revolute\", axis = \"z\"", &["M213 joints.J.axis"]);
    planar("type = \"prismatic\"", &["M214 joints.J"]);
    planar(
        "type = \"prismatic\", axis = \"z\"",
        &["M215 joints.J.axis"],
    );
    planar("type = \"prismatic\", axis = [3, 4]", &[]);
    planar(
        "type = \"prismatic\", axis = [\"x\", \"y\"], angle = 1",
        &["M219 joints.J.angle"],
    );
    planar(
        "type = \"pin-slot\", axis = \"rod.x\"",
        &["M213 joints.J.axis"],
    );
    planar(
        "type = \"revolute\", length = 1, angle = 2",
        &["M213 joints.J.length", "M213 joints.J.angle"],
    );
    planar("type = \"distance\"", &["M212 joints.J"]);
    planar(
        "type = \"revolute\", motion = { angel = \"t\" }",
        &["M217 joints.J.motion.angel"],
    );
    let spatial = |text: &str, expected: &[&str]| {
        check_free(
            &format!("joints.J = {{ between = [\"ground\", \"a\"], {text} }}"),
            expected,
        );
    };
    spatial("type = \"revolute\"", &["M214 joints.J"]);
    spatial(
        "type = \"revolute\", axis = \"b.x\"",
        &["M201 joints.J.axis"],
    );
    spatial("type = \"revolute\", axis = \"w\"", &["M201 joints.J.axis"]);
    spatial(
        "type = \"revolute\", axis = [1, 2]",
        &["M215 joints.J.axis"],
    );
    spatial("type = \"revolute\", axis = [\"x\", [0, 0, 2]]", &[]);
    spatial(
        "type = \"universal\", axis = \"x\"",
        &["M214 joints.J.axis"],
    );
    spatial("type = \"universal\", axis = [\"x\", \"a.y\"]", &[]);
    spatial(
        "type = \"fixed\", motion = { angle = 1 }",
        &["M217 joints.J.motion.angle"],
    );
}

#[test]
fn turning_joints_are_at_zero_where_the_frames_are_aligned() {
    let z = joint(
        Space::Spatial,
        "joints.J = { type = \"revolute\", between = [\"a\", \"b\"], axis = \"z\" }",
    );
    assert_eq!(matrix(z.first_frame), Matrix3::identity());
    assert_eq!(z.second_frame, z.first_frame);
    let h = joint(
        Space::Spatial,
        "joints.J = { type = \"revolute\", between = [\"a\", \"b\"], axis = [[0.6, 0, 0.8], \"y\"] }",
    );
    orthonormal(h.first_frame);
    orthonormal(h.second_frame);
    assert_eq!(h.first_frame[2], [0.6, 0.0, 0.8]);
    assert!((Vector3::from(h.second_frame[2]) - Vector3::y()).norm() < 1e-14);
    let o = joint(
        Space::Spatial,
        "joints.J = { type = \"revolute\", between = [\"a\", \"b\"], axis = [\"z\", [0, 0, -1]] }",
    );
    assert_eq!(
        o.second_frame,
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]
    );
}

#[test]
fn one_axis_points_the_same_way_in_the_guess() {
    let turned = body("orientation = { axis = \"x\", angle = \"90 deg\" }");
    for kind in ["revolute", "prismatic"] {
        let text = format!(
            "{turned}\njoints.J = {{ type = \"{kind}\", between = [\"ground\", \"a\"], axis = \"z\" }}"
        );
        let joint = joint(Space::Spatial, &text);
        assert!(
            (Vector3::from(joint.second_frame[2]) - Vector3::y()).norm() < 1e-14,
            "{kind}"
        );
        orthonormal(joint.second_frame);
    }
    let text = format!(
        "{turned}\njoints.J = {{ type = \"revolute\", between = [\"ground\", \"a\"], axis = \"a.z\" }}"
    );
    let joint = joint(Space::Spatial, &text);
    assert!((Vector3::from(joint.first_frame[2]) + Vector3::y()).norm() < 1e-14);
}

#[test]
fn locked_joints_keep_the_guess() {
    let text = format!(
        "{}\njoints.J = {{ type = \"fixed\", between = [\"a\", \"b\"] }}",
        body("orientation = { axis = \"z\", angle = \"30 deg\" }")
    );
    let fixed = joint(Space::Spatial, &text);
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 30_f64.to_radians());
    for row in 0..3 {
        let seen = turn * Vector3::from(fixed.first_frame[row]);
        assert!((Vector3::from(fixed.second_frame[row]) - seen).norm() < 1e-14);
    }
}

#[test]
fn planar_frames() {
    let slide = joint(
        Space::Planar,
        "joints.J = { type = \"prismatic\", between = [\"ground\", \"rod\"], axis = [0.6, 0.8], angle = \"90 deg\" }",
    );
    assert_eq!(
        slide.first_frame,
        [[-0.8, 0.6, 0.0], [0.0, 0.0, 1.0], [0.6, 0.8, 0.0]]
    );
    orthonormal(slide.first_frame);
    orthonormal(slide.second_frame);
    assert!((Vector3::from(slide.second_frame[2]) - Vector3::new(0.8, -0.6, 0.0)).norm() < 1e-15);
    let both = joint(
        Space::Planar,
        "joints.J = { type = \"prismatic\", between = [\"ground\", \"rod\"], axis = [\"x\", \"rod.y\"] }",
    );
    assert_eq!(both.second_frame[2], [0.0, 1.0, 0.0]);
    let slot = joint(
        Space::Planar,
        "joints.J = { type = \"pin-slot\", between = [\"ground\", \"rod\"], axis = \"y\" }",
    );
    assert_eq!(slot.first_frame, slot.second_frame);
    let fixed = joint(
        Space::Planar,
        "joints.J = { type = \"fixed\", between = [\"ground\", \"rod\"], angle = \"90 deg\" }",
    );
    assert!((Vector3::from(fixed.second_frame[0]) - Vector3::new(0.0, -1.0, 0.0)).norm() < 1e-15);
}

#[test]
fn a_rod_keeps_the_distance_of_the_guess() {
    let rod = joint(
        Space::Planar,
        "joints.J = { type = \"distance\", between = [\"ground.pin\", \"rod.tip\"] }",
    );
    assert_eq!(rod.length, Expr::constant(0.5));
}

/// Whatever its length, an axis is a unit vector in the model.
#[test]
fn axes_are_scaled_to_unit_length() {
    let axis = |text: &str| {
        let joint = format!(
            "joints.J = {{ type = \"revolute\", between = [\"ground\", \"a\"], axis = {text} }}"
        );
        model(&with(FREE, &joint)).joints[0].first_frame[2]
    };
    assert_eq!(axis("[0, 3, 4]"), [0.0, 0.6, 0.8]);
    let half = 1.0 / 2_f64.sqrt();
    assert_eq!(axis("[1, 1, 0]"), [half, half, 0.0]);
    assert_eq!(axis("[0, 1e-9, 0]"), [0.0, 1.0, 0.0]);
    let large = axis("[1e200, -1e200, 0]");
    // A quotient and a root round once each.
    assert!((large[0] - 0.5_f64.sqrt()).abs() <= 2.0 * f64::EPSILON);
    assert_eq!(large[1], -large[0]);
    check_free(
        "joints.J = { type = \"revolute\", between = [\"ground\", \"a\"], axis = [0, 0, 0] }",
        &["M208 joints.J.axis"],
    );
}
