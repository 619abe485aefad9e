//! The text form of a model: one element a line, its parts below it, measures at the end as `m0`, `m1`.

use std::fmt::{self, Display, Formatter};

use super::{
    Action, Body, BodyId, Compliance, Coupling, Element, Event, Extent, Joint, JointCoordinate,
    JointId, Marker, Measure, Model, Solid, Spring, Vector,
};
use crate::description::{Interpolation, Space};
use crate::expr::{Expr, Symbol, Text, number};

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let space = match self.space {
            Space::Planar => "planar",
            Space::Spatial => "spatial",
        };
        writeln!(f, "mechanism {}, {space}", self.name)?;
        writeln!(f, "gravity {}", self.vector(&self.gravity))?;
        self.numbers(f)?;
        self.bodies.iter().try_for_each(|body| self.body(f, body))?;
        self.joints
            .iter()
            .try_for_each(|joint| self.joint(f, joint))?;
        self.couplings
            .iter()
            .try_for_each(|coupling| self.coupling(f, coupling))?;
        self.elements
            .iter()
            .try_for_each(|element| self.element(f, element))?;
        self.reports(f)?;
        let run = &self.simulation;
        let (integrator, stabilizer) = (run.integrator.word(), run.stabilizer.word());
        let (until, step) = (number(run.until), number(run.step));
        writeln!(
            f,
            "simulation until {until}, step {step}, {integrator}, {stabilizer}"
        )
    }
}

impl Model {
    fn numbers(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for parameter in &self.parameters {
            writeln!(
                f,
                "parameter {} = {}",
                parameter.name,
                number(parameter.default)
            )?;
        }
        for input in &self.inputs {
            writeln!(f, "input {} = {}", input.name, number(input.start))?;
        }
        for variable in &self.variables {
            let start = number(variable.start);
            writeln!(f, "variable {} = {start}", variable.name)?;
        }
        for table in &self.tables {
            let how = match table.interpolation {
                Interpolation::Linear => "linear",
                Interpolation::Cubic => "cubic",
            };
            writeln!(f, "table {}, {how}", table.name)?;
            for (x, c) in table.x.iter().zip(&table.coefficients) {
                writeln!(f, "  from {} {}", number(*x), list(c))?;
            }
            let end = table.x.last().zip(table.y.last());
            if let Some((x, y)) = end {
                writeln!(f, "  to {} [{}]", number(*x), number(*y))?;
            }
        }
        Ok(())
    }

    fn body(&self, f: &mut Formatter<'_>, body: &Body) -> fmt::Result {
        let free = if body.free { ", free" } else { "" };
        writeln!(f, "body {}{free}", body.name)?;
        writeln!(f, "  mass {}", self.text(&body.mass))?;
        if self.space == Space::Planar {
            writeln!(f, "  inertia {}", self.text(&body.inertia[2][2]))?;
            let (position, angle) = (list(&body.position), number(body.angle));
            writeln!(f, "  position {position}, angle {angle}")?;
        } else {
            let [x, y, z] = &body.inertia;
            let (x, y, z) = (self.vector(x), self.vector(y), self.vector(z));
            writeln!(f, "  inertia [{x}, {y}, {z}]")?;
            let (position, e) = (list(&body.position), list(&body.orientation));
            writeln!(f, "  position {position}, orientation {e}")?;
        }
        match body.extent {
            Extent::Body => {}
            Extent::Line(axis) => writeln!(f, "  only its line {} counts", list(&axis))?,
            Extent::Point => writeln!(f, "  only its centre counts")?,
        }
        let (velocity, spin) = (list(&body.velocity), list(&body.angular_velocity));
        writeln!(f, "  velocity {velocity}, angular velocity {spin}")?;
        writeln!(f, "  origin {}", self.vector(&body.origin))?;
        for (name, point) in &body.points {
            writeln!(f, "  point {name} {}", self.vector(point))?;
        }
        body.solids
            .iter()
            .try_for_each(|solid| self.solid(f, solid))
    }

