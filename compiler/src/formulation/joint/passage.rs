//! From the axes of one link to those of the next, in steps along single axes, with the degrees of freedom of the joint
//! between.

use nalgebra::Vector3;

use super::super::kinematics::BodyKinematics;
use super::super::vector::{add, constant, scale, sub, zero};
use super::super::{LinkStep, Screw};
use super::motion::{Carried, JointStep};
use super::placement::{
    PlacedTriad, Placement, TriadPath, along, angle, aside, foot, perpendicular, shift, turn_by,
    without_round_off,
};
use super::steps::Carrier;
use crate::expr::Expr;
use crate::model::{BodyId, Model, Vector};

/// The way from the inboard link to a body, with the outboard body for which axes are chosen.
pub struct Passage<'k, 'a> {
    pub kinematics: &'k mut BodyKinematics<'a>,
    pub body: BodyId,
    pub carrier: Carrier,
    pub carried: &'k Carried,
    /// The axes of the inboard link.
    pub inboard: &'k Placement,
    /// The outboard body for which the axes are chosen, and the triad that it hangs on.
    pub next: Option<(BodyId, PlacedTriad)>,
}

/// The triad of the inboard body at a joint.
pub fn inner(model: &Model, carrier: &Carrier) -> Option<PlacedTriad> {
    triads(model, carrier).map(|[inner, _]| inner)
}

/// The triads of both bodies at a joint, inboard first.
fn triads(model: &Model, carrier: &Carrier) -> Option<[PlacedTriad; 2]> {
    let (inner, outer) = carrier.ends(model)?;
    let joint = carrier.of(model)?;
    let axes = match carrier.forward {
        true => [joint.first_frame, joint.second_frame],
        false => [joint.second_frame, joint.first_frame],
    };
    let [inner_axes, outer_axes] = axes.map(|axes| axes.map(Vector3::from));
    Some(
        [(inner, inner_axes), (outer, outer_axes)].map(|(at, axes)| PlacedTriad {
            point: at.point.clone(),
            axes,
        }),
    )
}

impl Passage<'_, '_> {
    /// The axes of the link, and the steps to them.
    pub fn steps(mut self) -> (Placement, Vec<LinkStep>) {
        let model = self.kinematics.model;
        let is_free = |step: &JointStep| matches!(step, JointStep::Freely);
        let turns_freely = self.carried.moves.iter().any(is_free);
        let (placement, steps) = match triads(model, &self.carrier) {
            Some([inner, outer]) if self.carried.moves.is_empty() => {
                (self.fixed(&inner, &outer), Vec::new())
            }
            Some([inner, outer]) if turns_freely => self.freely(&inner, &outer),
            Some([inner, outer]) => self.about_z(&inner, &outer),
            None => self.flying(),
        };
        (placement, merged(steps))
    }

    /// A body that is fixed to its inboard one has the same axes.
    fn fixed(&self, inner: &PlacedTriad, outer: &PlacedTriad) -> Placement {
        let turned = |v: &Vector3<f64>| -> Vector3<f64> {
            let parts = (0..3).map(|k| outer.axes[k] * inner.axes[k].dot(v));
            parts.sum::<Vector3<f64>>()
        };
        let to_base = sub(&self.inboard.base, &inner.point);
        let mut base = outer.point.clone();
        for k in 0..3 {
            let part = along(&inner.axes[k], &to_base);
            base = add(&base, &scale(&part, &constant(outer.axes[k].into())));
        }
        Placement {
            base,
            slide: self.inboard.slide.clone(),
            axes: self.inboard.axes.each_ref().map(turned),
            toward: None,
        }
    }

    /// z is along the joint.
    fn about_z(&mut self, inner: &PlacedTriad, outer: &PlacedTriad) -> (Placement, Vec<LinkStep>) {
        let TriadPath {
            mut steps,
            slide,
            turn,
        } = self.inboard.path(inner, self.body);
        let stays = |step: &JointStep| match step {
            JointStep::Turn { .. } | JointStep::Thread { .. } => true,
            JointStep::Slide { along, .. } => *along == 2,
            JointStep::Cross | JointStep::Freely => false,
        };
        let one_axis = self.carried.moves.iter().all(stays);
        // If nothing requires other axes, the choice is the axes that need no more steps.
        let flush = match one_axis {
            true => (-&slide, turn),
            false => (Expr::zero(), [1.0, 0.0]),
        };
        let placement = self.place(outer, flush);
        let [x, y, _] = &outer.axes;
        let last = angle(&placement.axes[0], x, y);
        let keeps_turn = !(one_axis && is_identity(last, turn));
        let keeps_slide = !(one_axis && placement.slide == -&slide);
        if keeps_slide {
            shift(&mut steps, 2, slide);
        }
        if keeps_turn {
            turn_by(&mut steps, 2, turn);
        }
        for step in &self.carried.moves {
            self.take(&mut steps, step);
        }
        if keeps_turn {
            turn_by(&mut steps, 2, last);
        }
        if keeps_slide {
            shift(&mut steps, 2, placement.slide.clone());
        }
        (placement, steps)
    }

