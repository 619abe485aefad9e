//! Messages for joints, motions and holds that stay open, in the words of the model.

use super::assemble::{Contradiction, Gap, OpenJoint, Remedy};
use super::mechanism::Mechanism;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::front_end::Role;

/// One T305 for each element that stays open.
pub fn open(mechanism: &Mechanism, open: &[OpenJoint]) -> Diagnostics {
    let diagnostic = |one: &OpenJoint| match one {
        OpenJoint::Joint(gap) => joint(mechanism, gap),
        OpenJoint::Row(row, left) => row_of(mechanism, *row, *left),
        OpenJoint::Driver(row, left, at) => driver(mechanism, *row, *left, *at),
        OpenJoint::Drivers(found) => drivers(mechanism, found),
        OpenJoint::Hold(index, left) => hold(mechanism, *index, *left),
    };
    open.iter().map(diagnostic).collect()
}

fn joint(mechanism: &Mechanism, gap: &Gap) -> Diagnostic {
    let name = &mechanism.elements.joints[gap.joint].name;
    let amount = amount(gap.gap, gap.is_angle);
    let message = match gap.is_angle {
        true => format!("joint `{name}` does not close: its directions stay {amount} apart"),
        false => format!("joint `{name}` does not close: it stays open by {amount}"),
    };
    let path = Path::new("joints").key(name);
    let diagnostic = Diagnostic::error(Code::T305, &path, message).label("stays open");
    diagnostic.hint(next_move(mechanism, gap, &amount))
}

/// Names the lengths that would close the loop, else its bodies. A length that exceeds all others together by far
/// probably has a wrong unit.
fn next_move(mechanism: &Mechanism, gap: &Gap, amount: &str) -> String {
    let body = |body: &Option<usize>| match body {
        Some(index) => format!("`{}`", mechanism.elements.bodies[*index].name),
        None => "the distance on ground".to_owned(),
    };
    if let Some((link, length)) = out_of_scale(&gap.links) {
        return format!(
            "{} is {} long from joint to joint, far more than all other lengths of this loop together: check its unit \
             (`mm`, `cm`, `m`)",
            body(&link),
            self::amount(length, false)
        );
    }
    let wanted = |remedy: Remedy| -> Vec<String> {
        let fitting = gap.remedies.iter().filter(|(_, one)| *one == remedy);
        fitting.map(|(link, _)| body(link)).collect()
    };
    let parts = [
        ("longer", wanted(Remedy::Longer)),
        ("shorter", wanted(Remedy::Shorter)),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, bodies)| !bodies.is_empty())
        .map(|(word, bodies)| format!("{} {amount} {word}", bodies.join(" or ")))
        .collect();
    let bodies: Vec<String> = gap
        .links
        .iter()
        .filter(|(link, _)| link.is_some())
        .map(|(link, _)| body(link))
        .collect();
    match (parts.is_empty(), bodies.is_empty()) {
        (false, _) => format!("make {}", parts.join(", or ")),
        (true, false) => format!("check the lengths and guesses of {}", bodies.join(", ")),
        (true, true) => "check lengths and guesses".to_owned(),
    }
}

/// A link that is more than three times as long as all others of its loop together.
fn out_of_scale(links: &[(Option<usize>, f64)]) -> Option<(Option<usize>, f64)> {
    const FAR: f64 = 3.0;
    let total: f64 = links.iter().map(|(_, length)| length).sum();
    let others = |length: f64| total - length;
    let found = links
        .iter()
        .find(|(_, length)| others(*length) > 0.0 && *length > FAR * others(*length));
    found.copied()
}