    fn solid(&self, f: &mut Formatter<'_>, solid: &Solid) -> fmt::Result {
        let thick = |thickness: &Option<Expr>| match thickness {
            Some(thickness) => format!(", thickness {}", self.text(thickness)),
            None => String::new(),
        };
        let ends = |[a, b]: &[Vector; 2]| format!("{} to {}", self.vector(a), self.vector(b));
        match solid {
            Solid::Rod { ends: both, radius } => {
                let radius = radius
                    .as_ref()
                    .map(|r| format!(", radius {}", self.text(r)));
                writeln!(f, "  rod {}{}", ends(both), radius.unwrap_or_default())
            }
            Solid::Cylinder { ends: both, radius } => {
                writeln!(f, "  cylinder {}, radius {}", ends(both), self.text(radius))
            }
            Solid::Disc {
                center,
                axis,
                radius,
                thickness,
            } => {
                let (center, axis, radius) = (self.vector(center), list(axis), self.text(radius));
                let thick = thick(thickness);
                writeln!(f, "  disc at {center}, axis {axis}, radius {radius}{thick}")
            }
            Solid::Sphere { center, radius } => {
                let (center, radius) = (self.vector(center), self.text(radius));
                writeln!(f, "  sphere at {center}, radius {radius}")
            }
            Solid::Box { center, axes, size } => {
                let [x, y, z] = axes.each_ref().map(|axis| self.vector(axis));
                let (center, size) = (self.vector(center), self.vector(size));
                writeln!(f, "  box at {center}, axes [{x}, {y}, {z}], size {size}")
            }
            Solid::Polygon {
                corners,
                normal,
                thickness,
            } => {
                let corners: Vec<String> = corners.iter().map(|p| self.vector(p)).collect();
                let (corners, normal) = (corners.join(", "), self.vector(normal));
                let thick = thick(thickness);
                writeln!(f, "  polygon [{corners}], normal {normal}{thick}")
            }
        }
    }

    fn joint(&self, f: &mut Formatter<'_>, joint: &Joint) -> fmt::Result {
        let cut = if joint.cut { ", cut" } else { "" };
        writeln!(f, "joint {}, {}{cut}", joint.name, joint.kind)?;
        for (end, frame) in [
            (&joint.first, &joint.first_frame),
            (&joint.second, &joint.second_frame),
        ] {
            let [x, y, z] = frame.map(|row| list(&row));
            writeln!(f, "  at {}, frame [{x}, {y}, {z}]", self.marker(end))?;
        }
        if !joint.length.is_zero() {
            writeln!(f, "  length {}", self.text(&joint.length))?;
        }
        if !joint.pitch.is_zero() {
            writeln!(f, "  pitch {}", self.text(&joint.pitch))?;
        }
        for motion in &joint.motions {
            let coordinate = motion.coordinate;
            writeln!(f, "  motion {coordinate} = {}", self.text(&motion.law))?;
        }
        let Compliance { along, about } = &joint.compliance;
        for (name, value) in [
            ("stiffness", &along.stiffness),
            ("damping", &along.damping),
            ("rotational stiffness", &about.stiffness),
            ("rotational damping", &about.damping),
        ] {
            if let Some(value) = value {
                writeln!(f, "  {name} {}", self.text(value))?;
            }
        }
        Ok(())
    }

    fn coupling(&self, f: &mut Formatter<'_>, coupling: &Coupling) -> fmt::Result {
        let end =
            |(joint, c): (JointId, JointCoordinate)| format!("{}.{}", self.joint_name(joint), c);
        writeln!(f, "coupling {}, {}", coupling.name, coupling.kind.word())?;
        let (first, second) = (end(coupling.first), end(coupling.second));
        writeln!(f, "  {second} by {} of {first}", self.text(&coupling.ratio))?;
        let Spring { stiffness, damping } = &coupling.compliance;
        for (name, value) in [("stiffness", stiffness), ("damping", damping)] {
            if let Some(value) = value {
                writeln!(f, "  {name} {}", self.text(value))?;
            }
        }
        Ok(())
    }

    fn element(&self, f: &mut Formatter<'_>, element: &Element) -> fmt::Result {
        write!(f, "force {}, ", element.name)?;
        let frame = |follows: bool| if follows { "body" } else { "world" };
        match &element.action {
            Action::Force { at, force, follows } => {
                let (at, force) = (self.marker(at), self.vector(force));
                writeln!(
                    f,
                    "force on {at}\n  components {force} in {} axes",
                    frame(*follows)
                )?;
            }
            Action::Torque {
                body,
                torque,
                follows,
            } => {
                let (body, torque) = (self.body_name(Some(*body)), self.vector(torque));
                writeln!(
                    f,
                    "torque on {body}\n  components {torque} in {} axes",
                    frame(*follows)
                )?;
            }
            Action::Between {
                first,
                second,
                force,
                conservative,
            } => {
                let (first, second) = (self.marker(first), self.marker(second));
                writeln!(f, "between {first} and {second}")?;
                self.law(f, force, conservative)?;
            }
            Action::Joint {
                joint,
                coordinate: c,
                force,
                conservative,
            } => {
                writeln!(f, "on {}.{}", self.joint_name(*joint), c)?;
                self.law(f, force, conservative)?;
            }
        }
        if !element.potential.is_zero() {
            writeln!(f, "  potential {}", self.text(&element.potential))?;
        }
        Ok(())
    }

    fn law(&self, f: &mut Formatter<'_>, force: &Expr, conservative: &Expr) -> fmt::Result {
        writeln!(f, "  law {}", self.text(force))?;
        if !conservative.is_zero() {
            writeln!(f, "  conservative {}", self.text(conservative))?;
        }
        Ok(())
    }

