//! Warns of a guess that assembly moves far, because the joints may have closed in another way than was meant.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::State;
use crate::description::Space;
use crate::diagnostics::{Code, Diagnostic};
use crate::model::{Body, Extent, Model};

/// A move of more than this part of the mechanism's size is far.
const FAR: f64 = 0.25;

/// A turn of more than this, in degrees, is far.
const TURNED: f64 = 30.0;

/// Number of bodies that the warning names. One wrong guess moves other bodies too.
const NAMED: usize = 3;

/// Distance by which assembly moved a body from its guess.
struct DistanceMoved<'m> {
    body: &'m Body,
    /// Displacement of the origin of its frame, in metres; zero for a body without a guess.
    along: f64,
    /// Its turn, in degrees.
    about: f64,
}

/// T308, if assembly moved a body far.
pub fn far(model: &Model, guess: &State, start: &State, size: f64) -> Option<Diagnostic> {
    let moves = model.bodies.iter().enumerate();
    let moves = moves.map(|(index, body)| moved(model, index, body, guess, start));
    let mut moves: Vec<DistanceMoved> = moves.filter(|one| one.share(size) > 1.0).collect();
    moves.sort_by(|a, b| b.share(size).total_cmp(&a.share(size)));
    let worst = moves.first()?;
    let mut named: Vec<String> = moves.iter().take(NAMED).map(DistanceMoved::text).collect();
    if moves.len() > NAMED {
        named.push(format!("and {} more bodies", moves.len() - NAMED));
    }
    let message = format!(
        "closing the joints took bodies far from their guess: {}",
        named.join(", ")
    );
    let hint = format!(
        "check the start with `bellcrank view`; a nearer `position` and `angle` prevent this warning, and \
         `bellcrank assemble --write` prints those that close. Far means more than a quarter of the mechanism's size \
         ({}) or {TURNED} deg",
        length(FAR * size)
    );
    let diagnostic = Diagnostic::warning(Code::T308, &worst.body.path, message);
    Some(diagnostic.label("moved far").hint(hint))
}

impl DistanceMoved<'_> {
    /// The size of the move as a share of the move that counts as far.
    fn share(&self, size: f64) -> f64 {
        (self.along / (FAR * size)).max(self.about / TURNED)
    }

    fn text(&self) -> String {
        let name = &self.body.name;
        format!(
            "`{name}` by {} and {:.0} deg",
            length(self.along),
            self.about
        )
    }
}

/// A length, in the unit that reads best.
fn length(metres: f64) -> String {
    match metres {
        1.0.. => format!("{metres:.2} m"),
        _ => format!("{:.3} mm", 1e3 * metres).replace(".000", ""),
    }
}

fn moved<'m>(
    model: &Model,
    index: usize,
    body: &'m Body,
    guess: &State,
    start: &State,
) -> DistanceMoved<'m> {
    let origin = [0, 1, 2].map(|k| model.at_defaults(&body.origin[k]));
    let places = [guess, start].map(|state| place(model.space, index, &state.q));
    let [(from, before), (to, after)] = places;
    let from = from + before * Vector3::from(origin);
    let shift = to + after * Vector3::from(origin) - from;
    // A body at the origin was most likely left there for assembly to place. A large turn of it is reported all the
    // same.
    let placed = from.norm() > 0.0 || before.angle() > 0.0;
    let about = match body.extent {
        Extent::Body => before.angle_to(&after).to_degrees(),
        // Its turn is not visible.
        Extent::Line(_) | Extent::Point => 0.0,
    };
    DistanceMoved {
        body,
        along: if placed { shift.norm() } else { 0.0 },
        about,
    }
}

/// Centre of mass and orientation.
fn place(space: Space, index: usize, q: &[f64]) -> (Vector3<f64>, UnitQuaternion<f64>) {
    match space {
        Space::Planar => {
            let q = &q[3 * index..][..3];
            let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), q[2]);
            (Vector3::new(q[0], q[1], 0.0), turn)
        }
        Space::Spatial => {
            let q = &q[7 * index..][..7];
            let turn = Quaternion::new(q[3], q[4], q[5], q[6]);
            let turn = UnitQuaternion::from_quaternion(turn);
            (Vector3::new(q[0], q[1], q[2]), turn)
        }
    }
}
