//! The text form of the points that were chosen, in the words of the model.

use std::fmt::{self, Write};

use super::super::kinematics::BodyKinematics;
use super::super::rows::Wanted;
use super::PointForm;
use super::layout::{Layout, layout};
use super::points::BodyPoint;
use crate::expr::number;
use crate::model::{BodyId, Extent, Joint, Model};
use crate::topology::Topology;

/// For each body from the root outwards: its points, their places in body axes from its centre, the bodies that share
/// them, and the distances that are constraint equations. Then the constraint equations that remain of the joints.
pub fn print(model: &Model, topology: &Topology, form: PointForm) -> String {
    let mut text = String::new();
    if let Ok(layout) = layout(&mut BodyKinematics::empty(model), topology, form) {
        let _ = write(&mut text, model, topology, &layout);
    }
    text
}

fn write(text: &mut String, model: &Model, topology: &Topology, layout: &Layout) -> fmt::Result {
    for &id in &topology.order {
        let body = &model.bodies[id.0 as usize];
        let points = &layout.bodies[id.0 as usize].points;
        let kind = match body.extent {
            Extent::Body => "",
            Extent::Line(_) => ", a rod without spin",
            Extent::Point => ", a point mass",
        };
        writeln!(text, "points of {}{kind}", body.name)?;
        for point in points {
            let owners = owners(model, topology, layout, id, point);
            writeln!(text, "  {} at {}{owners}", point.name, place(point.at))?;
        }
        for point in &layout.bodies[id.0 as usize].followers {
            writeln!(
                text,
                "  {} at {}, which follows from these",
                point.name,
                place(point.at)
            )?;
        }
        for pair in layout.distances.iter().filter(|pair| pair.body == id) {
            let (first, second) = (&points[pair.first].name, &points[pair.second].name);
            writeln!(
                text,
                "  row: distance of {first} and {second} is {}",
                number(pair.length)
            )?;
        }
    }
    for (joint, wanted) in model.joints.iter().zip(&layout.wanted) {
        let Joint { name, kind, .. } = joint;
        let rows = match wanted {
            Wanted::All => "has all its rows",
            Wanted::BeyondThePoint => "shares its point and has its other rows",
            Wanted::None => "is made of shared points, without rows",
        };
        writeln!(text, "joint {name} ({kind}) {rows}")?;
    }
    Ok(())
}

/// The origin of a point, and the other bodies that share it.
fn owners(
    model: &Model,
    topology: &Topology,
    layout: &Layout,
    id: BodyId,
    point: &BodyPoint,
) -> String {
    let name = |body: Option<BodyId>| match body {
        Some(body) => model.bodies[body.0 as usize].name.as_str(),
        None => "ground",
    };
    if point.inherited {
        return format!(
            ", taken over from {}",
            name(topology.parents[id.0 as usize].body)
        );
    }
    let has = |other: &&BodyId| {
        let list = &layout.bodies[other.0 as usize].points;
        **other != id && list.iter().any(|p| p.position == point.position)
    };
    let others: Vec<&str> = (topology.order.iter().filter(has))
        .map(|&other| name(Some(other)))
        .collect();
    match others.as_slice() {
        [] => String::new(),
        list => format!(", shared with {}", list.join(" and ")),
    }
}

fn place(at: [f64; 3]) -> String {
    let [x, y, z] = at.map(number);
    format!("[{x}, {y}, {z}]")
}
