//! Structures without a degree of freedom: nothing to run, but reactions to tell.

use crate::{answer, near, refusal};

const G: f64 = 9.81;

/// Round-off of forces of some hundred newtons.
const ROUND_OFF: f64 = 1e-11;

/// Two bars of 2 kg under a load of 100 N on their top.
const FRAME: &str = r#"
space = "planar"
gravity = [0, -9.81]
[ground.points]
left = [-1, 0]
right = [1, 0]
[bodies.one]
mass = 2
inertia = 0.3
center = [0.5, 0.5]
points = { top = [1, 1] }
position = [-1, 0]
[bodies.two]
mass = 2
inertia = 0.3
center = [-0.5, 0.5]
points = { top = [-1, 1] }
position = [1, 0]
[joints.L]
type = "revolute"
between = ["ground.left", "one"]
[joints.T]
type = "revolute"
between = ["one.top", "two.top"]
[joints.R]
type = "revolute"
between = ["ground.right", "two"]
[forces.load]
type = "force"
on = "one.top"
force = [0, -100]
"#;

/// Each support carries half of all weight. The moment about the top of the right bar, on which nothing else pulls,
/// gives the thrust: H = V − m g/2.
#[test]
fn a_frame_of_two_bars_pushes_its_supports_apart() {
    let (found, _) = answer("statics", FRAME, &[]);
    assert_eq!(found["stability"], "fixed");
    let up = (100.0 + 4.0 * G) / 2.0;
    let thrust = up - G;
    near(&found["reactions"]["L"]["force"][0], thrust, ROUND_OFF);
    near(&found["reactions"]["L"]["force"][1], up, ROUND_OFF);
    near(&found["reactions"]["R"]["force"][0], -thrust, ROUND_OFF);
    near(&found["reactions"]["R"]["force"][1], up, ROUND_OFF);
}

/// A beam that is built in at both ends, 2 m apart, with its weight W at 0.5 m.
const BEAM: &str = r#"
space = "planar"
gravity = [0, -10]
[ground.points]
far = [2, 0]
[bodies.beam]
mass = 4
inertia = 1
center = [0.5, 0]
points = { end = [2, 0] }
[joints.near]
type = "fixed"
between = ["ground", "beam"]
[joints.far]
type = "fixed"
between = ["ground.far", "beam.end"]
"#;

/// V₁ + V₂ = W and L V₂ + M₁ + M₂ = c W leave two unknown. V₁² + V₂² + M₁² + M₂² is smallest where M₁ = M₂ and
/// V₂ = W (2 + L c)/(4 + L²).
#[test]
fn redundant_supports_share_a_load_with_the_smallest_reactions() {
    let (found, _) = answer("statics", BEAM, &[]);
    let w = 40.0;
    let far = w * 3.0 / 8.0;
    let moment = (0.5 * w - 2.0 * far) / 2.0;
    near(&found["reactions"]["far"]["force"][0], 0.0, ROUND_OFF);
    near(&found["reactions"]["far"]["force"][1], far, ROUND_OFF);
    near(&found["reactions"]["near"]["force"][1], w - far, ROUND_OFF);
    near(&found["reactions"]["far"]["torque"][2], moment, ROUND_OFF);
    near(&found["reactions"]["near"]["torque"][2], moment, ROUND_OFF);
}

#[test]
fn a_structure_does_not_run() {
    let said = refusal("run", FRAME, &[]);
    assert!(said.contains("error[T302]"), "{said}");
    assert!(said.contains("`statics` gives the reactions"), "{said}");
}
