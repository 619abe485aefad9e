//! Couplings: which coordinates they tie together, and in which ratio.

use super::context::{Context, Reported, Resolved, did_you_mean, with_hint};
use super::dimension::{LENGTH, NONE, TORQUE, of};
use super::joint::{coordinate, not_zero, spring};
use super::names::NamedElement;
use super::place::forbid;
use super::{Coupling, JointCoordinate, JointId, Spring};
use crate::description::{self, CouplingType};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// A coupling; M201, M213, M214, M217, M219, M228, M229. The turns of its angles count.
pub(super) fn coupling(
    cx: &mut Context,
    name: &str,
    written: &description::Coupling,
    path: &Path,
) -> Resolved<Coupling> {
    let keys = keys(cx, written, path);
    let ratio = ratio(cx, written, path);
    let ends = ends(cx, name, written, &path.key("between"));
    let compliance = compliance(cx, written, path);
    keys?;
    let [first, second] = ends?;
    Ok(Coupling {
        name: name.to_owned(),
        path: path.clone(),
        kind: written.kind,
        first,
        second,
        ratio: ratio?,
        compliance: compliance?,
    })
}

/// Refuses keys that the kind has no use for.
fn keys(cx: &mut Context, written: &description::Coupling, path: &Path) -> Resolved<()> {
    let gear = written.kind == CouplingType::Gear;
    let wrong = [
        ("ratio", written.ratio.is_some() && !gear),
        ("teeth", written.teeth.is_some() && !gear),
        ("radius", written.radius.is_some() && gear),
        ("travel", written.travel.is_some() && gear),
    ];
    let kind = written.kind.word();
    let why = format!("a coupling of type `{kind}` has no use for this key");
    forbid(cx, Code::M213, &wrong, &why, path)
}

/// Motion of the second coordinate for a unit of the first: the ratio or −z₁/z₂ of gears, the radius or travel/2π of a
/// rack.
fn ratio(cx: &mut Context, written: &description::Coupling, path: &Path) -> Resolved<Expr> {
    match written.kind {
        CouplingType::Gear => match (&written.ratio, &written.teeth) {
            (Some(ratio), None) => not_zero(cx, ratio, &path.key("ratio"), NONE),
            (None, Some(teeth)) => of_teeth(cx, teeth, &path.key("teeth")),
            (Some(_), Some(_)) => Err(twice(cx, ["ratio", "teeth"], path)),
            (None, None) => Err(missing(cx, "ratio` or `teeth", "teeth = [20, 50]", path)),
        },
        CouplingType::Rack => match (&written.radius, &written.travel) {
            (Some(radius), None) => not_zero(cx, radius, &path.key("radius"), LENGTH),
            (None, Some(travel)) => {
                let travel = not_zero(cx, travel, &path.key("travel"), LENGTH)?;
                Ok(travel / Expr::constant(std::f64::consts::TAU))
            }
            (Some(_), Some(_)) => Err(twice(cx, ["radius", "travel"], path)),
            (None, None) => Err(missing(
                cx,
                "radius` or `travel",
                "radius = \"25 mm\"",
                path,
            )),
        },
    }
}

/// −z₁/z₂: wheels that mesh turn in opposite directions, and a ring gear has a negative number.
fn of_teeth(cx: &mut Context, teeth: &[description::Number; 2], path: &Path) -> Resolved<Expr> {
    let first = not_zero(cx, &teeth[0], &path.index(0), NONE);
    let second = not_zero(cx, &teeth[1], &path.index(1), NONE);
    Ok(-(first? / second?))
}

type CoupledCoordinate = (JointId, JointCoordinate);

fn ends(
    cx: &mut Context,
    name: &str,
    written: &description::Coupling,
    path: &Path,
) -> Resolved<[CoupledCoordinate; 2]> {
    let wanted = match written.kind {
        CouplingType::Gear => [Sort::Angle, Sort::Angle],
        CouplingType::Rack => [Sort::Angle, Sort::Displacement],
    };
    let first = end(cx, &written.between[0], wanted[0], &path.index(0));
    let second = end(cx, &written.between[1], wanted[1], &path.index(1));
    let (first, second) = (first?, second?);
    if first == second {
        let text = &written.between[0];
        let message = format!("`{name}` couples `{text}` with itself");
        let diagnostic = Diagnostic::error(Code::M229, path, message);
        return Err(cx.report(diagnostic.hint("name two joints, or two coordinates of one")));
    }
    for (joint, coordinate) in [first, second] {
        cx.count_turns(joint, coordinate);
    }
    Ok([first, second])
}