/// Motors that contradict each other.
fn drivers(mechanism: &Mechanism, found: &Contradiction) -> Diagnostic {
    let names: Vec<String> = found
        .rows
        .iter()
        .map(|row| format!("`{}`", mechanism.elements.rows[*row].owner))
        .collect();
    let last = found.rows.last().map(|row| &mechanism.elements.rows[*row]);
    let joint = last.map_or("", |part| part.owner.as_str());
    let path = Path::new("joints").key(joint).key("motion");
    let (message, hint) = match names.as_slice() {
        [only] => (
            format!(
                "the motion of joint {only} contradicts the joints, which leave it no degree of freedom"
            ),
            "remove this `motion`, or a joint".to_owned(),
        ),
        [others @ .., last] => {
            let others = others.join(", ");
            let freedoms = match found.freedoms {
                1 => "1 degree of freedom".to_owned(),
                n => format!("{n} degrees of freedom"),
            };
            (
                format!(
                    "the motions of joints {others} and {last} contradict each other: the joints leave {freedoms}, \
                     so the motion of {last} already follows"
                ),
                format!("remove the `motion` of {last}, or of {others}"),
            )
        }
        [] => (
            "the prescribed motions contradict each other".to_owned(),
            "remove a `motion`".to_owned(),
        ),
    };
    Diagnostic::error(Code::T305, &path, message)
        .label("contradicts")
        .hint(hint)
}

/// A motion that begins where the joints cannot be.
fn driver(mechanism: &Mechanism, row: usize, left: f64, at: Option<f64>) -> Diagnostic {
    let part = &mechanism.elements.rows[row];
    let (name, away) = (&part.owner, amount(left, part.is_angle));
    let message = format!("joint `{name}` cannot be where it is driven: it stays {away} away");
    let hint = match at {
        Some(at) => format!(
            "without this motion the joints close, with joint `{name}` at {}: let the motion begin there, or change lengths",
            signed(at, part.is_angle)
        ),
        None => "without this motion the joints close: let it begin where they can be".to_owned(),
    };
    let path = Path::new("joints").key(name).key("motion");
    Diagnostic::error(Code::T305, &path, message).hint(hint)
}

/// A coupling, or a motion, in a loop that does not close.
fn row_of(mechanism: &Mechanism, row: usize, left: f64) -> Diagnostic {
    let part = &mechanism.elements.rows[row];
    if part.role == Role::Driven {
        return driver(mechanism, row, left, None);
    }
    let (name, amount) = (&part.owner, amount(left, part.is_angle));
    let message = format!("coupling `{name}` does not hold: it stays {amount} away");
    Diagnostic::error(Code::T305, &Path::new("couplings").key(name), message)
        .hint("check the ratio, and the guesses of the joints that it ties")
}

fn hold(mechanism: &Mechanism, index: usize, left: f64) -> Diagnostic {
    let name = &mechanism.elements.holds[index];
    let message = format!(
        "`{name}` cannot be held: assembly is {:.4e} away from its guess",
        left.abs()
    );
    Diagnostic::error(Code::T305, &Path::new("assembly.hold"), message)
        .hint("hold fewer coordinates, or give a guess that the joints allow")
}

/// The amount with its sign.
fn signed(value: f64, is_angle: bool) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", amount(value, is_angle))
}

/// A length in the unit that reads best, or an angle.
fn amount(gap: f64, is_angle: bool) -> String {
    let gap = gap.abs();
    let (value, unit) = match (is_angle, gap) {
        (true, _) => (gap.to_degrees(), "deg"),
        (false, 1.0..) => (gap, "m"),
        (false, 1e-3..) => (gap * 1e3, "mm"),
        (false, _) => (gap * 1e6, "µm"),
    };
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} {unit}")
}

#[cfg(test)]
mod tests {
    use super::{amount, out_of_scale};

    #[test]
    fn a_link_far_longer_than_its_loop_is_out_of_scale() {
        let loops = |length: f64| [(None, 0.3), (Some(0), 0.1), (Some(1), length)];
        assert_eq!(out_of_scale(&loops(3.0)), Some((Some(1), 3.0)));
        assert_eq!(out_of_scale(&loops(1.0)), None);
        assert_eq!(out_of_scale(&[(None, 1.0)]), None);
    }

    #[test]
    fn amounts_read_well() {
        assert_eq!(amount(-0.003, false), "3 mm");
        assert_eq!(amount(2.5, false), "2.5 m");
        assert_eq!(amount(std::f64::consts::FRAC_PI_2, true), "90 deg");
    }
}
