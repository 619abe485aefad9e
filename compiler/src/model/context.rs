//! The context of the passes of this stage: the description, the model as far as it is resolved, and the findings.

use indexmap::IndexMap;

use super::dimension::Typed;
use super::expressions::{Expanded, NamedExpression};
use super::force::ActionPlace;
use super::law::Scope;
use super::names::NamedElement;
use super::shape::PlacedShape;
use super::{BodyId, JointCoordinate, JointId, Measure, Parameter};
use crate::description::expression::Known;
use crate::description::{Description, Space};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, nearest};
use crate::expr::{Expr, Symbol};

/// The proof that an error was pushed: whoever holds it may stop in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// A value, or the proof that its absence was reported.
pub(super) type Resolved<T> = Result<T, Reported>;

/// The context of all passes. Lists grow in the order of the passes in `resolve`.
pub(super) struct Context<'a> {
    /// The description as it was written.
    pub description: &'a Description,
    /// The one space of names.
    pub names: IndexMap<&'a str, NamedElement>,
    /// Constants that are already known.
    pub constants: IndexMap<&'a str, Resolved<Typed>>,
    /// Parameters, with the dimension of their text.
    pub parameters: Vec<Resolved<(Parameter, Typed)>>,
    /// Dimensions of the inputs.
    pub inputs: Vec<Resolved<Typed>>,
    /// Dimensions of the discrete variables.
    pub variables: Vec<Resolved<Typed>>,
    /// Named expressions, once they are read.
    pub expressions: Vec<Option<Resolved<NamedExpression>>>,
    /// The dimensions of expressions at the places where they were expanded.
    pub expanded: Vec<Expanded>,
    /// Points, axes and pose of ground.
    pub ground: PlacedShape,
    /// Points, axes and pose of each body.
    pub bodies: Vec<PlacedShape>,
    /// Angles of joints whose whole turns count.
    pub turning: Vec<(JointId, JointCoordinate)>,
    /// Bodies whose Euler parameters are asked for.
    pub oriented: Vec<BodyId>,
    /// The place at which each force element acts.
    pub places: Vec<Resolved<ActionPlace>>,
    /// The measures that laws refer to, each once.
    pub measures: Vec<Measure>,
    /// Findings so far.
    pub diagnostics: Diagnostics,
}

impl<'a> Context<'a> {
    /// Nothing resolved yet.
    pub fn new(description: &'a Description) -> Self {
        Self {
            description,
            names: IndexMap::new(),
            constants: IndexMap::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            variables: Vec::new(),
            expressions: Vec::new(),
            expanded: Vec::new(),
            ground: PlacedShape::fixed(),
            bodies: Vec::new(),
            turning: Vec::new(),
            oriented: Vec::new(),
            places: Vec::new(),
            measures: Vec::new(),
            diagnostics: Diagnostics::new(),
        }
    }

    /// Reads a text with the meanings that names have in a scope.
    pub fn known<T>(&self, scope: &Scope, read: impl FnOnce(&Known) -> T) -> T {
        let number = |name: &str| {
            let kind = self.names.get(name).copied()?;
            kind.is_number().then(|| kind.describe())
        };
        read(&Known {
            number: &number,
            time: scope.is_law(),
        })
    }

    /// True in the plane.
    pub fn planar(&self) -> bool {
        self.description.space == Space::Planar
    }

    /// Components of a vector: two in the plane, three in space.
    pub fn n_components(&self) -> usize {
        if self.planar() { 2 } else { 3 }
    }

    /// Pushes a finding and hands out the proof.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// Pushes an error without a hint.
    pub fn error(&mut self, code: Code, path: &Path, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(code, path, message))
    }

    /// Points, axes and pose of a body, or of ground.
    pub fn shape(&self, body: Option<BodyId>) -> &PlacedShape {
        match body {
            Some(id) => &self.bodies[id.0 as usize],
            None => &self.ground,
        }
    }

    /// Name of a body, or `ground`.
    pub fn body_name(&self, body: Option<BodyId>) -> &'a str {
        let name = body.and_then(|id| self.description.bodies.get_index(id.0 as usize));
        name.map_or("ground", |(name, _)| name)
    }

    /// Notes that whole turns of an angle count: a constraint equation, a law, an output or an event uses them.
    pub fn count_turns(&mut self, joint: JointId, coordinate: JointCoordinate) {
        if coordinate.is_angle() && !self.turning.contains(&(joint, coordinate)) {
            self.turning.push((joint, coordinate));
        }
    }

    /// Stands for a measure in a law, an output or an event, which follow an orientation wherever it goes: whole
    /// turns count, and Euler parameters keep their sign.
    pub fn measure(&mut self, measure: Measure) -> Expr {
        match measure {
            Measure::JointCoordinate(joint, coordinate) => self.count_turns(joint, coordinate),
            Measure::EulerParameter(body, _) if !self.oriented.contains(&body) => {
                self.oriented.push(body);
            }
            _ => {}
        }
        self.held(measure)
    }

    /// Stands for a measure in an expression; equal measures are stored once. Positions and motions of ground are
    /// known, so they need no measure. Coordinates that the assembly holds stay near their guess, so nothing has to be
    /// counted for them.
    pub fn held(&mut self, measure: Measure) -> Expr {
        match &measure {
            Measure::Position(at, k) if at.body.is_none() => return at.point[*k as usize].clone(),
            Measure::Velocity(at, _) | Measure::Acceleration(at, _) if at.body.is_none() => {
                return Expr::zero();
            }
            _ => {}
        }
        let known = self.measures.iter().position(|m| *m == measure);
        let index = known.unwrap_or_else(|| {
            self.measures.push(measure);
            self.measures.len() - 1
        });
        Expr::symbol(Symbol::Measure(index as u32))
    }
}

/// `did you mean …?`, if one of the candidates is near.
pub(super) fn did_you_mean<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// Adds a hint if there is one.
pub(super) fn with_hint(diagnostic: Diagnostic, hint: Option<String>) -> Diagnostic {
    match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

/// All values, or the proof that one is missing.
pub(super) fn all<T, const N: usize>(values: [Resolved<T>; N]) -> Resolved<[T; N]> {
    let values: Vec<T> = values.into_iter().collect::<Resolved<_>>()?;
    values.try_into().map_err(|_| Reported)
}