    /// Axes with z along the joint, chosen for the outboard body if there is one, else by a slide and a turn against
    /// the joint's triad.
    fn place(&self, outer: &PlacedTriad, (slide, [cos, sin]): (Expr, [f64; 2])) -> Placement {
        let [x, y, z] = &outer.axes;
        let flush = x * cos - y * sin;
        let (mut across, mut slide, mut toward) = (flush, slide, None);
        if let Some((body, triad)) = &self.next {
            let (w, r) = (&triad.axes[2], sub(&triad.point, &outer.point));
            if let Some(normal) = perpendicular(z, w) {
                (across, slide) = (normal, along(&foot(z, w), &r));
                toward = Some(*body);
            } else if let Some(direction) = aside(z, &r) {
                across = direction;
            }
        }
        Placement {
            base: outer.point.clone(),
            slide,
            axes: [across, z.cross(&across), *z],
            toward,
        }
    }

    /// A body that turns any way: its own angular velocity makes the turn, and its axes are those of the next joint.
    fn freely(&mut self, inner: &PlacedTriad, outer: &PlacedTriad) -> (Placement, Vec<LinkStep>) {
        let placement = self.toward_next(&outer.point);
        let is_turn = |step: &JointStep| matches!(step, JointStep::Freely);
        let at = self.carried.moves.iter().position(is_turn).unwrap_or(0);
        let (before, after) = self.carried.moves.split_at(at);
        let mut steps = Vec::new();
        let from = match before.is_empty() {
            true => {
                for (k, by) in self.inboard.arm_to(&inner.point).into_iter().enumerate() {
                    shift(&mut steps, k, by);
                }
                self.inboard.axes
            }
            false => {
                let path = self.inboard.path(inner, self.body);
                steps = path.steps;
                shift(&mut steps, 2, path.slide);
                turn_by(&mut steps, 2, path.turn);
                inner.axes
            }
        };
        for step in before {
            self.take(&mut steps, step);
        }
        if self.carrier.inboard.is_some() || !before.is_empty() {
            let inboard = self.carrier.inboard;
            let axes = from.map(|axis| self.kinematics.direction(inboard, axis.into()));
            steps.push(LinkStep::Axes(transposed(&axes)));
        }
        let to = match after.len() {
            1 => placement.axes,
            _ => outer.axes,
        };
        self.turn_freely(&mut steps, &to);
        for step in &after[1..] {
            self.take(&mut steps, step);
        }
        if after.len() > 1 {
            let triad = PlacedTriad {
                point: outer.point.clone(),
                axes: placement.axes,
            };
            let path = at_triad(outer).path(&triad, self.body);
            steps.extend(path.steps);
            turn_by(&mut steps, 2, path.turn);
        }
        (placement, steps)
    }

    /// A body that flies freely moves along the axes of the world.
    fn flying(&mut self) -> (Placement, Vec<LinkStep>) {
        let placement = self.toward_next(&zero());
        let mut steps = Vec::new();
        for step in &self.carried.moves {
            match step {
                JointStep::Freely => self.turn_freely(&mut steps, &placement.axes),
                other => self.take(&mut steps, other),
            }
        }
        (placement, steps)
    }

    /// The turn of a body with an angular velocity of its own, whose degrees of freedom stand behind those with rates.
    fn turn_freely(&mut self, steps: &mut Vec<LinkStep>, axes: &[Vector3<f64>; 3]) {
        let axes = axes.map(|axis| self.kinematics.direction(Some(self.body), axis.into()));
        steps.push(LinkStep::Axes(axes));
        let first = self.carried.rates.len();
        for k in 0..3 {
            let freedom = unit(k, Expr::one());
            steps.push(LinkStep::Free(
                first + k,
                Screw {
                    angular: freedom,
                    ..Screw::default()
                },
            ));
        }
    }

    /// Axes at a point with z along the next joint and x towards it; any others if there is none.
    fn toward_next(&self, point: &Vector) -> Placement {
        let mut placement = Placement {
            base: point.clone(),
            ..Placement::world()
        };
        if let Some((_, triad)) = &self.next {
            let z = triad.axes[2];
            let r = sub(&triad.point, point);
            let x = aside(&z, &r).unwrap_or(triad.axes[0]);
            placement.axes = [x, z.cross(&x), z];
        }
        placement
    }

