//! Outputs that nobody wrote.

use super::model;
use crate::model::{Extent, Model, add_poses, is_pose};

/// A thin rod, a point mass and a body on which they hang.
const HANGING: &str = r#"
space = "spatial"
bodies.post = { mass = 1, inertia = [1, 1, 1], points.top = [0, 0, 1] }
bodies.rod = { mass = 1, inertia = [0, 1, 1], points = { a = [-1, 0, 0], b = [1, 0, 0] } }
bodies.bob = { mass = 1, inertia = [0, 0, 0] }
joints.A = { type = "revolute", between = ["ground", "post"], axis = "z" }
joints.B = { type = "spherical", between = ["post.top", "rod.a"] }
joints.C = { type = "spherical", between = ["rod.b", "bob"] }
outputs.height = "bob.z"
"#;

fn with_poses(text: &str) -> Model {
    let mut model = model(text);
    add_poses(&mut model);
    model
}

#[test]
fn only_what_is_seen_of_a_body_is_told() {
    let model = with_poses(HANGING);
    let told = |body: &str| {
        let name = format!("pose.{body}.");
        model
            .outputs
            .iter()
            .filter(|one| one.name.starts_with(&name))
            .count()
    };
    // A centre and two axes, a centre and one axis, a centre.
    assert_eq!([told("post"), told("rod"), told("bob")], [9, 6, 3]);
    let extent = |name: &str| {
        model
            .bodies
            .iter()
            .find(|body| body.name == name)
            .unwrap()
            .extent
    };
    let extents = ["post", "rod", "bob"].map(extent);
    assert_eq!(
        extents,
        [Extent::Body, Extent::Line([1.0, 0.0, 0.0]), Extent::Point]
    );
}

#[test]
fn what_is_written_comes_first_and_has_another_name() {
    let model = with_poses(HANGING);
    let (first, rest) = model.outputs.split_first().unwrap();
    assert!(first.name == "height" && !is_pose(&first.name));
    assert!(rest.iter().all(|output| is_pose(&output.name)));
}
