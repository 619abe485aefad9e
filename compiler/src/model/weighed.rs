//! Bodies whose mass is not known: the stages that work without it, and those that do not.

use super::{Body, Measure, Model};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};

/// M232 for each body without mass or inertia, if there is any.
pub fn weighed(model: &Model) -> Result<(), Diagnostics> {
    let mut found = Diagnostics::new();
    for body in unweighed(model) {
        found.push(missing(body));
    }
    found.finish(()).map(drop)
}

/// M232 where an output, a law or an event needs masses that are not known.
pub fn measurable(model: &Model) -> Result<(), Diagnostics> {
    let heavy = |measure: &Measure| {
        matches!(
            measure,
            Measure::KineticEnergy
                | Measure::PotentialEnergy
                | Measure::Momentum(_)
                | Measure::AngularMomentum(_)
        )
    };
    match model.measures.iter().any(heavy) {
        true => weighed(model),
        false => Ok(()),
    }
}

/// Bodies without mass or inertia.
pub fn unweighed(model: &Model) -> impl Iterator<Item = &Body> {
    model.bodies.iter().filter(|body| !body.missing.is_empty())
}

fn missing(body: &Body) -> Diagnostic {
    let missing = body.missing.join("` and no `");
    let message = format!("`{}` has no `{missing}`, which a run needs", body.path);
    Diagnostic::error(Code::M232, &body.path, message)
        .label(format!("`{}` missing", body.missing.join("` and `")))
        .hint("give `mass` and `inertia` (in the plane one number, `inertia = \"0.01 kg*m^2\"`; a thin rod of length L has m L²/12), or a `shape` with a `material`; `assemble` and `kinematics` need none")
}
