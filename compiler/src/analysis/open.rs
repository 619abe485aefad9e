//! What stays open, told in the words of the model.

use super::assemble::{Gap, Open, Remedy};
use super::mechanism::Mechanism;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::door::Role;

/// One T305 for each thing that stays open.
pub fn open(mechanism: &Mechanism, open: &[Open]) -> Diagnostics {
    let told = |one: &Open| match one {
        Open::Joint(gap) => joint(mechanism, gap),
        Open::Row(row, left) => row_of(mechanism, *row, *left),
        Open::Hold(index, left) => hold(mechanism, *index, *left),
    };
    open.iter().map(told).collect()
}

fn joint(mechanism: &Mechanism, gap: &Gap) -> Diagnostic {
    let name = &mechanism.anatomy.joints[gap.joint].name;
    let amount = amount(gap.gap, gap.is_angle);
    let message = match gap.is_angle {
        true => format!("joint `{name}` does not close: its directions stay {amount} apart"),
        false => format!("joint `{name}` does not close: it stays open by {amount}"),
    };
    let path = Path::new("joints").key(name);
    let diagnostic = Diagnostic::error(Code::T305, &path, message).label("stays open");
    diagnostic.hint(next_move(mechanism, gap, &amount))
}

/// Which lengths would close the loop, else which bodies are in it.
fn next_move(mechanism: &Mechanism, gap: &Gap, amount: &str) -> String {
    let body = |body: &Option<usize>| match body {
        Some(index) => format!("`{}`", mechanism.anatomy.bodies[*index].name),
        None => "the distance on ground".to_owned(),
    };
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
        .bodies
        .iter()
        .flatten()
        .map(|k| body(&Some(*k)))
        .collect();
    match (parts.is_empty(), bodies.is_empty()) {
        (false, _) => format!("make {}", parts.join(", or ")),
        (true, false) => format!("check the lengths and guesses of {}", bodies.join(", ")),
        (true, true) => "check lengths and guesses".to_owned(),
    }
}

/// A prescribed motion, or a coupling.
fn row_of(mechanism: &Mechanism, row: usize, left: f64) -> Diagnostic {
    let part = &mechanism.anatomy.rows[row];
    let (name, amount) = (&part.owner, amount(left, part.is_angle));
    let (path, message, hint) = match part.role {
        Role::Driven => (
            Path::new("joints").key(name).key("motion"),
            format!("joint `{name}` cannot be where it is driven: it stays {amount} away"),
            "the other joints close without this motion: begin it where they can be",
        ),
        _ => (
            Path::new("couplings").key(name),
            format!("coupling `{name}` does not hold: it stays {amount} away"),
            "check the ratio, and the guesses of the joints that it ties",
        ),
    };
    Diagnostic::error(Code::T305, &path, message).hint(hint)
}

fn hold(mechanism: &Mechanism, index: usize, left: f64) -> Diagnostic {
    let name = &mechanism.anatomy.holds[index];
    let message = format!(
        "`{name}` cannot be held: assembly is {:.4e} away from its guess",
        left.abs()
    );
    Diagnostic::error(Code::T305, &Path::new("assembly.hold"), message)
        .hint("hold fewer coordinates, or give a guess that the joints allow")
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
    use super::amount;

    #[test]
    fn amounts_read_well() {
        assert_eq!(amount(-0.003, false), "3 mm");
        assert_eq!(amount(2.5, false), "2.5 m");
        assert_eq!(amount(std::f64::consts::FRAC_PI_2, true), "90 deg");
    }
}
