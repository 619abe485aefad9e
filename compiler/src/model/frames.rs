//! Frames of a joint: the triads that coincide where its coordinates are zero.
//!
//! Where a joint is free to turn about its axis, the second triad is the first one turned by the
//! smallest rotation between the two bodies' components of the axis: bodies whose frames are aligned
//! have the angle zero. Where it is not, the second triad is the first one as the second body sees it
//! in the guess. In the plane z of a triad is the axis of sliding, else e_z.

use nalgebra::Vector3;

use super::BodyId;
use super::axis::{Axes, joint_axes};
use super::context::{Context, Reported, Resolved};
use super::dimension::ANGLE;
use super::number::{constant, warn_of_bare_angle};
use super::shape::GuessedPose;
use super::triad::{self, IDENTITY, Triad};
use crate::description::{Joint, JointType, Space};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::joints::{AxisRule, TriadRule};

/// The triads of both bodies.
pub(super) struct JointFrames {
    pub first: Triad,
    pub second: Triad,
}

/// The frames of a joint between two bodies.
pub(super) fn frames(
    cx: &mut Context,
    joint: &Joint,
    bodies: [Option<BodyId>; 2],
    path: &Path,
) -> Resolved<JointFrames> {
    let at = path.key("axis");
    let axes = match &joint.axis {
        Some(axis) => Some(joint_axes(cx, axis, bodies, &at)?),
        None => None,
    };
    let poses = [cx.shape(bodies[0]).pose?, cx.shape(bodies[1]).pose?];
    if cx.planar() {
        planar(cx, joint, axes, poses, path)
    } else {
        spatial(cx, joint.kind, axes, poses, &at)
    }
}

fn planar(
    cx: &mut Context,
    joint: &Joint,
    axes: Option<Axes>,
    poses: [GuessedPose; 2],
    path: &Path,
) -> Resolved<JointFrames> {
    let relative = match &joint.angle {
        Some(angle) => {
            let path = path.key("angle");
            warn_of_bare_angle(cx, angle, &path);
            constant(cx, angle, &path, Some(ANGLE))?
        }
        None => poses[1].angle - poses[0].angle,
    };
    let facts = joint.kind.facts(Space::Planar);
    match (facts.axis, facts.triads, axes) {
        (AxisRule::OfFirst(_), _, Some(Axes::Shared(a))) => Ok(both(triad::in_plane(a))),
        (AxisRule::OfFirst(message), _, Some(_)) => {
            Err(axis_on_second(cx, message, &path.key("axis")))
        }
        (_, TriadRule::Aligned, _) => Ok(both(IDENTITY)),
        (_, TriadRule::AsGuessed, None) => Ok(locked(IDENTITY, relative)),
        (_, TriadRule::AsGuessed, Some(Axes::Each(a, b))) => {
            if joint.angle.is_some() {
                return Err(angle_and_axes(cx, &path.key("angle")));
            }
            Ok(JointFrames {
                first: triad::in_plane(a),
                second: triad::in_plane(b),
            })
        }
        (_, TriadRule::AsGuessed, Some(Axes::Shared(a))) => {
            Ok(locked(triad::in_plane(a), relative))
        }
        (_, TriadRule::AsGuessed, Some(Axes::OfSecond(b))) => Ok(JointFrames {
            first: triad::turned_in_plane(&triad::in_plane(b), relative),
            second: triad::in_plane(b),
        }),
    }
}

fn spatial(
    cx: &mut Context,
    kind: JointType,
    axes: Option<Axes>,
    poses: [GuessedPose; 2],
    path: &Path,
) -> Resolved<JointFrames> {
    let facts = kind.facts(Space::Spatial);
    let axes = match (facts.axis, facts.triads, axes) {
        (AxisRule::OfEach(message), _, Some(axes)) => return of_each(cx, message, axes, path),
        (AxisRule::OfFirst(_), _, Some(Axes::Shared(a))) => return Ok(both(triad::about(a))),
        (AxisRule::OfFirst(message), _, Some(_)) => return Err(axis_on_second(cx, message, path)),
        (_, TriadRule::AsGuessed, None) => return Ok(held(IDENTITY, None, poses)),
        (_, TriadRule::Aligned, None) => return Ok(both(IDENTITY)),
        (_, _, Some(axes)) => axes,
    };
    let (first, second) = match axes {
        Axes::Shared(a) => (a, seen(a, poses[0], poses[1])),
        Axes::OfSecond(b) => (seen(b, poses[1], poses[0]), b),
        Axes::Each(a, b) => (a, b),
    };
    let triad = triad::about(first);
    Ok(match facts.triads {
        TriadRule::Aligned => JointFrames {
            first: triad,
            second: triad::swing(&triad, second),
        },
        TriadRule::AsGuessed => held(triad, Some(second), poses),
    })
}

/// Each body gives its own axis.
fn of_each(cx: &mut Context, message: &str, axes: Axes, path: &Path) -> Resolved<JointFrames> {
    match axes {
        Axes::Each(a, b) => Ok(JointFrames {
            first: triad::about(a),
            second: triad::about(b),
        }),
        _ => {
            let diagnostic = Diagnostic::error(Code::M214, path, message);
            Err(cx.report(diagnostic.hint("for example `axis = [\"x\", \"y\"]`")))
        }
    }
}

/// The triad as the second body sees it in the guess, swung to the axis that it names.
fn held(first: Triad, axis: Option<Vector3<f64>>, poses: [GuessedPose; 2]) -> JointFrames {
    let second = if poses[0].rotation == poses[1].rotation {
        first
    } else {
        triad::turned(&first, &(poses[1].rotation.inverse() * poses[0].rotation))
    };
    let second = match axis {
        Some(axis) => triad::swing(&second, axis),
        None => second,
    };
    JointFrames { first, second }
}

fn locked(first: Triad, relative: f64) -> JointFrames {
    let second = triad::turned_in_plane(&first, -relative);
    JointFrames { first, second }
}

fn both(triad: Triad) -> JointFrames {
    JointFrames {
        first: triad,
        second: triad,
    }
}

/// A direction of one body as another one sees it in the guess.
fn seen(axis: Vector3<f64>, from: GuessedPose, to: GuessedPose) -> Vector3<f64> {
    if from.rotation == to.rotation {
        return axis;
    }
    (to.rotation.inverse() * (from.rotation * axis)).normalize()
}

fn angle_and_axes(cx: &mut Context, path: &Path) -> Reported {
    let message = "`angle` and the axes of both bodies say the same thing in two ways";
    let diagnostic = Diagnostic::error(Code::M219, path, message);
    cx.report(diagnostic.hint("remove `angle`, or give the axis of the first body alone"))
}

fn axis_on_second(cx: &mut Context, message: &str, path: &Path) -> Reported {
    let diagnostic = Diagnostic::error(Code::M213, path, message);
    cx.report(diagnostic.hint("give one axis of the first body, or swap the two ends"))
}
