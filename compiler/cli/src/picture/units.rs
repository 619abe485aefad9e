//! Units of outputs, as far as their expressions determine them.

use crate::expr::{Binary, Expr, Node, Symbol, Unary};
use crate::model::{Action, JointCoordinate, Measure, Model};

/// The unit of an expression; `None` if it is a pure number or unknown. A sum has the unit of its terms with known
/// units, because an added number has none.
pub(super) fn unit(model: &Model, expr: &Expr) -> Option<&'static str> {
    match expr.node() {
        Node::Symbol(Symbol::Measure(m)) => of_measure(model, &model.measures[*m as usize]),
        Node::Add(a, b) | Node::Sub(a, b) | Node::Select(_, a, b) => {
            unit(model, a).or_else(|| unit(model, b))
        }
        Node::Binary(Binary::Min | Binary::Max, a, b) => unit(model, a).or_else(|| unit(model, b)),
        Node::Neg(a) | Node::Unary(Unary::Abs, a) => unit(model, a),
        Node::Unary(Unary::Asin | Unary::Acos | Unary::Atan, _)
        | Node::Binary(Binary::Atan2, ..) => Some("rad"),
        _ => None,
    }
}

fn of_measure(model: &Model, measure: &Measure) -> Option<&'static str> {
    Some(match measure {
        Measure::Position(..) | Measure::Distance(..) => "m",
        Measure::Velocity(..) | Measure::DistanceRate(..) => "m/s",
        Measure::Acceleration(..) => "m/s²",
        Measure::BodyAngle(_) => "rad",
        Measure::AngularVelocity(..) => "rad/s",
        Measure::AngularAcceleration(..) => "rad/s²",
        Measure::EulerParameter(..) => return None,
        Measure::JointCoordinate(_, which) => match which.is_angle() {
            true => "rad",
            false => "m",
        },
        Measure::JointRate(_, which) => match which.is_angle() {
            true => "rad/s",
            false => "m/s",
        },
        Measure::JointAcceleration(_, which) => match which.is_angle() {
            true => "rad/s²",
            false => "m/s²",
        },
        Measure::ReactionForce(..) => "N",
        Measure::ReactionTorque(..) => "N m",
        Measure::DriveForce(_, which) => effort(*which),
        Measure::ElementForce(element) => match &model.elements[element.0 as usize].action {
            Action::Joint { coordinate, .. } => effort(*coordinate),
            _ => "N",
        },
        Measure::CouplingForce(coupling) => effort(model.couplings[coupling.0 as usize].second.1),
        Measure::KineticEnergy | Measure::PotentialEnergy => "J",
        Measure::Momentum(_) => "kg m/s",
        Measure::AngularMomentum(_) => "kg m²/s",
    })
}

fn effort(coordinate: JointCoordinate) -> &'static str {
    match coordinate.is_angle() {
        true => "N m",
        false => "N",
    }
}
