//! All expressions of a tree, in a fixed order, so that a pass can replace them.

use super::{LinkStep, LocalLink, LoopEquation, RigidLink, Screw, Tree};
use crate::expr::Expr;

type Expressions<'e> = Vec<&'e mut Expr>;

impl Tree {
    /// All expressions of the tree.
    pub fn expressions(&mut self) -> Expressions<'_> {
        let mut found = Expressions::new();
        self.links.iter_mut().for_each(|one| one.add(&mut found));
        self.closing.iter_mut().for_each(|one| one.add(&mut found));
        self.local.iter_mut().for_each(|one| one.add(&mut found));
        found
    }
}

impl RigidLink {
    fn add<'e>(&'e mut self, found: &mut Expressions<'e>) {
        found.extend(&mut self.arm);
        found.push(&mut self.mass);
        found.extend(&mut self.first_moment);
        found.extend(self.inertia.as_flattened_mut());
        let rows = self.rows.iter_mut().map(|(_, screw)| screw);
        let own = [&mut self.load, &mut self.drag, &mut self.velocity];
        let screws = self.freedoms.iter_mut().chain(rows).chain(own);
        screws.for_each(|screw| screw.add(found));
        found.extend(self.points.iter_mut().flat_map(|point| &mut point.arm));
        found.extend(&mut self.efforts);
        found.extend(self.turn.iter_mut().flat_map(|turn| &mut turn.arm));
    }
}

impl LoopEquation {
    fn add<'e>(&'e mut self, found: &mut Expressions<'e>) {
        let screws = self.ends.iter_mut().map(|(_, screw)| screw);
        screws.for_each(|screw| screw.add(found));
        found.extend(self.rates.iter_mut().map(|(_, rate)| rate));
    }
}

impl LocalLink {
    fn add<'e>(&'e mut self, found: &mut Expressions<'e>) {
        self.steps.iter_mut().for_each(|step| step.add(found));
        found.push(&mut self.mass);
        found.extend(&mut self.first_moment);
        found.extend(self.inertia.as_flattened_mut());
        self.load.add(found);
        found.extend(self.axes.as_flattened_mut());
        found.extend(&mut self.offset);
    }
}

impl LinkStep {
    fn add<'e>(&'e mut self, found: &mut Expressions<'e>) {
        match self {
            Self::Turn { cos, sin, .. } => found.extend([cos, sin]),
            Self::Shift { by, .. } => found.push(by),
            Self::Free(_, screw) => screw.add(found),
            Self::Axes(axes) => found.extend(axes.as_flattened_mut()),
        }
    }
}

impl Screw {
    fn add<'e>(&'e mut self, found: &mut Expressions<'e>) {
        found.extend(&mut self.angular);
        found.extend(&mut self.linear);
    }
}