    /// A move of the joint.
    fn take(&self, steps: &mut Vec<LinkStep>, step: &JointStep) {
        let sign = Expr::constant(if self.carrier.forward { 1.0 } else { -1.0 });
        match step {
            JointStep::Turn {
                by: [cos, sin],
                rate,
            } => {
                steps.push(LinkStep::Turn {
                    about: 2,
                    cos: cos.clone(),
                    sin: sin.clone(),
                });
                let angular = unit(2, sign);
                steps.push(LinkStep::Free(
                    *rate,
                    Screw {
                        angular,
                        ..Screw::default()
                    },
                ));
            }
            JointStep::Slide { along, by, rate } => {
                shift(steps, *along, by.clone());
                let linear = unit(*along, sign);
                steps.push(LinkStep::Free(
                    *rate,
                    Screw {
                        linear,
                        ..Screw::default()
                    },
                ));
            }
            JointStep::Thread { by, pitch } => {
                if let Some(LinkStep::Free(_, freedom)) = steps.last_mut() {
                    freedom.linear = scale(pitch, &freedom.angular);
                }
                shift(steps, 2, by.clone());
            }
            // A half turn about the middle of x and z is one of a quarter about y and a half one about z.
            JointStep::Cross => {
                turn_by(steps, 1, [0.0, 1.0]);
                turn_by(steps, 2, [-1.0, 0.0]);
            }
            JointStep::Freely => {}
        }
    }
}

/// True if two turns about the same axis undo each other.
fn is_identity([c, s]: [f64; 2], [d, t]: [f64; 2]) -> bool {
    without_round_off(c * d - s * t) == 1.0 && without_round_off(s * d + c * t) == 0.0
}

/// A triad as a placement.
fn at_triad(triad: &PlacedTriad) -> Placement {
    Placement {
        base: triad.point.clone(),
        slide: Expr::zero(),
        axes: triad.axes,
        toward: None,
    }
}

fn unit(k: usize, size: Expr) -> Vector {
    let mut vector = zero();
    vector[k] = size;
    vector
}

fn transposed(axes: &[Vector; 3]) -> [Vector; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| axes[k][i].clone()))
}

/// Merges steps that turn about z, move along z or are free to do so, because their order does not matter. Turns and
/// shifts become one, and degrees of freedom come last, where on the way inwards they leave zeros for the others.
fn merged(steps: Vec<LinkStep>) -> Vec<LinkStep> {
    let mut merged = Vec::new();
    let mut run = AxialSteps::default();
    for step in steps {
        if let Some(step) = run.take(step) {
            run.finish(&mut merged);
            merged.push(step);
        }
    }
    run.finish(&mut merged);
    merged
}

/// Steps about and along z.
#[derive(Default)]
struct AxialSteps {
    /// A turn by a number, and one by an angle of the joint.
    constant: Option<[f64; 2]>,
    turn: Option<[Expr; 2]>,
    shift: Expr,
    freedoms: Vec<(usize, Screw)>,
}

impl AxialSteps {
    /// Takes a step in; gives it back if it is none about z.
    fn take(&mut self, step: LinkStep) -> Option<LinkStep> {
        match step {
            LinkStep::Turn { about: 2, cos, sin } => match (cos.as_constant(), sin.as_constant()) {
                (Some(c), Some(s)) => {
                    let [cos, sin] = self.constant.unwrap_or([1.0, 0.0]);
                    self.constant = Some([cos * c - sin * s, sin * c + cos * s]);
                    None
                }
                _ if self.turn.is_none() => {
                    self.turn = Some([cos, sin]);
                    None
                }
                _ => Some(LinkStep::Turn { about: 2, cos, sin }),
            },
            LinkStep::Shift { along: 2, by } => {
                self.shift = &self.shift + by;
                None
            }
            LinkStep::Free(n, freedom) if is_about_z(&freedom) => {
                self.freedoms.push((n, freedom));
                None
            }
            other => Some(other),
        }
    }

    fn finish(&mut self, steps: &mut Vec<LinkStep>) {
        let run = std::mem::take(self);
        let constant = run.constant.map(|part| part.map(without_round_off));
        let [c, s] = constant.unwrap_or([1.0, 0.0]).map(Expr::constant);
        match run.turn {
            Some([cos, sin]) => steps.push(LinkStep::Turn {
                about: 2,
                cos: &c * &cos - &s * &sin,
                sin: &s * &cos + &c * &sin,
            }),
            None => turn_by(steps, 2, constant.unwrap_or([1.0, 0.0])),
        }
        shift(steps, 2, run.shift);
        let freedoms = run.freedoms.into_iter();
        steps.extend(freedoms.map(|(n, freedom)| LinkStep::Free(n, freedom)));
    }
}

fn is_about_z(freedom: &Screw) -> bool {
    let [a, b, _] = &freedom.angular;
    let [c, d, _] = &freedom.linear;
    [a, b, c, d].into_iter().all(Expr::is_zero)
}
