//! Formulations that a mechanism or a method rules out.

use super::Coordinates;
use super::contenders::Contenders;
use crate::Options;
use crate::description::{Formulation, Method};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::formulation;
use crate::model::{Body, Model};
use crate::options::Extra;
use crate::options::methods;
use crate::topology::Topology;

/// The method that these coordinates do not serve, if there is one. Constraint equations without multipliers cannot be
/// compliant, and joint coordinates have no tangents.
pub fn unserved(coordinates: Coordinates, model: &Model, options: &Options) -> Option<Method> {
    let asks = |method: &Method| {
        let extras = method.extras();
        let soft = coordinates.is_recursive() && extras.contains(&Extra::Penalty);
        soft || (coordinates == Coordinates::Joint && extras.contains(&Extra::Tangents))
    };
    methods(model, options).into_iter().find(asks)
}

/// The error for a method that the named formulation does not serve.
pub fn refused(coordinates: Coordinates, method: Method) -> Diagnostic {
    let needs = match method.extras().contains(&Extra::Penalty) {
        true => {
            "constraint equations that act as springs, and `{}` has no multipliers for most of them"
        }
        false => "derivatives of the equations of motion, which `{}` does not have",
    };
    let needs = needs.replace("{}", coordinates.word());
    let message = format!("`{}` needs {needs}", method.word());
    Diagnostic::error(Code::F402, &Path::new("formulation"), message)
        .hint("write `formulation = \"particle\"` or `formulation = \"body\"`")
}

/// The error for a named formulation that is not available. It names the body that prevents it.
pub fn unavailable(asked: Formulation, model: &Model, topology: &Topology) -> Diagnostic {
    let misplaced = Contenders::all(asked)
        .coordinates
        .iter()
        .find_map(|one| match *one {
            Coordinates::Points(form) => formulation::misplaced(model, topology, form),
            Coordinates::Joint => None,
        });
    let word = asked.word();
    if asked == Formulation::Joint && formulation::joint(model, topology).is_none() {
        let message = "in joint coordinates M is full, and that of this mechanism is too large to be written out";
        return Diagnostic::error(Code::F402, &Path::new("formulation"), message)
            .hint("write `formulation = \"particle\"`");
    }
    if asked == Formulation::Swing && misplaced.is_none() {
        let message = "no body is hinged to ground in the plane";
        return Diagnostic::error(Code::F402, &Path::new("formulation"), message)
            .hint("write `formulation = \"particle\"`");
    }
    let is_light = |body: &&Body| model.is_massless(body) || model.is_thin(body);
    let light = model.bodies.iter().find(is_light);
    match (misplaced.map(|id| &model.bodies[id.0 as usize]), light) {
        (Some(body), _) => {
            let message = format!(
                "the points of body `{}` cannot be placed: they would lie in one plane",
                body.name
            );
            Diagnostic::error(Code::F402, &body.path, message)
                .hint("write `formulation = \"body\"`")
        }
        (None, Some(body)) => {
            let message = format!(
                "`{word}` needs inertia along every joint, and body `{}` has none {}",
                body.name,
                match model.is_massless(body) {
                    true => "of its own",
                    false => "about some axis",
                }
            );
            Diagnostic::error(Code::F402, &body.path, message).hint(
                "give it inertia, cut another joint with `cut = true`, or write `formulation = \"particle\"`",
            )
        }
        (None, None) => {
            let path = Path::new("formulation");
            let message = "the inertia along some joint is lost in that of other bodies";
            Diagnostic::error(Code::F402, &path, message)
                .hint("cut another joint with `cut = true`, or write `formulation = \"body\"`")
        }
    }
}