    fn reports(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for output in &self.outputs {
            writeln!(f, "output {} = {}", output.name, self.text(&output.value))?;
        }
        for event in &self.events {
            self.event(f, event)?;
        }
        for hold in &self.holds {
            let (value, rate) = (self.text(&hold.value), self.text(&hold.rate));
            writeln!(f, "hold {}: {value}, rate {rate}", hold.name)?;
        }
        for (i, measure) in self.measures.iter().enumerate() {
            writeln!(f, "measure m{i} = {}", self.measure(measure))?;
        }
        Ok(())
    }

    fn event(&self, f: &mut Formatter<'_>, event: &Event) -> fmt::Result {
        let (when, direction) = (self.text(&event.when), event.direction.word());
        let stop = if event.stop { ", stops" } else { "" };
        writeln!(f, "event {}: {when}, {direction}{stop}", event.name)?;
        for (variable, value) in &event.sets {
            let name = &self.variables[*variable as usize].name;
            writeln!(f, "  set {name} = {}", self.text(value))?;
        }
        Ok(())
    }

    fn measure(&self, measure: &Measure) -> String {
        let axis = |k: &u8| ["x", "y", "z"].get(*k as usize).copied().unwrap_or("?");
        let body = |id: &BodyId| self.body_name(Some(*id));
        let joint = |id: &JointId| self.joint_name(*id);
        match measure {
            Measure::Position(at, k) => format!("position {} of {}", axis(k), self.marker(at)),
            Measure::Velocity(at, k) => format!("velocity {} of {}", axis(k), self.marker(at)),
            Measure::Acceleration(at, k) => {
                format!("acceleration {} of {}", axis(k), self.marker(at))
            }
            Measure::BodyAngle(id) => format!("angle of {}", body(id)),
            Measure::AngularVelocity(id, k) => {
                format!("angular velocity {} of {}", axis(k), body(id))
            }
            Measure::AngularAcceleration(id, k) => {
                format!("angular acceleration {} of {}", axis(k), body(id))
            }
            Measure::EulerParameter(id, k) => format!("Euler parameter {k} of {}", body(id)),
            Measure::JointCoordinate(id, c) => format!("{} of {}", c, joint(id)),
            Measure::JointRate(id, c) => format!("rate of {} of {}", c, joint(id)),
            Measure::JointAcceleration(id, c) => {
                format!("acceleration of {} of {}", c, joint(id))
            }
            Measure::Distance(a, b) => {
                format!("distance of {} and {}", self.marker(a), self.marker(b))
            }
            Measure::DistanceRate(a, b) => {
                format!(
                    "rate of distance of {} and {}",
                    self.marker(a),
                    self.marker(b)
                )
            }
            Measure::ReactionForce(id, k) => format!("reaction force {} in {}", axis(k), joint(id)),
            Measure::ReactionTorque(id, k) => {
                format!("reaction torque {} in {}", axis(k), joint(id))
            }
            Measure::DriveForce(id, c) => format!("drive of {} of {}", c, joint(id)),
            Measure::CouplingForce(id) => {
                let coupling = self.couplings.get(id.0 as usize);
                format!("force of {}", coupling.map_or("?", |c| c.name.as_str()))
            }
            Measure::ElementForce(id) => {
                let element = self.elements.get(id.0 as usize);
                format!("force of {}", element.map_or("?", |e| e.name.as_str()))
            }
            Measure::KineticEnergy => "kinetic energy".to_owned(),
            Measure::PotentialEnergy => "potential energy".to_owned(),
            Measure::Momentum(k) => format!("momentum {}", axis(k)),
            Measure::AngularMomentum(k) => format!("angular momentum {}", axis(k)),
        }
    }

    fn marker(&self, marker: &Marker) -> String {
        format!(
            "{} {}",
            self.body_name(marker.body),
            self.vector(&marker.point)
        )
    }

    fn body_name(&self, body: Option<BodyId>) -> &str {
        let found = body.map(|id| self.bodies.get(id.0 as usize));
        found.map_or("ground", |body| body.map_or("?", |body| body.name.as_str()))
    }

    fn joint_name(&self, joint: JointId) -> &str {
        let found = self.joints.get(joint.0 as usize);
        found.map_or("?", |joint| joint.name.as_str())
    }

    fn text(&self, expr: &Expr) -> String {
        let symbol = |symbol| match symbol {
            Symbol::Parameter(p) => self.parameters[p as usize].name.clone(),
            Symbol::Input(u) => self.inputs[u as usize].name.clone(),
            Symbol::Variable(w) => self.variables[w as usize].name.clone(),
            other => other.to_string(),
        };
        let table = |id: u32| self.tables[id as usize].name.clone();
        let text = Text {
            expr,
            symbol: &symbol,
            table: &table,
        };
        text.to_string()
    }

    fn vector(&self, vector: &[Expr; 3]) -> String {
        let [x, y, z] = vector.each_ref().map(|c| self.text(c));
        format!("[{x}, {y}, {z}]")
    }
}

fn list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|v| number(*v)).collect();
    format!("[{}]", values.join(", "))
}