/// The kind of coordinate that a coupling ties.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Angle,
    Displacement,
}

impl Sort {
    /// A distance is no way that a joint is free to go.
    fn has(self, coordinate: JointCoordinate) -> bool {
        match self {
            Self::Angle => coordinate.is_angle(),
            Self::Displacement => !coordinate.is_angle() && coordinate != JointCoordinate::Length,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Angle => "angle",
            Self::Displacement => "displacement",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Angle => {
                "name a joint that turns, such as a `revolute` one; a `rack` names it before the one that slides"
            }
            Self::Displacement => {
                "name a joint that slides, such as a `prismatic` one, after the one that turns; two that turn are a `gear`"
            }
        }
    }
}

/// The coordinate that `joint` or `joint.coordinate` names.
fn end(cx: &mut Context, text: &str, sort: Sort, path: &Path) -> Resolved<CoupledCoordinate> {
    let (joint, named) = match text.split_once('.') {
        Some((joint, named)) => (joint, Some(named)),
        None => (text, None),
    };
    let Some(NamedElement::Joint(id)) = cx.names.get(joint).copied() else {
        return Err(no_joint(cx, joint, path));
    };
    let kind = cx.description.joints[joint].kind;
    if let Some(named) = named {
        let found = coordinate(cx, joint, kind, named, path)?;
        return match sort.has(found) {
            true => Ok((id, found)),
            false => {
                let message = format!("`{text}` is no {}", sort.word());
                Err(cx.report(Diagnostic::error(Code::M217, path, message).hint(sort.hint())))
            }
        };
    }
    let list = kind.facts(cx.description.space).coordinates.iter();
    let fitting: Vec<_> = list.filter(|c| sort.has(**c)).collect();
    match fitting.as_slice() {
        [only] => Ok((id, **only)),
        [] => {
            let message = format!("the {kind} joint `{joint}` has no {}", sort.word());
            Err(cx.report(Diagnostic::error(Code::M217, path, message).hint(sort.hint())))
        }
        several => {
            let names = several.iter().map(|c| format!("`{joint}.{c}`"));
            let names = names.collect::<Vec<_>>().join(" or ");
            let message = format!("`{joint}` has several coordinates that could be meant");
            let diagnostic = Diagnostic::error(Code::M214, path, message);
            Err(cx.report(diagnostic.hint(format!("write {names}"))))
        }
    }
}

fn no_joint(cx: &mut Context, name: &str, path: &Path) -> Reported {
    let message = match cx.names.get(name) {
        Some(kind) => format!("`{name}` is {}, not a joint", kind.describe()),
        None => format!("no joint is called `{name}`"),
    };
    let hint = did_you_mean(name, cx.description.joints.keys().map(String::as_str));
    cx.report(with_hint(
        Diagnostic::error(Code::M201, path, message),
        hint,
    ))
}

fn twice(cx: &mut Context, [one, other]: [&str; 2], path: &Path) -> Reported {
    let message = format!("`{one}` and `{other}` both say how the coordinates are tied");
    let diagnostic = Diagnostic::error(Code::M219, &path.key(other), message);
    cx.report(diagnostic.hint("remove one of them"))
}

fn missing(cx: &mut Context, keys: &str, example: &str, path: &Path) -> Reported {
    let diagnostic = Diagnostic::error(Code::M214, path, format!("`{path}` needs `{keys}`"));
    cx.report(diagnostic.hint(format!("for example `{example}`")))
}

fn compliance(cx: &mut Context, written: &description::Coupling, path: &Path) -> Resolved<Spring> {
    let [stiffness, damping] = match written.kind {
        CouplingType::Gear => [TORQUE, of(1, 2, -1)],
        CouplingType::Rack => [of(1, 0, -2), of(1, 0, -1)],
    };
    spring(
        cx,
        (&written.stiffness, path.key("stiffness"), stiffness),
        (&written.damping, path.key("damping"), damping),
    )
}
